// What happens to a task, one step at a time: pure functions that refuse what its state forbids.
import { iso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isTransition } from '../messages/policy.ts';
import type { State } from '../messages/message.ts';
import type {
  ExchangeLine,
  Task,
  TaskCall,
  TaskError,
  TaskLaunch,
  TaskLease,
  TaskQuestion,
  TaskUsage,
} from './task.ts';
import { isLasting } from '../../core/agents/runners/turn-types.ts';
import type { FailureKind } from '../../core/agents/runners/turn-types.ts';
import { toUnknownRecord } from '../../core/base/text.ts';

/** Throws `failed` with E15 where a task may not go from its state to another. */
function requireTransition(task: Task, state: State): State {
  if (isTransition(task.state, state)) return state;
  throw new CouncilError('failed', `${task.id} is ${task.state} and cannot become ${state} (E15).`, {
    hint: `See: council task show ${task.session}/${task.id}`,
  });
}

/** True for a task that nothing happens to any more. */
export const isOver = ({ state }: Pick<Task, 'state'>): boolean =>
  state === 'D' || state === 'F' || state === 'X';

/** Whether this lease is the one that the task is worked on under. */
export const holds = (task: Task, leaseId: string): boolean => task.lease?.id === leaseId;

/** A worker is launched: `now` in milliseconds. */
export function startLaunch(
  task: Task,
  { lease, worker, wire }: { lease: TaskLease; worker: string; wire: string },
  now: number,
): Task {
  const at = iso(now);
  const lent = lease.lent && { lent: { lease: lease.id, token: lease.lent.token } };
  const running = { endedAt: null, outcome: null, error: null, usage: null };
  const launch: TaskLaunch = { worker, wire, at, ...running, ...lent };
  return {
    ...task,
    state: requireTransition(task, 'R'),
    lease,
    worker,
    launches: [...task.launches, launch],
    startedAt: task.startedAt ?? at,
    notBefore: null,
  };
}

/** It was launched only on paper: it is as it was before. */
export function notLaunched(task: Task, before: Task): Task {
  const { state, worker, launches, exchange, startedAt, notBefore, waitsFor, budget } = before;
  return { ...task, lease: null, state, worker, launches, exchange, startedAt, notBefore, waitsFor, budget };
}

/** Its process group is known, before it hears what to do. */
export const recordLaunchGroup = (task: Task, group: TaskLease['group']): Task => ({
  ...task,
  lease: task.lease && { ...task.lease, group },
});

export interface LaunchEnding {
  outcome: NonNullable<TaskLaunch['outcome']>;
  error?: TaskError | null;
  usage?: TaskUsage | null;
  calls?: readonly TaskCall[] | undefined;
}

/** Ends the current launch and releases the task. */
export function launchEnded(
  task: Task,
  { outcome, error = null, usage = null, calls = [] }: LaunchEnding,
  now: number,
): Task {
  const launches = task.launches.map((one, at) =>
    at === task.launches.length - 1 && one.outcome === null
      ? { ...one, outcome, error, usage, endedAt: iso(now), ...(calls.length > 0 && { calls: [...calls] }) }
      : one,
  );
  return { ...task, launches, lease: null, progress: null };
}

/** It is done, with this result. */
export const completeTask = (task: Task, result: string, now: number): Task => ({
  ...task,
  state: requireTransition(task, 'D'),
  result,
  ...ENDED,
  error: null,
  endedAt: iso(now),
});

/** It has failed for good. */
export const failTask = (task: Task, error: TaskError, now: number): Task => ({
  ...task,
  // What cannot even begin, begins and fails: N has no other way to F.
  state: requireTransition(
    { ...task, state: task.state === 'N' ? requireTransition(task, 'R') : task.state },
    'F',
  ),
  ...ENDED,
  error,
  endedAt: iso(now),
});

/** Cancels the task, for a person or an agent that may refuse it. */
export const markTaskCancelled = (task: Task, why: string, now: number): Task => ({
  ...launchEnded(task, { outcome: 'cancelled' }, now),
  state: requireTransition(task, 'X'),
  ...ENDED,
  error: task.error ?? { code: 'E00', text: why },
  endedAt: iso(now),
});

const ENDED = {
  lease: null,
  paused: false,
  progress: null,
  question: null,
  waitsFor: null,
  approval: null,
  notBefore: null,
} as const;

/** Pauses or resumes a task. Throws `failed` if it is over. */
export function setTaskPaused(task: Task, isPaused: boolean): Task {
  if (!isOver(task)) return { ...task, paused: isPaused };
  throw new CouncilError(
    'failed',
    `${task.id} is over: there is nothing to ${isPaused ? 'pause' : 'resume'}.`,
    {
      hint: `See: council task show ${task.id}`,
    },
  );
}

/** It waits for an answer. */
export const askTaskQuestion = (task: Task, question: TaskQuestion): Task => ({
  ...task,
  state: requireTransition(task, 'R'),
  question,
});

/** It was failed or cancelled, and begins anew under the same id: its past stays in its launches and its exchange. */
export function begunAnew(task: Task, now: number): Task {
  if (task.state !== 'F' && task.state !== 'X')
    throw new CouncilError(
      'failed',
      `${task.id} ${task.state === 'D' ? 'is done' : 'is not over'}: only what failed or was cancelled is retried.`,
      {
        hint: `See: council task show ${task.session}/${task.id}`,
      },
    );
  const fresh = {
    error: null,
    endedAt: null,
    attempts: 0,
    passedOver: [],
    clarifications: 0,
    notBefore: null,
    waitsFor: null,
    report: null,
    retriedAt: iso(now),
  };
  return { ...task, state: 'N', ...fresh };
}

/** With these lines at the end of its exchange. */
export const withLines = (task: Task, lines: readonly ExchangeLine[]): Task =>
  lines.length === 0 ? task : { ...task, exchange: [...task.exchange, ...lines] };

/** What was handed on is over: what it left of its share comes back. */
export const withBudgetBack = (task: Task, child: Task | undefined): Task =>
  task.budget === null || !child || task.waitsFor !== child.id
    ? task
    : { ...task, budget: task.budget + (child.budget ?? 0) };

type Strategy = 'retry' | 'another' | 'fail' | 'human';

/** The pauses before a failed launch is repeated, in milliseconds. */
export const PAUSES = [500, 1000] as const;

/** A failure, and whether time may mend it whatever its code says. */
export interface Failed extends TaskError {
  passing?: boolean;
  /** Milliseconds that the provider asked to wait. */
  waitMs?: number | null;
}

/**
 * Whether an error code concerns the worker rather than the task: late, silent, unavailable or
 * busy.
 */
export const isOfAgent = (code: string): boolean => /^E(?:2[0-2]|3[01])$/.test(code);

/**
 * Timeouts are retried, busy or missing workers replaced. Errors of the task itself fail; what only
 * a person can decide goes to a person.
 */
export function selectFailureStrategy({ code, passing = false }: Failed): Strategy {
  const number = Number(code.slice(1));
  if (passing || (number >= 20 && number <= 22)) return 'retry';
  if (number === 30 || number === 31) return 'another';
  return number >= 40 && number < 90 ? 'human' : 'fail';
}

/** What a runner tells of a launch that failed. */
export interface RunnerFailure {
  failure: FailureKind | null;
  reason: string | null;
  retryAfterMs: number | null;
  /** Which limit it ran into. */
  limit: 'task' | 'agent' | 'silence' | null;
}

const PASSING =
  /\b(?:429|502|503|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket hang up|network)\b/i;

/** The code of a launch that failed without a word of the worker's own. */
export function classifyRunnerFailure({ failure, reason, retryAfterMs, limit }: RunnerFailure): Failed {
  const text = reason ?? 'no answer';
  if (failure === 'timeout') return { code: LIMITS[limit ?? 'agent'], text };
  if (failure === 'rate-limit') return { code: 'E31', text, passing: true, waitMs: retryAfterMs };
  if (failure === 'config') return { code: 'E30', text };
  // The same prompt ends in the same way, whatever words stand in the reason.
  if (!isLasting(failure) && PASSING.test(text))
    return { code: 'E30', text, passing: true, waitMs: retryAfterMs };
  return { code: 'E99', text };
}

const LIMITS = { task: 'E20', agent: 'E21', silence: 'E22' } as const;

/** True for an error that is a limit of time: a command ends with 124. */
export const isTimeout = (error: TaskError | null): boolean =>
  error !== null && /^E2[0-2]$/.test(String(toUnknownRecord(error).code));
