// A task as machines get it, and what became of tasks that others play, with the code that the command ends with.
import { createInterruptedError } from '../../../core/app/app.ts';
import type { Result, App } from '../../../core/app/app.ts';
import type { ErrorCode } from '../../../core/base/errors.ts';
import { sha256 } from '../../../core/base/ids.ts';
import { isTimeout, isOver } from '../transitions.ts';
import type { Tasks } from '../store.ts';
import { findBlockedTasks } from '../task-queue.ts';
import type { Task } from '../task.ts';
import { readSessionTasks, findTask } from './find.ts';
import { howItStands } from './news.ts';
import type { Tasking } from './ports.ts';
import { budgetQuestion } from '../answer-question.ts';
import { formatLabels } from '../../../core/app/missing-heartbeats.ts';
import type { WaitsForHeartbeat } from '../../../core/app/missing-heartbeats.ts';
import { sumTaskUsage } from '../task-trace.ts';

/** A task after it was played with these. */
export function toPlayedTaskResult({ id }: Task, played: readonly Task[]): Result<{ task: TaskDocument }> {
  const now = played.find((one) => one.id === id)!;
  return { document: { task: taskDocument(now, played) }, failed: findTaskFailureCode([now], played) };
}

/** All of a session after it was played, in their order, without the parts that were handed on. */
export async function sessionOutcome(
  { tasks: kept }: Pick<Tasking, 'tasks'>,
  session: string,
): Promise<Result<{ tasks: TaskDocument[] }>> {
  const tasks = (await readSessionTasks(kept, session)).filter(({ parent }) => parent === null);
  return { document: { tasks: taskDocuments(tasks) }, failed: findTaskFailureCode(tasks, tasks) };
}

/** Why `tasks` were not done; undefined where they were, or where some still may be. `among` are those that they come after. */
function findTaskFailureCode(tasks: readonly Task[], among: readonly Task[]): ErrorCode | undefined {
  const never = findBlockedTasks(among);
  if (tasks.some((task) => !isOver(task) && !never.has(task.id))) return undefined;
  const lost = tasks.filter(({ state }) => state !== 'D');
  if (lost.length === 0) return undefined;
  const failed = lost.filter(({ state }) => state === 'F');
  return failed.length > 0 && failed.every(({ error }) => isTimeout(error)) ? 'timed_out' : 'failed';
}

const LOOK_MS = 1000;

/** The tasks at the end: the named one, or all that are open. Returns at once where nothing is. Throws `interrupted`. */
export async function watchTasks(app: App, tasks: Tasks, id: string | undefined): Promise<Task[]> {
  const signal = app.interruption();
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const told = new Map<string, string>();
  const named = id?.trim() ?? '';
  const wanted = named === '' ? undefined : await findTask(tasks, named);
  const sessions = wanted ? [wanted.session] : (await tasks.numbers()).open;
  // Only now: what is not found must not leave a watcher behind that keeps the process alive.
  const { stop, changed } = watcher(tasks);
  try {
    for (;;) {
      const all = (await Promise.all(sessions.map((session) => readSessionTasks(tasks, session)))).flat();
      const found = all.filter(
        (one) => !wanted || one.id === wanted.id || one.id.startsWith(`${wanted.id}.`),
      );
      for (const one of found) {
        const line = `${one.id}: ${howItStands(one, all)}`;
        if (told.get(one.id) !== sha256(line)) app.note(line);
        told.set(one.id, sha256(line));
      }
      if (found.every(isOver)) return found;
      if (signal.aborted) throw createInterruptedError(`council task watch ${named}`.trim());
      await Promise.race([changed(LOOK_MS), aborted]);
    }
  } finally {
    stop();
  }
}

/** Changes come in bursts. */
const SETTLE_MS = 20;

/** Wakes when the store changes, or after a while. */
export function watcher(tasks: Pick<Tasks, 'watch'>): { stop(): void; changed(ms: number): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let wake: () => void = () => undefined;
  const unwatch = tasks.watch(() => {
    clearTimeout(timer);
    timer = setTimeout(wake, SETTLE_MS);
  });
  return {
    stop() {
      unwatch();
      clearTimeout(timer);
    },
    changed: (ms) =>
      new Promise((resolve) => {
        clearTimeout(timer);
        wake = resolve;
        timer = setTimeout(resolve, ms);
      }),
  };
}

export interface TaskDocument {
  id: string;
  session: string;
  text: string;
  state: Task['state'];
  worker: string | null;
  result: string | null;
  error: Task['error'];
  attempts: number;
  after: string[];
  needs: string[];
  /** What a person is asked, or its orchestrator. */
  question: Task['question'];
  /** How it stands, in a few words. */
  standing: string;
  [key: string]: unknown;
}

/** What machines get besides, as the task has it. */
const BESIDE = [
  'priority',
  'progress',
  'budget',
  'depth',
  'parent',
  'approval',
  'report',
  'branch',
  'diff',
  'patch',
  'createdAt',
  'startedAt',
  'endedAt',
] as const satisfies (keyof Task)[];

/** What decides how tasks stand, beside themselves. */
export interface Surroundings {
  /** For whom no heartbeat is there. */
  waiting?: ReadonlyMap<Task, WaitsForHeartbeat[]>;
  /** The ids of requests that have been approved. */
  approved?: ReadonlySet<string>;
}

/** Several tasks, each with what it waits for. */
export const taskDocuments = (
  tasks: readonly Task[],
  { waiting, approved }: Surroundings = {},
): TaskDocument[] =>
  tasks.map((task) =>
    taskDocument(task, tasks, waiting?.get(task), task.approval !== null && approved?.has(task.approval)),
  );

/** Says which labels are missing, for a task no running heartbeat can do. */
const describeMissingHeartbeat = (waiting: readonly WaitsForHeartbeat[]): string => {
  const labels = [...new Set(waiting.map((one) => formatLabels(one.labels)))];
  return `waits: no heartbeat has ${labels.join(', or ')}`;
};

/** `attempts` counts launches. */
export function taskDocument(
  task: Task,
  among: readonly Task[] = [],
  waiting: readonly WaitsForHeartbeat[] = [],
  isApproved = false,
): TaskDocument {
  const { id, session, text, state, worker, result, error, launches, after, needs } = task;
  const usage = sumTaskUsage(task);
  const missing = waiting.length === 0 ? undefined : describeMissingHeartbeat(waiting);
  const standing = howItStands(isApproved ? { ...task, approval: null } : task, among, missing);
  return {
    id,
    standing,
    session,
    text,
    state,
    worker,
    result,
    error,
    attempts: launches.length,
    after,
    needs,
    ...Object.fromEntries(BESIDE.map((key) => [key, task[key]])),
    ...(waiting.length > 0 && { waiting }),
    question: task.question ?? budgetQuestion(task)?.question ?? null,
    usage,
  };
}
