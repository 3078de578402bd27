// Finds councils that wait for people alone, so that the heartbeat need not look at them before their deadline.
import type { WaitingCouncil } from '../../store/due-index.ts';
import { awaited, getSeat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';

/** Returns the awaited participants whose answers come from a program. */
export const listLaunchable = (state: CouncilState): string[] =>
  awaited(state).filter((id) => getSeat(state, id).runner !== 'human');

/**
 * Returns the wait to record for a council that only people can advance before its deadline; a running program,
 * or its lease, ends before the phase does. Undefined for other councils.
 */
export function findHumanWait(state: CouncilState): WaitingCouncil | undefined {
  const waited = awaited(state);
  const isQuiet =
    !state.closing &&
    waited.length > 0 &&
    waited.every((id) => getSeat(state, id).runner === 'human' && !getSeat(state, id).lease);
  const { conversationId, topic, currentPhase: phase, tour, timeoutAt } = state;
  return isQuiet
    ? { conversationId, topic, phase, tour, awaited: waited, dueAt: Date.parse(timeoutAt) }
    : undefined;
}
