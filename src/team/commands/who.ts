// Command `who`: which agents are awake.
import type { WhoInput } from '../input/messages.ts';
import { who } from '../messages/use/who.ts';
import { oneLine } from '../../core/base/text.ts';
import { distance } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/fold.ts';
import { performHereOrAtServer } from '../../core/cli/performed.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const whoCommand: Command<WhoInput> = async (cli) => {
  const result = await performHereOrAtServer(
    cli,
    () => who(cli),
    () => ({}),
  );
  const lines = result.document.agents.map(({ agent_id: agent, state, substate, channel, timestamp }) =>
    state === 'AWAKE'
      ? `${agent}: awake, ${substate === 'WORKING' ? 'at work' : 'idle'}, in ${oneLine(channel ?? 'no channel', 64)}`
      : `${agent}: offline, last seen ${distance(timestamp, Date.now())}`,
  );
  return toTextOutcome(
    result,
    (await foldForTerminal(lines.join('\n'))) ||
      'No agent is listening. Have one listen with: council watch-channel AGENT -- COMMAND',
  );
};
