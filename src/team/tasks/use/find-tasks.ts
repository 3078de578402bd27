// Finds tasks: by id, by session, or by a part of the name or instruction.
import { CouncilError } from '../../../core/base/errors.ts';
import { findByPart, LAST, findNearest } from '../../../core/base/unknown-name.ts';
import { isTaskId, nameTask } from '../task.ts';
import type { Task } from '../task.ts';
import type { Tasks } from '../store.ts';

/** Yields the sessions, newest first. */
export async function* listSessionIds(tasks: Tasks): AsyncGenerator<string> {
  const { session: last } = await tasks.numbers();
  for (let number = last; number > 0; number--) yield `S${number}`;
}

/** Maximum number of tasks with the same id listed in an error. */
const MOST_NAMED = 5;

/**
 * Finds a task by its full name, `S2/T1`, or its id if unique; else the newest one for `last`, or the only one
 * with `given` in its name or instruction. Throws `usage`.
 */
export async function findTask(tasks: Tasks, given: string): Promise<Task> {
  const { session, id } = readTaskName(given);
  const found: Task[] = [];
  if (isTaskId(id))
    for await (const one of session === undefined ? listSessionIds(tasks) : [session]) {
      const task = await tasks.read(one, id);
      if (task) found.push(task);
      if (found.length > MOST_NAMED) break;
    }
  const [first, second] = found.map((one) => nameTask(one));
  if (second !== undefined) {
    const names = found.slice(0, MOST_NAMED).map(nameTask).join(', ');
    throw new CouncilError(
      'usage',
      `Several tasks are called ${id}: ${names}${found.length > MOST_NAMED ? ' and more' : ''}.`,
      { hint: `Give the whole name, for example ${first}. See: council task list --all` },
    );
  }
  const meant = found[0] ?? (await findTaskByPart(tasks, given.trim()));
  if (meant) return meant;
  const near = findNearest(id, await readNewestTaskIds(tasks));
  throw new CouncilError('usage', `There is no task ${JSON.stringify(given.slice(0, 80))}.`, {
    hint: `${near === undefined ? '' : `Did you mean ${near}? `}See: council task list --all`,
  });
}

async function findTaskByPart(tasks: Tasks, given: string): Promise<Task | undefined> {
  const all: Task[] = [];
  for await (const session of listSessionIds(tasks)) {
    const { tasks: made = [] } = (await tasks.session(session)) ?? {};
    const newest = given === LAST ? made.at(-1) : undefined;
    if (newest !== undefined) return tasks.read(session, newest);
    all.push(...(await readSessionTasks(tasks, session)));
  }
  return findByPart(given, all, {
    plural: 'tasks',
    code: 'usage',
    listNames: (one) => [nameTask(one), one.text],
    show: nameTask,
  });
}

/** Splits `S2/T1`, or `T1` alone. */
function readTaskName(given: string): { session: string | undefined; id: string } {
  const [, named, id = given] = /^(S[a-z0-9]+)[/:](.+)$/i.exec(given.trim()) ?? [];
  return { session: named && `S${named.slice(1).toLowerCase()}`, id: id.trim().toUpperCase() };
}

/** Returns the full name of a task. A full name is returned as it is, for any task. Throws `usage`. */
export async function findTaskName(tasks: Tasks, given: string): Promise<string> {
  const { session, id } = readTaskName(given);
  return session !== undefined && isTaskId(id)
    ? nameTask({ session, id })
    : nameTask(await findTask(tasks, given));
}

async function readNewestTaskIds(tasks: Tasks): Promise<string[]> {
  for await (const session of listSessionIds(tasks)) {
    const found = await tasks.session(session);
    if (found) return found.tasks;
  }
  return [];
}

/** Reads the tasks of a session in order of creation, each followed by its parts. */
export async function readSessionTasks(tasks: Tasks, session: string): Promise<Task[]> {
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

/** Reads the tasks of a session and of later ones, which include those given away by its orchestrators. */
export async function readLaterTasks(tasks: Tasks, first: string): Promise<Task[]> {
  const found: Task[] = [];
  for await (const session of listSessionIds(tasks)) {
    found.unshift(...(await readSessionTasks(tasks, session)));
    if (session === first) break;
  }
  return found;
}
