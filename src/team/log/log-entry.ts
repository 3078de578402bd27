// An entry of the log: something that happened in the project, whatever tells of it.
import { channelOfCouncil } from '../messages/channel.ts';
import type { Entry } from '../messages/log-entry.ts';
import { sessionOfChannel } from '../tasks/task-names.ts';

export const LOG_KINDS = ['message', 'launch', 'question', 'approval', 'attempt', 'result'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** The keys are those of the log of messages; what is of no message has neither its id nor its channel. */
export interface LogEntry
  extends
    Omit<Entry, 'event' | 'message_id' | 'direction' | 'channel'>,
    Partial<Pick<Entry, 'message_id' | 'direction' | 'channel'>> {
  kind: LogKind;
  event: string;
  /** The council that it is about. */
  council?: string;
  /** The id of the archive that tells of it. */
  archive?: string;
  /** Sender and recipient by their wire ids, for a line about a task: `O1>W1`. */
  wire?: string;
}

/** A filter on the log; entries have to match every field that is set. */
export interface LogFilter {
  about?: string | undefined;
  agent?: string | undefined;
  channel?: string | undefined;
  kind?: LogKind | undefined;
  /** Leaves out what happened before this time (ms since the epoch). */
  start?: number | undefined;
}

/** What is told of something that is no message; `type` says its kind in the lines of the protocol. */
export const buildLogEntry = (
  kind: LogKind,
  told: Omit<LogEntry, 'kind' | 'type' | 'status'> & Partial<Pick<LogEntry, 'status'>>,
): LogEntry => ({ status: 'success', ...told, kind, type: kind });

export const toLogEntry = (entry: Entry): LogEntry => ({
  ...entry,
  ...(entry.context === undefined && { context: sessionOfChannel(entry.channel) }),
  kind: QUESTIONS.includes(entry.type) ? 'question' : 'message',
});

/** Types of messages that ask for an answer. */
const QUESTIONS: readonly string[] = ['disambiguate', 'clarify', 'query'];

export const isWanted = (entry: LogEntry, { about, agent, channel, kind, start }: LogFilter): boolean =>
  (start === undefined || Date.parse(entry.timestamp) >= start) &&
  (kind === undefined || entry.kind === kind) &&
  (channel === undefined || entry.channel === channel) &&
  (agent === undefined || [entry.from, entry.to, entry.agent].includes(agent)) &&
  (about === undefined || isAbout(entry, about));

/** Whether an entry is about that: a council, a session, a task with its parts, an agent or a channel. */
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
    channel === channelOfCouncil(name)
  );
}
