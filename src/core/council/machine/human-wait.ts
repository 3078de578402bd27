// Phase machine: whom a council waits for, and whether it only waits.
import type { Waiting } from '../../store/due-index.ts';
import { awaited, seat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';

/** The awaited participants for whom a program answers. */
export const listLaunchable = (state: CouncilState): string[] =>
  awaited(state).filter((id) => seat(state, id).runner !== 'human');

/**
 * The wait to record for a council that only people can move before its deadline. A running program
 * ends, or its lease does, before the phase. Undefined for other councils.
 */
export function findHumanWait(state: CouncilState): Waiting | undefined {
  const waited = awaited(state);
  const isQuiet =
    !state.closing &&
    waited.length > 0 &&
    waited.every((id) => seat(state, id).runner === 'human' && !seat(state, id).lease);
  const { conversationId, topic, currentPhase: phase, tour, timeoutAt } = state;
  return isQuiet
    ? { conversationId, topic, phase, tour, awaited: waited, dueAt: Date.parse(timeoutAt) }
    : undefined;
}
