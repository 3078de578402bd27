// An entry of the log: something that happened in the project, whatever tells of it.
import type { Entry } from '../../messages/entry.ts';

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
}

/** What is told of something that is no message; `type` says its kind in the lines of the protocol. */
export const happened = (
  kind: LogKind,
  told: Omit<LogEntry, 'kind' | 'type' | 'status'> & Partial<Pick<LogEntry, 'status'>>,
): LogEntry => ({ status: 'success', ...told, kind, type: kind });

/** Whether an entry is about that: a council, a session, a task with its parts, an agent or a channel. */
export function isAbout(entry: LogEntry, name: string): boolean {
  const { council, context, task, from, to, agent, channel } = entry;
  const wanted = name.toUpperCase();
  const full = `${context}/${task}`.toUpperCase();
  const isOfTask =
    task !== undefined &&
    [task.toUpperCase(), full].some((one) => one === wanted || one.startsWith(`${wanted}.`));
  return (
    isOfTask ||
    context?.toUpperCase() === wanted ||
    [council, from, to, agent, channel].includes(name) ||
    channel === `council-${name}`
  );
}
