// What a task is: its schema, from which its types are inferred, and what it begins with.
import * as z from 'zod/mini';
import { RISKS } from '../../core/agents/work-settings.ts';
import { KINDS, PRIORITIES, STATES } from '../messages/message.ts';
import { keeper } from '../messages/presence.ts';
import type { Message } from '../messages/message.ts';

/** A task's id: `T1`, and `T1.2` for the second one that was handed on out of T1. */
const TASK_ID = /^T[1-9]\d{0,2}(?:\.[1-9]\d?)*$/;
const SESSION_ID = /^S[a-z0-9]{1,7}$/;

const time = z.iso.datetime();
const count = z.int().check(z.nonnegative());
const text = z.nullable(z.string());
const number = z.nullable(z.number());
/** Where a worker works: in the project's folder, where it reads, or in a git worktree of its own. */
export const ISOLATIONS = ['none', 'worktree'] as const;
const id = z.string().check(z.regex(TASK_ID));

/** One message of the exchange about a task, as version 5 has it. The task keeps them; its channel shows them. */
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

/** The right to work on a task. Taken by compare-and-set; a result commits with the lease's id. */
const lease = z.extend(keeper, {
  id: z.string(),
  /** When another host may take it for dead, ISO 8601 UTC. */
  until: time,
  /** The leader of the process group that was launched. */
  group: z.nullable(keeper),
  /** The row of the heartbeat that took it: while that is renewed, it lives. */
  heartbeat: z.optional(z.string()),
  /**
   * A launch leased to a remote worker: its token, its line, and the time limit in milliseconds.
   */
  lent: z.optional(z.object({ token: z.string(), line, timeout: count })),
});

const usage = z.object({
  model: text,
  inputTokens: number,
  outputTokens: number,
  costUsd: number,
});

const problem = z.object({
  /** A code of version 5: `E33`. */
  code: z.string().check(z.regex(/^E\d{2}$/)),
  text: z.string(),
});

const called = z.object({
  tool: z.string(),
  kind: z.enum(['tool', 'mcp', 'sub_agent']),
  ok: z.boolean(),
  durationMs: z.number(),
});

const launch = z.object({
  /** The agent's id, and its id on the wire. */
  worker: z.string(),
  wire: z.string(),
  at: time,
  endedAt: z.nullable(time),
  /** What it ended with: an answer, a question, a handoff, a failure, a wait for an approval; null while it runs. */
  outcome: z.nullable(z.enum(['done', 'asked', 'handed_on', 'waited', 'failed', 'interrupted', 'cancelled'])),
  error: z.nullable(problem),
  usage: z.nullable(usage),
  /** What a model called meanwhile. */
  calls: z.optional(z.array(called)),
  /** The lease and token of a remote launch, to recognise a result that is uploaded twice. */
  lent: z.optional(z.object({ lease: z.string(), token: z.string() })),
});

/** What a person is asked, or the worker's orchestrator. */
const question = z.object({
  text: z.string(),
  options: z.array(z.string()),
  /** Whom it waits for. */
  of: z.enum(['human', 'orchestrator']),
  /** When the first option counts as chosen, ISO 8601 UTC; null for never. */
  until: z.nullable(time),
  /** The message of the channel that asks. */
  message: text,
});

const schema = z.object({
  id,
  session: z.string().check(z.regex(SESSION_ID)),
  text: z.string(),
  /** Capabilities that it takes. */
  needs: z._default(z.array(z.string()), []),
  /** The agent requested for it; null for the best match. */
  to: z._default(text, null),
  priority: z._default(z.enum(PRIORITIES), 'normal'),
  /** Tokens that are left; null for no limit. */
  budget: z._default(z.nullable(count), null),
  /** Milliseconds that a launch may take; null for the agent's own limit. */
  timeout: z._default(number, null),
  /** Tasks that have to be done before it. */
  after: z._default(z.array(id), []),
  /** Files whose contents go with it. */
  context: z._default(z.array(z.string()), []),
  isolate: z._default(z.enum(ISOLATIONS), 'none'),
  /** From which risk on a launch waits for a person. */
  risk: z._default(z.enum(RISKS), 'high'),
  state: z.enum(STATES),
  /** The agent that works on it, or did last. */
  worker: z._default(text, null),
  /** Launches that count for its retries. */
  attempts: z._default(count, 0),
  /** How often it was handed on. */
  depth: z._default(count, 0),
  /** The task that it was handed on from. */
  parent: z._default(z.nullable(id), null),
  /** The task, `S1/T1`, whose orchestrator gave it away with a tool. */
  givenBy: z._default(text, null),
  /** The temporary agent made for this task: the agent whose program it runs, and its prompt. */
  spawned: z._default(z.nullable(z.object({ by: z.string(), prompt: z.string() })), null),
  /** How many tasks were handed on out of it. */
  children: z._default(count, 0),
  /** The task that it waits for: the one that was handed on. */
  waitsFor: z._default(z.nullable(id), null),
  /** An approval that it waits for. */
  approval: z._default(text, null),
  /** True while the task is paused. */
  paused: z._default(z.boolean(), false),
  /** A person wants a simpler version: a short answer, and what goes with it cut to the budget. */
  simpler: z._default(z.boolean(), false),
  /** The whole accepted text. */
  result: z._default(text, null),
  error: z._default(z.nullable(problem), null),
  question: z._default(z.nullable(question), null),
  /** How often it was asked back. */
  clarifications: z._default(count, 0),
  /** Not before this time, ISO 8601 UTC. */
  notBefore: z._default(z.nullable(time), null),
  /** Workers that were unavailable or busy. */
  passedOver: z._default(z.array(z.string()), []),
  /** What its worker told last of how far it is, in the launch that runs. */
  progress: z._default(text, null),
  launches: z._default(z.array(launch), []),
  exchange: z._default(z.array(line), []),
  /** The branch that holds what it changed, and the commit that it begins at. */
  branch: z._default(text, null),
  base: z._default(text, null),
  /** What it changed: a line a file with counts, and the path of the whole difference, below the project. */
  diff: z._default(text, null),
  patch: z._default(text, null),
  /** The files that an earlier launch had left changed in its worktree when the last one began. */
  leftover: z._default(text, null),
  /** Its report, as a path below the project. */
  report: z._default(text, null),
  createdAt: time,
  /** When a person had it begun anew. */
  retriedAt: z._default(z.nullable(time), null),
  startedAt: z._default(z.nullable(time), null),
  endedAt: z._default(z.nullable(time), null),
  lease: z._default(z.nullable(lease), null),
});

export type Task = z.infer<typeof schema>;
export type TaskLease = z.infer<typeof lease>;
export type TaskCall = z.infer<typeof called>;
export type TaskLaunch = z.infer<typeof launch>;
export type TaskQuestion = z.infer<typeof question>;
export type TaskUsage = z.infer<typeof usage>;
export type TaskError = z.infer<typeof problem>;
/** A line of the exchange: a neutral message with all that version 5 wants to know. */
export type ExchangeLine = z.infer<typeof line> & Message;

/** What a task begins with; everything else has a value of its own. */
export type TaskDraft = Pick<Task, 'id' | 'session' | 'text'> & Partial<Task>;

/** A new task; `at` is ISO 8601 UTC. */
export function newTask(draft: TaskDraft, at: string): Task {
  const { id, session, text } = draft;
  return { ...schema.parse({ id, session, text, state: 'N', createdAt: at }), ...draft };
}

/** A task as it was kept; undefined where it is none. */
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

/** The whole name of a task, `S2/T1`. It never names another task. */
export const nameTask = ({ session, id }: TaskNameParts): string => `${session}/${id}`;

/** On the wire a part has the id of its first ancestor. */
export const wireTask = ({ id }: Pick<TaskNameParts, 'id'>): string => id.replace(/\..*$/, '');

/** The channel that shows a task's exchange. */
export const taskChannel = (task: TaskNameParts): string =>
  `task-${task.session}-${wireTask(task)}`.toLowerCase();

/** The session of a task, by the name of its channel; undefined for any other channel. */
export const sessionOfChannel = (channel: string): string | undefined =>
  /^task-(s[a-z0-9]+)-t\d+$/.exec(channel)?.[1]?.replace('s', 'S');
