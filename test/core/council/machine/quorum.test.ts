import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PhaseEvent } from '../../../../src/core/council/machine/transition.ts';
import type { CouncilState, Verdict } from '../../../../src/core/council/state/state.ts';
import { awaited, EMPTY_LEDGER, getSeat } from '../../../../src/core/council/state/state.ts';
import { HOUR, START, participant, rulesOf, stateOf, transitionOf } from '../fixtures.ts';

const IDS = ['a', 'b', 'c', 'd', 'e'];
const FATES = ['speaks', 'unable', 'limited', 'silent', 'mended'] as const;
type Fate = (typeof FATES)[number];
const verdict: Verdict = { agreed: false, done: false, position: null, blocking: [] };
const CLOSE: PhaseEvent = {
  type: 'close',
  ...{ texts: [], missing: [], closeTour: () => EMPTY_LEDGER, seed: 'seed' },
};

const open = (seats: number, over: Partial<CouncilState> = {}): CouncilState =>
  stateOf(
    { blind: false, coordinator: 'maman', synthesizer: participant({ title: 'Maman' }), ...over },
    IDS.slice(0, seats),
  );

function apply(state: CouncilState, event: PhaseEvent, now = START): CouncilState {
  const outcome = transitionOf(state, event, now);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.state;
}

const speak = (state: CouncilState, id: string): CouncilState =>
  apply(state, {
    ...{ type: 'respond', participant: id, tour: state.tour, verdict, said: null, sealed: null },
    ...{ repeat: 'first', replace: false, leaseId: null },
  });

function fail(state: CouncilState, id: string, isUnable: boolean): CouncilState {
  const lease = {
    ...{ id: `lease-${id}`, attempt: 1, host: 'h', bootId: 'b', pid: 1, startTime: '1' },
    until: new Date(START + HOUR).toISOString(),
  };
  const leased = apply(state, { type: 'lease', participant: id, lease, replaces: null });
  const reason = isUnable ? 'not logged in' : 'rate limit';
  const failed = { participant: id, leaseId: lease.id, reason, outcome: 'exhausted', isUnable } as const;
  return apply(leased, { type: 'attempt_failed', ...failed });
}

function meet(state: CouncilState, id: string, fate: Fate): CouncilState {
  switch (fate) {
    case 'speaks':
      return speak(state, id);
    case 'unable':
    case 'limited':
      return fail(state, id, fate === 'unable');
    case 'mended':
      return speak(apply(fail(state, id, true), { type: 'retry', participant: id }), id);
    case 'silent':
      return state;
  }
}

const play = (state: CouncilState, fates: readonly [string, Fate][]): CouncilState =>
  fates.reduce((now, [id, fate]) => meet(now, id, fate), state);
const closeLate = (state: CouncilState): CouncilState => apply(state, CLOSE, START + 2 * HOUR);

/** Everybody whom any phase asks, where each meets the same fate in all of them. */
function countAsked(state: CouncilState, fates: readonly Fate[]): number {
  let now = state;
  let asked = 0;
  while (now.currentPhase !== 'SYNTHESIZE') {
    asked += awaited(now).length;
    const timed = { ...now, timeoutAt: new Date(START + HOUR).toISOString() };
    now = closeLate(
      play(
        timed,
        now.order.map((id, at) => [id, fates[at]!]),
      ),
    );
  }
  return asked + awaited(now).length;
}

const anyFates = fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 5 });
const anyQuorum = fc.constantFrom(0, 0.25, 0.5, 0.75, 1);
const named = (fates: readonly Fate[]): [string, Fate][] => fates.map((fate, at) => [IDS[at]!, fate]);

describe('a quorum', () => {
  it('is out of reach where too many cannot speak: nothing else is played, and nobody writes a synthesis', () => {
    const next = closeLate(play(open(3), named(['speaks', 'unable', 'unable'])));
    expect(next.transitions).toMatchObject([{ from: 'COLLECT', to: 'SYNTHESIZE', reason: 'no_quorum' }]);
    expect(next).toMatchObject({ status: 'COMPLETED', coordinator: null, synthesizer: null });
    expect(next.decision).toMatchObject({ decided: false, reason: 'no_quorum' });
    const archived = apply(next, { type: 'archive', path: 'conseils/x.md' });
    expect(archived.transitions.at(-1)).toMatchObject({ to: 'ARCHIVED', reason: 'no_quorum' });
  });

  it('counts who was heard before, and who is launched again', () => {
    const challenge = closeLate(play(open(3), named(['speaks', 'speaks', 'speaks'])));
    const later = { ...challenge, timeoutAt: new Date(START + HOUR).toISOString() };
    expect(closeLate(play(later, named(['unable', 'unable', 'unable']))).currentPhase).toBe('RESOLVE');
    const failed = play(open(3), named(['speaks', 'unable', 'unable']));
    const retried = apply(failed, { type: 'retry', participant: 'b' });
    expect(getSeat(retried, 'b').unable).toBeUndefined();
    expect(closeLate(retried).currentPhase).toBe('CHALLENGE');
  });

  it('is nothing that a rule needs which decides nothing, and does not end what a person waits for', () => {
    const fates = named(['speaks', 'unable', 'unable']);
    const free = open(3, { rules: rulesOf({ rule: 'none' }) });
    expect(closeLate(play(free, fates)).currentPhase).toBe('CHALLENGE');
    const held = open(3, { phases: ['COLLECT', 'SYNTHESIZE'], hold: { ms: HOUR } });
    expect(closeLate(play(held, fates))).toMatchObject({ coordinator: 'maman', hold: { ms: HOUR } });
    const ended = apply(play(held, fates), { ...CLOSE, isGivenUp: true }, START + 2 * HOUR);
    expect(ended.hold).toBeUndefined();
    expect(ended.transitions.at(-1)!.reason).toBe('no_quorum');
  });

  it('is met by those who can speak, where the others no longer count', () => {
    const failed = play(open(4), named(['speaks', 'speaks', 'unable', 'limited']));
    const alone = apply(failed, { type: 'recuse_failed' });
    expect(alone.rules.recused).toEqual([
      { participant: 'c', why: 'failed: not logged in' },
      { participant: 'd', why: 'failed: rate limit' },
    ]);
    expect(closeLate(alone).currentPhase).toBe('CHALLENGE');
    expect(transitionOf(alone, { type: 'recuse_failed' }, START)).toMatchObject({ ok: false });
  });

  it('is out of reach only by failures that last, in whatever order they came', () => {
    fc.assert(
      fc.property(
        anyFates.chain((fates) =>
          fc.tuple(fc.constant(fates), fc.shuffledSubarray(named(fates), { minLength: fates.length })),
        ),
        anyQuorum,
        ([fates, shuffled], quorum) => {
          const next = closeLate(play(open(fates.length, { quorum }), shuffled));
          const able = fates.filter((fate) => fate !== 'unable').length;
          const needed = Math.min(fates.length, Math.floor(quorum * fates.length) + 1);
          expect(next.transitions[0]!.reason === 'no_quorum').toBe(able < needed);
          const inOrder = closeLate(play(open(fates.length, { quorum }), named(fates)));
          expect({ ...next, updatedAt: '' }).toEqual({ ...inOrder, updatedAt: '' });
        },
      ),
    );
  });

  it('never leads to more launches where one more cannot speak', () => {
    fc.assert(
      fc.property(anyFates, anyQuorum, fc.nat(4), (fates, quorum, at) => {
        const worse = fates.map((fate, seated) => (seated === at % fates.length ? 'unable' : fate));
        const state = open(fates.length, { quorum });
        expect(countAsked(state, worse)).toBeLessThanOrEqual(countAsked(state, fates));
      }),
    );
  });
});
