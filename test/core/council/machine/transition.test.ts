import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCloseReason } from '../../../../src/core/council/machine/close.ts';
import { closeRound } from '../../../../src/core/council/ledger/ledger.ts';
import { transition } from '../../../../src/core/council/machine/transition.ts';
import type { PhaseEvent } from '../../../../src/core/council/machine/transition.ts';
import type { RevealedText } from '../../../../src/core/council/machine/unseal.ts';
import type {
  Council,
  CouncilState,
  Lease,
  Verdict,
  Ledger,
} from '../../../../src/core/council/state/state.ts';
import { awaited, getSeat, EMPTY_LEDGER } from '../../../../src/core/council/state/state.ts';
import {
  HOUR,
  START,
  participant,
  rulesOf,
  said,
  stateOf,
  transitionOf,
  withCoordinator,
} from '../fixtures.ts';

type Outcome = ReturnType<typeof transitionOf>;

const plainVerdict: Verdict = { agreed: false, done: false, position: null, blocking: [] };
const NONE = { texts: [], missing: [], closeTour: () => EMPTY_LEDGER, seed: 'seed' };
const revealed = (participant: string, verdict: Verdict): RevealedText => ({
  participant,
  phase: 'COLLECT',
  tour: 1,
  at: new Date(START).toISOString(),
  salt: '00',
  verdict,
  text: 'Said.',
});
const texts = (verdicts: Record<string, Verdict>): RevealedText[] =>
  Object.entries(verdicts).map(([id, verdict]) => revealed(id, verdict));
const open = (over: Partial<CouncilState> = {}) => stateOf({ blind: false, ...over });

function must(outcome: Outcome): CouncilState {
  if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.state;
}
/** With the ledger read from the texts. */
const READ = { closeTour: closeRound, seed: 'seed' };
function play(council: Council, event: PhaseEvent, now = START + 1000): Council {
  const result = transition(council, event, now);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.council;
}
const refused = (outcome: Outcome): string => (outcome.ok ? 'accepted' : outcome.code);

const respond = (
  by: string,
  state: CouncilState,
  over: Partial<PhaseEvent & { type: 'respond' }> = {},
): PhaseEvent => ({
  type: 'respond',
  participant: by,
  tour: state.tour,
  verdict: plainVerdict,
  said: null,
  sealed: null,
  repeat: 'first',
  replace: false,
  leaseId: null,
  ...over,
});
const say = (
  state: CouncilState,
  by: string,
  verdict: Partial<Verdict> = {},
  now = START + 1000,
): CouncilState =>
  must(transitionOf(state, respond(by, state, { verdict: { ...plainVerdict, ...verdict } }), now));
const everybody = (state: CouncilState, verdict: Partial<Verdict> = {}): CouncilState =>
  awaited(state).reduce((s, id) => say(s, id, verdict), state);
const close = (state: CouncilState, now = START + 2000): CouncilState =>
  must(transitionOf(state, { type: 'close', ...NONE }, now));
const lease = (id: string, attempt = 1): Lease => ({
  id,
  attempt,
  host: 'h',
  bootId: 'b',
  pid: 1,
  startTime: '1',
  until: new Date(START + HOUR).toISOString(),
});

describe('the phase machine', () => {
  it('plays a debate through all four phases', () => {
    let s = open();
    expect(findCloseReason(s, START, [])).toBeNull();
    for (const [phase, tour] of [
      ['CHALLENGE', 2],
      ['RESOLVE', 3],
      ['SYNTHESIZE', 4],
    ] as const) {
      s = close(everybody(s));
      expect([s.currentPhase, s.tour]).toEqual([phase, tour]);
    }
    expect(s.status).toBe('COMPLETED');
    s = must(transitionOf(s, { type: 'archive', path: 'conseils/x.md' }, START + 3000));
    expect(s.closing).toMatchObject({ path: 'conseils/x.md', why: null });
    expect(s.transitions.map((t) => `${t.from}>${t.to}:${t.reason}`)).toEqual([
      'COLLECT>CHALLENGE:all-responded',
      'CHALLENGE>RESOLVE:all-responded',
      'RESOLVE>SYNTHESIZE:all-responded',
      'SYNTHESIZE>ARCHIVED:all-responded',
    ]);
  });

  it('waits for everybody until the time is up, and records who was silent', () => {
    const s = say(say(open(), 'a'), 'b');
    expect(refused(transitionOf(s, { type: 'close', ...NONE }, START + HOUR - 1))).toBe('not_your_turn');
    const outcome = transitionOf(s, { type: 'close', ...NONE }, START + HOUR);
    const next = must(outcome);
    expect(next.absences).toEqual([
      {
        participant: 'c',
        phase: 'COLLECT',
        tour: 1,
        reason: 'timeout',
        at: new Date(START + HOUR).toISOString(),
      },
    ]);
    expect(next.timeoutAt).toBe(new Date(START + 2 * HOUR).toISOString());
    expect(outcome.ok && outcome.notices.map((e) => e.type)).toEqual(['absent', 'phase_opened']);
    expect(Object.values(next.participants).map((p) => p.status)).toEqual(['WAITING', 'WAITING', 'WAITING']);
  });

  it('closes before the time is up where the store has closed the blind round for good', () => {
    const s = say(say(open(), 'a'), 'b');
    const outcome = transitionOf(s, { type: 'close', ...NONE, isSealClosed: true }, START + 1);
    expect(must(outcome).transitions).toMatchObject([{ from: 'COLLECT', reason: 'timeout' }]);
  });

  it('closes one phase for a late tick, not several', () => {
    const s = close(say(open(), 'a'), START + 100 * HOUR);
    expect(s.currentPhase).toBe('CHALLENGE');
    expect(findCloseReason(s, START + 100 * HOUR, [])).toBeNull();
  });

  it('never reopens a phase when the clock goes back', () => {
    const s = close(everybody(open()));
    expect(refused(transitionOf(s, { type: 'close', ...NONE }, START - HOUR))).toBe('not_your_turn');
    expect(s.currentPhase).toBe('CHALLENGE');
  });

  it('goes straight to SYNTHESIZE where nobody has said anything in COLLECT', () => {
    const s = close(withCoordinator(), START + HOUR);
    expect(s).toMatchObject({ currentPhase: 'SYNTHESIZE', tour: 2, status: 'TIMEOUT' });
    expect(s.transitions).toMatchObject([{ from: 'COLLECT', to: 'SYNTHESIZE', reason: 'timeout' }]);
    expect(s.decision?.decided ?? false).toBe(false);
  });

  it('goes straight to SYNTHESIZE on consensus, where the mode allows it', () => {
    const agreed = everybody(open(), { agreed: true });
    expect(agreed.convergence).toMatchObject({ responseRate: 1, hasConsensus: true });
    expect(close(agreed)).toMatchObject({ currentPhase: 'SYNTHESIZE', status: 'CONVERGED', tour: 2 });
    expect(close(agreed).transitions.at(-1)?.reason).toBe('consensus');
    expect(close(everybody(open({ earlyConvergence: false }), { agreed: true }))).toMatchObject({
      currentPhase: 'CHALLENGE',
      status: 'ACTIVE',
    });
  });

  it('has no consensus while something blocks, somebody disagrees, is silent, or is absent', () => {
    expect(
      close(
        say(everybody(open()), 'a', {}) &&
          everybody(say(open(), 'a', { agreed: true, blocking: ['no tests'] }), { agreed: true }),
      ).currentPhase,
    ).toBe('CHALLENGE');
    expect(close(everybody(say(open(), 'a'), { agreed: true })).currentPhase).toBe('CHALLENGE');
    expect(
      close(say(say(open(), 'a', { agreed: true }), 'b', { agreed: true }), START + HOUR).currentPhase,
    ).toBe('CHALLENGE');
    const excused = must(
      transitionOf(
        say(say(open(), 'a', { agreed: true }), 'b', { agreed: true }),
        { type: 'excuse', participant: 'c', why: 'away' },
        START,
      ),
    );
    expect(close(excused)).toMatchObject({
      currentPhase: 'CHALLENGE',
      absences: [{ participant: 'c', reason: 'excused: away' }],
    });
  });

  it('ends CONVERGED, COMPLETED or TIMEOUT by the last phase', () => {
    const resolve = open({ currentPhase: 'RESOLVE', tour: 3, earlyConvergence: false });
    expect(close(everybody(resolve, { agreed: true })).status).toBe('CONVERGED');
    expect(close(everybody(resolve)).status).toBe('COMPLETED');
    expect(close(resolve, START + HOUR).status).toBe('TIMEOUT');
  });

  it('keeps DONE, and counts DONE with agreed as agreement', () => {
    const s = close(everybody(say(open({ earlyConvergence: false }), 'a', { done: true, agreed: true })));
    expect(getSeat(s, 'a')).toMatchObject({ status: 'DONE', agreed: true });
    expect(awaited(s)).toEqual(['b', 'c']);
    const again = say(s, 'a');
    expect(getSeat(again, 'a').status).toBe('DONE');
    expect(close(everybody({ ...s, earlyConvergence: true }, { agreed: true }))).toMatchObject({
      currentPhase: 'SYNTHESIZE',
      status: 'CONVERGED',
    });
  });

  it('closes at once when everybody is done', () => {
    const s = close(everybody(open(), { done: true }));
    expect(awaited(s)).toEqual([]);
    expect(close(s).currentPhase).toBe('RESOLVE');
  });

  it('carries no position for somebody whose vote cannot be told', () => {
    expect(getSeat(say(open(), 'a', { position: 'yes' }), 'a').position).toBe('yes');
    expect(getSeat(say(open(), 'a', { position: 'yes', unclear: true }), 'a').position).toBeNull();
  });

  it('hides verdicts while the phase is blind, and uses them when it closes', () => {
    const sealed = { commitment: 'f'.repeat(64), at: 'me@here' };
    const blind = ['a', 'b', 'c'].reduce(
      (s, id) =>
        must(
          transitionOf(
            s,
            respond(id, s, {
              sealed,
              verdict: { agreed: true, done: true, position: 'yes', blocking: ['x'] },
            }),
            START,
          ),
        ),
      stateOf(),
    );
    expect(getSeat(blind, 'a')).toMatchObject({
      status: 'RESPONDED',
      agreed: false,
      position: null,
      blocking: [],
      commitment: sealed.commitment,
    });
    expect(blind.convergence).toEqual({ responseRate: 1, hasConsensus: false, blockingIssues: [] });
    const yes = { agreed: true, done: false, position: 'yes', blocking: [] };
    const next = must(
      transitionOf(
        blind,
        { ...NONE, type: 'close', texts: texts({ a: yes, b: yes, c: { ...yes, done: true } }) },
        START,
      ),
    );
    expect(next).toMatchObject({ currentPhase: 'SYNTHESIZE', status: 'CONVERGED' });
    expect([getSeat(next, 'c').status, getSeat(next, 'a').position, getSeat(next, 'a').commitment]).toEqual([
      'DONE',
      'yes',
      null,
    ]);
  });

  it('waits for a sealed text that is missing, and records it as an absence at the timeout', () => {
    const sealed = { commitment: 'f'.repeat(64), at: 'me@there' };
    const blind = ['a', 'b', 'c'].reduce(
      (s, id) => must(transitionOf(s, respond(id, s, { sealed }), START)),
      stateOf(),
    );
    const event: PhaseEvent = {
      ...NONE,
      type: 'close',
      texts: texts({ a: plainVerdict, b: plainVerdict }),
      missing: ['c'],
    };
    expect(refused(transitionOf(blind, event, START))).toBe('not_your_turn');
    const late = must(transitionOf(blind, event, START + HOUR));
    expect(late.absences).toEqual([
      {
        participant: 'c',
        phase: 'COLLECT',
        tour: 1,
        at: new Date(START + HOUR).toISOString(),
        reason: 'sealed_text_missing',
        commitment: sealed.commitment,
      },
    ]);
    const found = must(
      transitionOf(
        late,
        {
          type: 'reveal',
          text: revealed('c', { ...plainVerdict, position: 'no' }),
          closeTour: () => EMPTY_LEDGER,
        },
        START + HOUR,
      ),
    );
    expect([found.absences, getSeat(found, 'c').position]).toEqual([[], 'no']);
    expect(
      refused(
        transitionOf(
          found,
          { type: 'reveal', text: revealed('c', plainVerdict), closeTour: () => EMPTY_LEDGER },
          START,
        ),
      ),
    ).toBe('not_your_turn');
    const spoken = { ...late, participants: { ...late.participants, c: participant({ position: 'later' }) } };
    expect(
      getSeat(
        must(
          transitionOf(
            spoken,
            { type: 'reveal', text: revealed('c', plainVerdict), closeTour: () => EMPTY_LEDGER },
            START,
          ),
        ),
        'c',
      ).position,
    ).toBe('later');
  });

  it('asks the coordinator last, and archives without one all the same', () => {
    const s = close(everybody(withCoordinator({ currentPhase: 'RESOLVE', tour: 3, blind: false })));
    expect(awaited(s)).toEqual(['maman']);
    expect(refused(transitionOf(s, { type: 'archive', path: 'p' }, START))).toBe('not_your_turn');
    const wrote = say(s, 'maman');
    expect(must(transitionOf(wrote, { type: 'archive', path: 'p' }, START)).absences).toEqual([]);
    const silent = must(transitionOf(s, { type: 'archive', path: 'p' }, START + 3 * HOUR));
    expect(silent.absences).toMatchObject([{ participant: 'maman', phase: 'SYNTHESIZE', reason: 'timeout' }]);
    expect(silent.transitions.at(-1)).toMatchObject({ to: 'ARCHIVED', reason: 'timeout' });
    const opened = transitionOf(
      everybody(withCoordinator({ currentPhase: 'RESOLVE', tour: 3, blind: false })),
      { type: 'close', ...NONE },
      START,
    );
    expect(opened.ok && opened.notices.at(-1)).toEqual({ type: 'synthesis_wanted', coordinator: 'maman' });
    expect(
      must(
        transitionOf(open({ currentPhase: 'SYNTHESIZE', tour: 4 }), { type: 'archive', path: 'p' }, START),
      ).transitions.at(-1)?.reason,
    ).toBe('all-responded');
  });

  it('refuses who speaks out of turn', () => {
    const s = withCoordinator({ blind: false });
    expect(refused(transitionOf(s, respond('maman', s), START))).toBe('not_your_turn');
    expect(refused(transitionOf(s, respond('a', s, { tour: 2 }), START))).toBe('phase_closed');
    expect(transitionOf(s, respond('a', s, { tour: 2 }), START)).toMatchObject({
      message: expect.stringContaining('has not begun') as string,
    });
    const later = { ...s, tour: 2 };
    expect(transitionOf(later, respond('a', later, { tour: 1 }), START)).toMatchObject({
      message: expect.stringContaining('is over') as string,
    });
    expect(refused(transitionOf(s, respond('a', s, { leaseId: 'gone' }), START))).toBe('stale_lease');
    expect(refused(transitionOf({ ...s, currentPhase: 'SYNTHESIZE' }, respond('a', s), START))).toBe(
      'phase_closed',
    );
    expect(() => transitionOf(s, respond('nobody', s), START)).toThrow(/is not a participant/);
    expect(() => transitionOf(s, respond('constructor', s), START)).toThrow(/is not a participant/);
    const done = say(s, 'a');
    expect(refused(transitionOf(done, respond('a', done, { repeat: 'different' }), START))).toBe(
      'different_text',
    );
    expect(
      getSeat(
        must(
          transitionOf(
            done,
            respond('a', done, {
              repeat: 'different',
              replace: true,
              verdict: { ...plainVerdict, agreed: true },
            }),
            START,
          ),
        ),
        'a',
      ).status,
    ).toBe('AGREED');
    const closed = must(transitionOf(s, { type: 'cancel', why: 'x', path: 'p', ...NONE }, START));
    expect(refused(transitionOf(closed, respond('a', closed), START))).toBe('phase_closed');
    expect(awaited(closed)).toEqual([]);
    expect(findCloseReason(closed, START + 9 * HOUR, [])).toBeNull();
  });

  it('leases one launch, once', () => {
    const s = must(
      transitionOf(stateOf(), { type: 'lease', participant: 'a', lease: lease('l1'), replaces: null }, START),
    );
    expect(
      refused(
        transitionOf(s, { type: 'lease', participant: 'a', lease: lease('l2'), replaces: null }, START),
      ),
    ).toBe('stale_lease');
    const second = must(
      transitionOf(s, { type: 'lease', participant: 'a', lease: lease('l2', 2), replaces: 'l1' }, START),
    );
    expect(getSeat(second, 'a')).toMatchObject({ attempts: 2, lease: { id: 'l2' } });
    expect(refused(transitionOf(second, respond('a', second, { leaseId: 'l1' }), START))).toBe('stale_lease');
    const spoken = must(
      transitionOf(
        second,
        respond('a', second, { leaseId: 'l2', sealed: { commitment: 'c', at: 'x' } }),
        START,
      ),
    );
    expect(getSeat(spoken, 'a').lease).toBeNull();
    expect(
      refused(
        transitionOf(spoken, { type: 'lease', participant: 'a', lease: lease('l3'), replaces: null }, START),
      ),
    ).toBe('not_your_turn');
  });

  it('counts failed attempts, forgives interrupted ones, and stops waiting after the last', () => {
    const leased = must(
      transitionOf(stateOf(), { type: 'lease', participant: 'a', lease: lease('l1'), replaces: null }, START),
    );
    const fail = (outcome: 'retry' | 'exhausted' | 'interrupted') =>
      transitionOf(
        leased,
        { type: 'attempt_failed', participant: 'a', leaseId: 'l1', reason: 'exit code 1', outcome },
        START,
      );
    expect(getSeat(must(fail('retry')), 'a')).toMatchObject({ attempts: 1, lease: null, absent: null });
    expect(getSeat(must(fail('interrupted')), 'a')).toMatchObject({ attempts: 0, lease: null, absent: null });
    const exhausted = must(fail('exhausted'));
    expect(getSeat(exhausted, 'a').absent).toBe('failed: exit code 1');
    expect(awaited(exhausted)).toEqual(['b', 'c']);
    expect(
      refused(
        transitionOf(
          leased,
          { type: 'attempt_failed', participant: 'a', leaseId: 'other', reason: '', outcome: 'retry' },
          START,
        ),
      ),
    ).toBe('stale_lease');
    const closed = close(
      ['b', 'c'].reduce<CouncilState>((s, id) => say(s, id), { ...exhausted, blind: false }),
    );
    expect(closed.absences).toMatchObject([{ participant: 'a', reason: 'failed: exit code 1' }]);
    expect(getSeat(closed, 'a')).toMatchObject({ attempts: 0, absent: null, status: 'WAITING' });
  });

  it('takes whoever waits for a launch out of a phase when a budget is spent', () => {
    const budget = { usd: 1, tokens: null, agents: {} };
    const event = (over: Partial<PhaseEvent & { type: 'budget' }> = {}): PhaseEvent => ({
      type: 'budget',
      participants: ['a', 'b'],
      leaseId: null,
      scope: 'council',
      why: 'spent',
      ...over,
    });
    const spent = (state: CouncilState, over = {}) => transitionOf(state, event(over), START + 5);
    const s = must(spent(open({ budget })));
    expect(s.budget?.spent).toEqual({ tour: 1, at: new Date(START + 5).toISOString() });
    expect(awaited(s)).toEqual(['c']);
    const closed = close(say(s, 'c'));
    expect(closed.absences).toMatchObject([
      { participant: 'a', reason: 'budget: spent' },
      { participant: 'b', reason: 'budget: spent' },
    ]);
    expect(closed.transitions.at(-1)?.reason).toBe('budget');
    // The next phase closes for its own reason, and so does one in which they spoke after all.
    expect(close(everybody(closed)).transitions.at(-1)?.reason).toBe('all-responded');
    expect(findCloseReason(everybody(say(say(s, 'a'), 'b')), START, [])).toBe('all-responded');
    // An agent's own limit is its own matter.
    const own = must(spent(open({ budget }), { participants: ['a'], scope: 'agent' }));
    expect([own.budget?.spent, findCloseReason(everybody(own), START, [])]).toEqual([
      undefined,
      'all-responded',
    ]);
    // Who is being launched is left to finish, unless the owner of that lease is dead.
    const leased = must(
      transitionOf(
        open({ budget }),
        { type: 'lease', participant: 'a', lease: lease('l1'), replaces: null },
        START,
      ),
    );
    expect(awaited(must(spent(leased)))).toEqual(['a', 'c']);
    expect(awaited(must(spent(leased, { leaseId: 'l1' })))).toEqual(['c']);
    expect(refused(spent(leased, { participants: ['a'] }))).toBe('not_your_turn');
    expect(refused(spent(open()))).toBe('not_your_turn');
    const synthesis = withCoordinator({ currentPhase: 'SYNTHESIZE', tour: 4, budget, blind: false });
    const unwritten = must(spent(synthesis, { participants: ['maman'] }));
    const end = must(transitionOf(unwritten, { type: 'archive', path: 'p' }, START));
    expect(end.transitions.at(-1)).toMatchObject({ to: 'ARCHIVED', reason: 'budget' });
    const last = must(spent(open({ budget, currentPhase: 'RESOLVE', tour: 3 }), { participants: ['a'] }));
    expect(close(everybody(last)).status).toBe('COMPLETED');
  });

  it('records what launches used up, in a blind phase when it closes', () => {
    const used = (participant: string, at: string) => ({
      participant,
      phase: 'COLLECT' as const,
      tour: 1,
      at,
      model: null,
      inputTokens: 1,
      outputTokens: 2,
      costUsd: 3,
      ms: 4,
      ok: true,
    });
    const [first, second] = [used('a', '2026-02-08T20:00:01.000Z'), used('a', '2026-02-08T20:00:02.000Z')];
    const leased = (state: CouncilState) =>
      must(
        transitionOf(state, { type: 'lease', participant: 'a', lease: lease('l1'), replaces: null }, START),
      );
    const failure = { reason: 'exit code 1: all the words', stderr: 'all the words' };
    const fail = (state: CouncilState, outcome: 'retry' | 'exhausted' = 'exhausted') =>
      must(
        transitionOf(
          leased(state),
          {
            type: 'attempt_failed',
            participant: 'a',
            leaseId: 'l1',
            reason: 'exit code 1',
            outcome,
            failure,
            usage: [first],
          },
          START,
        ),
      );
    expect(fail(open())).toMatchObject({
      usage: [first],
      participants: { a: { absent: `failed: ${failure.reason}`, failure } },
    });
    const spoken = must(
      transitionOf(
        leased(fail(open(), 'retry')),
        respond('a', open(), { leaseId: 'l1', usage: [second] }),
        START,
      ),
    );
    expect(spoken.usage).toEqual([first, second]);
    expect(getSeat(spoken, 'a')).not.toHaveProperty('failure');
    const retried = must(transitionOf(fail(open()), { type: 'retry', participant: 'a' }, START));
    expect(getSeat(retried, 'a')).toMatchObject({ absent: null, attempts: 0, lease: null });
    expect(getSeat(retried, 'a')).not.toHaveProperty('failure');
    expect(transitionOf(retried, { type: 'retry', participant: 'a' }, START)).toMatchObject({ ok: false });

    const blind = fail(stateOf());
    expect(blind).not.toHaveProperty('usage');
    expect(getSeat(blind, 'a')).toMatchObject({ absent: 'failed: exit code 1' });
    expect(JSON.stringify(blind)).not.toContain('all the words');
    const spooled = { usage: [second, first], failures: { a: { ...failure, safeReason: 'exit code 1' } } };
    const closed = must(transitionOf(blind, { type: 'close', ...NONE, ...spooled }, START + HOUR));
    expect(closed.usage).toEqual([first, second]);
    expect(closed.absences[0]).toMatchObject({
      reason: `failed: ${failure.reason}`,
      stderr: 'all the words',
    });
    expect(getSeat(closed, 'a')).not.toHaveProperty('failure');
    // What is on record already does not count twice.
    const again = must(
      transitionOf(
        { ...closed, currentPhase: 'SYNTHESIZE' },
        { type: 'archive', path: 'p', usage: [first] },
        START,
      ),
    );
    expect(again.usage).toEqual([first, second]);
    // Somebody who was silent at the end tells why the last launch failed; somebody who spoke does not.
    const silent = { a: { ...failure, safeReason: 'another' } };
    const timedOut = must(
      transitionOf(stateOf(), { type: 'close', ...NONE, failures: silent }, START + HOUR),
    );
    expect(timedOut.absences[0]).toMatchObject({
      participant: 'a',
      reason: 'timeout',
      stderr: 'all the words',
    });
    const sealed = { commitment: 'f'.repeat(64), at: 'x' };
    const said = must(transitionOf(stateOf(), respond('a', stateOf(), { sealed }), START));
    const cancelled = must(
      transitionOf(said, { type: 'cancel', why: 'w', path: 'p', ...NONE, failures: silent }, START),
    );
    expect(getSeat(cancelled, 'a')).not.toHaveProperty('failure');
  });

  it('excuses only who is awaited', () => {
    expect(
      refused(transitionOf(say(open(), 'a'), { type: 'excuse', participant: 'a', why: 'x' }, START)),
    ).toBe('not_your_turn');
    expect(() => transitionOf(open(), { type: 'excuse', participant: 'zed', why: 'x' }, START)).toThrow(
      /is not a participant/,
    );
    const back = say(must(transitionOf(open(), { type: 'excuse', participant: 'a', why: 'x' }, START)), 'a');
    expect(getSeat(back, 'a')).toMatchObject({ absent: null, status: 'RESPONDED' });
  });

  it('extends from the deadline, or from now when it has passed', () => {
    const after = (now: number) =>
      Date.parse(must(transitionOf(open(), { type: 'extend', ms: 1000 }, now)).timeoutAt);
    expect([after(START), after(START + 2 * HOUR)]).toEqual([START + HOUR + 1000, START + 2 * HOUR + 1000]);
  });

  it('cancels at once, revealing what was sealed', () => {
    const s = must(
      transitionOf(
        stateOf(),
        respond('a', stateOf(), { sealed: { commitment: 'c'.repeat(64), at: 'x' } }),
        START,
      ),
    );
    const outcome = transitionOf(
      s,
      {
        type: 'cancel',
        why: 'moot',
        path: 'p',
        texts: texts({ a: { ...plainVerdict, position: 'yes' } }),
        missing: [],
      },
      START,
    );
    const done = must(outcome);
    expect(done).toMatchObject({ status: 'CANCELLED', closing: { why: 'moot', path: 'p' }, blind: true });
    expect([getSeat(done, 'a').position, done.absences.map((x) => `${x.participant}:${x.reason}`)]).toEqual([
      'yes',
      ['b:cancelled', 'c:cancelled'],
    ]);
    // That it is archived is told when it is.
    expect(outcome.ok && outcome.notices).toMatchObject([
      { type: 'absent', participant: 'b', reason: 'cancelled' },
      { type: 'absent', participant: 'c', reason: 'cancelled' },
    ]);
    const inSynthesis = must(
      transitionOf(
        withCoordinator({
          currentPhase: 'SYNTHESIZE',
          tour: 4,
          convergence: { responseRate: 1, hasConsensus: false, blockingIssues: [] },
        }),
        { type: 'cancel', why: 'moot', path: 'p', ...NONE },
        START,
      ),
    );
    expect([inSynthesis.absences[0]?.participant, inSynthesis.convergence.responseRate]).toEqual([
      'maman',
      1,
    ]);
    expect(
      must(
        transitionOf(
          stateOf({ currentPhase: 'SYNTHESIZE', tour: 4 }),
          { type: 'cancel', why: 'moot', path: 'p', ...NONE },
          START,
        ),
      ).absences,
    ).toEqual([]);
  });

  it('notes the launches that a cancellation cuts short, once each', () => {
    const since = new Date(START - 4000).toISOString();
    const leased = (['a', 'b', 'c'] as const).reduce((state, id) => {
      const held = { ...lease(id), ...(id !== 'c' && { at: since }) };
      return must(
        transitionOf(state, { type: 'lease', participant: id, lease: held, replaces: null }, START),
      );
    }, stateOf());
    const told = { participant: 'b', phase: 'COLLECT', tour: 1, at: new Date(START).toISOString() } as const;
    const figures = { model: null, inputTokens: 5, outputTokens: 5, costUsd: 1, ms: 9, ok: true };
    const usage = [{ ...told, ...figures }];
    const event = { type: 'cancel', why: 'moot', path: 'p', ...NONE, usage } as const;
    const done = must(transitionOf(leased, event, START));
    expect(done.usage).toHaveLength(2);
    expect(done.usage).toContainEqual({
      ...{ participant: 'a', phase: 'COLLECT', tour: 1, at: new Date(START).toISOString(), model: null },
      ...{ inputTokens: null, outputTokens: null, costUsd: null, ms: 4000, ok: false, cancelled: true },
    });
  });

  it('plays a mode of two phases, and a table of nobody has a rate of 0', () => {
    expect(
      close(everybody(open({ phases: ['COLLECT', 'SYNTHESIZE'], earlyConvergence: false }))).currentPhase,
    ).toBe('SYNTHESIZE');
    expect(
      must(transitionOf(stateOf({}, []), { type: 'extend', ms: 1 }, START)).convergence.responseRate,
    ).toBe(0);
  });
});

describe('the phase machine and what has been before', () => {
  const sealed = { commitment: 'f'.repeat(64), at: 'me@here' };

  it('gives a restored phase its whole time, forgets launches, and asks again whose text is gone', () => {
    const said = must(transitionOf(stateOf(), respond('a', stateOf(), { sealed }), START));
    const both = must(transitionOf(said, respond('b', said, { sealed }), START));
    const event: PhaseEvent = { type: 'lease', participant: 'c', lease: lease('l1'), replaces: null };
    const old = must(transitionOf(both, event, START));
    const s = must(transitionOf(old, { type: 'restore', again: ['b'] }, START + 5 * HOUR));
    expect([s.timeoutAt, s.updatedAt]).toEqual(
      [6 * HOUR, 5 * HOUR].map((ms) => new Date(START + ms).toISOString()),
    );
    expect(getSeat(s, 'a')).toEqual(getSeat(old, 'a'));
    expect(getSeat(s, 'b')).toMatchObject({ status: 'WAITING', commitment: null, sealedAt: null });
    expect(getSeat(s, 'c')).toMatchObject({ lease: null, attempts: 0 });
    expect(s.convergence.responseRate).toBeCloseTo(1 / 3);
  });

  it('forgets the launch of the coordinator of a restored phase as well', () => {
    const old = withCoordinator({ currentPhase: 'SYNTHESIZE', tour: 2 });
    const launched = {
      ...old,
      synthesizer: old.synthesizer && { ...old.synthesizer, lease: lease('l1'), attempts: 1 },
    };
    const s = must(transitionOf(launched, { type: 'restore', again: [] }, START));
    expect(s.synthesizer).toEqual({ ...old.synthesizer, lease: null, attempts: 0 });
  });

  it('reserves another path for the archive, once', () => {
    const reserve = { type: 'reserve', instead: 'p', path: 'p-2' } as const;
    expect(refused(transitionOf(open(), reserve, START))).toBe('not_your_turn');
    const closing = must(transitionOf(open(), { type: 'cancel', why: 'w', path: 'p', ...NONE }, START));
    const s = must(transitionOf(closing, reserve, START + HOUR));
    expect(s).toEqual({ ...closing, closing: { ...closing.closing, path: 'p-2' } });
    expect(refused(transitionOf(s, reserve, START + HOUR))).toBe('not_your_turn');
  });
});

describe('the phase machine and what was said', () => {
  const sealed = { commitment: 'f'.repeat(64), at: 'me@here' };
  const blind = (over: Partial<CouncilState> = {}) =>
    ['a', 'b', 'c'].reduce(
      (s, id) => must(transitionOf(s, respond(id, s, { sealed }), START)),
      stateOf(over),
    );
  const verdict = (over: Partial<Verdict> = {}): Verdict => ({ ...plainVerdict, ...over });
  const closeWith = (
    state: CouncilState,
    event: Partial<PhaseEvent & { type: 'close' }> = {},
  ): CouncilState => must(transitionOf(state, { type: 'close', ...NONE, ...event }, START + 2000));
  const all = (one: Verdict) => texts({ a: one, b: one, c: one });
  const moved = (by: string, tour: number, explained: boolean): Ledger => ({
    ...EMPTY_LEDGER,
    moves: [
      { by, from: 'x', to: 'y', tour, phase: 'CHALLENGE', because: explained ? 'a.1' : null, explained },
    ],
  });

  it('skips the debate after blind unanimity, and records it as consensus', () => {
    const s = closeWith(blind(), { texts: all(verdict({ position: 'build' })) });
    expect(s).toMatchObject({ currentPhase: 'SYNTHESIZE', status: 'CONVERGED', advocate: null, held: null });
    expect(s.transitions.at(-1)).toMatchObject({ from: 'COLLECT', to: 'SYNTHESIZE', reason: 'consensus' });
  });

  it('debates it when CHALLENGE is forced, with an advocate drawn by the recorded seed', () => {
    const forced = blind({ rules: rulesOf({ forceChallenge: true }) });
    const s = closeWith(forced, { texts: all(verdict({ position: 'build' })), seed: 'f00d' });
    expect(s).toMatchObject({
      currentPhase: 'CHALLENGE',
      status: 'ACTIVE',
      advocate: { tour: 2, seed: 'f00d' },
    });
    expect(s.order).toContain(s.advocate?.participant);
    // The record of who was asked stays after the tour.
    const later = closeWith(everybody(s, { position: 'build' }));
    expect(later).toMatchObject({ currentPhase: 'RESOLVE', advocate: s.advocate });
    const without = blind({ rules: rulesOf({ forceChallenge: true, advocate: false }) });
    expect(closeWith(without, { texts: all(verdict({ position: 'build' })) }).advocate).toBeNull();
  });

  it('goes on although all agree, and says why, until a move is explained', () => {
    const challenged = everybody(open({ currentPhase: 'CHALLENGE', tour: 2 }), { agreed: true });
    const s = closeWith(challenged, { closeTour: () => moved('b', 2, false) });
    expect(s).toMatchObject({
      currentPhase: 'RESOLVE',
      status: 'ACTIVE',
      held: 'b changed position without naming what moved them',
    });
    expect(s.ledger).toEqual(moved('b', 2, false));
    const last = closeWith(everybody(s, { agreed: true }), { closeTour: () => moved('b', 2, false) });
    expect(last).toMatchObject({ currentPhase: 'SYNTHESIZE', status: 'CONVERGED', held: s.held });
    expect(closeWith(challenged, { closeTour: () => moved('b', 2, true) })).toMatchObject({
      currentPhase: 'SYNTHESIZE',
      status: 'CONVERGED',
      held: null,
    });
  });

  it('repeats CHALLENGE and RESOLVE while positions move, as often as agreed, with tours counted on', () => {
    let s = open({ rules: rulesOf({ repeat: 3 }) });
    const played: string[] = [];
    while (s.currentPhase !== 'SYNTHESIZE') {
      played.push(`${s.currentPhase} ${s.tour}`);
      s = closeWith(everybody(s), { closeTour: () => moved('a', s.tour, true) });
    }
    expect(played).toEqual([
      'COLLECT 1',
      'CHALLENGE 2',
      'RESOLVE 3',
      'CHALLENGE 4',
      'RESOLVE 5',
      'CHALLENGE 6',
      'RESOLVE 7',
    ]);
    const quiet = closeWith(
      everybody(open({ currentPhase: 'RESOLVE', tour: 3, rules: rulesOf({ repeat: 3 }) })),
      { closeTour: () => moved('a', 1, true) },
    );
    expect(quiet.currentPhase).toBe('SYNTHESIZE');
  });

  it('leaves the ledger as it was in SYNTHESIZE and when it is cancelled', () => {
    const s = open({ currentPhase: 'SYNTHESIZE', tour: 4, ledger: moved('a', 2, true) });
    expect(must(transitionOf(s, { type: 'archive', path: 'p' }, START)).ledger).toEqual(s.ledger);
    expect(
      must(transitionOf(s, { type: 'cancel', why: 'w', path: 'p', texts: [], missing: [] }, START)).ledger,
    ).toEqual(s.ledger);
  });
});

describe('the phase machine and the texts', () => {
  const collect = ['a', 'b', 'c'].reduce(
    (s, id) =>
      must(transitionOf(s, respond(id, s, { sealed: { commitment: 'f'.repeat(64), at: 'x' } }), START)),
    stateOf({ earlyConvergence: false, phases: ['COLLECT', 'SYNTHESIZE'] }),
  );
  const texts = (ids: string[]): RevealedText[] =>
    ids.map((id) => ({
      ...revealed(id, { ...plainVerdict, position: 'build' }),
      text: `## Claims\n\n- ${id} says so.`,
    }));

  it('puts them in the open, reads the ledger from them, and decides, in one step', () => {
    const council = { state: collect, brief: '', contributions: [] };
    const closed = play(council, { type: 'close', texts: texts(['a', 'b', 'c']), missing: [], ...READ });
    expect(closed.contributions.map((c) => [c.by, c.position, c.salt, c.commitment])).toEqual(
      ['a', 'b', 'c'].map((id) => [id, 'build', '00', 'f'.repeat(64)]),
    );
    expect(closed.state.ledger.claims.map(({ id }) => id)).toEqual(['a.1', 'b.1', 'c.1']);
    expect(closed.state.decision).toMatchObject({ decided: true, position: 'build', votes: { build: 3 } });
  });

  it('takes in one that was missing, without another decision', () => {
    const council = { state: collect, brief: '', contributions: [] };
    const closing: PhaseEvent = { type: 'close', texts: texts(['a', 'b']), missing: ['c'], ...READ };
    const closed = play(council, closing, START + HOUR);
    expect(closed.state.decision).toMatchObject({ votes: { build: 2 } });
    const [text] = texts(['c']);
    const whole = play(closed, { type: 'reveal', text: text!, closeTour: closeRound });
    expect(whole.state.ledger.claims.map(({ id }) => id)).toEqual(['a.1', 'b.1', 'c.1']);
    expect([whole.contributions.length, whole.state.absences]).toEqual([3, []]);
    expect(whole.state.decision).toEqual(closed.state.decision);
  });

  it('carries the position stated last forward', () => {
    const state = open({ currentPhase: 'CHALLENGE', tour: 2 });
    const first = { ...said('a', 'x'), position: 'build' };
    const next = said('a', 'y', 2, 'CHALLENGE');
    const council = { state, brief: '', contributions: [first] };
    const spoken = play(council, respond('a', state, { said: next }));
    expect(getSeat(spoken.state, 'a').position).toBe('build');
    expect(spoken.contributions).toEqual([first, next]);
  });
});

type Step = {
  do: 'say' | 'close' | 'extend' | 'excuse' | 'lease' | 'fail' | 'budget' | 'clock' | 'archive' | 'cancel';
  who: number;
  flag: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    'say',
    'say',
    'say',
    'close',
    'close',
    'extend',
    'excuse',
    'lease',
    'fail',
    'budget',
    'clock',
    'clock',
    'archive',
    'cancel',
  ),
  who: fc.nat(3),
  flag: fc.nat(7),
});

describe('the phase machine, under any interleaving', () => {
  it('never skips or repeats a phase, never loses a contribution, never shrinks the denominator', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80 }),
        fc.boolean(),
        fc.boolean(),
        (steps, coordinator, early) => {
          const budget = { usd: 1, tokens: null, agents: {} };
          let s = coordinator
            ? withCoordinator({ blind: false, earlyConvergence: early, budget })
            : open({ earlyConvergence: early, budget });
          let now = START;
          const heard = new Set<string>();
          for (const { do: action, who, flag } of steps) {
            const id = [...s.order, s.coordinator ?? 'a'][who]!;
            const verdict = {
              agreed: (flag & 1) === 1,
              done: (flag & 2) === 2,
              position: null,
              blocking: (flag & 4) === 4 ? ['x'] : [],
            };
            const events: Record<Step['do'], PhaseEvent> = {
              say: respond(id, s, { verdict }),
              close: { type: 'close', ...NONE },
              extend: { type: 'extend', ms: 1000 },
              excuse: { type: 'excuse', participant: id, why: 'w' },
              lease: {
                type: 'lease',
                participant: id,
                lease: lease(`l${flag}`),
                replaces: getSeat(s, id).lease?.id ?? null,
              },
              fail: {
                type: 'attempt_failed',
                participant: id,
                leaseId: getSeat(s, id).lease?.id ?? 'none',
                reason: 'r',
                outcome: flag > 3 ? 'exhausted' : 'retry',
              },
              budget: {
                type: 'budget',
                participants: flag > 3 ? s.order : [id],
                leaseId: flag === 7 ? (getSeat(s, id).lease?.id ?? null) : null,
                scope: flag % 2 === 0 ? 'council' : 'agent',
                why: 'spent',
              },
              clock: { type: 'close', ...NONE },
              archive: { type: 'archive', path: 'p' },
              cancel: { type: 'cancel', why: 'w', path: 'p', ...NONE },
            };
            // The clock also runs backwards now and then.
            if (action === 'clock') now += flag === 0 ? -2 * HOUR : (HOUR * flag) / 3;
            const before = s;
            const outcome = transitionOf(s, events[action], now);
            if (!outcome.ok) continue;
            s = outcome.state;
            if (action === 'say') heard.add(`${id} ${before.tour}`);
            const moved = before.phases.indexOf(s.currentPhase) - before.phases.indexOf(before.currentPhase);
            const nothingSaid = before.currentPhase === 'COLLECT' && heard.size === 0;
            const isShortened = s.status === 'CONVERGED' || nothingSaid;
            expect(moved === 0 || moved === 1 || (s.currentPhase === 'SYNTHESIZE' && isShortened)).toBe(true);
            expect(s.tour).toBe(before.tour + (moved > 0 ? 1 : 0));
            expect(s.order).toEqual(before.order);
            if (action === 'budget' && !s.closing) expect(s.transitions).toEqual(before.transitions);
            const closed = s.transitions.at(-1);
            if (closed?.reason === 'budget')
              expect(s.absences.some((a) => a.tour === closed.tour && a.reason === 'budget: spent')).toBe(
                true,
              );
            expect(s.transitions.length).toBe(s.tour - 1 + (s.closing ? 1 : 0));
            // Whoever spoke in a tour is never recorded as silent in it.
            for (const a of s.absences)
              if (a.reason === 'timeout' || a.reason.startsWith('budget: '))
                expect(heard.has(`${a.participant} ${a.tour}`)).toBe(false);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('always ends: with time passing, any state reaches the archive in as many ticks as there are phases left', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let s = withCoordinator({ blind: false });
        for (const { who, flag } of steps) {
          const id = [...s.order, 'maman'][who]!;
          const outcome = transitionOf(
            s,
            flag < 5 ? respond(id, s) : { type: 'close', ...NONE },
            START + flag * 1000,
          );
          if (outcome.ok) s = outcome.state;
        }
        let now = START;
        for (let ticks = 0; !s.closing; ticks++) {
          expect(ticks).toBeLessThan(5);
          now = Math.max(now, Date.parse(s.timeoutAt));
          s = must(
            transitionOf(
              s,
              s.currentPhase === 'SYNTHESIZE' ? { type: 'archive', path: 'p' } : { type: 'close', ...NONE },
              now,
            ),
          );
        }
        expect(s.closing.path).toBe('p');
      }),
    );
  });
});
