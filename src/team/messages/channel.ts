// A channel of messages: posts and reads neutral messages in the log that stores their files.
import type { Clock } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { MessageLog, Span } from '../../core/store/message-log.ts';
import { fileCodec, formatMessageFileName, readFileName } from './codecs/json-file.ts';
import { PRIORITIES } from './message.ts';
import type { Message } from './message.ts';

/** A message of a channel, with its file name, which sorts by time. */
export interface Posted extends Message {
  time: string;
  from: string;
  to: string;
  channel: string;
  name: string;
}

/** A message before it is posted: its id and time are assigned then. */
export type Draft = Omit<Message, 'id' | 'time'> & { from: string; to: string; channel: string };

/** The key for the version 5 line of a message in a task's channel. */
export const TASK_LINE = 'metadata.line';

/** True if a message only records a line sent to or by a worker during its launch: it awaits nothing. */
export const isRecord = ({ kind, to, extra }: Posted): boolean =>
  kind === 'event' && to !== 'human' && extra?.[TASK_LINE] !== undefined;

/** The default channel. */
export const GENERAL = 'general';
/** The channel of messages that could not be delivered. */
export const DEAD_LETTERS = 'dead-letters';
/** True if a channel's messages go to inboxes: dead letters do not. */
export const isLive = (channel: string): boolean => channel !== DEAD_LETTERS;
const LONGEST_NAME = 64;
export const nameCouncilChannel = (name: string): string => `council-${name}`.slice(0, LONGEST_NAME);
/** True for the channel of a council, which every council has, and in which little is posted but its events. */
export const isOfCouncil = (channel: string): boolean => channel.startsWith('council-');
/** The sender of messages from council itself. */
export const COUNCIL = 'council';

/** Fields without a key in a channel's file format: stored below `metadata`. */
const METADATA_KEYS = {
  priority: 'priority',
  ttl: 'ttl_seconds',
  attempts: 'retry_count',
  depth: 'hops',
} as const;

/** The key in which an answer to several messages lists all but the last. */
export const ANSWERS = 'metadata.answers';

export function listAnsweredIds({ replyTo, extra = {} }: Message): string[] {
  const others: unknown = extra[ANSWERS];
  const ids = [replyTo, ...(Array.isArray(others) ? (others as unknown[]) : [])];
  return ids.filter((id) => typeof id === 'string');
}

/** Ids become object keys: these would reach into a prototype, or be found in it. */
const isReserved = (id: string): boolean => id === 'prototype' || id in Object.prototype;
/** Maximum length of ids, senders and recipients: they are stored, and passed to programs in a variable. */
const LONGEST_ID = 256;
/** Upper bound of numbers in a file: larger ones would exceed the range of dates. */
const MOST_NUMBER = 1e10;

const MOST_IN_SECOND = 0xffff;
const SECOND = 1000;

/** Maximum time a message may be ahead of the clock: keeps a sender's order after the clock was set back. */
const MOST_AHEAD = 86_400 * SECOND;

/**
 * Adds a message to its channel. `isRelayed`: the orchestrator sends it for another agent. With
 * `durable` false it is also stored elsewhere and can be posted again from there.
 */
export type Post = (draft: Draft, how?: { isRelayed?: boolean; durable?: boolean }) => Promise<Posted>;

interface MessageSlot {
  time: string;
  count: number;
}

/**
 * Returns a function that posts messages under the next free name of their sender. The names of one sender
 * always increase, even if the clock goes back or several processes post for it. Rejects as the log does.
 */
export function poster(log: MessageLog, clock: Clock): Post {
  const known = new Map<string, { place: MessageSlot | undefined; at: number }>();
  return async (draft, { durable } = {}) => {
    const key = `${draft.channel}/${draft.from}`;
    const now = clock.now();
    const before = known.get(key);
    // Names ahead of the clock come from a clock that was ahead: look for them first, and when it went back.
    let place = before && before.at <= now ? before.place : await findLastSlot(log, draft, now);
    for (;;) {
      place = getNextSlot(place, clock.now());
      const name = formatMessageFileName(place.time, draft.from, place.count);
      const message = { ...draft, id: name.slice(0, -'.json'.length), time: place.time };
      if (!(await log.append(draft.channel, name, encodeMessageText(message), { durable }))) continue;
      known.set(key, { place, at: now });
      return { ...message, name };
    }
  };
}

/** Returns the newest name of this sender that is not in the past. */
async function findLastSlot(
  log: MessageLog,
  { channel, from }: Draft,
  now: number,
): Promise<MessageSlot | undefined> {
  const span = {
    from: formatSecondPrefix(now),
    before: formatSecondPrefix(now + MOST_AHEAD),
    limit: Infinity,
  };
  const last = (await log.names(channel, span)).map(readFileName).findLast((one) => one?.agent === from);
  return last && { time: last.time, count: parseInt(last.hex, 16) };
}

/** Returns the common prefix of the names of a second: `msg-20260111-163315`; `ms` since the epoch. */
export const formatSecondPrefix = (ms: number): string =>
  cutSecondPrefix(formatMessageFileName(new Date(ms).toISOString(), 'a', 0));

/** Returns the prefix of a message's second: an answer within that second may have a name that sorts before it. */
export const cutSecondPrefix = (name: string): string => name.slice(0, 'msg-YYYYMMDD-HHMMSS'.length);

/** Returns the slot after the last one; in the following second if the last one's is full. */
function getNextSlot(last: MessageSlot | undefined, now: number): MessageSlot {
  const time = new Date(now).toISOString();
  if (!last || Date.parse(last.time) < Math.floor(now / SECOND) * SECOND) return { time, count: 0 };
  const second = last.time.slice(0, 19);
  if (last.count < MOST_IN_SECOND)
    return { time: time.startsWith(second) ? time : `${second}.000Z`, count: last.count + 1 };
  return { time: new Date(Date.parse(last.time) + SECOND).toISOString(), count: 0 };
}

function encodeMessageText(message: Message): string {
  const beside = Object.entries(METADATA_KEYS).flatMap(([field, key]) => {
    const value = message[field as keyof typeof METADATA_KEYS];
    return value === undefined ? [] : [[`metadata.${key}`, value] as const];
  });
  const written = fileCodec.encode({
    ...message,
    extra: { ...message.extra, ...Object.fromEntries(beside) },
  });
  if (written.ok) return `${written.value}\n`;
  const { name, expected, received } = written.error;
  throw new CouncilError('usage', `The message's ${name} must be ${expected}; received ${received}.`, {
    hint: 'See: council send --help',
  });
}

/** Reads the messages of a channel in a span, oldest first; calls `warn` for malformed ones. */
export async function readMessages(
  log: MessageLog,
  channel: string,
  span: Span,
  warn: (line: string) => void,
): Promise<Posted[]> {
  const found: Posted[] = [];
  for (const name of await log.names(channel, span)) {
    const message = await readMessage(log, channel, name, warn);
    if (message) found.push(message);
  }
  return found;
}

/** Reads one message by its file name; undefined if it is missing or malformed. */
export async function readMessage(
  log: MessageLog,
  channel: string,
  name: string,
  warn: (line: string) => void,
): Promise<Posted | undefined> {
  const text = await log.read(channel, name);
  if (text === undefined) return undefined;
  const read = fileCodec.decode(text);
  if (!read.ok) {
    const { name: where, expected } = read.error;
    warn(`The message ${name} of "${channel}" is left out: ${where} must be ${expected}.`);
    return undefined;
  }
  const value = /\\u(?:0000|d[89a-f])/i.test(text) ? replaceInvalidCharacters(read.value) : read.value;
  const { id, time = '', from = '', to = '' } = value;
  const why = isReserved(id)
    ? 'its id is reserved'
    : [id, from, to].some(({ length }) => length > LONGEST_ID)
      ? `its id, sender or recipient has more than ${LONGEST_ID} characters`
      : undefined;
  if (why !== undefined) {
    warn(`The message ${name} of "${channel}" is left out: ${why}.`);
    return undefined;
  }
  // The channel is where the file is; its own `session_id` may come from elsewhere.
  return { ...readExtraFields(value), time, from, to, channel, name };
}

/** Replaces NUL and lone surrogates in every text: JSON can contain them, but programs cannot receive them. */
const replaceInvalidCharacters = (message: Message): Message =>
  JSON.parse(JSON.stringify(message), (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  ) as Message;

function readExtraFields({ extra = {}, ...message }: Message): Message {
  const { 'metadata.priority': priority, ...others } = extra;
  const level = PRIORITIES.find((one) => one === priority);
  const number = (key: string): number | undefined => {
    const value = others[`metadata.${key}`];
    return typeof value === 'number' && value >= 0 ? Math.min(value, MOST_NUMBER) : undefined;
  };
  const numbers = (['ttl', 'attempts', 'depth'] as const).flatMap((field) => {
    const value = number(METADATA_KEYS[field]);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...message, ...(level && { priority: level }), ...Object.fromEntries(numbers), extra };
}

/** Removes duplicates: of several messages with one id, keeps the first. */
export function removeDuplicateMessages<M extends Pick<Message, 'id'>>(messages: readonly M[]): M[] {
  const seen = new Set<string>();
  return messages.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** Keeps the order, but puts no message before one that it answers: names within a second sort by sender. */
export function sortForReading<M extends Message>(messages: readonly M[]): M[] {
  const left = new Set(messages.map(({ id }) => id));
  const held = new Map<string, M[]>();
  const order = new Set<M>();
  for (const next of messages) {
    const ready = [next];
    for (const one of ready) {
      const awaited = listAnsweredIds(one).find((id) => id !== one.id && left.has(id));
      if (awaited !== undefined) {
        held.set(awaited, [...(held.get(awaited) ?? []), one]);
        continue;
      }
      order.add(one);
      if (one.id === undefined) continue;
      left.delete(one.id);
      ready.push(...(held.get(one.id) ?? []));
      held.delete(one.id);
    }
  }
  // Messages that answer each other in a cycle come last.
  return [...new Set([...order, ...messages])];
}
