// Stops one participant of a run, or launches a failed one again.
import type { CouncilState } from '../council/state/state.ts';
import { applyEvent } from '../council/use/council-access.ts';
import type { Language } from '../base/words/words.ts';
import type { HeartbeatPorts } from '../heartbeat/ports.ts';
import type { App } from './app.ts';
import { describeSeat } from './coordinator.ts';
import { listRunnerIds, getSeat } from '../council/state/state.ts';
import { hasFailed } from '../council/machine/launches.ts';
import type { Ports } from '../council/use/ports.ts';
import type { AgentHealth } from '../store/agent-health.ts';

export interface Steering {
  /** The seats, the coordinator last. */
  order: readonly string[];
  lang: Language;
  /** Returns the name of a seat in progress lines. */
  nameSeat(id: string): string;
  /** Ends one participant's launch; it is no longer waited for in this phase. */
  stop(participant: string): Promise<void>;
}

const WHY = 'stopped while the council was played';

/**
 * Stops single participants: excuses them first, so that they are not launched again, then ends
 * their process.
 */
export function createRunSteering(
  { progress }: Pick<App, 'progress'>,
  ports: HeartbeatPorts,
  state: CouncilState,
): { getStop(participant: string): AbortSignal; steering: Steering } {
  const { name, order, coordinator, conversationId } = state;
  const stops = new Map<string, AbortController>();
  const getStop = (id: string): AbortSignal => {
    const stop = stops.get(id) ?? new AbortController();
    stops.set(id, stop);
    return stop.signal;
  };
  const stop = async (participant: string): Promise<void> => {
    const event = { type: 'excuse', participant, why: WHY } as const;
    await applyEvent(ports, name, event, { conversationId, by: participant });
    stops.get(participant)?.abort();
    stops.delete(participant);
    progress({ type: 'stopped', council: name, participant });
  };
  const seats = [...order, ...(coordinator ? [coordinator] : [])];
  return {
    getStop,
    steering: {
      order: seats,
      lang: state.lang,
      nameSeat: (id) => describeSeat(state, id),
      stop,
    },
  };
}

/**
 * Clears the failures of a participant's agents, and lets the open phase wait for it again if it had failed. Returns whether
 * it had, and whether there were any failures.
 */
export async function retryParticipant(
  ports: Ports,
  book: Pick<AgentHealth, 'change'>,
  { state, participant }: { state: CouncilState; participant: string },
): Promise<{ isHeld: boolean; forgotten: boolean }> {
  const isHeld = hasFailed(getSeat(state, participant));
  const known = await Promise.all(listRunnerIds(state, participant).map((id) => forgetFailures(book, id)));
  if (isHeld) await applyEvent(ports, state.name, { type: 'retry', participant }, { by: participant });
  return { isHeld, forgotten: isHeld || known.includes(true) };
}

/** Clears this agent's failures; returns whether there were any. */
export const forgetFailures = (book: Pick<AgentHealth, 'change'>, id: string): Promise<boolean> =>
  book.change(id, (health) => ({ next: undefined, result: health !== undefined }));
