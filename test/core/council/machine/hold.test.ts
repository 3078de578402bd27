import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeRound } from '../../../../src/core/council/ledger/ledger.ts';
import { findCloseReason } from '../../../../src/core/council/machine/close.ts';
import type { ContinueEvent } from '../../../../src/core/council/machine/hold.ts';
import { transition } from '../../../../src/core/council/machine/transition.ts';
import type { PhaseEvent } from '../../../../src/core/council/machine/transition.ts';
import type { RevealedText } from '../../../../src/core/council/machine/unseal.ts';
import { PHASES, HOLD_EXITS } from '../../../../src/core/council/state/allowed-values.ts';
import type { HoldExit } from '../../../../src/core/council/state/allowed-values.ts';
import { awaited, isHeld } from '../../../../src/core/council/state/state.ts';
import type { Council, CouncilState } from '../../../../src/core/council/state/state.ts';
import { HOUR, START, said, withCoordinator } from '../fixtures.ts';

const HOLD_MS = 2 * HOUR;
const SEATS = ['a', 'b', 'c'];
const councilOf = (over: Partial<CouncilState>): Council => ({
  state: withCoordinator({ blind: false, ...over }),
  brief: '',
  contributions: [],
});

/** A council that is to be held, or one that debates by itself, with everybody's answers. */
function answered(positions: readonly string[], isHeldOne: boolean): Council {
  const council = councilOf({
    ...(isHeldOne && { phases: ['COLLECT', 'SYNTHESIZE'], hold: { ms: HOLD_MS } }),
    // Unanimity would end a council that debates by itself.
    earlyConvergence: isHeldOne,
  });
  return SEATS.reduce((now, id, at) => {
    const position = positions[at]!;
    const text = `I say ${position}. It is cheap, and it can be undone.`;
    const verdict = { agreed: false, done: false, position, blocking: [] };
    return play(now, {
      ...{ type: 'respond', participant: id, tour: 1, verdict, sealed: null, repeat: 'first' },
      ...{ replace: false, leaseId: null, said: { ...said(id, text), position } },
    });
  }, council);
}

function play(council: Council, event: PhaseEvent, now = START + 1000): Council {
  const result = transition(council, event, now);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.council;
}

const CLOSE = {
  type: 'close',
  texts: [],
  missing: [],
  closeTour: closeRound,
  seed: 'a',
} satisfies PhaseEvent;
const held = (positions: readonly string[]): Council => play(answered(positions, true), CLOSE, START + 2000);
const go = (way: HoldExit | null, note?: string): ContinueEvent => ({
  ...{ type: 'continue', way, phases: PHASES, seed: 'a' },
  ...(note !== undefined && { note: { by: 'a', text: note } }),
});
const DIFFERENT = ['build', 'buy', 'buy'];
const anyPositions = fc.array(fc.constantFrom('build', 'buy', 'wait'), { minLength: 3, maxLength: 3 });

describe('a council that is held', () => {
  it('waits behind COLLECT: nobody is asked, and nothing may close before its time', () => {
    fc.assert(
      fc.property(anyPositions, fc.integer({ min: 0, max: HOLD_MS - 2000 }), (positions, later) => {
        const { state } = held(positions);
        expect(isHeld(state)).toBe(true);
        expect(state).toMatchObject({ currentPhase: 'SYNTHESIZE', tour: 2 });
        expect(state.hold!.until).toBe(state.timeoutAt);
        expect(awaited(state)).toEqual([]);
        expect(findCloseReason(state, START + 2000 + later, [])).toBeNull();
        const archive = transition(held(positions), { type: 'archive', path: 'a' }, START + 2000 + later);
        expect(archive.ok).toBe(false);
      }),
    );
  });

  it('is archived by any tick once its time is over, without a synthesis', () => {
    const council = held(DIFFERENT);
    const until = Date.parse(council.state.timeoutAt);
    expect(until).toBe(START + 2000 + HOLD_MS);
    const ended = play(council, { type: 'archive', path: 'a' }, until);
    expect(ended.state).toMatchObject({ coordinator: null, synthesizer: null, closing: { path: 'a' } });
    expect(ended.state.absences).toEqual([]);
    expect(ended.contributions).toEqual(council.contributions);
  });

  it('is not held where nobody has answered', () => {
    const council = councilOf({ phases: ['COLLECT', 'SYNTHESIZE'], hold: { ms: HOLD_MS } });
    const { state } = play(council, CLOSE, START + HOUR + 1);
    expect(isHeld(state)).toBe(false);
  });

  it('debates as if COLLECT had led to CHALLENGE at once, also after unanimity', () => {
    fc.assert(
      fc.property(anyPositions, (positions) => {
        const {
          hold: _hold,
          earlyConvergence: _early,
          ...continued
        } = play(held(positions), go('debate'), START + 2000).state;
        const { earlyConvergence: _own, ...direct } = play(
          answered(positions, false),
          CLOSE,
          START + 2000,
        ).state;
        expect(continued).toEqual({ ...direct, phases: [...PHASES] });
      }),
    );
  });

  it('debates after blind unanimity, which had ended it, and draws an advocate', () => {
    const start = withCoordinator({ phases: ['COLLECT', 'SYNTHESIZE'], hold: { ms: HOLD_MS } });
    const verdict = { agreed: false, done: false, position: 'buy', blocking: [] };
    const sealed = SEATS.reduce<Council>(
      (now, participant) =>
        play(now, {
          ...{ type: 'respond', participant, tour: 1, verdict, said: null, repeat: 'first' },
          ...{ replace: false, leaseId: null, sealed: { commitment: 'c'.repeat(64), at: 'me@here' } },
        }),
      { state: start, brief: '', contributions: [] },
    );
    const texts = SEATS.map((participant) => ({
      ...{ participant, phase: 'COLLECT', tour: 1, at: new Date(START).toISOString(), salt: '00', verdict },
      text: 'Buy it.',
    })) satisfies RevealedText[];
    const unanimous = play(sealed, { ...CLOSE, texts }, START + 2000);
    expect(unanimous.state).toMatchObject({ status: 'CONVERGED', decision: { decided: true } });
    const { state } = play(unanimous, go('debate'), START + HOUR);
    expect(state).toMatchObject({ status: 'ACTIVE', decision: null, currentPhase: 'CHALLENGE' });
    expect(state.transitions).toMatchObject([{ to: 'CHALLENGE', reason: 'all-responded' }]);
    expect(SEATS).toContain(state.advocate?.participant);
    expect(state.advocate?.tour).toBe(2);
  });

  it('has the coordinator write a synthesis, or ends without one', () => {
    const written = play(held(DIFFERENT), go('synthesis'), START + HOUR).state;
    expect(awaited(written)).toEqual(['maman']);
    expect(Date.parse(written.timeoutAt)).toBe(START + HOUR + written.phaseTimeout);
    const ended = play(held(DIFFERENT), go('end'), START + HOUR).state;
    expect(findCloseReason(ended, START + HOUR, [])).toBe('all-responded');
    expect(ended.coordinator).toBeNull();
  });

  it('goes on once: of two ways at once one is taken, and nothing that was said is lost', () => {
    fc.assert(
      fc.property(
        anyPositions,
        fc.array(fc.option(fc.constantFrom(...HOLD_EXITS), { nil: null }), { minLength: 1, maxLength: 5 }),
        (positions, ways) => {
          const before = held(positions);
          let now = before;
          const taken: HoldExit[] = [];
          for (const way of ways) {
            const result = transition(now, go(way, 'a note'), START + HOUR);
            if (!result.ok) expect(result.code).toBe('not_your_turn');
            else if (way !== null) taken.push(way);
            if (result.ok) now = result.council;
          }
          expect(taken).toEqual(ways.filter((way) => way !== null).slice(0, 1));
          expect(now.contributions).toEqual(before.contributions);
          const noted = ways.slice(0, ways.findIndex((way) => way !== null) + 1 || ways.length);
          expect(now.state.notes).toHaveLength(noted.length);
        },
      ),
    );
  });

  it('waits on with its full time when its deadline is moved or an old revision comes back', () => {
    const later = play(held(DIFFERENT), { type: 'extend', ms: HOUR }, START + 3000).state;
    expect(later.hold!.until).toBe(later.timeoutAt);
    const back = play(held(DIFFERENT), { type: 'restore', again: [] }, START + HOUR).state;
    expect(Date.parse(back.timeoutAt)).toBe(START + HOUR + HOLD_MS);
    expect(back.hold!.until).toBe(back.timeoutAt);
  });

  it('takes no text meanwhile, and nothing to continue before or after', () => {
    const waiting = held(DIFFERENT);
    const verdict = { agreed: false, done: false, position: null, blocking: [] };
    const text: PhaseEvent = {
      ...{ type: 'respond', participant: 'maman', tour: 2, verdict, sealed: null, repeat: 'first' },
      ...{ replace: false, leaseId: null, said: said('maman', 'Decision: buy.', 2, 'SYNTHESIZE') },
    };
    expect(transition(waiting, text, START + HOUR)).toMatchObject({ ok: false, code: 'not_your_turn' });
    expect(transition(play(waiting, go('synthesis')), text, START + HOUR).ok).toBe(true);
    expect(transition(answered(DIFFERENT, true), go('end'), START + HOUR)).toMatchObject({ ok: false });
  });

  it('keeps why COLLECT closed, where it was not agreement', () => {
    const [one] = SEATS;
    const council = answered(DIFFERENT, true);
    const { a, ...others } = council.state.participants;
    const silent = { ...a!, status: 'WAITING', position: null } as const;
    const state = { ...council.state, participants: { a: silent, ...others } };
    const contributions = council.contributions.filter(({ by }) => by !== one);
    const late = play({ ...council, state, contributions }, CLOSE, START + HOUR + 1);
    const { transitions } = play(late, go('debate'), START + 2 * HOUR).state;
    expect(transitions).toMatchObject([{ from: 'COLLECT', to: 'CHALLENGE', reason: 'timeout' }]);
  });

  it('refuses a synthesis without a coordinator, and a debate that its mode does not have', () => {
    const alone = held(DIFFERENT);
    const nobody: Council = { ...alone, state: { ...alone.state, coordinator: null, synthesizer: null } };
    expect(transition(nobody, go('synthesis'), START + HOUR)).toMatchObject({ ok: false, code: 'usage' });
    const short = { ...go('debate'), phases: ['COLLECT', 'SYNTHESIZE'] as const };
    expect(transition(alone, short, START + HOUR)).toMatchObject({ ok: false, code: 'usage' });
  });
});
