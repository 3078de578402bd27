// An entry of the message log: its fields, and its line. Pure.
import { formatIso } from '../../core/base/clock.ts';
import { toOneLine } from '../../core/base/text.ts';
import type { Entry } from './log-entry-schema.ts';
import { EVENTS } from './log-events.ts';
import type { MessageEvent } from './log-events.ts';
import { parseDataPairs } from './codecs/data-pairs.ts';
import type { DataValue, Message } from './message.ts';
import { GRAMMARS } from './codecs/grammar.ts';

/** What an entry contains besides the message. */
export interface EntryDetails {
  agent?: string;
  attempt?: number;
  reason?: string;
  text?: string;
}

/** A message to log; one that was not sent has neither id nor time. */
export type LoggedMessage = Omit<Message, 'id'> & { id?: string; channel: string };

const ENTRY_LIMITS = { name: 200, reason: 300, summary: 80, text: 100_000 } as const;

/** Creates the entry for an event of a message at a time (ms since the epoch). */
export function createLogEntry(
  event: MessageEvent,
  message: LoggedMessage,
  at: number,
  about: EntryDetails = {},
): Entry {
  const { direction, status } = EVENTS[event];
  const { agent, attempt, text } = about;
  const { time, task, context } = message;
  const latency = direction === 'received' && time !== undefined ? at - Date.parse(time) : NaN;
  const error = about.reason ?? (event === 'stored' ? message.error : undefined);
  const summary = event === 'stored' ? summarizeMessageData(message) : undefined;
  const name = (text: string): string => toOneLine(text, ENTRY_LIMITS.name);
  return {
    timestamp: formatIso(at),
    message_id: name(message.id ?? '-'),
    direction,
    from: name(message.from ?? '-'),
    to: name(message.to ?? '-'),
    type: name(message.kind),
    status,
    ...(!Number.isNaN(latency) && { latency_ms: Math.max(0, latency) }),
    ...(error !== undefined && { error: toOneLine(error, ENTRY_LIMITS.reason) }),
    event,
    channel: name(message.channel),
    ...(agent !== undefined && { agent: name(agent) }),
    ...(attempt !== undefined && { attempt }),
    ...(task !== undefined && { task: name(task) }),
    ...(context !== undefined && { context: name(context) }),
    ...(summary !== undefined && { summary }),
    ...(text !== undefined && { text: text.slice(0, ENTRY_LIMITS.text).toWellFormed() }),
  };
}

/** Returns the first pair of a message's data; for an error, its words and all pairs. Undefined without data. */
function summarizeMessageData({
  kind,
  body = '',
  data = parseDataPairs(body),
}: LoggedMessage): string | undefined {
  const { '': words = '', ...pairs } = data ?? {};
  const written = Object.entries(pairs).map(([key, value]) => `${key}=${formatDataValue(value)}`);
  const shown =
    kind === 'error' ? [formatDataValue(words).replaceAll(',', ' '), ...written] : written.slice(0, 1);
  return toOneLine(shown.join(' '), ENTRY_LIMITS.summary) || undefined;
}

function formatDataValue(value: DataValue): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(',') : Object.keys(value).join(',');
}

/** An entry to write as a line; those that are not about a message have no id. */
type LineContent = Omit<Entry, 'event' | 'message_id' | 'direction' | 'channel'> & {
  event: string;
  message_id?: string;
  wire?: string;
};

const LETTERS = new Map(Object.entries(GRAMMARS.v5.types).map(([letter, kind]) => [kind as string, letter]));

const DAY_MS = 86_400_000;
/** Replaces the separators of a line in names from other programs. */
const replaceSeparators = (text: string): string => text.replace(/[\s[\]>]/g, '_');

/** The error codes of the lines; other reasons are written as data. */
const LINE_ERROR_CODE = /^E\d{2}(?=\s|$)/;

/** `[TS] [LEVEL] [CTX] [TID] FROM>TO TYPE ERR DATA_SUMMARY`. TS: second of the UTC day; `-`: no value. */
export function logLine(entry: LineContent): string {
  const { timestamp, context = '-', task = '-', from, to, type, error = '', event, summary } = entry;
  const seconds = Math.floor((Date.parse(timestamp) % DAY_MS) / 1000);
  const [code = ''] = LINE_ERROR_CODE.exec(error) ?? [];
  const reason = error.slice(code.length).trim();
  return [
    `[${seconds}]`,
    `[${chooseLevel(entry)}]`,
    `[${replaceSeparators(context)}]`,
    `[${replaceSeparators(task)}]`,
    entry.wire ?? `${replaceSeparators(from)}>${replaceSeparators(to)}`,
    LETTERS.get(type) ?? replaceSeparators(type),
    code || '-',
    event === 'stored' ? (summary ?? '-') : asData(entry),
    ...(reason === '' ? [] : [`reason=${reason}`]),
  ].join(' ');
}

/** Writes later events of a message as data, because the line has no other place for them. */
const asData = ({ event, message_id: id, agent, attempt }: LineContent): string =>
  [
    id === undefined ? `event=${event}` : `${event}=${id}`,
    ...(agent ? [`agent=${agent}`] : []),
    ...(attempt ? [`attempt=${attempt}`] : []),
  ].join(';');

function chooseLevel({ event, status, type }: LineContent): 'INFO' | 'WARN' | 'ERROR' {
  if (event === 'dead') return 'ERROR';
  return status === 'success' && type !== 'error' ? 'INFO' : 'WARN';
}
