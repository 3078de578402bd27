// A channel of messages: posts and reads neutral messages on the log that keeps their files.
import type { Clock } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { MessageLog, Span } from '../../core/store/message-log.ts';
import { fileCodec, formatMessageFileName, readFileName } from './codecs/json-file.ts';
import { PRIORITIES } from './message.ts';
import type { Message } from './message.ts';

/** A message of a channel, with the name of its file, which sorts by time. */
export interface Posted extends Message {
  time: string;
  from: string;
  to: string;
  channel: string;
  name: string;
}

/** What a message begins with: its id and its time are given to it. */
export type Draft = Omit<Message, 'id' | 'time'> & { from: string; to: string; channel: string };

/** Where a message of a task's channel keeps its line of version 5. */
export const TASK_LINE = 'metadata.line';

/** Whether a message only records a line that a worker was given in its launch, or has said there: nothing waits for it. */
export const isRecord = ({ kind, to, extra }: Posted): boolean =>
  kind === 'event' && to !== 'human' && extra?.[TASK_LINE] !== undefined;

/** The channel of messages that name none. */
export const GENERAL = 'general';
/** The channel of messages that could not be delivered. */
export const DEAD_LETTERS = 'dead-letters';
/** Whether messages of a channel go to inboxes: dead letters do not. */
export const isLive = (channel: string): boolean => channel !== DEAD_LETTERS;
const LONGEST_NAME = 64;
export const channelOfCouncil = (name: string): string => `council-${name}`.slice(0, LONGEST_NAME);
/** Whether a council tells there what happens: little else does, and every council has one. */
export const isOfCouncil = (channel: string): boolean => channel.startsWith('council-');
/** Who speaks where no agent and no person does. */
export const COUNCIL = 'council';

/** The fields that the file of a channel has no key for: they stand below `metadata`. */
const BESIDE = { priority: 'priority', ttl: 'ttl_seconds', attempts: 'retry_count', depth: 'hops' } as const;

/** The key of a file in which an answer to several messages names all but the last. */
export const ANSWERS = 'metadata.answers';

/** The ids of the messages that this one answers. */
export function listAnsweredIds({ replyTo, extra = {} }: Message): string[] {
  const others: unknown = extra[ANSWERS];
  const ids = [replyTo, ...(Array.isArray(others) ? (others as unknown[]) : [])];
  return ids.filter((id) => typeof id === 'string');
}

/** Ids become keys: these reach into a prototype, or would be found there. */
const isReserved = (id: string): boolean => id === 'prototype' || id in Object.prototype;
/** The longest id, sender and recipient: they are remembered, and become a variable of the program that answers. */
const LONGEST_ID = 256;
/** The most that a number in a file can mean: beyond it there are no times. */
const MOST_NUMBER = 1e10;

const MOST_IN_SECOND = 0xffff;
const SECOND = 1000;

/** How far a message may be ahead of the clock, so that those of its sender stay in order after the clock was set back. */
const MOST_AHEAD = 86_400 * SECOND;

/**
 * Adds messages to channels. `isRelayed`: the orchestrator sends it for another agent. With
 * `durable` false it is also kept elsewhere and can be posted again from there.
 */
export type Post = (draft: Draft, how?: { isRelayed?: boolean; durable?: boolean }) => Promise<Posted>;

interface MessageSlot {
  time: string;
  count: number;
}

/**
 * Adds messages under the next free names of their senders: the names of one sender always grow, also when the clock goes
 * back, and with several processes that speak for it. Rejects as the log does.
 */
export function poster(log: MessageLog, clock: Clock): Post {
  const known = new Map<string, { place: MessageSlot | undefined; at: number }>();
  return async (draft, { durable } = {}) => {
    const key = `${draft.channel}/${draft.from}`;
    const now = clock.now();
    const before = known.get(key);
    // Names that are ahead of the clock come from a clock that was ahead: they are looked for at first, and when it went back.
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

/** The newest name of this sender that is not before now. */
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

/** What the names of a second begin with: `msg-20260111-163315`; milliseconds since the epoch. */
export const formatSecondPrefix = (ms: number): string =>
  cutSecondPrefix(formatMessageFileName(new Date(ms).toISOString(), 'a', 0));

/** What the names of that message's second begin with: an answer may come within it, under a name that sorts before. */
export const cutSecondPrefix = (name: string): string => name.slice(0, 'msg-YYYYMMDD-HHMMSS'.length);

/** The second after the last one, where that is full. */
function getNextSlot(last: MessageSlot | undefined, now: number): MessageSlot {
  const time = new Date(now).toISOString();
  if (!last || Date.parse(last.time) < Math.floor(now / SECOND) * SECOND) return { time, count: 0 };
  const second = last.time.slice(0, 19);
  if (last.count < MOST_IN_SECOND)
    return { time: time.startsWith(second) ? time : `${second}.000Z`, count: last.count + 1 };
  return { time: new Date(Date.parse(last.time) + SECOND).toISOString(), count: 0 };
}

function encodeMessageText(message: Message): string {
  const beside = Object.entries(BESIDE).flatMap(([field, key]) => {
    const value = message[field as keyof typeof BESIDE];
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

/** The messages of a channel in a span, the oldest first; `warn` hears of those that are none. */
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

/** One message by the name of its file; undefined when there is none, or it is malformed. */
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
  // It is where it lies: what it says of its channel may come from elsewhere.
  return { ...readExtraFields(value), time, from, to, channel, name };
}

/** With what JSON can write and no program can be given, NUL and half characters, replaced in every text. */
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
    const value = number(BESIDE[field]);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { ...message, ...(level && { priority: level }), ...Object.fromEntries(numbers), extra };
}

/** Each id once: of several messages with one id the first counts. */
export function removeDuplicateMessages<M extends Pick<Message, 'id'>>(messages: readonly M[]): M[] {
  const seen = new Set<string>();
  return messages.filter(({ id }) => !seen.has(id) && seen.add(id));
}

/** In their order, but none before what it answers: names of the same second sort by sender. */
export function inReadingOrder<M extends Message>(messages: readonly M[]): M[] {
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
  // Those that answer each other in a circle come last.
  return [...new Set([...order, ...messages])];
}
