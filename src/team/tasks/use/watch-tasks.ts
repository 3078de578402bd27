// Watches tasks: idle ones here that can continue, and those of a server elsewhere until they are over.
import { CouncilError, describeThrown } from '../../../core/base/errors.ts';
import { rest } from '../../../core/heartbeat/launch/rest.ts';
import { isOver } from '../transitions.ts';
import { createInterruptedError } from '../../../core/app/app.ts';
import type { App, Result } from '../../../core/app/app.ts';
import { loadServerClient } from '../../../core/app/feature.ts';
import type { TaskDocument } from './outcome.ts';
import { parseTaskKey } from '../store.ts';
import { watchApprovals } from '../../ports.ts';
import type { Workspace } from '../../../core/app/workspace.ts';
import { openTaskStore } from './ports.ts';

/** Each look is a call. */
const LOOK_MS = 2000;

/** Like `task watch`, of a server: the named one with its parts, or all that are open. */
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
    return tasks.filter((one) => !wanted || matchesWantedTask(one, wanted));
  };
  let tasks = await look();
  const open = new Set(tasks.filter((one) => !isOver(one)).map(({ session }) => session));
  const told = new Map<string, string>();
  for (;;) {
    // Tasks that were over before need not be shown.
    const seen = tasks.filter(({ session }) => wanted || open.has(session));
    for (const one of seen) {
      const [name, line] = [`${one.session}/${one.id}`, `${one.id}: ${one.standing}`];
      if (told.get(name) !== line) app.note(line);
      told.set(name, line);
    }
    if (seen.every(isOver)) return { document: { tasks: seen } };
    if (signal.aborted) throw createInterruptedError(`council task watch ${id}`.trim());
    await rest(LOOK_MS, signal);
    tasks = await look().catch((error: unknown) => unlessAway(error, tasks));
  }
}

const matchesWantedTask = (one: TaskDocument, { id, session }: TaskDocument): boolean =>
  one.session === session && (one.id === id || one.id.startsWith(`${id}.`));

/** A server that is away for a moment is waited for, and an interruption ends it with what was seen last. */
function unlessAway<T>(error: unknown, before: T): T {
  if (error instanceof CouncilError && ['unreachable', 'interrupted'].includes(error.code)) return before;
  throw error;
}

/**
 * Calls `wake` then; changes by the process that runs a task do not count. Returns the stop
 * function.
 */
export function onFreeTask(app: App, workspace: Workspace, wake: () => void): () => void {
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
