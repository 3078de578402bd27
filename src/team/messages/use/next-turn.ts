// Chooses and claims the waiting messages for the next turn of a watcher's program.
import { bounceMessage } from '../report-round.ts';
import { readMessage, formatSecondPrefix, listAnsweredIds, cutSecondPrefix } from '../channel.ts';
import type { Posted } from '../channel.ts';
import { readFileName } from '../codecs/json-file.ts';
import { RETRY } from '../delivery.ts';
import { isOwn, isTaken, take, countTries, readHandling, handle, isUnhandled, show } from '../mailbox.ts';
import type { Mail, Handled } from '../mailbox.ts';
import { isProgram } from '../addressing.ts';
import { findMessage } from '../find-message.ts';
import { findThreadPosition, WATCH_LIMITS, findNoAnswerReason, isReply } from '../policy.ts';
import type { ThreadPosition } from '../policy.ts';
import { identifyThisProcess } from '../../../core/store/local/liveness.ts';
import { findNewestMessages } from '../message-service.ts';
import type { Agent } from '../../../core/agents/agent.ts';
import type { Language } from '../../../core/base/words/words.ts';
import type { MessageService } from '../message-service.ts';
import type { Project } from '../../../core/store/local/project.ts';
import type { PresenceKeeper } from './presence.ts';

/** A message to answer, the message that it answers itself, and its position in the conversation. */
export interface TurnMessage {
  message: Posted;
  answered: Posted | undefined;
  place: ThreadPosition;
}

/** Maximum number of messages in a turn, and of characters in all but the first. */
const MOST_IN_TURN = 20;
const MOST_CHARACTERS = 100_000;
/** Messages that waited this long, or since before the watcher started, are a backlog: a turn may take several. */
const BACKLOG_MS = 10_000;
/** Maximum number of claims by watchers that were stopped before they had handled the message. */
const MOST_TRIES = 1 + RETRY.retries;
/** Time beyond the program's timeout before others may claim its messages. */
const MARGIN_MS = 60_000;
/** Number of messages searched for an answered one whose id does not contain its time. */
const LOOK_BACK = 500;

/**
 * Claims the first messages of the queue that need an answer. Those before them that need none are
 * settled; `isDone` is true if there were some. A fresh message gets its own turn, and so does one
 * at which a watcher was stopped, since it may be the cause.
 */
export async function claimNextTurn(
  answering: AnsweringContext,
  queue: readonly Posted[],
): Promise<{ turn: TurnMessage[]; isDone: boolean }> {
  const { office, agent, channel } = answering;
  const mail = await office.boxes.read(agent, channel);
  const turn: TurnMessage[] = [];
  let size = 0;
  let isDone = false;
  for (const message of queue) {
    size += countMessageCharacters(message);
    const isAlone = countTries(mail, message.id) > 0 || !isBacklog(answering, message);
    if (turn.length === MOST_IN_TURN || (turn.length > 0 && (isAlone || size > MOST_CHARACTERS))) break;
    if (isOthers(answering, mail, message)) continue;
    const asked = await toAnswer(answering, mail, message);
    if (asked) turn.push(asked);
    else isDone = true;
    if (asked && isAlone) break;
  }
  return { turn: await claimMessages(answering, turn), isDone };
}

const isBacklog = ({ office, startedAt }: AnsweringContext, { time }: Posted): boolean =>
  Date.parse(time) < Math.max(startedAt, office.clock.now() - BACKLOG_MS);

const countMessageCharacters = ({ body = '', code = '' }: Posted): number => body.length + code.length;

const isOthers = ({ office }: AnsweringContext, mail: Mail, { id }: Posted): boolean =>
  !isOwn(mail, id, identifyThisProcess()) && isTaken(mail, id, office.clock.now(), office.isAlive);

/** Returns the message if it needs an answer; undefined if it was settled at once. */
async function toAnswer(
  answering: AnsweringContext,
  mail: Mail,
  message: Posted,
): Promise<TurnMessage | undefined> {
  const { office, agent, tell } = answering;
  if (Object.hasOwn(mail.shown, message.id) && (await isAnswered(answering, message))) {
    await settle(answering, [message], { as: 'acknowledged' });
    return undefined;
  }
  if (countTries(mail, message.id) >= MOST_TRIES) {
    const reason = `its program was stopped ${MOST_TRIES} times while at work on it`;
    tell({ type: 'failed', message, why: reason, attempt: MOST_TRIES });
    // Informs the sender first: if interrupted here, it is informed twice rather than never.
    await bounceMessage(office, message, agent, reason);
    await settle(answering, [message], { as: 'refused', reason });
    return undefined;
  }
  const answered =
    message.replyTo === undefined
      ? undefined
      : await findMessage(office, message.replyTo, { lookBack: LOOK_BACK });
  const place = findThreadPosition(message, answered);
  // A program outside of any turn starts a new thread with each message, so its messages are counted by pair.
  const isBegun = place.thread === message.id && isProgram(office.directory, message.from);
  const counted = isBegun ? namePair(agent, message.from) : place.thread;
  const why = findNoAnswerReason(message.kind, place, await countReplies(answering, counted));
  if (why === undefined) return { message, answered, place };
  tell({ type: 'skipped', message, why });
  await settle(answering, [message], { as: 'acknowledged', reason: why });
  return undefined;
}

/** Returns the key for a conversation of two programs outside of any turn. */
const namePair = (one: string, other: string): string => [one, other].sort().join(' ');

/** Returns the conversations of the agent's message: its thread, and at the start of a thread also the pair. */
function listConversations(own: Posted): string[] {
  const { thread } = findThreadPosition(own, undefined);
  return thread === own.id || thread === own.replyTo ? [thread, namePair(own.from, own.to)] : [thread];
}

/** Counts the agent's answers in this conversation within the last hour. Reads each of its messages once. */
async function countReplies(
  { office, agent, channel, threads }: AnsweringContext,
  conversation: string,
): Promise<number> {
  const from = formatSecondPrefix(office.clock.now() - WATCH_LIMITS.windowMs);
  for (const name of threads.keys()) if (name < from) threads.delete(name);
  for (const name of await office.log.names(channel, { from, limit: Infinity })) {
    if (threads.has(name) || readFileName(name)?.agent !== agent) continue;
    const own = await readMessage(office.log, channel, name, office.warn);
    threads.set(name, own?.from === agent ? listConversations(own) : []);
  }
  return [...threads.values()].filter((counted) => counted.includes(conversation)).length;
}

/** Claims the messages that no other process has claimed first. */
async function claimMessages(answering: AnsweringContext, turn: TurnMessage[]): Promise<TurnMessage[]> {
  const { office, agent, channel, program, retries } = answering;
  if (turn.length === 0) return [];
  const now = office.clock.now();
  const until = new Date(now + (program.timeout + MARGIN_MS) * (retries + 1)).toISOString();
  let ours: TurnMessage[] = [];
  await office.boxes.change(agent, channel, (mail) => {
    let next = mail;
    ours = turn.filter(({ message }) => {
      const after = take(next, message, { by: identifyThisProcess(), until, now, isAlive: office.isAlive });
      next = after ?? next;
      return after !== undefined;
    });
    return next === mail ? undefined : next;
  });
  return ours;
}

/** True if the agent has answered, in any channel: in its turn, or as a watcher that got no further. */
async function isAnswered(
  { office, agent }: Pick<AnsweringContext, 'office' | 'agent'>,
  message: Posted,
): Promise<boolean> {
  const is = (one: Posted): boolean =>
    one.from === agent && isReply(one.kind) && listAnsweredIds(one).includes(message.id);
  const from = cutSecondPrefix(message.name);
  for (const channel of await office.log.channels())
    if ((await findNewestMessages(office, channel, { limit: 1, from, is })).length > 0) return true;
  return false;
}

/** Returns how the agent has handled a message within its turn; undefined if it has not. */
export async function findHandled(
  answering: AnsweringContext,
  message: Posted,
): Promise<OwnHandling | undefined> {
  if (await isAnswered(answering, message)) return 'answered';
  const { office, agent, channel } = answering;
  return readHandling(await office.boxes.read(agent, channel), message)?.as;
}

/** News from a watcher: that it is waiting, which message arrived, and how it was handled. */
export type WatcherNews =
  | { type: 'watching'; agent: string; channel: string }
  | { type: 'message'; message: Posted }
  | { type: 'answered'; message: Posted; id: string }
  /** Handled by the agent itself, with a tool or command; `unsent` if it also printed something. */
  | { type: 'handled'; message: Posted; as: OwnHandling; unsent: boolean }
  | { type: 'skipped'; message: Posted; why: string }
  | { type: 'failed'; message: Posted; why: string; attempt: number };

type OwnHandling = 'answered' | Handled['as'];

export interface AnsweringContext {
  office: MessageService;
  program: Agent;
  agent: string;
  channel: string;
  lang: Language;
  retries: number;
  replyErrors: boolean;
  project: Project;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** When the watcher started, in milliseconds since the epoch. */
  startedAt: number;
  presence: PresenceKeeper;
  /** The conversations of the agent's own messages of the last hour, by file name. */
  threads: Map<string, readonly string[]>;
  tell(news: WatcherNews): void;
  /** Throws `untrusted`. */
  requireWord(agent: Agent): void;
}

const formatNow = ({ office }: AnsweringContext): string => new Date(office.clock.now()).toISOString();

/** Marks messages as handled, except those handled before. */
export async function settle(
  answering: AnsweringContext,
  messages: readonly Posted[],
  how: Pick<Handled, 'as' | 'reason'>,
): Promise<void> {
  const at = formatNow(answering);
  const fresh = await updateMailbox(answering, messages, isUnhandled, (mail) =>
    handle(mail, messages, { ...how, at }),
  );
  const { as, reason } = how;
  const about = { agent: answering.agent, ...(as === 'refused' && reason && { reason }) };
  for (const message of fresh) await answering.office.record(as, message, about);
}

/** Marks messages as shown, because their turn has really begun. */
export async function markMessagesShown(
  answering: AnsweringContext,
  messages: readonly Posted[],
): Promise<void> {
  const at = formatNow(answering);
  const isNew = (mail: Mail, one: Posted): boolean =>
    isUnhandled(mail, one) && !Object.hasOwn(mail.shown, one.id);
  const fresh = await updateMailbox(answering, messages, isNew, (mail) => show(mail, messages, at));
  for (const message of fresh)
    await answering.office.record('delivered', message, { agent: answering.agent });
}

/** Changes the mailbox; resolves to the messages for which `is` was true just before. */
async function updateMailbox(
  { office, agent, channel }: AnsweringContext,
  messages: readonly Posted[],
  is: (mail: Mail, message: Posted) => boolean,
  change: (mail: Mail) => Mail | undefined,
): Promise<Posted[]> {
  let fresh: Posted[] = [];
  await office.boxes.change(agent, channel, (mail) => {
    fresh = messages.filter((one) => is(mail, one));
    return change(mail);
  });
  return fresh;
}
