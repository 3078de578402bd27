// Watches tasks that others play: says what changes until all of them are over.
import { sha256 } from '../../../core/base/ids.ts';
import { isOver } from '../transitions.ts';
import type { Task } from '../task.ts';
import type { Tasks } from '../store.ts';
import { createInterruptedError } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import { findTask, readSessionTasks } from './find.ts';
import { howItStands } from './news.ts';
import { watcher } from './wait-for-tasks.ts';

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
