// Command `watch-channel`: answers messages, and prints a line for each thing it does.
import type { WatchChannelInput } from '../input/messages.ts';
import { watchChannel } from '../messages/use/watch-channel.ts';
import type { WatcherNews } from '../messages/use/watcher-state.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { oneLine } from '../../core/base/text.ts';
import type { Command } from '../../core/cli/spec.ts';

export const watchChannelCommand: Command<WatchChannelInput> = async (cli, input) => {
  if (cli.json)
    throw new CouncilError('usage', 'watch-channel prints a stream, not one document.', {
      hint: 'For one document: council sent --json, council who --json',
    });
  await watchChannel(cli, input, (news) => cli.show(`${describeWatcherNews(news)}\n`));
  return { json: null, text: '' };
};

function describeWatcherNews(news: WatcherNews): string {
  if (news.type === 'watching') return `Answering for ${news.agent} in ${news.channel}. Ctrl-C to leave.`;
  const { id, from } = news.message;
  const about = `${oneLine(id, 120)} from ${oneLine(from, 64)}`;
  switch (news.type) {
    case 'message':
      return `${about}: asking`;
    case 'answered':
      return `${about}: answered with ${news.id}`;
    case 'handled':
      return `${about}: ${news.as} by its agent itself${news.unsent ? `; what it printed then stands in the log, and was sent to nobody` : ''}`;
    case 'skipped':
      return `${about}: not answered, ${news.why}`;
    case 'failed':
      return `${about}: attempt ${news.attempt} failed: ${oneLine(news.why, 300)}`;
  }
}
