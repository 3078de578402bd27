// The notices that a council can send, and those of a phase that opens.
import type { AbsenceReason, PhaseName, Ranks } from '../state/choices.ts';
import type { Absence, CouncilState, Moved } from '../state/state.ts';
import { isHeld } from '../state/state.ts';

/** What happened to a council, as data: the notifiers are told after the commit. */
export type Notice =
  | { type: 'phase_opened'; phase: PhaseName; tour: number; ranks?: Ranks }
  | { type: 'absent'; participant: string; phase: PhaseName; tour: number; reason: AbsenceReason }
  | ({ type: 'deadline_moved'; phase: PhaseName; tour: number; timeoutAt: string } & Omit<Moved, 'at'>)
  | { type: 'synthesis_wanted'; coordinator: string }
  | { type: 'archived'; path: string };

/** The notices of a phase that has opened; none for a council that is held, since no participant has a turn. */
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
