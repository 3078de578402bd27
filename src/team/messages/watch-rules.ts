// Which messages a watcher answers, and when a conversation has gone on for long enough. Pure.
import type { Draft, Posted } from './channel.ts';
import { KINDS } from './message.ts';

/** How many answers to answers there may be, and how many answers an agent gives in one thread and hour. */
export const WATCH_LIMITS = { hops: 8, replies: 20, windowMs: 3_600_000 } as const;

/** Reports on a message want no answer: two watchers would never come to an end. */
const NO_ANSWER = ['ack', 'nack', 'error', 'heartbeat'];

/** What answers a message. A progress report and a question are no answer. */
const REPLIES: readonly string[] = ['response', 'error', 'chat'];

/** Whether a message is an answer to what it names; a type that council does not know counts as talk. */
export const isReply = (kind: string): boolean =>
  REPLIES.includes(kind) || !(KINDS as readonly string[]).includes(kind);

/** Where a message stands in its conversation. */
export interface ThreadPosition {
  /** The id of its first message. */
  thread: string;
  /** How many answers there are between the two. */
  hops: number;
}

/**
 * Where a message stands. Answers of watchers say it themselves, below `metadata`; for others what they answer says it, if it
 * is known.
 */
export function findThreadPosition(message: Posted, answered: Posted | undefined): ThreadPosition {
  const before = answered && findThreadPosition(answered, undefined);
  const thread = message.extra?.['metadata.thread'];
  return {
    thread: typeof thread === 'string' && thread !== '' ? thread : (before?.thread ?? message.id),
    hops: Math.max(message.depth ?? 0, before ? before.hops + 1 : 0),
  };
}

/** Why a message is not answered, in words; undefined when it is. `replies` are the agent's own of the last hour in this thread. */
export function whyNotAnswered(kind: string, { hops }: ThreadPosition, replies: number): string | undefined {
  if (NO_ANSWER.includes(kind)) return `a message of type ${kind} wants no answer`;
  if (hops >= WATCH_LIMITS.hops) return `the conversation has gone back and forth ${WATCH_LIMITS.hops} times`;
  if (replies >= WATCH_LIMITS.replies)
    return `${WATCH_LIMITS.replies} answers were given in this thread within an hour`;
  return undefined;
}

/** An answer to a message, one hop further. */
export const buildAnswerDraft = (
  message: Posted,
  { thread, hops }: ThreadPosition,
  { by, kind, body }: { by: string; kind: string; body: string },
): Draft => ({
  from: by,
  to: message.from,
  channel: message.channel,
  kind,
  body,
  replyTo: message.id,
  depth: hops + 1,
  mode: 'watcher',
  turn: by,
  extra: { 'metadata.thread': thread },
  ...(message.priority && { priority: message.priority }),
});
