// Launches a participant that failed anew.
import { listRunnerIds, seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { applyEvent } from '../council/use/update-council.ts';
import { hasFailed } from '../council/machine/launches.ts';
import type { Ports } from '../council/use/ports.ts';
import type { AgentHealth } from '../store/agent-health.ts';

/**
 * Forgets what is known of a participant's agents, and lets the open phase wait for it again where it had failed. Returns
 * whether it had, and whether anything was known.
 */
export async function retryParticipant(
  ports: Ports,
  book: Pick<AgentHealth, 'change'>,
  { state, participant }: { state: CouncilState; participant: string },
): Promise<{ isHeld: boolean; forgotten: boolean }> {
  const isHeld = hasFailed(seat(state, participant));
  const known = await Promise.all(listRunnerIds(state, participant).map((id) => forgetFailures(book, id)));
  if (isHeld) await applyEvent(ports, state.name, { type: 'retry', participant }, { by: participant });
  return { isHeld, forgotten: isHeld || known.includes(true) };
}

/** Whether anything was known of this agent's failures. */
export const forgetFailures = (book: Pick<AgentHealth, 'change'>, id: string): Promise<boolean> =>
  book.change(id, (health) => ({ next: undefined, result: health !== undefined }));
