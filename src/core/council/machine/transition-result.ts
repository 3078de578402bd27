// The result of a transition: accepted with its notices, or refused.
import { formatIso } from '../../base/clock.ts';
import type { Clocks } from '../../base/clock.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { isBlindNow, getSeat, isHeld } from '../state/state.ts';
import type { Council, CouncilState, Participant, Absence, DeadlineMove } from '../state/state.ts';
import { hasSingleProposal } from '../vote/outcome.ts';
import type { AbsenceReason, PhaseName, Ranks } from '../state/allowed-values.ts';

/** When an event happens: `now` in milliseconds since the epoch, and other clocks of the machine, if any. */
export interface Moment {
  now: number;
  clocks?: Clocks | undefined;
}

/** The next council with the notices to send after the commit, or a refusal. */
export type TransitionResult =
  { ok: true; council: Council; notices: Notice[] } | { ok: false; code: ErrorCode; message: string };

/** Returns the state with a participant's or the coordinator's seat replaced. */
export function replaceSeat(state: CouncilState, id: string, participant: Participant): CouncilState {
  if (id === state.coordinator) return { ...state, synthesizer: participant };
  return { ...state, participants: { ...state.participants, [id]: participant } };
}

/** Accepts an event; `now` in milliseconds since the epoch. */
export function acceptEvent(
  { state, ...rest }: Council,
  now: number,
  notices: Notice[] = [],
): TransitionResult & { ok: true } {
  const convergence = measureConvergence({ state, ...rest }, isBlindNow(state));
  const council = { ...rest, state: { ...state, convergence, updatedAt: formatIso(now) } };
  return { ok: true, council, notices };
}

/** Refuses an event, with the reason. */
export const rejectEvent = (code: ErrorCode, message: string): TransitionResult => ({
  ok: false,
  code,
  message,
});

/**
 * Computes response rate, consensus and blocking issues of the open phase. The denominator never shrinks.
 * Agreement to unseen texts (`isBlind`), or to different things, does not count.
 */
export function measureConvergence(council: Council, isBlind: boolean): CouncilState['convergence'] {
  const { state } = council;
  // SYNTHESIZE belongs to the coordinator, so the figures of the participants' last phase are kept.
  if (state.currentPhase === 'SYNTHESIZE') return state.convergence;
  const seats = state.order.map((id) => getSeat(state, id));
  const spoken = seats.filter((p) => p.status !== 'WAITING' && p.absent === null);
  const blockingIssues = seats.flatMap(({ blocking }, at) =>
    blocking.map((issue) => ({ by: state.order[at]!, issue })),
  );
  const agreed = spoken.length === seats.length && seats.every((p) => p.agreed);
  return {
    responseRate: seats.length === 0 ? 0 : spoken.length / seats.length,
    hasConsensus: !isBlind && agreed && blockingIssues.length === 0 && hasSingleProposal(council, state.tour),
    blockingIssues,
  };
}

/** What happened to a council, as data; notifiers are called after the commit. */
export type Notice =
  | { type: 'phase_opened'; phase: PhaseName; tour: number; ranks?: Ranks }
  | { type: 'absent'; participant: string; phase: PhaseName; tour: number; reason: AbsenceReason }
  | ({ type: 'deadline_moved'; phase: PhaseName; tour: number; timeoutAt: string } & Omit<DeadlineMove, 'at'>)
  | { type: 'synthesis_wanted'; coordinator: string }
  | { type: 'archived'; path: string };

/** Returns the notices of a phase that has opened; none for a held council, where no participant has a turn. */
export function listOpeningNotices(state: CouncilState): Notice[] {
  const { currentPhase: phase, tour, coordinator } = state;
  if (isHeld(state)) return [];
  const { ranks } = state.rules;
  const opened: Notice = { type: 'phase_opened', phase, tour, ...(ranks && { ranks }) };
  return phase === 'SYNTHESIZE' && coordinator
    ? [opened, { type: 'synthesis_wanted', coordinator }]
    : [opened];
}

export const toAbsenceNotice = ({ participant, phase, tour, reason }: Absence): Notice => ({
  type: 'absent',
  participant,
  phase,
  tour,
  reason,
});
