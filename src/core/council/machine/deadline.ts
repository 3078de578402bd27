// Phase machine: deadlines, their extension, and corrections after clock changes.
import { formatIso } from '../../base/clock.ts';
import type { Clocks } from '../../base/clock.ts';
import type { Council, CouncilState, Participant, DeadlineMove } from '../state/state.ts';
import { isHeld } from '../state/state.ts';
import { acceptEvent, rejectEvent } from './transition-result.ts';
import type { Moment, TransitionResult } from './transition-result.ts';

/** A smaller difference is not a jump: the clocks are not read at exactly the same time. */
const SLACK_MS = 5000;

/** Returns the clock readings to store with a new deadline; empty if only the wall clock is available. */
export const stampPhaseClock = (clocks: Clocks | undefined): Pick<CouncilState, 'phaseClock'> => {
  if (!clocks) return {};
  const { wall, bootId, uptime, awake } = clocks;
  return { phaseClock: { at: formatIso(wall), bootId, uptime, awake } };
};

/**
 * Returns how far the deadline must move for the phase to last as planned, or null. Within one boot, the
 * monotonic clock decides. `isLaunching`: a program is running and has not had its full time.
 */
export function computeDueMove(
  state: CouncilState,
  clocks: Clocks | undefined,
  isLaunching = false,
): Omit<DeadlineMove, 'at'> | null {
  const mark = state.phaseClock;
  if (!mark || !clocks || state.closing) return null;
  const timeoutAt = Date.parse(state.timeoutAt);
  const late = clocks.wall - timeoutAt;
  if (mark.bootId !== clocks.bootId) {
    // Only once per phase: if each tick ran on another machine, each would see a different boot.
    if (late < clocks.uptime || mark.moved?.why === 'off') return null;
    const left = timeoutAt - Date.parse(state.updatedAt);
    return left > 0 ? { ms: late + left, why: 'off' } : null;
  }
  const passed = clocks.uptime - mark.uptime;
  // Within the same boot, a container may count differently: no conclusion possible.
  if (passed < 0) return null;
  const jump = clocks.wall - Date.parse(mark.at) - passed;
  if (Math.abs(jump) > SLACK_MS) return { ms: jump, why: 'clock' };
  const asleep = passed - (clocks.awake - mark.awake);
  return isLaunching && late >= 0 && asleep > Math.max(late, SLACK_MS) ? { ms: asleep, why: 'asleep' } : null;
}

/** True if the open phase has had its full time. */
export const isOver = (state: CouncilState, now: number, clocks: Clocks | undefined): boolean =>
  now >= Date.parse(state.timeoutAt) && computeDueMove(state, clocks) === null;

/** Sets the deadline of the open phase, and of the hold if the council is held. */
export const setDeadline = (
  { hold }: Pick<CouncilState, 'hold'>,
  timeoutAt: string,
): Pick<CouncilState, 'timeoutAt' | 'hold'> => ({
  timeoutAt,
  ...(hold?.until !== undefined && { hold: { ...hold, until: timeoutAt } }),
});

/** Returns the state with its deadline moved. If a clock was set, other future times move, too. */
function applyMove(state: CouncilState, move: Omit<DeadlineMove, 'at'>, clocks: Clocks): CouncilState {
  const { ms, why } = move;
  const postpone = (time: string): string => formatIso(Date.parse(time) + ms);
  const shiftParticipant = (one: Participant): Participant => ({
    ...one,
    ...(one.retryAt !== undefined && { retryAt: postpone(one.retryAt) }),
    ...(one.lease && { lease: { ...one.lease, until: postpone(one.lease.until) } }),
  });
  const { participants, synthesizer } = state;
  const seats = Object.entries(participants).map(([id, one]) => [id, shiftParticipant(one)] as const);
  return {
    ...state,
    ...setDeadline(state, postpone(state.timeoutAt)),
    ...(why === 'clock' && {
      participants: Object.fromEntries(seats),
      synthesizer: synthesizer && shiftParticipant(synthesizer),
    }),
    phaseClock: { ...stampPhaseClock(clocks).phaseClock!, moved: { at: formatIso(clocks.wall), ...move } },
  };
}

/** Extends the deadline, from now if it has passed. */
export function extendDeadline(
  council: Council,
  { ms }: { ms: number },
  { now, clocks }: Moment,
): TransitionResult {
  const { state } = council;
  const move = computeDueMove(state, clocks);
  const open = move && clocks ? applyMove(state, move, clocks) : state;
  const until = Math.max(now, Date.parse(open.timeoutAt)) + ms;
  return acceptEvent({ ...council, state: { ...open, ...setDeadline(open, formatIso(until)) } }, now);
}

/** Moves the deadline if the clocks show that the phase has not had its time. */
export function moveDeadline(
  council: Council,
  { isLaunching }: { isLaunching: boolean },
  { now, clocks }: Moment,
): TransitionResult {
  const { state } = council;
  const move = computeDueMove(state, clocks, isLaunching);
  if (!move || !clocks)
    return rejectEvent(
      'not_your_turn',
      `The deadline of ${state.currentPhase} does not move: the clocks agree.`,
    );
  const next = applyMove(state, move, clocks);
  const { currentPhase: phase, tour, timeoutAt } = next;
  return acceptEvent({ ...council, state: next }, now, [
    { type: 'deadline_moved', phase, tour, timeoutAt, ...move },
  ]);
}

/** Gives the open phase its full time again and drops running launches. */
export function restore(
  council: Council,
  { again }: { again: readonly string[] },
  { now, clocks }: Moment,
): TransitionResult {
  const { phaseClock: _past, ...state } = council.state;
  const asked = { status: 'WAITING', commitment: null, sealedAt: null, lastAction: null } as const;
  const restoreParticipant = (id: string, one: Participant): Participant => ({
    ...one,
    ...(again.includes(id) && asked),
    lease: null,
    attempts: 0,
  });
  const { coordinator, synthesizer } = state;
  const seats = Object.entries(state.participants).map(
    ([id, one]) => [id, restoreParticipant(id, one)] as const,
  );
  const next: CouncilState = {
    ...state,
    ...stampPhaseClock(clocks),
    ...setDeadline(state, formatIso(now + (isHeld(state) ? state.hold!.ms : state.phaseTimeout))),
    participants: Object.fromEntries(seats),
    synthesizer:
      coordinator !== null && synthesizer !== null ? restoreParticipant(coordinator, synthesizer) : null,
  };
  return acceptEvent({ ...council, state: next }, now);
}
