import { describe, expect, it } from 'vitest';
import { transition } from '../../../../src/core/council/machine/transition.ts';
import { awaited } from '../../../../src/core/council/state/state.ts';
import type { Council } from '../../../../src/core/council/state/state.ts';
import { said, START, withCoordinator } from '../fixtures.ts';

/** Everybody has answered in an open COLLECT. */
const answered = (): Council => {
  const seats = ['a', 'b', 'c'];
  const open: Council = {
    state: withCoordinator({ blind: false, coordinator: null }),
    brief: '',
    contributions: [],
  };
  return seats.reduce((now, participant) => {
    const verdict = { agreed: false, done: false, position: null, blocking: [] };
    const event = {
      type: 'respond' as const,
      participant,
      tour: 1,
      verdict,
      sealed: null,
      repeat: 'first' as const,
    };
    const result = transition(
      now,
      { ...event, replace: false, leaseId: null, said: said(participant, 'x') },
      START + 1,
    );
    if (!result.ok) throw new Error(result.message);
    return result.council;
  }, open);
};

describe('a mode that is read by rules of its own', () => {
  it.each([
    [['a', 'b', 'c'], 'SYNTHESIZE', []],
    [['b'], 'CHALLENGE', ['a', 'c']],
    [[], 'CHALLENGE', ['a', 'b', 'c']],
    [undefined, 'CHALLENGE', ['a', 'b', 'c']],
  ])('asks only those who have something left to say: settled %j', (settled, to, asked) => {
    const seen: number[] = [];
    const closed = transition(
      answered(),
      {
        ...{ type: 'close', texts: [], missing: [], seed: 'a', closeTour: ({ state }) => state.ledger },
        findSettled: settled && ((heard) => (seen.push(heard.contributions.length), settled)),
      },
      START + 2000,
    );
    expect(closed).toMatchObject({ ok: true, council: { state: { currentPhase: to } } });
    if (!closed.ok) return;
    expect(closed.council.state.transitions.at(-1)?.reason).toBe('all-responded');
    expect(awaited(closed.council.state)).toEqual(asked);
    expect(seen).toEqual(settled === undefined ? [] : [3]);
  });
});
