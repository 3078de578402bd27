// What becomes of a council while it is played, once too few of its voters can speak for a decision.
import { closable } from '../council/machine/close.ts';
import { seat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { applyEvent } from '../council/use/update-council.ts';
import { countVoices, isQuorumOutOfReach, lacksVoices } from '../council/vote/quorum.ts';
import type { HeartbeatPorts, TickOptions } from '../heartbeat/ports.ts';
import type { App } from './app.ts';
import { retryParticipant } from './retry-participant.ts';

/** Decides for one council that is played; without a terminal it ends at once. */
export interface FewVoices {
  /** For the tick: whether the open phase closes as usual, waits for an answer, or ends the council. */
  atClose: NonNullable<TickOptions['atClose']>;
  /** Asks the person on the terminal, where the phase waits for that. Returns whether it did. */
  ask(state: CouncilState): Promise<boolean>;
}

/** `settle` ends what is drawn on the terminal. */
export function watchFewVoices(
  app: Pick<App, 'ask'>,
  ports: HeartbeatPorts,
  settle: () => Promise<void>,
): FewVoices {
  let isEnding = false;
  const isShort = (state: CouncilState): boolean => isQuorumOutOfReach(state) || lacksVoices(state);
  return {
    atClose: (state) => (!isShort(state) ? 'close' : app.ask && !isEnding ? 'wait' : 'end'),
    async ask(state) {
      const { clock } = ports;
      if (!app.ask || isEnding || !isShort(state) || !closable(state, clock.now(), [], clock.clocks()))
        return false;
      await settle();
      const { heard, unheard } = countVoices(state);
      const failed = unheard.filter((id) => seat(state, id).absent?.startsWith('failed'));
      const answer = (await app.ask(formatQuestion(state, heard, failed))).trim().toLowerCase();
      if (answer === 'g' && heard.length > 0)
        await applyEvent(ports, state.name, { type: 'recuse_failed' }, { by: null });
      else if (answer === 'r')
        for (const participant of failed) await retryParticipant(ports, ports.health, { state, participant });
      else isEnding = true;
      return true;
    },
  };
}

/** Part of the question is why it is asked, so it is printed even with --quiet. */
function formatQuestion(state: CouncilState, heard: readonly string[], failed: readonly string[]): string {
  const { needed } = countVoices(state);
  const reasons = failed.map((id) => `  ${id}: ${seat(state, id).absent!.replace(/^failed: /, '')}`);
  return [
    `Too few can speak for a decision: ${heard.length} of ${state.order.length} have answered; the quorum is ${needed}.`,
    ...reasons,
    ...(heard.length > 0 ? [`[g] go on with ${heard.join(', ')} alone`] : []),
    `[r] try ${failed.join(', ')} again, once that is mended`,
    '[e] end it here',
    'What now? [e] ',
  ].join('\n');
}
