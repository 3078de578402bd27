// Where a worker works: the project's folder, or a worktree of its own. Nothing of git is loaded for those that only read.
import { CouncilError } from '../../../core/base/errors.ts';
import { oneLine } from '../../../core/base/text.ts';
import type { Task, TaskError } from '../task.ts';
import { asValue } from '../wire-lines.ts';
import type { Tasking } from './ports.ts';
import type { Site } from './worktree.ts';

/** Why a task cannot begin. */
export interface Refused {
  refused: { error: TaskError; body: string };
}

/** What a person has to do before a task can begin. */
interface WorktreeQuestion {
  asks: NonNullable<Task['question']>;
}

/** What a task keeps about its place from the first launch on. */
export const chooseSite = (
  tasking: Tasking,
  task: Task,
): Promise<{ start: Partial<Task> } | WorktreeQuestion | Refused> =>
  task.isolate === 'none'
    ? Promise.resolve({ start: {} })
    : orRefused(async () => (await worktrees()).beginWorktree(tasking, task));

/** Why what a worker has done cannot be kept, although it may say that it is done; undefined where it can. */
export async function lostSite(tasking: Tasking, task: Task): Promise<Refused['refused'] | undefined> {
  if (task.isolate === 'none') return undefined;
  const found = await orRefused(async () => (await worktrees()).isWorktreeGone(tasking, task));
  if (typeof found === 'object') return found.refused;
  return found ? buildRefusal('its worktree is gone: nothing of its work was kept') : undefined;
}

/** Where a launch works. */
export const enterSite = (tasking: Tasking, task: Task): Promise<Site | Refused> =>
  task.isolate === 'none'
    ? Promise.resolve({ cwd: tasking.project.root, writes: false })
    : orRefused(async () => (await worktrees()).choosePlace(tasking, task));

const worktrees = () => import('./worktree.ts');

async function orRefused<T>(act: () => Promise<T>): Promise<T | Refused> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return { refused: buildRefusal(oneLine(error.message, 160)) };
  }
}

const buildRefusal = (text: string): Refused['refused'] => ({
  error: { code: 'E99', text },
  body: `desc=${asValue(text)}`,
});
