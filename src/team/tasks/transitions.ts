// State changes of a task, one step at a time: pure functions that refuse what its state forbids.
import { formatIso } from '../../core/base/clock.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { isTransition } from '../messages/policy.ts';
import type { TaskState } from '../messages/message.ts';
import { nameTask } from './task.ts';
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

/** Throws `failed` with E15 if a task may not change to that state. */
function requireTransition(task: Task, state: TaskState): TaskState {
  if (isTransition(task.state, state)) return state;
  throw new CouncilError('failed', `${task.id} is ${task.state} and cannot become ${state} (E15).`, {
    hint: `See: council task show ${task.session}/${task.id}`,
  });
}

/** True if a task is done, failed or cancelled. */
export const isOver = ({ state }: Pick<Task, 'state'>): boolean =>
  state === 'D' || state === 'F' || state === 'X';

/** True if the task is worked on under this lease. */
export const isLeaseHeld = (task: Task, leaseId: string): boolean => task.lease?.id === leaseId;

/** Starts a launch; `now` in milliseconds. */
export function startLaunch(
  task: Task,
  { lease, worker, wire }: { lease: TaskLease; worker: string; wire: string },
  now: number,
): Task {
  const at = formatIso(now);
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

/** Restores the state before a launch that was recorded, but did not happen. */
export function undoLaunch(task: Task, before: Task): Task {
  const { state, worker, launches, exchange, startedAt, notBefore, waitsFor, budget } = before;
  return { ...task, lease: null, state, worker, launches, exchange, startedAt, notBefore, waitsFor, budget };
}

/** Records the process group before the program gets its input. */
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

export function endCurrentLaunch(
  task: Task,
  { outcome, error = null, usage = null, calls = [] }: LaunchEnding,
  now: number,
): Task {
  const launches = task.launches.map((one, at) =>
    at === task.launches.length - 1 && one.outcome === null
      ? {
          ...one,
          outcome,
          error,
          usage,
          endedAt: formatIso(now),
          ...(calls.length > 0 && { calls: [...calls] }),
        }
      : one,
  );
  return { ...task, launches, lease: null, progress: null };
}

export const completeTask = (task: Task, result: string, now: number): Task => ({
  ...task,
  state: requireTransition(task, 'D'),
  result,
  ...ENDED,
  error: null,
  endedAt: formatIso(now),
});

/** Fails the task permanently. */
export const failTask = (task: Task, error: TaskError, now: number): Task => ({
  ...task,
  // A new task goes through R, because N has no transition to F.
  state: requireTransition(
    { ...task, state: task.state === 'N' ? requireTransition(task, 'R') : task.state },
    'F',
  ),
  ...ENDED,
  error,
  endedAt: formatIso(now),
});

/** Cancels the task, for a person or an agent that may refuse it. */
export const markTaskCancelled = (task: Task, why: string, now: number): Task => ({
  ...endCurrentLaunch(task, { outcome: 'cancelled' }, now),
  state: requireTransition(task, 'X'),
  ...ENDED,
  error: task.error ?? { code: 'E00', text: why },
  endedAt: formatIso(now),
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
      hint: `See: council task show ${nameTask(task)}`,
    },
  );
}

/** Makes the task wait for an answer. */
export const askTaskQuestion = (task: Task, question: TaskQuestion): Task => ({
  ...task,
  state: requireTransition(task, 'R'),
  question,
});

/** Restarts a failed or cancelled task under the same id. Its history stays in its launches and its exchange. */
export function restartTask(task: Task, now: number): Task {
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
    retriedAt: formatIso(now),
  };
  return { ...task, state: 'N', ...fresh };
}

export const withLines = (task: Task, lines: readonly ExchangeLine[]): Task =>
  lines.length === 0 ? task : { ...task, exchange: [...task.exchange, ...lines] };

/** Returns the unused budget of a finished part. */
export const withBudgetBack = (task: Task, child: Task | undefined): Task =>
  task.budget === null || !child || task.waitsFor !== child.id
    ? task
    : { ...task, budget: task.budget + (child.budget ?? 0) };

type Strategy = 'retry' | 'another' | 'fail' | 'human';

/** Delays before a failed launch is retried, in milliseconds. */
export const PAUSES = [500, 1000] as const;

/** A failure; `passing` if it may be temporary whatever its code. */
export interface FailedLaunch extends TaskError {
  passing?: boolean;
  /** Milliseconds that the provider asked to wait. */
  waitMs?: number | null;
}

/** True if an error code concerns the worker rather than the task: late, silent, unavailable or busy. */
export const isOfAgent = (code: string): boolean => /^E(?:2[0-2]|3[01])$/.test(code);

/**
 * Timeouts are retried, busy or missing workers replaced. Errors of the task itself fail; what only
 * a person can decide goes to a person.
 */
export function selectFailureStrategy({ code, passing = false }: FailedLaunch): Strategy {
  const number = Number(code.slice(1));
  if (passing || (number >= 20 && number <= 22)) return 'retry';
  if (number === 30 || number === 31) return 'another';
  return number >= 40 && number < 90 ? 'human' : 'fail';
}

/** A runner's report of a failed launch. */
export interface RunnerFailure {
  failure: FailureKind | null;
  reason: string | null;
  retryAfterMs: number | null;
  /** The time limit that it exceeded. */
  limit: 'task' | 'agent' | 'silence' | null;
}

const PASSING =
  /\b(?:429|502|503|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket hang up|network)\b/i;

/** Returns the code for a launch that failed without an error line of the worker. */
export function classifyRunnerFailure({ failure, reason, retryAfterMs, limit }: RunnerFailure): FailedLaunch {
  const text = reason ?? 'no answer';
  if (failure === 'timeout') return { code: LIMITS[limit ?? 'agent'], text };
  if (failure === 'rate-limit') return { code: 'E31', text, passing: true, waitMs: retryAfterMs };
  if (failure === 'config') return { code: 'E30', text };
  // The same prompt fails in the same way, whatever the reason mentions.
  if (!isLasting(failure) && PASSING.test(text))
    return { code: 'E30', text, passing: true, waitMs: retryAfterMs };
  return { code: 'E99', text };
}

const LIMITS = { task: 'E20', agent: 'E21', silence: 'E22' } as const;

/** True for a timeout: the command exits with 124. */
export const isTimeout = (error: TaskError | null): boolean => error !== null && /^E2[0-2]$/.test(error.code);
