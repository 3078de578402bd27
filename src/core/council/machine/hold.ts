// Phase machine: continues a council that is held behind COLLECT until the person who asked decides.
import { formatIso } from '../../base/clock.ts';
import { toOneLine } from '../../base/text.ts';
import type { PhaseName, HoldExit } from '../state/allowed-values.ts';
import type { Council, CouncilState } from '../state/state.ts';
import { isHeld, getSeat } from '../state/state.ts';
import { stampPhaseClock } from './deadline.ts';
import { drawAdvocate } from './next-phase.ts';
import { listOpeningNotices, acceptEvent, rejectEvent } from './transition-result.ts';
import type { Moment, TransitionResult } from './transition-result.ts';

/** The person who asked has seen the blind answers and decides. */
export interface ContinueEvent {
  type: 'continue';
  /** How it continues; null: it keeps waiting, and only the note is added. */
  way: HoldExit | null;
  /** Added to every later prompt, with its author. */
  note?: { by: string; text: string };
  /** The phases of its mode, which a debate plays. */
  phases: readonly PhaseName[];
  /** Random; recorded if it draws an advocate. */
  seed: string;
}

/** Returns the timing of a phase that opens now: its deadline, or the hold of a council behind COLLECT. */
export function openHold(
  heard: CouncilState,
  to: PhaseName,
  now: number,
): Pick<CouncilState, 'timeoutAt' | 'hold'> {
  const { hold, currentPhase, phaseTimeout, order } = heard;
  // Without an answer there is nothing to continue with.
  const isSilent = order.every((id) => getSeat(heard, id).status === 'WAITING');
  if (!hold || currentPhase !== 'COLLECT' || to !== 'SYNTHESIZE' || isSilent)
    return { timeoutAt: formatIso(now + phaseTimeout) };
  const until = formatIso(now + hold.ms);
  return { timeoutAt: until, hold: { ...hold, until } };
}

/** Removes the coordinator: the council ends without a written synthesis. */
export const removeCoordinator = ({ hold: _over, ...state }: CouncilState): CouncilState => ({
  ...state,
  coordinator: null,
  synthesizer: null,
});

/** Continues a held council, once, in one of three ways, or adds a note to it. */
export function continueHeld(council: Council, event: ContinueEvent, moment: Moment): TransitionResult {
  const { state } = council;
  if (!isHeld(state))
    return rejectEvent(
      'not_your_turn',
      `The council "${state.name}" does not wait for anyone to continue it: it is in ${state.currentPhase}.`,
    );
  const { now } = moment;
  const notes = event.note ? [...(state.notes ?? []), { ...event.note, at: formatIso(now) }] : state.notes;
  const noted: CouncilState = { ...state, ...(notes && { notes }) };
  if (event.way === null) return acceptEvent({ ...council, state: noted }, now);
  const { hold: _over, phaseClock: _past, ...open } = noted;
  const timing = { timeoutAt: formatIso(now + open.phaseTimeout), ...stampPhaseClock(moment.clocks) };
  if (event.way === 'end') return acceptEvent({ ...council, state: removeCoordinator(noted) }, now);
  if (event.way === 'synthesis' && open.coordinator === null)
    return rejectEvent(
      'usage',
      `No coordinator sits in "${open.name}": there is no one to write a synthesis.`,
    );
  if (event.way === 'debate' && !event.phases.includes('CHALLENGE'))
    return rejectEvent('usage', `The mode ${toOneLine(open.mode)} has no CHALLENGE: it cannot be debated.`);
  const next =
    event.way === 'debate' ? openDebate(council, { ...open, ...timing }, event) : { ...open, ...timing };
  return acceptEvent({ ...council, state: next }, now, listOpeningNotices(next));
}

/** Opens CHALLENGE in the held round, as if COLLECT had led to it, so no participant is asked twice. */
function openDebate(
  { contributions }: Council,
  state: CouncilState,
  { phases, seed }: ContinueEvent,
): CouncilState {
  const { tour, transitions } = state;
  const closed = transitions.at(-1)!;
  // All of them are from COLLECT.
  const heard = contributions.map(({ by }) => by);
  // Unanimity did not end the council: the votes are counted after the debate.
  const reason = closed.reason === 'consensus' ? 'all-responded' : closed.reason;
  return {
    ...state,
    phases: [...phases],
    currentPhase: 'CHALLENGE',
    status: 'ACTIVE',
    decision: null,
    advocate: drawAdvocate(state, { heard, tour, seed }),
    transitions: [...transitions.slice(0, -1), { ...closed, to: 'CHALLENGE', reason }],
  };
}
