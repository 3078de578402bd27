// Where a worker works: the project's folder, or a worktree of its own. Nothing of git is loaded for those that only read.
import { CouncilError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { Task, TaskError } from '../../tasks/task.ts';
import { asValue } from '../../tasks/wire.ts';
import type { Tasking } from './ports.ts';

/** Why a task cannot begin. */
export interface Refused {
  refused: { error: TaskError; body: string };
}

/** What a task keeps about its place from the first launch on. */
export const siteFor = (tasking: Tasking, task: Task): Promise<{ start: Partial<Task> } | Refused> =>
  task.isolate === 'none'
    ? Promise.resolve({ start: {} })
    : orRefused(async () => ({ start: await (await worktrees()).beginWorktree(tasking, task) }));

/** The folder of a launch, and whether its worker may write there. */
export const enterSite = (
  tasking: Tasking,
  task: Task,
): Promise<{ cwd: string; writes: boolean } | Refused> =>
  task.isolate === 'none'
    ? Promise.resolve({ cwd: tasking.project.root, writes: false })
    : orRefused(async () => (await worktrees()).placeFor(tasking, task));

const worktrees = () => import('./worktree.ts');

async function orRefused<T>(act: () => Promise<T>): Promise<T | Refused> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const text = oneLine(error.message, 160);
    return { refused: { error: { code: 'E99', text }, body: `desc=${asValue(text)}` } };
  }
}
