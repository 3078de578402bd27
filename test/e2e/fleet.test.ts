// Three heartbeats with different labels and two servers on one database, each killed at random: a short one. The long one is a fault test.
import { describe, expect, it } from 'vitest';
import { playWithKills } from '../helpers/postgres/killed-fleet.ts';
import { sharedPostgres } from '../helpers/postgres/shared.ts';

describe.skipIf(!(await sharedPostgres()))('a fleet that is killed at random', () => {
  it('brings 3 councils to their archives, each answer once', async () => {
    expect(await playWithKills(3, { pauseMs: 4000, ms: 150_000 })).toMatchObject({ archives: 3 });
  });
});
