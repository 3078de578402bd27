// Three heartbeats with different labels and two servers on one database play 50 councils, each of them killed at random.
import { describe, expect, it } from 'vitest';
import { playWithKills } from '../helpers/postgres/killed-fleet.ts';
import { sharedPostgres } from '../helpers/postgres/shared.ts';

const COUNCILS = Number(process.env.COUNCIL_FAULT_COUNCILS ?? 50);

describe.skipIf(!(await sharedPostgres()))('a fleet that is killed at random', () => {
  it(`brings ${COUNCILS} councils to their archives, each answer once`, { timeout: 1_800_000 }, async () => {
    const { archives, kills } = await playWithKills(COUNCILS, { ms: 1_500_000 });
    expect(archives).toBe(COUNCILS);
    const count = (signal: string): number => kills.filter((one) => one === signal).length;
    console.log(
      `${archives} archives; ${count('SIGKILL')} killed, ${count('SIGTERM')} ended, ${count('SIGSTOP')} stopped for a while`,
    );
  });
});
