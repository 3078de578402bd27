import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  CouncilState,
  Participant,
  Challenge,
  Ledger,
  Move,
} from '../../../../src/core/council/state/state.ts';
import { decideCourse } from '../../../../src/core/council/machine/next-phase.ts';
import { participant, rulesOf, stateOf } from '../fixtures.ts';
import { EMPTY_LEDGER } from '../../../../src/core/council/state/state.ts';

const move = (over: Partial<Move> = {}): Move => ({
  by: 'a',
  from: 'wait',
  to: 'build',
  tour: 2,
  phase: 'CHALLENGE',
  because: 'b.1',
  explained: true,
  ...over,
});
const unexplained = (by: string, tour = 2) => move({ by, tour, because: null, explained: false });
const challenge = (status: Challenge['status']): Challenge => ({
  id: 'c1',
  by: 'a',
  tour: 2,
  start: 0,
  end: 1,
  target: 'b.1',
  against: 'b',
  quote: 'none',
  status,
  answer: null,
});
const ledger = (over: Partial<Ledger>): Ledger => ({ ...EMPTY_LEDGER, ...over });

/** The state as it is when a phase closes, with everybody heard in one way. */
function heard(
  over: Partial<CouncilState>,
  all: Partial<Participant> = {},
  ids = ['a', 'b', 'c'],
): CouncilState {
  const seats = Object.fromEntries(ids.map((id) => [id, participant({ status: 'RESPONDED', ...all })]));
  return stateOf({ participants: seats, ...over }, ids);
}
const collect = (all: Partial<Participant> = {}, over: Partial<CouncilState> = {}) => heard(over, all);
const build = { position: 'build' };

const after = (
  state: CouncilState,
  facts: { consensus?: boolean; isUnanimous?: boolean; ledger?: Ledger; seed?: string } = {},
) =>
  decideCourse(
    { ...state, ledger: facts.ledger ?? EMPTY_LEDGER },
    { consensus: facts.consensus ?? false, isUnanimous: facts.isUnanimous ?? false },
    facts.seed ?? 'seed',
  );
const EARLY = { to: 'SYNTHESIZE', early: true, held: null, advocate: null };

describe('a table that is silent', () => {
  const STATES = [
    [undefined, 'SYNTHESIZE'],
    [{ b: participant({ status: 'RESPONDED' }) }, 'CHALLENGE'],
  ] as const;

  it.each(STATES)('has nothing to challenge after COLLECT, unless somebody spoke (%#)', (spoke, to) => {
    const silent = heard({}, { status: 'WAITING', absent: 'failed: not logged in' });
    const state = { ...silent, participants: { ...silent.participants, ...spoke } };
    expect(after(state)).toEqual({ to, early: false, held: null, advocate: null });
  });

  it('goes on in every later phase', () => {
    expect(after(heard({ currentPhase: 'CHALLENGE', tour: 2 }, { status: 'WAITING' })).to).toBe('RESOLVE');
  });
});

describe('general agreement', () => {
  const challenged = heard({ currentPhase: 'CHALLENGE', tour: 2 }, build);

  it('ends the council when every move is explained', () => {
    expect(after(challenged, { consensus: true })).toEqual(EARLY);
    expect(after(challenged, { consensus: true, ledger: ledger({ moves: [move()] }) })).toEqual(EARLY);
  });

  it('is held, with the reason, while somebody moved without one, in whatever tour', () => {
    const moves = [unexplained('c'), move(), unexplained('b', 1), unexplained('c')];
    expect(after(challenged, { consensus: true, ledger: ledger({ moves }) })).toEqual({
      to: 'RESOLVE',
      early: false,
      held: 'c, b changed position without naming what moved them',
      advocate: null,
    });
  });

  it('is held by nothing where the debate is over anyway', () => {
    const last = heard({ currentPhase: 'RESOLVE', tour: 3 });
    expect(after(last, { consensus: true, ledger: ledger({ moves: [unexplained('a')] }) })).toMatchObject({
      to: 'SYNTHESIZE',
      early: false,
      held: null,
    });
  });

  it('holds nothing without consensus', () => {
    expect(after(challenged, { ledger: ledger({ moves: [unexplained('b')] }) })).toMatchObject({
      to: 'RESOLVE',
      held: null,
    });
  });

  it('changes nothing in modes that play all their phases', () => {
    const course = after({ ...challenged, earlyConvergence: false }, { consensus: true });
    expect(course).toEqual({ to: 'RESOLVE', early: false, held: null, advocate: null });
  });

  it('ends it in COLLECT as well, unless CHALLENGE is forced; later it ends a forced one too', () => {
    const forced = rulesOf({ forceChallenge: true });
    expect(after(collect(), { consensus: true })).toEqual(EARLY);
    expect(after(collect({}, { rules: forced }), { consensus: true })).toMatchObject({
      to: 'CHALLENGE',
      held: null,
    });
    expect(after({ ...challenged, rules: forced }, { consensus: true })).toEqual(EARLY);
  });
});

describe('blind unanimity', () => {
  it('skips the debate', () => {
    expect(after(collect(build), { isUnanimous: true })).toEqual(EARLY);
  });

  it.each<[string, CouncilState]>([
    ['the mode plays all its phases', collect(build, { earlyConvergence: false })],
    ['CHALLENGE is forced', collect(build, { rules: rulesOf({ forceChallenge: true }) })],
  ])('does not when %s', (_, state) => {
    expect(after(state, { isUnanimous: true })).toMatchObject({ to: 'CHALLENGE', early: false, held: null });
  });
});

describe('repeats', () => {
  const closed = (count: number) =>
    Array.from({ length: count }, () => ({
      from: 'RESOLVE' as const,
      to: 'CHALLENGE' as const,
      reason: 'all-responded' as const,
      tour: 3,
      at: '2026-02-08T20:00:00.000Z',
    }));
  const resolve = (repeat: number, over: Partial<CouncilState> = {}) =>
    heard({ currentPhase: 'RESOLVE', tour: 3, rules: rulesOf({ repeat }), ...over });
  const to = (state: CouncilState, over: Partial<Ledger> = {}) => after(state, { ledger: ledger(over) }).to;

  it('go back to CHALLENGE while a position changed in the round', () => {
    expect(to(resolve(2), { moves: [move({ tour: 2 })] })).toBe('CHALLENGE');
    expect(to(resolve(2), { moves: [move({ tour: 3, phase: 'RESOLVE' })] })).toBe('CHALLENGE');
    expect(to(resolve(3, { tour: 5, transitions: closed(1) }), { moves: [move({ tour: 3 })] })).toBe(
      'SYNTHESIZE',
    );
  });

  it('go back while a challenge has no answer', () => {
    for (const status of ['open', 'unanswered'] as const)
      expect(to(resolve(2), { challenges: [challenge(status)] })).toBe('CHALLENGE');
    for (const status of ['answered', 'conceded', 'rejected'] as const)
      expect(to(resolve(2), { challenges: [challenge(status)] })).toBe('SYNTHESIZE');
  });

  it('stop early when nothing moved, and in any case after the last one', () => {
    const moves = [move({ tour: 5 })];
    expect(to(resolve(2))).toBe('SYNTHESIZE');
    expect(to(resolve(1), { moves: [move({ tour: 3 })] })).toBe('SYNTHESIZE');
    expect(to(resolve(3, { tour: 5, transitions: closed(1) }), { moves })).toBe('CHALLENGE');
    expect(to(resolve(2, { tour: 5, transitions: closed(1) }), { moves })).toBe('SYNTHESIZE');
  });

  it('concern RESOLVE only, and modes that have a CHALLENGE', () => {
    const moves = [move({ tour: 3 })];
    expect(to(resolve(4, { currentPhase: 'CHALLENGE' }), { moves })).toBe('RESOLVE');
    expect(to(resolve(4, { phases: ['COLLECT', 'RESOLVE', 'SYNTHESIZE'] }), { moves })).toBe('SYNTHESIZE');
  });

  it('draw no advocate', () => {
    expect(
      after(resolve(2, { participants: heard({}, build).participants }), {
        ledger: ledger({ moves: [move({ tour: 3 })] }),
      }).advocate,
    ).toBeNull();
  });
});

describe('the advocate', () => {
  const forced = { rules: rulesOf({ forceChallenge: true }) };

  it('is drawn where unanimous blind agreement is debated all the same; the seed gives it again', () => {
    const { advocate, to } = after(collect(build, forced), { seed: 's1' });
    expect(to).toBe('CHALLENGE');
    expect(advocate).toEqual({
      participant: expect.stringMatching(/^[abc]$/) as string,
      tour: 2,
      seed: 's1',
    });
    expect(after(collect(build, forced), { seed: 's1' }).advocate).toEqual(advocate);
    const drawn = Array.from(
      { length: 40 },
      (_, i) => after(collect(build, forced), { seed: `s${i}` }).advocate?.participant,
    );
    expect(new Set(drawn)).toEqual(new Set(['a', 'b', 'c']));
  });

  it('is nobody when everybody is done', () => {
    expect(after(collect({ ...build, status: 'DONE' }, forced)).advocate).toBeNull();
  });

  it('is one of those who spoke and will speak again: nobody absent, excused, silent or done', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    fc.assert(
      fc.property(fc.string(), (seed) => {
        const state = heard(forced, build, ids);
        Object.assign(state.participants.a!, { status: 'WAITING', position: null });
        Object.assign(state.participants.b!, { absent: 'excused: away' });
        state.participants.f!.status = 'DONE';
        expect(after(state, { seed }).advocate?.participant).toMatch(/^[cde]$/);
      }),
    );
  });

  it.each<[string, CouncilState]>([
    ['it is off', collect(build, { rules: rulesOf({ forceChallenge: true, advocate: false }) })],
    [
      'positions differ',
      collect(build, {
        ...forced,
        participants: {
          ...collect(build).participants,
          c: participant({ status: 'RESPONDED', position: 'buy' }),
        },
      }),
    ],
    ['fewer than three spoke', heard(forced, build, ['a', 'b'])],
    ['something blocks', collect({ ...build, blocking: ['x'] }, forced)],
    [
      'the mode has no CHALLENGE',
      collect(build, { ...forced, phases: ['COLLECT', 'RESOLVE', 'SYNTHESIZE'] }),
    ],
  ])('is not drawn when %s', (_, state) => {
    expect(after(state).advocate).toBeNull();
  });
});
