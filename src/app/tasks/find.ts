// Finds tasks: by their ids, by session, and all that are not over.
import { CouncilError } from '../../base/errors.ts';
import { nearest } from '../../base/unknown.ts';
import { isTaskId } from '../../tasks/task.ts';
import type { Task } from '../../tasks/task.ts';
import type { Tasks } from '../../tasks/store.ts';

/** The sessions, the newest first. */
export async function* sessionsOf(tasks: Tasks): AsyncGenerator<string> {
  const { session: last } = await tasks.numbers();
  for (let number = last; number > 0; number--) yield `S${number}`;
}

/** A task by its id: that of the newest session that has one, or `S2/T1`. Throws `usage`. */
export async function findTask(tasks: Tasks, given: string): Promise<Task> {
  const [, named, id = given] = /^(S[a-z0-9]+)[/:](.+)$/i.exec(given) ?? [];
  const wanted = id.toUpperCase();
  if (isTaskId(wanted)) {
    const sessions = named === undefined ? sessionsOf(tasks) : [`S${named.slice(1).toLowerCase()}`];
    for await (const session of sessions) {
      const task = await tasks.read(session, wanted);
      if (task) return task;
    }
  }
  const known = await newestIds(tasks);
  const near = nearest(wanted, known);
  throw new CouncilError('usage', `There is no task ${JSON.stringify(given.slice(0, 80))}.`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}See: council task list --all`,
  });
}

async function newestIds(tasks: Tasks): Promise<string[]> {
  for await (const session of sessionsOf(tasks)) {
    const found = await tasks.session(session);
    if (found) return found.tasks;
  }
  return [];
}

/** The tasks of a session in the order in which they were made, each followed by what was handed on out of it. */
export async function tasksIn(tasks: Tasks, session: string): Promise<Task[]> {
  const found: Task[] = [];
  const add = async (id: string): Promise<void> => {
    const task = await tasks.read(session, id);
    if (!task) return;
    found.push(task);
    for (let at = 1; at <= task.children; at++) await add(`${id}.${at}`);
  };
  for (const id of (await tasks.session(session))?.tasks ?? []) await add(id);
  return found;
}

/** The tasks of a session and of those that came after it: among them is what its orchestrators gave away. */
export async function tasksSince(tasks: Tasks, first: string): Promise<Task[]> {
  const found: Task[] = [];
  for await (const session of sessionsOf(tasks)) {
    found.unshift(...(await tasksIn(tasks, session)));
    if (session === first) break;
  }
  return found;
}
