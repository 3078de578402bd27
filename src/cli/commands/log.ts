// Command `log`: what happened, in words, as objects, or as the lines of the protocol.
import type { LogInput } from '../../app/input/messages.ts';
import { followLog, log, logLine } from '../../app/log/log.ts';
import type { LogEntry } from '../../app/log/log.ts';
import { formatDuration } from '../../base/duration.ts';
import { printableJson } from '../../base/terminal.ts';
import { oneLine } from '../../base/text.ts';
import { localTime } from '../../base/when.ts';
import { folded } from '../fold.ts';
import type { Cli } from '../io.ts';
import { told } from '../print.ts';
import type { Command } from '../spec.ts';

export const logCommand: Command<LogInput> = async (cli, input) => {
  const line = chooseFormat(input.format, cli);
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

function chooseFormat(format: LogInput['format'], cli: Cli): (entry: LogEntry) => string {
  switch (format) {
    case 'json':
      return (entry) => printableJson(entry);
    case 'line':
      return logLine;
    case 'text':
      return (entry) => inWords(entry, cli);
  }
}

function inWords(entry: LogEntry, { paint }: Pick<Cli, 'paint'>): string {
  const { timestamp, event, agent, attempt, latency_ms: latency, error, message_id: id } = entry;
  const isMessage = id !== undefined;
  const isFor = entry.kind === 'launch' || entry.direction === 'sent';
  const about = [
    ...(agent === undefined ? [] : [`${isFor ? 'for' : 'by'} ${agent}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(latency === undefined ? [] : [`after ${formatDuration(latency)}`]),
  ].join(', ');
  const when = localTime(timestamp, Date.now());
  const head = paint('bold', oneLine(`${isMessage ? '' : `${entry.kind} `}${event} ${about}`));
  const subject = oneLine(describeSubject(entry), 400);
  const named = isMessage ? `, ${paint('dim', oneLine(id))}` : '';
  const why = error === undefined ? '' : `: ${oneLine(error, 300)}`;
  return `${when} ${head}: ${subject}${named}${why}`;
}

/** What an entry is about, in words. Other programs may have written what is no single line. */
function describeSubject({ channel, type, from, to, council, context, task, summary }: LogEntry): string {
  if (channel !== undefined) return `${type} from ${from} to ${to} in ${channel}`;
  const what = council === undefined ? [context, task].filter(Boolean).join('/') : `"${council}"`;
  return [what, ...(summary === undefined ? [] : [summary])].filter(Boolean).join(', ');
}
