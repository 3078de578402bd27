// What a task is: its schema, from which its types are inferred, and what it begins with.
import * as z from 'zod/mini';
import { RISKS } from '../../core/agents/work-settings.ts';
import { KINDS, PRIORITIES, STATES } from '../messages/message.ts';
import type { Message } from '../messages/message.ts';
import { SESSION_ID, TASK_ID } from './task-names.ts';

const time = z.iso.datetime();
const count = z.int().check(z.nonnegative());
const text = z.nullable(z.string());
const number = z.nullable(z.number());
/** Where a worker works: in the project's folder, where it reads, or in a git worktree of its own. */
export const ISOLATIONS = ['none', 'worktree'] as const;
const id = z.string().check(z.regex(TASK_ID));

const process = {
  host: z.string(),
  bootId: z.string(),
  pid: count,
  startTime: z.string(),
};

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
const lease = z.object({
  ...process,
  id: z.string(),
  /** When another host may take it for dead, ISO 8601 UTC. */
  until: time,
  /** The leader of the process group that was launched. */
  group: z.nullable(z.object(process)),
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

/** One launch of a worker for a task. */
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
  needs: z.array(z.string()),
  /** The agent requested for it; null for the best match. */
  to: text,
  priority: z.enum(PRIORITIES),
  /** Tokens that are left; null for no limit. */
  budget: z.nullable(count),
  /** Milliseconds that a launch may take; null for the agent's own limit. */
  timeout: number,
  /** Tasks that have to be done before it. */
  after: z.array(id),
  /** Files whose contents go with it. */
  context: z.array(z.string()),
  isolate: z.enum(ISOLATIONS),
  /** From which risk on a launch waits for a person. */
  risk: z._default(z.enum(RISKS), 'high'),
  state: z.enum(STATES),
  /** The agent that works on it, or did last. */
  worker: text,
  /** Launches that count for its retries. */
  attempts: count,
  /** How often it was handed on. */
  depth: count,
  /** The task that it was handed on from. */
  parent: z.nullable(id),
  /** The task, `S1/T1`, whose orchestrator gave it away with a tool. */
  givenBy: z._default(text, null),
  /** The temporary agent made for this task: the agent whose program it runs, and its prompt. */
  spawned: z._default(z.nullable(z.object({ by: z.string(), prompt: z.string() })), null),
  /** How many tasks were handed on out of it. */
  children: count,
  /** The task that it waits for: the one that was handed on. */
  waitsFor: z.nullable(id),
  /** An approval that it waits for. */
  approval: text,
  /** True while the task is paused. */
  paused: z._default(z.boolean(), false),
  /** A person wants a simpler version: a short answer, and what goes with it cut to the budget. */
  simpler: z._default(z.boolean(), false),
  /** The whole accepted text. */
  result: text,
  error: z.nullable(problem),
  question: z.nullable(question),
  /** How often it was asked back. */
  clarifications: count,
  /** Not before this time, ISO 8601 UTC. */
  notBefore: z.nullable(time),
  /** Workers that were unavailable or busy. */
  passedOver: z.array(z.string()),
  /** What its worker told last of how far it is, in the launch that runs. */
  progress: z._default(text, null),
  launches: z.array(launch),
  exchange: z.array(line),
  /** The branch that holds what it changed, and the commit that it begins at. */
  branch: text,
  base: z._default(text, null),
  /** What it changed: a line a file with counts, and the path of the whole difference, below the project. */
  diff: text,
  patch: z._default(text, null),
  /** The files that an earlier launch had left changed in its worktree when the last one began. */
  leftover: z._default(text, null),
  /** Its report, as a path below the project. */
  report: text,
  createdAt: time,
  /** When a person had it begun anew. */
  retriedAt: z._default(z.nullable(time), null),
  startedAt: z.nullable(time),
  endedAt: z.nullable(time),
  lease: z.nullable(lease),
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
export const newTask = (draft: TaskDraft, at: string): Task => ({
  needs: [],
  to: null,
  priority: 'normal',
  budget: null,
  timeout: null,
  after: [],
  context: [],
  isolate: 'none',
  risk: 'high',
  state: 'N',
  worker: null,
  attempts: 0,
  depth: 0,
  parent: null,
  givenBy: null,
  spawned: null,
  children: 0,
  waitsFor: null,
  approval: null,
  paused: false,
  simpler: false,
  result: null,
  error: null,
  question: null,
  clarifications: 0,
  notBefore: null,
  passedOver: [],
  progress: null,
  launches: [],
  exchange: [],
  branch: null,
  base: null,
  diff: null,
  patch: null,
  leftover: null,
  report: null,
  createdAt: at,
  retriedAt: null,
  startedAt: null,
  endedAt: null,
  lease: null,
  ...draft,
});

/** A task as it was kept; undefined where it is none. */
export function parseTask(value: unknown): Task | undefined {
  const read = schema.safeParse(value);
  return read.success ? read.data : undefined;
}
