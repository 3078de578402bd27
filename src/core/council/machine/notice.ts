// The notices that a council can send (a type).
import type { AbsenceReason, PhaseName } from '../state/choices.ts';
import type { Moved } from '../state/state.ts';

/** What happened to a council, as data: the notifiers are told after the commit. */
export type Notice =
  | { type: 'phase_opened'; phase: PhaseName; tour: number }
  | { type: 'absent'; participant: string; phase: PhaseName; tour: number; reason: AbsenceReason }
  | ({ type: 'deadline_moved'; phase: PhaseName; tour: number; timeoutAt: string } & Omit<Moved, 'at'>)
  | { type: 'synthesis_wanted'; coordinator: string }
  | { type: 'archived'; path: string };
