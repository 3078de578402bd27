// Commands `log`, `logs` and `metrics`: what happened, what launches printed, and measures.
import type { LogInput } from '../input/messages.ts';
import { followLog, log, logLine } from '../log/log.ts';
import type { LogEntry } from '../log/log.ts';
import { formatDuration } from '../../core/base/duration.ts';
import { formatPrintableJson } from '../../core/base/terminal.ts';
import { toOneLine } from '../../core/base/text.ts';
import { formatLocalTime, formatDueTime } from '../../core/base/local-time.ts';
import { fill } from '../../core/base/words/words.ts';
import { foldForTerminal } from '../../core/cli/stdout.ts';
import type { Cli } from '../../core/cli/io.ts';
import { toTextOutcome, pageOptions } from '../../core/cli/print.ts';
import type { Command } from '../../core/cli/spec.ts';
import type { LogsInput, MetricsInput } from '../../core/app/input/archive.ts';
import { reportMetrics } from '../metrics.ts';
import { readLaunchLogs } from '../log/logs.ts';
import type { LoggedLaunch } from '../log/logs.ts';
import { formatMs } from '../../core/app/progress.ts';
import { performHereOrAtServer } from '../../core/cli/spec.ts';
import { renderMarkdown } from '../../core/cli/render-markdown.ts';

export const performLog: Command<LogInput> = async (cli, input) => {
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
  if (input.format !== 'text') return toTextOutcome(result, entries.length === 0 ? '' : text);
  return toTextOutcome(result, await foldForTerminal(text));
};

function chooseFormat(format: LogInput['format'], cli: Cli): (entry: LogEntry) => string {
  switch (format) {
    case 'json':
      return (entry) => formatPrintableJson(entry);
    case 'line':
      return logLine;
    case 'text':
      return (entry) => formatLogLine(entry, cli);
  }
}

function formatLogLine(entry: LogEntry, { paint }: Pick<Cli, 'paint'>): string {
  const { timestamp, attempt, channel, type, to, latency_ms: latency, error, message_id: id } = entry;
  const isMessage = channel !== undefined;
  const facts = [
    ...(isMessage ? [type] : []),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(latency === undefined ? [] : [`after ${formatDuration(latency)}`]),
  ].join(', ');
  const place = isMessage && channel !== to ? ` in ${channel}` : '';
  const what = paint('bold', toOneLine(`${describe(entry)}${place}`, 400));
  const about = facts === '' ? '' : ` (${toOneLine(facts, 200)})`;
  const named = id === undefined ? '' : `, ${paint('dim', toOneLine(id))}`;
  const why = error === undefined ? '' : `: ${toOneLine(error, 300)}`;
  return `${formatLocalTime(timestamp, Date.now())} ${what}${about}${named}${why}`;
}

/** A sentence per event. `who`: the agent, or a message's recipient; `what`: the council or task with its phase. */
const SENTENCES: Readonly<Record<string, string>> = {
  stored: '{from} wrote to {to}',
  rejected: 'a message from {from} to {to} was not sent',
  delivered: '{who} was shown a message from {from}',
  acknowledged: '{who} acknowledged a message from {from}',
  answered: '{who} answered a message from {from}',
  unsent: '{who} printed an answer to {from} that was not sent',
  refused: '{who} refused a message from {from}',
  retried: 'a message from {from} was sent to {who} again',
  escalated: 'a message from {from} that {who} did not acknowledge was passed on',
  expired: 'a message from {from} to {who} was too old to be delivered',
  dead: 'a message from {from} to {who} was given up',
  'launch begun': '{who} was launched for {what}',
  'attempt answered': '{who} answered in {what}',
  'attempt failed': 'a launch of {who} failed in {what}',
  'attempt interrupted': 'a launch of {who} was interrupted in {what}',
  'attempt cancelled': 'a launch of {who} was cancelled in {what}',
  'result cancelled': '{what} was cancelled',
  'result contributed': '{who} contributed to {what}',
  'result absent': '{who} was absent from {what}',
  'result closed': '{what}: the phase was closed',
  'result archived': '{what}: the council was archived',
};

function describe({
  kind,
  event,
  channel,
  from,
  to,
  agent,
  council,
  context,
  task,
  summary,
}: LogEntry): string {
  const place = council === undefined ? [context, task].filter(Boolean).join('/') : `"${council}"`;
  const what = [place, summary].filter(Boolean).join(', ');
  const sentence = SENTENCES[channel === undefined ? `${kind} ${event}` : event];
  const by = agent === undefined ? '' : ` by ${agent}`;
  return fill(sentence ?? `{what}: ${kind} ${event.replaceAll('_', ' ')}${by}`, {
    from,
    to,
    who: agent ?? to,
    what,
  });
}

export const performLogs: Command<LogsInput> = async (cli, input) => {
  const result = await readLaunchLogs(cli, input);
  const { launches, kept, participant, name } = result.document;
  const earlier = kept - launches.length;
  const lines = launches.map((launch) => renderLaunchLog(launch, cli));
  if (earlier > 0)
    lines.push(`${earlier} earlier launches in "${name}": council logs ${participant} --last ${kept}`);
  return toTextOutcome(result, lines.join('\n\n'));
};

function renderLaunchLog(launch: LoggedLaunch, { paint }: Cli): string {
  const { participant, agent, phase, tour, attempt, at, ms, ok, cancelled, reason } = launch;
  const how = ok ? 'answered' : cancelled ? 'interrupted' : 'failed';
  const who = agent === participant ? participant : `${participant} (with the runner of ${agent})`;
  const head = `${who}, ${phase} (round ${tour}), attempt ${attempt}: ${how} ${formatDueTime(at, Date.now())}, after ${formatMs(ms)}; ${describeLaunchEnd(launch)}`;
  return [
    paint('bold', head),
    ...(reason === null || cancelled ? [] : [toOneLine(reason, 1000)]),
    ...formatOutput('stdout', launch.stdout),
    ...formatOutput('stderr', launch.stderr),
  ].join('\n');
}

function describeLaunchEnd({ exitCode, signal, timedOut }: LoggedLaunch): string {
  if (timedOut) return 'stopped by council at its time limit';
  if (signal !== null) return `ended by ${signal}`;
  return exitCode === null ? 'no program ran' : `exit code ${exitCode}`;
}

const formatOutput = (name: string, text: string): string[] =>
  text.trim() === '' ? [`--- ${name}: nothing`] : [`--- ${name}`, text.replace(/\n$/, '')];

export const performMetrics: Command<MetricsInput> = async (cli, input) => {
  const result = await performHereOrAtServer(
    cli,
    () => reportMetrics(cli, input),
    (_, { page }) => ({ table: () => String(page) }),
  );
  const text = await renderMarkdown(result.table(), pageOptions(cli));
  return toTextOutcome(result, text || 'No message is logged yet.');
};
