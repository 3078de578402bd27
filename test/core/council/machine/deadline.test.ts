import { describe, expect, it } from 'vitest';
import type { Clocks } from '../../../../src/core/base/clock.ts';
import { findCloseReason } from '../../../../src/core/council/machine/close.ts';
import { computeDueMove, stampPhaseClock } from '../../../../src/core/council/machine/deadline.ts';
import type { PhaseEvent } from '../../../../src/core/council/machine/transition.ts';
import type { CouncilState } from '../../../../src/core/council/state/state.ts';
import { EMPTY_LEDGER } from '../../../../src/core/council/state/state.ts';
import { HOUR, START, participant, stateOf, transitionOf } from '../fixtures.ts';

const MINUTE = 60_000;
const DAY = 24 * HOUR;
const CLOSE: PhaseEvent = { type: 'close', texts: [], missing: [], seed: '', closeTour: () => EMPTY_LEDGER };

/** The clocks after so much time, of which the machine slept some, and with the wall clock set by `jump`. */
const clocks = (passed: number, { jump = 0, asleep = 0, bootId = 'boot' } = {}): Clocks => ({
  wall: START + passed + jump,
  bootId,
  uptime: 10 * DAY + passed,
  awake: 10 * DAY + passed - asleep,
});

/** A council that was opened at START, for an hour. */
const opened = (over: Partial<CouncilState> = {}): CouncilState =>
  stateOf({ timeoutAt: new Date(START + HOUR).toISOString(), ...stampPhaseClock(clocks(0)), ...over });

const moved = (state: CouncilState, at: Clocks, isLaunching = false): CouncilState => {
  const outcome = transitionOf(state, { type: 'clock', isLaunching }, at.wall, at);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.state;
};
const until = (state: CouncilState): number => Date.parse(state.timeoutAt);

describe('the deadline of a phase and the clocks of the machine', () => {
  it('fault 9: a phase opened under a clock that was behind gets its whole time', () => {
    const at = clocks(10 * MINUTE, { jump: 2 * DAY });
    const state = opened();
    expect(findCloseReason(state, at.wall, [])).toBe('timeout');
    expect(findCloseReason(state, at.wall, [], at)).toBeNull();
    expect(transitionOf(state, CLOSE, at.wall, at)).toMatchObject({ ok: false, code: 'not_your_turn' });
    const outcome = transitionOf(state, { type: 'clock', isLaunching: false }, at.wall, at);
    expect(outcome).toMatchObject({
      ok: true,
      notices: [{ type: 'deadline_moved', phase: 'COLLECT', tour: 1, ms: 2 * DAY, why: 'clock' }],
    });
    const next = moved(state, at);
    expect(until(next)).toBe(START + HOUR + 2 * DAY);
    expect(next.phaseClock?.moved).toMatchObject({ ms: 2 * DAY, why: 'clock' });
    expect(transitionOf(next, { type: 'clock', isLaunching: false }, at.wall, at).ok).toBe(false);
    const end = clocks(61 * MINUTE, { jump: 2 * DAY });
    expect(findCloseReason(next, end.wall, [], end)).toBe('timeout');
    const closed = transitionOf(next, CLOSE, end.wall, end);
    // The next phase is measured from its own opening.
    expect(closed).toMatchObject({ ok: true, state: { phaseClock: { uptime: end.uptime } } });
    expect(closed.ok && closed.state.phaseClock).not.toHaveProperty('moved');
  });

  it('fault 9: a clock that was ahead does not hold a phase open for years', () => {
    const at = clocks(10 * MINUTE, { jump: -3650 * DAY });
    const lease = {
      id: 'l',
      attempt: 1,
      host: 'h',
      bootId: 'boot',
      pid: 2,
      startTime: '1',
      until: new Date(START + HOUR).toISOString(),
    };
    const a = participant({ retryAt: new Date(START + 20 * MINUTE).toISOString(), lease });
    const next = moved(opened({ participants: { ...opened().participants, a } }), at);
    expect(until(next)).toBe(START + HOUR - 3650 * DAY);
    // What was to come in ten minutes comes in ten minutes.
    expect(Date.parse(next.participants.a!.retryAt!) - at.wall).toBe(10 * MINUTE);
    expect(Date.parse(next.participants.a!.lease!.until) - at.wall).toBe(50 * MINUTE);
  });

  it('fault 9: more time is added to what the phase really has left', () => {
    const at = clocks(10 * MINUTE, { jump: 2 * DAY });
    const outcome = transitionOf(opened(), { type: 'extend', ms: HOUR }, at.wall, at);
    expect(outcome.ok && until(outcome.state) - at.wall).toBe(HOUR + 50 * MINUTE);
    const steady = clocks(10 * MINUTE);
    const plain = transitionOf(opened(), { type: 'extend', ms: HOUR }, steady.wall, steady);
    expect(plain.ok && until(plain.state)).toBe(START + 2 * HOUR);
  });

  it('fault 9: a machine that sleeps through the deadline takes no time from a launch', () => {
    const at = clocks(9 * HOUR, { asleep: 8.5 * HOUR });
    expect(computeDueMove(opened(), at)).toBeNull();
    const next = moved(opened(), at, true);
    expect(until(next)).toBe(START + 9.5 * HOUR);
    expect(next.phaseClock?.moved).toMatchObject({ ms: 8.5 * HOUR, why: 'asleep' });
    // It slept, and the deadline would be over all the same.
    expect(computeDueMove(opened(), clocks(9 * HOUR, { asleep: 2 * HOUR }), true)).toBeNull();
    expect(computeDueMove(opened(), clocks(30 * MINUTE, { asleep: 20 * MINUTE }), true)).toBeNull();
  });

  it('fault 9: a phase whose deadline passed while the machine was off gets the rest of its time, once', () => {
    const restarted = (at: number): Clocks => ({
      wall: START + at,
      bootId: 'next',
      uptime: MINUTE,
      awake: MINUTE,
    });
    const state = opened({ updatedAt: new Date(START + 20 * MINUTE).toISOString() });
    const next = moved(state, restarted(2 * DAY));
    expect(until(next)).toBe(START + 2 * DAY + 40 * MINUTE);
    expect(next.phaseClock).toMatchObject({ bootId: 'next', moved: { why: 'off' } });
    const third = { ...restarted(5 * DAY), bootId: 'third' };
    expect(computeDueMove(next, third)).toBeNull();
    expect(findCloseReason(next, third.wall, [], third)).toBe('timeout');
    // It was on again before the deadline: people could be heard.
    expect(computeDueMove(state, { ...restarted(2 * HOUR), uptime: 90 * MINUTE })).toBeNull();
    expect(computeDueMove(state, restarted(30 * MINUTE))).toBeNull();
    const spoken = opened({ updatedAt: new Date(START + 2 * HOUR).toISOString() });
    expect(computeDueMove(spoken, restarted(2 * DAY))).toBeNull();
  });

  it('leaves a deadline alone that no clock speaks against', () => {
    const at = clocks(59 * MINUTE, { jump: 4000 });
    expect(computeDueMove(opened(), at)).toBeNull();
    expect(computeDueMove(opened(), undefined)).toBeNull();
    const { phaseClock: _none, ...old } = opened();
    expect(computeDueMove(old, clocks(HOUR, { jump: DAY }))).toBeNull();
    expect(findCloseReason(old, START + DAY, [], clocks(HOUR, { jump: DAY }))).toBe('timeout');
    const other = { ...clocks(HOUR, { jump: DAY }), uptime: 5 };
    expect(computeDueMove(opened(), other)).toBeNull();
    const closing = opened({ closing: { path: 'x', at: new Date(START).toISOString(), why: null } });
    expect(computeDueMove(closing, clocks(HOUR, { jump: DAY }))).toBeNull();
    expect(transitionOf(opened(), { type: 'clock', isLaunching: false }, START)).toMatchObject({ ok: false });
  });
});
