import { iso } from '../../base/clock.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { Effect } from './close.ts';
import { measure } from './close.ts';
import type { CouncilState, Participant } from '../state/state.ts';

/** What became of an event: the next state, or a refusal. */
export type Outcome =
  { ok: true; state: CouncilState; effects: Effect[] } | { ok: false; code: ErrorCode; message: string };

/** The state with another seat for one participant, the coordinator included. */
export function withSeat(state: CouncilState, id: string, participant: Participant): CouncilState {
  if (id === state.coordinator) return { ...state, synthesizer: participant };
  return { ...state, participants: { ...state.participants, [id]: participant } };
}

/** The event is taken; `now` in milliseconds since the epoch. */
export function accept(state: CouncilState, now: number, effects: Effect[] = []): Outcome {
  return { ok: true, state: { ...state, convergence: measure(state), updatedAt: iso(now) }, effects };
}

/** The event is not taken, and why. */
export const refuse = (code: ErrorCode, message: string): Outcome => ({ ok: false, code, message });
