// Command `channel`: lists, shows, follows and makes channels.
import type { ChannelInput } from '../input/messages.ts';
import { channel, followChannel } from '../messages/use/channel.ts';
import type { ChannelDocument, ListedChannel } from '../messages/use/channel.ts';
import { oneLine } from '../../core/base/text.ts';
import { localTime } from '../../core/base/local-time.ts';
import { foldForTerminal } from '../../core/cli/fold.ts';
import type { Cli } from '../../core/cli/io.ts';
import { messageLines } from './message-lines.ts';
import { toTextOutcome } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';

export const channelCommand: Command<ChannelInput> = async (cli, input) => {
  if (input.action === 'follow' && !cli.json) {
    await followChannel(cli, input, (message) => cli.show(`${messageLines(message, cli).join('\n')}\n\n`));
    return { json: null, text: '' };
  }
  const result = await channel(cli, input);
  return toTextOutcome(result, await foldForTerminal(renderChannelDocument(result.document, cli)));
};

function renderChannelDocument(document: ChannelDocument, cli: Cli): string {
  if ('channels' in document) {
    const lines = document.channels.map(channelLine);
    return lines.join('\n') || 'No channels yet. The first message makes one: council send all "Hello"';
  }
  if ('created' in document)
    return `${document.channel}: ${document.created ? 'created' : 'it was there already'}`;
  return document.messages.map((one) => messageLines(one, cli).join('\n')).join('\n\n') || 'No messages yet.';
}

function channelLine({ name, newest, last }: ListedChannel): string {
  if (!last) return `${name}: ${newest === null ? 'empty' : oneLine(newest, 120)}`;
  const who = `${oneLine(last.from, 64)} to ${oneLine(last.to, 64)}`;
  return `${name}: ${localTime(last.time, Date.now())} ${who}: ${oneLine(last.text, 80)}`;
}
