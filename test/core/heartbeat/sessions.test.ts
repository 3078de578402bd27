import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { restoreRevision } from '../../../src/core/council/use/restore.ts';
import { respond } from '../../../src/core/council/use/respond.ts';
import { fails, fakeTime, newTable, through } from './table.ts';
import type { Part } from './table.ts';

beforeEach(fakeTime);
afterEach(() => vi.useRealTimers());

const CONTINUE = '  runner: claude\n  session: continue\n  repair: 0';
const id = (digit: number): string => `${digit}2345678-1234-4234-8234-123456789abc`;
/** What somebody says in each phase, in the session with that digit. */
const speaks =
  (digit: number, word: string): Part =>
  (phase) => ({ session: id(digit), say: `position: ${word}\n\n${word} it, says ${phase}.\n` });

function newSessions(parts: Record<string, Part>, limits = CONTINUE) {
  const table = newTable(parts, Object.fromEntries(Object.keys(parts).map((one) => [one, limits])));
  const asked = (who: string, phase: string) =>
    table.launches.filter((one) => one.id === who && one.phase.startsWith(phase));
  return { ...table, asked };
}

describe('session: continue', () => {
  it('goes on with the own session of each seat, by its id, and sends what is new', async () => {
    const table = newSessions({ ada: speaks(1, 'build'), bob: speaks(2, 'buy') });
    await table.convene({ mode: 'debate', brief: `Go?\n\n${'A long brief. '.repeat(400)}` });
    for (let pass = 0; pass < 3; pass++) await table.tick();
    for (const [who, other, digit] of [
      ['ada', 'buy it', 1],
      ['bob', 'build it', 2],
    ] as const) {
      const [collect] = table.asked(who, 'COLLECT');
      const [challenge] = table.asked(who, 'CHALLENGE');
      const [resolve] = table.asked(who, 'RESOLVE');
      expect(collect!.resume).toBeNull();
      expect(collect!.input).toContain('A long brief.');
      expect([challenge!.resume, resolve!.resume]).toEqual([id(digit), id(digit)]);
      for (const { input } of [challenge!, resolve!]) {
        expect(input).not.toContain('A long brief.');
        expect(input).toContain('The council goes on.');
        expect(input).toContain('## What to do now');
        expect(input.length).toBeLessThan(collect!.input.length);
      }
      expect(challenge!.input).toContain(`${other}, says COLLECT`);
      expect(resolve!.input).toContain(`${other}, says CHALLENGE`);
      // It stands in the session already.
      expect(resolve!.input).not.toContain(`${other}, says COLLECT`);
    }
  });

  it('counts what each turn has used up once, where its program tells the sum of its session', async () => {
    const told = (phase: string, n: number) => ({
      ...speaks(1, 'build')(phase, n),
      usage: {
        inputTokens: phase === 'COLLECT' ? 100 : 250,
        outputTokens: phase === 'COLLECT' ? 10 : 30,
        costUsd: 1,
      },
    });
    const table = newSessions({ ada: told, bob: speaks(2, 'buy') });
    await table.convene({ mode: 'debate' });
    await table.tick();
    await table.tick();
    await table.tick();
    const usage = (await table.state()).usage!.filter((one) => one.participant === 'ada').slice(0, 2);
    expect(usage).toMatchObject([
      { inputTokens: 100, outputTokens: 10, costUsd: 1 },
      { inputTokens: 150, outputTokens: 20, costUsd: 0 },
    ]);
  });

  it('is off where no file asks for it', async () => {
    const table = newSessions(
      { ada: speaks(1, 'build'), bob: speaks(2, 'buy') },
      '  runner: claude\n  repair: 0',
    );
    await table.convene({ mode: 'debate' });
    await table.tick();
    await table.tick();
    expect(table.asked('ada', '').map(({ resume }) => resume)).toEqual([undefined, undefined]);
  });

  it.each([
    { reason: 'No conversation found' },
    {
      reason: 'Your session has expired.',
      failure: 'config' as const,
      known: { class: 'login' as const, says: 'not logged in', mend: '' },
    },
  ])('asks with the whole prompt where the session is gone, and says so: $reason', async (gone) => {
    const ada: Part = (phase, n) =>
      phase === 'CHALLENGE' && n === 0 ? fails(gone) : speaks(1, 'build')(phase, n);
    const table = newSessions({ ada, bob: speaks(2, 'buy') });
    await table.convene({ mode: 'debate', brief: 'A brief of its own.' });
    await table.tick();
    await table.tick();
    const [first, second] = table.asked('ada', 'CHALLENGE');
    expect([first!.resume, second!.resume]).toEqual([id(1), null]);
    expect(first!.input).not.toContain('A brief of its own.');
    expect(second!.input).toContain('A brief of its own.');
    expect(table.progress).toContainEqual(
      expect.objectContaining({
        type: 'attempt_failed',
        reason: 'its session could not be resumed, so the next attempt sends the whole prompt',
        next: 'again',
      }),
    );
    expect((await table.state()).participants.ada!.status).toBe('RESPONDED');
  });

  it('is forgotten where another text stands in the place of its answer', async () => {
    const table = newSessions({ ada: speaks(1, 'build'), bob: () => ({ say: '' }) });
    await table.convene({ mode: 'debate', blind: false });
    await table.tick();
    const state = await table.state();
    await through(
      respond(table.ports, {
        ...{ name: 'debate', participant: 'ada', bytes: Buffer.from('position: wait\n\nI wait.\n') },
        ...{ flags: { agree: false, done: false, block: [] }, replace: true },
        turn: { conversationId: state.conversationId, tour: state.tour },
      }),
    );
    await table.tick();
    await table.tick();
    const [challenge] = table.asked('ada', 'CHALLENGE');
    expect(challenge!.resume).toBeNull();
    expect(challenge!.input).toContain('I wait.');
  });

  it('is forgotten where a restore has taken back what was said in it', async () => {
    const table = newSessions({ ada: speaks(1, 'build'), bob: speaks(2, 'buy') });
    await table.convene({ mode: 'debate' });
    await table.tick();
    await table.tick();
    // CHALLENGE is open, and nobody has answered.
    await through(restoreRevision(table.ports, 'debate', 4));
    expect((await table.state()).currentPhase).toBe('CHALLENGE');
    const before = table.asked('ada', 'CHALLENGE').length;
    await table.tick();
    await table.tick();
    const again = table.asked('ada', 'CHALLENGE').slice(before);
    expect(again.map(({ resume }) => resume)).toEqual([null]);
    expect(again[0]!.input).toContain('## The brief');
  });

  it('is forgotten on another host, and never another council’s', async () => {
    const table = newSessions({ ada: speaks(1, 'build'), bob: speaks(2, 'buy') });
    await table.convene({ mode: 'debate' });
    await table.tick();
    table.ports.self.host = 'elsewhere';
    await table.tick();
    expect(table.asked('ada', 'CHALLENGE')[0]!.resume).toBeNull();
    await table.convene({ mode: 'debate', name: 'second' });
    await table.tick('second');
    expect(table.asked('ada', 'COLLECT').map(({ resume }) => resume)).toEqual([null, null]);
  });

  it.each(['latest', '1', '--last', '../x'])(
    'takes no id that could name another session: %s',
    async (bad) => {
      const table = newSessions({
        ada: (phase, n) => ({ ...speaks(1, 'build')(phase, n), session: bad }),
        bob: speaks(2, 'buy'),
      });
      await table.convene({ mode: 'debate' });
      await table.tick();
      await table.tick();
      expect(table.asked('ada', '').map(({ resume }) => resume)).toEqual([null, null]);
    },
  );
});
