// Rules beyond the codecs: limits, states of a task, and who may send what to whom.
import { AGENT_ROLES } from '../../core/agents/work-settings.ts';
import { KINDS } from './message.ts';
import type { MessageKind, TaskState } from './message.ts';
import type { Draft, Posted } from './channel.ts';

export const LIMITS = {
  /** How often a worker may ask back about a task. */
  clarifications: 2,
  /** How many workers may hand a task on: by default, and at most in any project. */
  depth: 3,
  deepest: 5,
  /** Heartbeats of one agent: the minimum interval, and how many may be missing. */
  heartbeatMs: 30_000,
  missedHeartbeats: 3,
  /** Number of automatic retries of a request. */
  retries: 2,
  /** Number of options that a person may choose from. */
  options: { least: 2, most: 4 },
} as const;

const NEXT: Record<TaskState, readonly TaskState[]> = {
  N: ['R', 'X'],
  R: ['D', 'F', 'X'],
  D: [],
  F: [],
  X: [],
};

/** True if a task may change from one state to another. Staying in a state is always allowed. */
export const isTransition = (from: TaskState, to: TaskState): boolean =>
  from === to || NEXT[from].includes(to);

/** The states that a task may go to. */
export const listNextStates = (from: TaskState): readonly TaskState[] => NEXT[from];

/** The states that a line may have, by its sender and kind; other kinds may have any. */
const SAID_BY = {
  worker: {
    response: ['D'],
    error: ['F'],
    update: ['R'],
    clarify: ['N', 'R'],
    disambiguate: ['N', 'R'],
    handoff: ['N', 'R'],
  },
  // It also reports tasks that start, continue after an error, or are given up.
  orchestrator: {
    request: ['N', 'R'],
    response: ['R', 'D'],
    error: ['R', 'F', 'X'],
    clarify: ['N', 'R'],
    disambiguate: ['N', 'R'],
  },
} satisfies Record<string, Partial<Record<MessageKind, readonly TaskState[]>>>;

/** Returns the states that a line of this kind may have; undefined if it may have any. */
export const listSayableStates = (
  by: 'worker' | 'orchestrator',
  kind: string,
): readonly TaskState[] | undefined =>
  (SAID_BY[by] as Record<string, readonly TaskState[] | undefined>)[kind];

/** Returns the budget after a line that states the remainder: it never grows. Null is no limit. */
export const computeBudgetLeft = (known: number | null, told: number | undefined): number | null =>
  known === null ? null : Math.min(known, told ?? known);

/** True if an agent may send a heartbeat again; times in milliseconds. */
export const isHeartbeatDue = (last: number | undefined, now: number): boolean =>
  last === undefined || now - last >= LIMITS.heartbeatMs;

/** True if an agent is to be considered gone: E22. */
export const isHeartbeatMissed = (last: number, now: number): boolean =>
  now - last > LIMITS.missedHeartbeats * LIMITS.heartbeatMs;

const ROLES = [...AGENT_ROLES, 'person'] as const;
export type Role = (typeof ROLES)[number];

interface TalkRule {
  from: Role;
  to: Role;
  kinds: readonly MessageKind[];
}

/** Kinds allowed in both directions between a role and its superior. */
const TALK = ['clarify', 'update', 'chat'] as const;
const UP = ['response', 'error', ...TALK, 'join', 'leave', 'caps', 'query'] as const;
const DOWN = ['request', 'control', ...TALK, 'broadcast'] as const;

export const MATRIX: readonly TalkRule[] = [
  { from: 'orchestrator', to: 'orchestrator', kinds: DOWN },
  { from: 'orchestrator', to: 'leader', kinds: DOWN },
  { from: 'orchestrator', to: 'worker', kinds: DOWN },
  { from: 'leader', to: 'orchestrator', kinds: [...UP, 'event'] },
  { from: 'leader', to: 'leader', kinds: ['event', ...TALK] },
  { from: 'leader', to: 'worker', kinds: DOWN },
  // Without a leader, workers report to the orchestrator.
  { from: 'worker', to: 'orchestrator', kinds: UP },
  { from: 'worker', to: 'leader', kinds: UP },
  { from: 'worker', to: 'worker', kinds: [] },
];

/** Receipts and heartbeats are always allowed. */
const ALWAYS: readonly string[] = ['ack', 'nack', 'heartbeat'];
const ANSWERS: readonly string[] = ['response', 'error'];
/** Kinds that may be sent to a person: reports and questions. */
const TO_PERSON: readonly string[] = ['request', 'disambiguate', 'event', ...UP];

/** Facts besides roles and kind that decide if a message may be sent. */
interface SendingFacts {
  /** The orchestrator relays it, and has checked the permission itself. */
  isRelayed?: boolean;
  /** It answers a message from the recipient. */
  isAnswer?: boolean;
}

/**
 * Returns the rule that forbids a message, in words; undefined if it may be sent. If either side has no
 * role, everything is allowed. A worker hands on to a worker only through the orchestrator. Answers
 * are allowed, except between workers. Unknown types count as chat.
 */
export function findForbiddingRule(
  from: Role | undefined,
  to: Role | undefined,
  kind: string,
  { isRelayed = false, isAnswer = false }: SendingFacts = {},
): string | undefined {
  if (from === undefined || to === undefined || from === 'person' || isRelayed) return undefined;
  if (ALWAYS.includes(kind)) return undefined;
  const meant = KINDS.find((one) => one === kind) ?? 'chat';
  if (from === 'worker' && to === 'worker') {
    if (meant === 'handoff') return 'a worker hands on to a worker only through the orchestrator';
  } else if (isAnswer && ANSWERS.includes(meant)) return undefined;
  const kinds = to === 'person' ? TO_PERSON : listAllowedKinds(from, to);
  return kinds.includes(meant) ? undefined : describeAllowedKinds(from, to, kinds);
}

const listAllowedKinds = (from: Role, to: Role): readonly string[] =>
  MATRIX.find((rule) => rule.from === from && rule.to === to)?.kinds ?? [];

const describeAllowedKinds = (from: Role, to: Role, kinds: readonly string[]): string =>
  `${from} to ${to}: ${kinds.length === 0 ? 'nothing, they do not talk directly' : `only ${kinds.join(', ')}`}`;

/** Parses the name of a role, including its synonyms. */
export function parseRole(word: string | undefined): Role | undefined {
  if (word === 'human') return 'person';
  if (word === 'sub_agent' || word === 'subagent') return 'worker';
  return ROLES.find((role) => role === word);
}

/** Maximum length of a chain of answers, and of an agent's answers per thread within `windowMs` (one hour). */
export const WATCH_LIMITS = { hops: 8, replies: 20, windowMs: 3_600_000 } as const;

/** These require no answer: otherwise two watchers would never stop. */
const NO_ANSWER = ['ack', 'nack', 'error', 'heartbeat'];

/** Kinds that answer a message. Progress reports and questions do not. */
const REPLIES: readonly string[] = ['response', 'error', 'chat'];

/** True if a message answers the one that it refers to; unknown kinds count as chat. */
export const isReply = (kind: string): boolean =>
  REPLIES.includes(kind) || !(KINDS as readonly string[]).includes(kind);

/** The position of a message in its conversation. */
export interface ThreadPosition {
  /** The id of the first message. */
  thread: string;
  /** The number of answers between the two. */
  hops: number;
}

/** Returns the position of a message: watchers write it below `metadata`; else it follows from the answered one. */
export function findThreadPosition(message: Posted, answered: Posted | undefined): ThreadPosition {
  const before = answered && findThreadPosition(answered, undefined);
  const thread = message.extra?.['metadata.thread'];
  return {
    thread: typeof thread === 'string' && thread !== '' ? thread : (before?.thread ?? message.id),
    hops: Math.max(message.depth ?? 0, before ? before.hops + 1 : 0),
  };
}

/** Returns why a message is not answered; undefined if it is. `replies`: the agent's in this thread and hour. */
export function findNoAnswerReason(
  kind: string,
  { hops }: ThreadPosition,
  replies: number,
): string | undefined {
  if (NO_ANSWER.includes(kind)) return `a message of type ${kind} wants no answer`;
  if (hops >= WATCH_LIMITS.hops) return `the conversation has gone back and forth ${WATCH_LIMITS.hops} times`;
  if (replies >= WATCH_LIMITS.replies)
    return `${WATCH_LIMITS.replies} answers were given in this thread within an hour`;
  return undefined;
}

/** Builds an answer to a message, one hop further. */
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
