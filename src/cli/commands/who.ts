// Command `who`: which agents are awake.
import type { WhoInput } from '../../app/input/messages.ts';
import { who } from '../../app/messages/who.ts';
import { oneLine } from '../../base/text.ts';
import { distance } from '../../base/when.ts';
import { folded } from '../fold.ts';
import { performed } from '../performed.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const whoCommand: Command<WhoInput> = async (cli) => {
  const result = await performed(
    cli,
    () => who(cli),
    () => ({}),
  );
  const lines = result.document.agents.map(({ agent_id: agent, state, substate, channel, timestamp }) =>
    state === 'AWAKE'
      ? `${agent}: awake, ${substate === 'WORKING' ? 'at work' : 'idle'}, in ${oneLine(channel ?? 'no channel', 64)}`
      : `${agent}: offline, last seen ${distance(timestamp, Date.now())}`,
  );
  return told(
    result,
    (await folded(lines.join('\n'))) || 'Nobody yet. council watch-channel AGENT -- COMMAND wakes somebody.',
  );
};
