// Entries of the log: events of the project, built from messages, tasks and the audit trail.
import { nameCouncilChannel } from '../messages/channel.ts';
import type { Entry } from '../messages/log-entry-schema.ts';
import type { LogKind } from '../input/messages.ts';
import { parseTaskChannel, nameTaskChannel } from '../tasks/task.ts';
import { toOneLine } from '../../core/base/text.ts';
import { createLogEntry } from '../messages/log-entry.ts';
import { parseAuditEntry } from '../tasks/audit.ts';
import type { AuditEntry } from '../tasks/audit.ts';
import type { Task } from '../tasks/task.ts';
import { isOver } from '../tasks/transitions.ts';
import { buildMessageName } from '../tasks/wire-lines.ts';
import type { App } from '../../core/app/app.ts';
import { listSessionIds, readSessionTasks } from '../tasks/use/find-tasks.ts';
import { nameSpeakers } from '../tasks/use/news.ts';
import { openTaskStore } from '../tasks/use/ports.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/** The keys are those of the message log; entries that are not about a message have no id and no channel. */
export interface LogEntry
  extends
    Omit<Entry, 'event' | 'message_id' | 'direction' | 'channel'>,
    Partial<Pick<Entry, 'message_id' | 'direction' | 'channel'>> {
  kind: LogKind;
  event: string;
  council?: string;
  /** The id of the council's archive. */
  archive?: string;
  /** Sender and recipient as wire ids, for a line about a task: `O1>W1`. */
  wire?: string;
}

interface LogFilter {
  about?: string | undefined;
  agent?: string | undefined;
  channel?: string | undefined;
  kind?: LogKind | undefined;
  /** Leaves out earlier entries (ms since the epoch). */
  start?: number | undefined;
}

/** Builds an entry that is not about a message; `type` is its kind in protocol lines. */
export const buildLogEntry = (
  kind: LogKind,
  told: Omit<LogEntry, 'kind' | 'type' | 'status'> & Partial<Pick<LogEntry, 'status'>>,
): LogEntry => ({ status: 'success', ...told, kind, type: kind });

export const toLogEntry = (entry: Entry): LogEntry => ({
  ...entry,
  ...(entry.context === undefined && { context: parseTaskChannel(entry.channel) }),
  kind: QUESTIONS.includes(entry.type) ? 'question' : 'message',
});

/** Types of messages that require an answer. */
const QUESTIONS: readonly string[] = ['disambiguate', 'clarify', 'query'];

/** True if an entry matches every field of the filter that is set. */
export const isWanted = (entry: LogEntry, { about, agent, channel, kind, start }: LogFilter): boolean =>
  (start === undefined || Date.parse(entry.timestamp) >= start) &&
  (kind === undefined || entry.kind === kind) &&
  (channel === undefined || entry.channel === channel) &&
  (agent === undefined || [entry.from, entry.to, entry.agent].includes(agent)) &&
  (about === undefined || isAbout(entry, about));

function isAbout(entry: LogEntry, name: string): boolean {
  const { council, archive, context, task, from, to, agent, channel } = entry;
  const wanted = name.toUpperCase();
  const full = `${context}/${task}`.toUpperCase();
  return (
    full === wanted ||
    full.startsWith(`${wanted}.`) ||
    // An entry about a whole session is about each of its tasks.
    (task === undefined && wanted.startsWith(`${context}/`)) ||
    context?.toUpperCase() === wanted ||
    [council, archive, from, to, agent, channel].includes(name) ||
    channel === nameCouncilChannel(name)
  );
}

const ORCHESTRATOR = 'orchestrator';
const MOST_OF_SUMMARY = 80;
const ENDS = { D: 'done', F: 'failed', X: 'cancelled' } as const;

/** Returns the entries of all tasks, newest sessions first, until `isEnough` is true. */
export async function collectTaskEntries(
  app: App,
  workspace: Workspace,
  isEnough: (found: readonly LogEntry[]) => boolean,
): Promise<LogEntry[]> {
  const tasks = openTaskStore(app, workspace);
  const { open } = await tasks.numbers();
  const found: LogEntry[] = [];
  for await (const session of listSessionIds(tasks)) {
    // Open sessions may be older than finished ones, so they are always read.
    if (!open.includes(session) && isEnough(found)) continue;
    const name = await nameSpeakers(tasks, session);
    const all = await readSessionTasks(tasks, session);
    found.push(...all.flatMap((task) => [...listSaid(task, name), ...listTaskEntries(task)]));
  }
  return found;
}

const listSaid = (task: Task, name: (wire: string) => string): LogEntry[] =>
  task.exchange.map((line) => {
    const said = { ...line, id: buildMessageName(line), from: name(line.from), to: name(line.to) };
    const entry = createLogEntry(
      'stored',
      { ...said, channel: nameTaskChannel(task) },
      Date.parse(line.time),
    );
    return { ...toLogEntry(entry), wire: `${line.from}>${line.to}` };
  });

function listTaskEntries(task: Task): LogEntry[] {
  const about = { task: task.id, context: task.session };
  const launches = task.launches.flatMap(({ worker, at, endedAt, outcome, error }, index) => {
    const own = { ...about, agent: worker, attempt: index + 1 };
    const begun = buildLogEntry('launch', {
      ...{ ...own, timestamp: at, event: 'begun', from: ORCHESTRATOR, to: worker },
    });
    if (endedAt === null || outcome === null) return [begun];
    const ended = buildLogEntry('attempt', {
      ...{ ...own, timestamp: endedAt, event: outcome, from: worker, to: ORCHESTRATOR },
      ...(error && { error: `${error.code} ${error.text}` }),
      status: outcome === 'failed' ? 'failed' : 'success',
    });
    return [begun, ended];
  });
  const { state, endedAt, worker, result, error } = task;
  if (!isOver(task) || endedAt === null) return launches;
  const from = worker ?? ORCHESTRATOR;
  const end = buildLogEntry('result', {
    ...{ ...about, timestamp: endedAt, event: ENDS[state as keyof typeof ENDS], from, to: ORCHESTRATOR },
    ...(worker !== null && { agent: worker }),
    ...(result !== null && { summary: toOneLine(result, MOST_OF_SUMMARY) }),
    ...(error && { error: `${error.code} ${error.text}` }),
    status: state === 'F' ? 'failed' : 'success',
  });
  return [...launches, end];
}

export interface AuditedEntry {
  entry: AuditEntry;
  told: LogEntry;
}

export const listAudited = (trail: string): AuditedEntry[] =>
  trail.split('\n').flatMap((line) => {
    const entry = parseAuditEntry(line);
    if (!entry) return [];
    const { at, what, by, task, details } = entry;
    const [, context, id] = /^(S[^/]+)(?:\/(.+))?$/.exec(task ?? '') ?? [];
    const [subject = '', event = ''] = what.split('.');
    const kind = subject === 'approval' ? 'approval' : (KINDS[event] ?? 'message');
    const told = buildLogEntry(kind, {
      ...{ timestamp: at, event, from: by, to: ORCHESTRATOR },
      ...(context && { context }),
      ...(id && { task: id }),
      ...(kind === 'approval' && {
        summary: toOneLine(`${String(details.approval)}: ${String(details.operation)}`, MOST_OF_SUMMARY),
      }),
    });
    return [{ entry, told }];
  });

const KINDS: Readonly<Record<string, LogKind>> = { launched: 'launch', ended: 'result' };
