// The schema of a task, from which its types are inferred, and the initial values.
import * as z from 'zod/mini';
import { RISKS } from '../../core/agents/work-settings.ts';
import { KINDS, PRIORITIES, STATES } from '../messages/message.ts';
import { keeper } from '../messages/presence.ts';
import type { Message } from '../messages/message.ts';

/** A task's id: `T1`, and `T1.2` for the second part handed on from T1. */
const TASK_ID = /^T[1-9]\d{0,2}(?:\.[1-9]\d?)*$/;
const SESSION_ID = /^S[a-z0-9]{1,7}$/;

const time = z.iso.datetime();
const count = z.int().check(z.nonnegative());
const nullableText = z.nullable(z.string());
const nullableNumber = z.nullable(z.number());
/** Where a worker works: in the project's folder, read-only, or in a separate git worktree. */
export const ISOLATIONS = ['none', 'worktree'] as const;
const id = z.string().check(z.regex(TASK_ID));

/** A message about a task, in version 5 of the line protocol. The task stores them; its channel shows them. */
const line = z.object({
  id: z.string(),
  time,
  from: z.string(),
  to: z.string(),
  kind: z.enum(KINDS),
  task: z.string(),
  priority: z.enum(PRIORITIES),
  state: z.optional(z.enum(STATES)),
  error: z.optional(z.string()),
  depth: count,
  context: z.string(),
  budget: z.optional(count),
  body: z.string(),
});

/** A launch leased to a remote worker: its token, its line, and the time limit in milliseconds. */
const remoteLease = z.object({ token: z.string(), line, timeout: count });

/** The lease and token of a remote launch, to recognise a result that is uploaded twice. */
const remoteOrigin = z.object({ lease: z.string(), token: z.string() });

/** The right to work on a task. Taken by compare-and-set; a result commits with the lease's id. */
const lease = z.extend(keeper, {
  id: z.string(),
  /** When other hosts may consider it dead, ISO 8601 UTC. */
  until: time,
  /** The leader of the launched process group. */
  group: z.nullable(keeper),
  /** The heartbeat that took it: while that is renewed, the lease is alive. */
  heartbeat: z.optional(z.string()),
  lent: z.optional(remoteLease),
});

const usage = z.object({
  model: nullableText,
  inputTokens: nullableNumber,
  outputTokens: nullableNumber,
  costUsd: nullableNumber,
});

const taskError = z.object({
  /** A code of the line protocol: `E33`. */
  code: z.string().check(z.regex(/^E\d{2}$/)),
  text: z.string(),
});

const toolCall = z.object({
  tool: z.string(),
  kind: z.enum(['tool', 'mcp', 'sub_agent']),
  ok: z.boolean(),
  durationMs: z.number(),
});

const launch = z.object({
  /** The agent's id, and its wire id. */
  worker: z.string(),
  wire: z.string(),
  at: time,
  endedAt: z.nullable(time),
  /** How it ended: an answer, a question, a handoff, a failure, a wait for an approval …; null while it runs. */
  outcome: z.nullable(z.enum(['done', 'asked', 'handed_on', 'waited', 'failed', 'interrupted', 'cancelled'])),
  error: z.nullable(taskError),
  usage: z.nullable(usage),
  /** Calls that a model made meanwhile. */
  calls: z.optional(z.array(toolCall)),
  lent: z.optional(remoteOrigin),
});

/** A question to a person, or to the worker's orchestrator. */
const question = z.object({
  text: z.string(),
  options: z.array(z.string()),
  /** The addressee, who has to answer. */
  of: z.enum(['human', 'orchestrator']),
  /** When the first option is chosen automatically, ISO 8601 UTC; null for never. */
  until: z.nullable(time),
  /** The message in the channel that asks it. */
  message: nullableText,
});

const schema = z.object({
  id,
  session: z.string().check(z.regex(SESSION_ID)),
  text: z.string(),
  /** Required capabilities. */
  needs: z._default(z.array(z.string()), []),
  /** The agent requested for it; null for the best match. */
  to: z._default(nullableText, null),
  priority: z._default(z.enum(PRIORITIES), 'normal'),
  /** Tokens left; null for no limit. */
  budget: z._default(z.nullable(count), null),
  /** Timeout of a launch in milliseconds; null for the agent's own. */
  timeout: z._default(nullableNumber, null),
  /** Tasks that must be done before it. */
  after: z._default(z.array(id), []),
  /** Files whose contents are enclosed. */
  context: z._default(z.array(z.string()), []),
  isolate: z._default(z.enum(ISOLATIONS), 'none'),
  /** The lowest risk at which a launch needs approval. */
  risk: z._default(z.enum(RISKS), 'high'),
  state: z.enum(STATES),
  /** The agent that works on it, or did last. */
  worker: z._default(nullableText, null),
  /** Launches that count as retries. */
  attempts: z._default(count, 0),
  /** How often it was handed on. */
  depth: z._default(count, 0),
  /** The task that it was handed on from. */
  parent: z._default(z.nullable(id), null),
  /** The task, `S1/T1`, whose orchestrator created it with a tool call. */
  givenBy: z._default(nullableText, null),
  /** The temporary agent made for this task: the agent whose program it runs, and its prompt. */
  spawned: z._default(z.nullable(z.object({ by: z.string(), prompt: z.string() })), null),
  /** How many parts were handed on from it. */
  children: z._default(count, 0),
  /** The part that it waits for. */
  waitsFor: z._default(z.nullable(id), null),
  /** The approval that it waits for. */
  approval: z._default(nullableText, null),
  paused: z._default(z.boolean(), false),
  /** A person wants a simpler version: a short answer, with enclosed texts cut to the budget. */
  simpler: z._default(z.boolean(), false),
  /** The whole accepted text. */
  result: z._default(nullableText, null),
  error: z._default(z.nullable(taskError), null),
  question: z._default(z.nullable(question), null),
  /** Number of questions asked so far. */
  clarifications: z._default(count, 0),
  /** Earliest time of the next launch, ISO 8601 UTC. */
  notBefore: z._default(z.nullable(time), null),
  /** Workers that were unavailable or busy. */
  passedOver: z._default(z.array(z.string()), []),
  /** The worker's last progress report in the running launch. */
  progress: z._default(nullableText, null),
  launches: z._default(z.array(launch), []),
  exchange: z._default(z.array(line), []),
  /** The branch with its changes, and the commit that it starts from. */
  branch: z._default(nullableText, null),
  base: z._default(nullableText, null),
  /** Its changes: a diffstat, and the path of the whole diff, relative to the project. */
  diff: z._default(nullableText, null),
  patch: z._default(nullableText, null),
  /** Files left changed in its worktree by an earlier launch when the last one started. */
  leftover: z._default(nullableText, null),
  /** Path of its report, relative to the project. */
  report: z._default(nullableText, null),
  createdAt: time,
  /** When a person last restarted it. */
  retriedAt: z._default(z.nullable(time), null),
  startedAt: z._default(z.nullable(time), null),
  endedAt: z._default(z.nullable(time), null),
  lease: z._default(z.nullable(lease), null),
});

export type Task = z.infer<typeof schema>;
export type TaskLease = z.infer<typeof lease>;
export type RemoteLease = z.infer<typeof remoteLease>;
export type TaskCall = z.infer<typeof toolCall>;
export type TaskLaunch = z.infer<typeof launch>;
export type TaskQuestion = z.infer<typeof question>;
export type TaskUsage = z.infer<typeof usage>;
export type TaskError = z.infer<typeof taskError>;
/** A line of the exchange: a neutral message with all fields that version 5 of the line protocol requires. */
export type ExchangeLine = z.infer<typeof line> & Message;

/** A draft of a task; every other field has a default. */
export type TaskDraft = Pick<Task, 'id' | 'session' | 'text'> & Partial<Task>;

/** Creates a task; `at` is ISO 8601 UTC. */
export function buildTask(draft: TaskDraft, at: string): Task {
  const { id, session, text } = draft;
  return { ...schema.parse({ id, session, text, state: 'N', createdAt: at }), ...draft };
}

/** Parses a stored task; undefined if it is invalid. */
export function parseTask(value: unknown): Task | undefined {
  const read = schema.safeParse(value);
  return read.success ? read.data : undefined;
}

export const isTaskId = (value: string): boolean => TASK_ID.test(value);
export const isSessionId = (value: string): boolean => SESSION_ID.test(value);

interface TaskNameParts {
  id: string;
  session: string;
}

/** Returns the full name of a task, `S2/T1`, which is never reused. */
export const nameTask = ({ session, id }: TaskNameParts): string => `${session}/${id}`;

/** Returns the task id for lines: a part has the id of its first ancestor. */
export const getWireTaskId = ({ id }: Pick<TaskNameParts, 'id'>): string => id.replace(/\..*$/, '');

/** Returns the channel that shows a task's exchange. */
export const nameTaskChannel = (task: TaskNameParts): string =>
  `task-${task.session}-${getWireTaskId(task)}`.toLowerCase();

/** Parses the session from the name of a task's channel; undefined for any other channel. */
export const parseTaskChannel = (channel: string): string | undefined =>
  /^task-(s[a-z0-9]+)-t\d+$/.exec(channel)?.[1]?.replace('s', 'S');
