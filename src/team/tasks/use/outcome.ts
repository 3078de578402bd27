// What became of tasks that were played, and the code that the command ends with.
import type { ErrorCode } from '../../../core/base/errors.ts';
import { findBlockedTasks } from '../task-queue.ts';
import { isTimeout } from '../failure-strategy.ts';
import type { Task } from '../task.ts';
import { isOver } from '../transitions.ts';
import type { Result } from '../../../core/app/app.ts';
import { readSessionTasks } from './find.ts';
import type { Tasking } from './ports.ts';
import { taskDocument, taskDocuments } from './task-document.ts';
import type { TaskDocument } from './task-document.ts';

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
