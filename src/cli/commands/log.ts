// Command `log`: what happened to messages, in words, as objects, or as the lines of the protocol.
import type { LogInput } from '../../app/input/messages.ts';
import { followLog, log, logLine } from '../../app/messages/log.ts';
import type { Entry } from '../../app/messages/log.ts';
import { formatDuration } from '../../base/duration.ts';
import { printableJson } from '../../base/terminal.ts';
import { oneLine } from '../../base/text.ts';
import { localTime } from '../../base/when.ts';
import { folded } from '../fold.ts';
import type { Cli } from '../io.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const logCommand: Command<LogInput> = async (cli, input) => {
  const line = lineIn(input.format, cli);
  if (input.follow && !cli.json) {
    await followLog(cli, input, (entry) => cli.show(`${line(entry)}\n`));
    return { json: null, text: '' };
  }
  const result = await log(cli, input);
  const { entries, more } = result.document;
  if (more) cli.note(`There are older entries: --limit N shows more than ${entries.length}.`);
  const none =
    'Nothing is logged yet, or nothing that was asked for. What agents printed: council logs AGENT';
  const text = entries.length === 0 ? none : entries.map(line).join('\n');
  if (input.format !== 'text') return told(result, entries.length === 0 ? '' : text);
  return told(result, await folded(text));
};

function lineIn(format: LogInput['format'], cli: Cli): (entry: Entry) => string {
  switch (format) {
    case 'json':
      return (entry) => printableJson(entry);
    case 'line':
      return logLine;
    case 'text':
      return (entry) => inWords(entry, cli);
  }
}

function inWords(entry: Entry, { paint }: Pick<Cli, 'paint'>): string {
  const { timestamp, event, from, to, channel, type, agent, attempt, latency_ms: latency } = entry;
  const { error, message_id: id } = entry;
  const about = [
    ...(agent === undefined ? [] : [entry.direction === 'received' ? `by ${agent}` : `for ${agent}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(latency === undefined ? [] : [`after ${formatDuration(latency)}`]),
  ].join(', ');
  const when = localTime(timestamp, Date.now());
  // Other programs may have written what is no single line.
  const message = oneLine(`${type} from ${from} to ${to} in ${channel}`, 400);
  const why = error === undefined ? '' : `: ${oneLine(error, 300)}`;
  return `${when} ${paint('bold', oneLine(`${event} ${about}`))}: ${message}, ${paint('dim', oneLine(id))}${why}`;
}
