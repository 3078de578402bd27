// Watches tasks: local ones, or those of a server, until they are over; and idle ones that can continue.
import { CouncilError, describeThrown } from '../../../core/base/errors.ts';
import { waitUnlessAborted } from '../../../core/heartbeat/launch/rest.ts';
import { isOver } from '../transitions.ts';
import { createInterruptedError } from '../../../core/app/app.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { loadServerClient } from '../../../core/app/feature.ts';
import type { TaskDocument } from './task-documents.ts';
import type { Tasks } from '../store.ts';
import { nameTask } from '../task.ts';
import type { Task } from '../task.ts';
import { findTask, readSessionTasks } from './find-tasks.ts';
import { describeStanding } from './news.ts';
import { parseTaskKey } from '../store.ts';
import { watchApprovals } from '../../ports.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { openTaskStore } from './ports.ts';

/** Polling interval; each look is a call to the server. */
const LOOK_MS = 2000;

/** Like `task watch`, but at a server: watches the named task with its parts, or all open ones. */
export async function watchTasksElsewhere(
  app: App,
  server: string,
  id = '',
): Promise<Result<{ tasks: TaskDocument[] }>> {
  const signal = app.interruption();
  const client = await loadServerClient(app);
  const ask = async <T>(input: Record<string, unknown>): Promise<T> =>
    (await client.ask(app, { server, command: 'task', input })).document as T;
  const wanted =
    id.trim() === '' ? undefined : (await ask<{ task: TaskDocument }>({ action: 'show', text: id })).task;
  const look = async (): Promise<TaskDocument[]> => {
    const { tasks } = await ask<{ tasks: TaskDocument[] }>({ action: 'list', ...(wanted && { all: true }) });
    return tasks.filter((one) => !wanted || isWantedTask(one, wanted));
  };
  let tasks = await look();
  const open = new Set(tasks.filter((one) => !isOver(one)).map(({ session }) => session));
  const told = new Map<string, string>();
  for (;;) {
    // Tasks that were over at the start are not shown.
    const seen = tasks.filter(({ session }) => wanted || open.has(session));
    for (const one of seen) {
      const [name, line] = [`${one.session}/${one.id}`, `${one.id}: ${one.standing}`];
      if (told.get(name) !== line) app.note(line);
      told.set(name, line);
    }
    if (seen.every(isOver)) return { document: { tasks: seen } };
    if (signal.aborted) throw createInterruptedError(`council task watch ${id}`.trim());
    await waitUnlessAborted(LOOK_MS, signal);
    tasks = await look().catch((error: unknown) => keepWhileAway(error, tasks));
  }
}

type TaskName = Pick<Task, 'id' | 'session'>;
const isWantedTask = (one: TaskName, { id, session }: TaskName): boolean =>
  one.session === session && (one.id === id || one.id.startsWith(`${id}.`));

/** Waits for an unreachable server, and returns the last result if interrupted. */
function keepWhileAway<T>(error: unknown, before: T): T {
  if (error instanceof CouncilError && ['unreachable', 'interrupted'].includes(error.code)) return before;
  throw error;
}

/** Calls `wake` when a task becomes free, not for changes by the process that runs it. Returns a stop function. */
export function watchFreeTasks(app: App, workspace: Workspace, wake: () => void): () => void {
  const tasks = openTaskStore(app, workspace);
  const isFree = async (session: string, id: string): Promise<boolean> => {
    const task = await tasks.read(session, id);
    if (!task || isOver(task) || task.paused) return false;
    return task.lease === null && task.question === null && task.approval === null;
  };
  const stops = [
    watchApprovals(app, workspace, wake),
    tasks.watch((key) => {
      const at = parseTaskKey(key);
      // Unreadable tasks are reported where they are played.
      if (at)
        isFree(at.session, at.id).then(
          (free) => free && wake(),
          (error: unknown) => app.note(describeThrown(error)),
        );
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

const NEWS_MS = 1000;

/** Watches the named task, or all open ones, and resolves to them when they are over. Throws `interrupted`. */
export async function watchTasks(app: App, tasks: Tasks, id: string | undefined): Promise<Task[]> {
  const signal = app.interruption();
  const aborted = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  const told = new Map<string, string>();
  const named = id?.trim() ?? '';
  const wanted = named === '' ? undefined : await findTask(tasks, named);
  const sessions = wanted ? [wanted.session] : (await tasks.numbers()).open;
  // Created only now: after an error above, a watcher would keep the process alive.
  const { stop, waitForChange } = createTaskWatcher(tasks);
  try {
    for (;;) {
      const all = (await Promise.all(sessions.map((session) => readSessionTasks(tasks, session)))).flat();
      const found = all.filter((one) => !wanted || isWantedTask(one, wanted));
      for (const one of found) {
        const name = sessions.length > 1 ? nameTask(one) : one.id;
        const line = `${name}: ${describeStanding(one, all)}`;
        if (told.get(name) !== line) app.note(line);
        told.set(name, line);
      }
      if (found.every(isOver)) return found;
      if (signal.aborted) throw createInterruptedError(`council task watch ${named}`.trim());
      await Promise.race([waitForChange(NEWS_MS), aborted]);
    }
  } finally {
    stop();
  }
}

/** Changes come in bursts. */
const SETTLE_MS = 20;

/** Wakes when the store changes, or after a while. */
export function createTaskWatcher(tasks: Pick<Tasks, 'watch'>): {
  stop(): void;
  waitForChange(ms: number): Promise<void>;
} {
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
    waitForChange: (ms) =>
      new Promise((resolve) => {
        clearTimeout(timer);
        wake = resolve;
        timer = setTimeout(resolve, ms);
      }),
  };
}
