// Rules that no codec knows: defaults, states of a task, limits, and who may send what to whom.
import { AGENT_ROLES } from '../../core/agents/work-settings.ts';
import { KINDS } from './message.ts';
import type { MessageKind, State } from './message.ts';
import type { Draft, Posted } from './channel.ts';

export const LIMITS = {
  /** How often a worker may ask back about a task. */
  clarifications: 2,
  /** How many workers may hand a task on, and the most that a project may allow. */
  depth: 3,
  deepest: 5,
  /** Heartbeats of one agent: no more than one in this time, and how many may be missing. */
  heartbeatMs: 30_000,
  missedHeartbeats: 3,
  /** How often a request is repeated by itself. */
  retries: 2,
  /** How many options a person may choose from. */
  options: { least: 2, most: 4 },
} as const;

const NEXT: Record<State, readonly State[]> = { N: ['R', 'X'], R: ['D', 'F', 'X'], D: [], F: [], X: [] };

/** Whether a task may go from one state to another. To stay in a state is always allowed. */
export const isTransition = (from: State, to: State): boolean => from === to || NEXT[from].includes(to);

/** The states that a task may go to. */
export const nextStates = (from: State): readonly State[] => NEXT[from];

/** What a line says of its task, by its kind and by who speaks; kinds that are not here may say anything. */
const SAID_BY = {
  worker: {
    response: ['D'],
    error: ['F'],
    update: ['R'],
    clarify: ['N', 'R'],
    disambiguate: ['N', 'R'],
    handoff: ['N', 'R'],
  },
  // It also tells of tasks that begin, that go on after an error, and that are given up.
  orchestrator: {
    request: ['N', 'R'],
    response: ['R', 'D'],
    error: ['R', 'F', 'X'],
    clarify: ['N', 'R'],
    disambiguate: ['N', 'R'],
  },
} satisfies Record<string, Partial<Record<MessageKind, readonly State[]>>>;

/** The states that a line of this kind may say; undefined where it may say any. */
export const statesSaid = (by: 'worker' | 'orchestrator', kind: string): readonly State[] | undefined =>
  (SAID_BY[by] as Record<string, readonly State[] | undefined>)[kind];

/** The depth of what is handed on: one more than that of the task it comes from. */
export const incrementDepth = (depth: number): number => depth + 1;

/** The budget after a line that tells what is left: it never grows. Null and undefined are without a limit. */
export const budgetLeft = (known: number | null, told: number | undefined): number | null =>
  known === null ? null : Math.min(known, told ?? known);

/** Whether an agent may send a heartbeat again; times in milliseconds. */
export const isHeartbeatDue = (last: number | undefined, now: number): boolean =>
  last === undefined || now - last >= LIMITS.heartbeatMs;

/** Whether an agent is to be taken for gone: E22. */
export const isHeartbeatMissed = (last: number, now: number): boolean =>
  now - last > LIMITS.missedHeartbeats * LIMITS.heartbeatMs;

const ROLES = [...AGENT_ROLES, 'person'] as const;
export type Role = (typeof ROLES)[number];

/** One row of the matrix: these may send that. */
interface Rule {
  from: Role;
  to: Role;
  kinds: readonly MessageKind[];
}

/** Allowed in both directions: between those who report and those who give tasks. */
const TALK = ['clarify', 'update', 'chat'] as const;
const UP = ['response', 'error', ...TALK, 'join', 'leave', 'caps', 'query'] as const;
const DOWN = ['request', 'control', ...TALK, 'broadcast'] as const;

export const MATRIX: readonly Rule[] = [
  { from: 'orchestrator', to: 'orchestrator', kinds: DOWN },
  { from: 'orchestrator', to: 'leader', kinds: DOWN },
  { from: 'orchestrator', to: 'worker', kinds: DOWN },
  { from: 'leader', to: 'orchestrator', kinds: [...UP, 'event'] },
  { from: 'leader', to: 'leader', kinds: ['event', ...TALK] },
  { from: 'leader', to: 'worker', kinds: DOWN },
  // Where there is no leader, the orchestrator is one.
  { from: 'worker', to: 'orchestrator', kinds: UP },
  { from: 'worker', to: 'leader', kinds: UP },
  { from: 'worker', to: 'worker', kinds: [] },
];

/** Receipts and signs of life are always allowed. */
const ALWAYS: readonly string[] = ['ack', 'nack', 'heartbeat'];
const ANSWERS: readonly string[] = ['response', 'error'];
/** What may be sent to a person: reports and questions. */
const TO_PERSON: readonly string[] = ['request', 'disambiguate', 'event', ...UP];

/** Facts beside roles and type that decide whether a message may be sent. */
interface How {
  /** The orchestrator passes it on, and has checked itself whether it may be sent. */
  isRelayed?: boolean;
  /** It answers what the recipient has sent. */
  isAnswer?: boolean;
}

/**
 * The rule that forbids a message, in words; undefined if it may be sent. If either side has no
 * role, everything is allowed. A worker hands on to a worker only through the orchestrator. Answers
 * are allowed, except between workers. Unknown types count as chat.
 */
export function findForbiddingRule(
  from: Role | undefined,
  to: Role | undefined,
  kind: string,
  { isRelayed = false, isAnswer = false }: How = {},
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

/** A role by its word, and by those that others use for it. */
export function parseRole(word: string | undefined): Role | undefined {
  if (word === 'human') return 'person';
  if (word === 'sub_agent' || word === 'subagent') return 'worker';
  return ROLES.find((role) => role === word);
}

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
