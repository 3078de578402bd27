// Moves a deadline within a tick when the clock was changed or the machine slept.
import { applyEvent, readCouncil } from '../council/use/update-council.ts';
import type { Snapshot } from '../council/use/update-council.ts';
import { dueMove } from '../council/machine/deadline.ts';
import { CouncilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { tell } from '../notify/notifier.ts';
import type { HeartbeatPorts, TickOptions } from './ports.ts';

/** Another tick has moved it, or closed the phase. */
const LOST: readonly ErrorCode[] = ['not_your_turn', 'phase_closed'];

/**
 * Moves the deadline of the open phase where the clock was set, or the machine slept or was off, and tells it. Nothing
 * watches the clocks between two ticks. Returns the council as it is now.
 */
export async function keepDeadline(
  ports: HeartbeatPorts,
  snapshot: Snapshot,
  options: Pick<TickOptions, 'onProgress' | 'signal'> & { isLaunching?: boolean },
): Promise<Snapshot> {
  const { state } = snapshot.council;
  const { isLaunching = false } = options;
  if (!dueMove(state, ports.clock.clocks(), isLaunching)) return snapshot;
  try {
    const event = { type: 'clock', isLaunching } as const;
    const moved = await applyEvent(ports, state.name, event, { conversationId: state.conversationId });
    await tell(ports, moved, options);
  } catch (error) {
    if (!(error instanceof CouncilError && LOST.includes(error.code))) throw error;
  }
  return readCouncil(ports, state.name);
}
