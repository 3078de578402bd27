// The ports that message use cases need, and the search for a recipient's waiting messages.
import type { Clock } from '../../core/base/clock.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import { isFor, listAgentGroups } from './addressing.ts';
import type { EntryDetails, LoggedMessage } from './log-entry.ts';
import type { MessageEvent } from './log-events.ts';
import {
  isRecord,
  removeDuplicateMessages,
  readMessage,
  readMessages,
  formatSecondPrefix,
} from './channel.ts';
import type { Post, Posted } from './channel.ts';
import type { Deliveries } from './delivery.ts';
import type { Directory } from './addressing.ts';
import { isUnhandled, settle } from './mailbox.ts';
import type { Mail, Mailboxes } from './mailbox.ts';
import type { IsAlive } from './presence.ts';

/** Where messages are stored, and what their recipients have seen of them. */
export interface MessageService {
  log: MessageLog;
  boxes: Mailboxes;
  deliveries: Deliveries;
  directory: Directory;
  post: Post;
  clock: Clock;
  /** Adds an event of a message to the message log; `post` does so itself. Never rejects. */
  record(event: MessageEvent, message: LoggedMessage, about?: EntryDetails): Promise<void>;
  isAlive: IsAlive;
  /** Called for each message that is skipped. */
  warn(line: string): void;
}

/** Maximum number of messages of a channel that a first search, or a search backwards, reads. */
export const LOOK_BACK = 10_000;
const PAGE = 1000;
/** Progress is saved in the mailbox after this many messages. */
const WORTH_KEEPING = 200;
/** Maximum delay of a message after the second in its name, unless the clocks of its machines differ by more. */
export const GRACE_MS = 10_000;

export interface WaitingMessages {
  messages: Posted[];
  total: number;
}

/** True if a message has expired; `now` in milliseconds since the epoch. */
export const isExpired = ({ time, ttl }: Posted, now: number): boolean =>
  ttl !== undefined && Date.parse(time) + ttl * 1000 < now;

/**
 * Lists the messages waiting for a recipient in a channel, oldest first: the first `limit`, or with `newest`
 * the last. Acknowledges nothing. Saves its progress, so that long channels are not read twice.
 */
export async function listWaitingMessages(
  { log, boxes, directory, clock, warn }: MessageService,
  recipient: string,
  channel: string,
  { limit, newest = false, is = () => true }: { limit: number; newest?: boolean; is?(one: Posted): boolean },
): Promise<WaitingMessages> {
  const now = clock.now();
  const mail = await boxes.read(recipient, channel);
  const isWaiting = (one: Posted): boolean =>
    isUnhandled(mail, one) && !isRecord(one) && !isExpired(one, now) && is(one);
  const { passed, count } = await searchFromMark({ log, directory, warn }, recipient, channel, mail);
  const fresh = removeDuplicateMessages(passed).filter(isWaiting);
  if (count > WORTH_KEEPING)
    await boxes.change(recipient, channel, (current) => settleSeenMail(current, mail, passed, now));
  const older = await readOpenMessages({ log, warn }, channel, mail, {
    limit: newest ? Math.max(0, limit - fresh.length) : limit,
    newest,
    is: isWaiting,
  });
  const all = removeDuplicateMessages([...older.messages, ...fresh]);
  return {
    messages: newest ? all.slice(-limit) : all.slice(0, limit),
    total: older.unread + all.length,
  };
}

/** Reads the first or last messages that a mailbox lists as open, and returns how many were not read. */
async function readOpenMessages(
  { log, warn }: Pick<MessageService, 'log' | 'warn'>,
  channel: string,
  mail: Mail,
  { limit, newest, is }: { limit: number; newest: boolean; is(one: Posted): boolean },
): Promise<{ messages: Posted[]; unread: number }> {
  const names = mail.open.toSorted();
  const messages: Posted[] = [];
  while (names.length > 0 && messages.length < limit) {
    const name = (newest ? names.pop() : names.shift())!;
    const message = await readMessage(log, channel, name, warn);
    if (message && is(message)) messages.push(message);
  }
  return { messages: newest ? messages.toReversed() : messages, unread: names.length };
}

/** Skipped if another process has moved the mark meanwhile: the next search saves it then. */
function settleSeenMail(current: Mail, seen: Mail, passed: Posted[], now: number): Mail | undefined {
  if (current.mark !== seen.mark) return undefined;
  const unexpired = passed.filter((one) => !isExpired(one, now));
  return settle(current, unexpired, formatSecondPrefix(now - GRACE_MS));
}

/**
 * Returns all messages to a recipient from its mark on, and the number of all messages there. Messages that
 * arrived during the search are left to the next one, along with all that their sender sent after them: a
 * message is never seen before an earlier one of its sender.
 */
async function searchFromMark(
  { log, directory, warn }: Pick<MessageService, 'log' | 'directory' | 'warn'>,
  recipient: string,
  channel: string,
  mail: Mail,
): Promise<{ passed: Posted[]; count: number }> {
  const span = mail.mark === '' ? { limit: LOOK_BACK, newest: true } : { from: mail.mark, limit: PAGE };
  const groups = listAgentGroups(directory, recipient);
  const passed: Posted[] = [];
  const seen = new Set<string>();
  let names = await log.names(channel, span);
  while (names.length > 0) {
    for (const name of names) {
      const message = await readMessage(log, channel, name, warn);
      if (message && isFor(recipient, message, groups)) passed.push(message);
      seen.add(name);
    }
    const last = names.at(-1)!;
    // A trailing full stop skips this name, and no other.
    names = await log.names(channel, { from: `${last}.`, limit: PAGE });
  }
  // A listing, or its next page, may contain a message but lack one sent just before it; a second look is
  // certain.
  const [from = mail.mark] = mail.mark === '' ? seen : [];
  const after = passed.length === 0 ? [] : await log.names(channel, { from, limit: seen.size + PAGE });
  const late = Map.groupBy(
    after.filter((name) => !seen.has(name)),
    cutSender,
  );
  const isInTime = ({ name }: Posted): boolean => name < (late.get(cutSender(name))?.[0] ?? '~');
  return { passed: passed.filter(isInTime), count: seen.size };
}

const cutSender = (name: string): string => name.slice('msg-YYYYMMDD-HHMMSS-'.length, -'-0000.json'.length);

interface MessageSearch {
  limit: number;
  from?: string;
  before?: string;
  lookBack?: number;
  is(message: Posted): boolean;
}

/** Returns the newest messages that `is` accepts, oldest first; searches at most `lookBack` messages. */
export async function findNewestMessages(
  { log, warn }: Pick<MessageService, 'log' | 'warn'>,
  channel: string,
  { limit, is, lookBack = LOOK_BACK, ...rest }: MessageSearch,
): Promise<Posted[]> {
  const found: Posted[] = [];
  const { from } = rest;
  let { before } = rest;
  for (let seen = 0; seen < lookBack && found.length < limit;) {
    const span = { limit: PAGE_BACK, newest: true, ...(from && { from }), ...(before && { before }) };
    const names = await log.names(channel, span);
    if (names.length === 0) break;
    const page = await readMessages(
      log,
      channel,
      { from: names[0]!, ...(before && { before }), limit: PAGE },
      warn,
    );
    found.unshift(...page.filter(is));
    seen += names.length;
    before = names[0];
  }
  return removeDuplicateMessages(found).slice(-limit);
}
const PAGE_BACK = 100;
