// The worktree of a task whose worker may write: started, entered, and closed with its changes.
import { join } from 'node:path';
import { CouncilError } from '../../../core/base/errors.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { replacePath } from '../../../core/store/local/disk.ts';
import { REPORTS_DIR } from '../../reports/report-files.ts';
import { getWireTaskId } from '../task.ts';
import type { Task, TaskError } from '../task.ts';
import { isOver } from '../transitions.ts';
import type { TaskPorts } from './ports.ts';
import * as trees from './worktree-git.ts';
import { asValue } from '../wire-lines.ts';

type WorktreeParts = Pick<TaskPorts, 'project' | 'env' | 'tasks' | 'note'>;

/** Returns the name of a worktree, shared by a task and all its parts. */
const formatWorktreeName = (task: Pick<Task, 'id' | 'session'>): string =>
  `${task.session}-${getWireTaskId(task)}`.toLowerCase();

/** Checks before tasks are created that worktrees are possible. Throws `usage`. Notes uncommitted files. */
export async function requireWorktrees(
  { project, env, note }: WorktreeParts,
  context: readonly string[],
): Promise<void> {
  const repository = await trees.openRepository(project, env);
  const [changed] = context.length > 0 ? await trees.listUncommittedFiles(repository, context) : [];
  if (changed !== undefined)
    throw new CouncilError(
      'usage',
      `${changed} has changes that are not committed, and the worker would see another one.`,
      {
        hint: 'Commit it first, or leave out --isolate: a worktree begins at the last commit.',
      },
    );
  const others = await trees.listUncommittedFiles(repository);
  if (others.length > 0)
    note(
      `A worktree begins at the last commit. Not in it: ${toOneLine(others.slice(0, 3).join(', '), 160)}${others.length > 3 ? ` and ${others.length - 3} more` : ''}.`,
    );
}

/** Chooses the branch and base for a task's first launch; or returns what a person has to do first. */
export const chooseSite = (
  parts: WorktreeParts,
  task: Task,
): Promise<{ start: Partial<Task> } | { asks: NonNullable<Task['question']> } | RefusedStart> =>
  catchRefusal(() => beginWorktree(parts, task));

async function beginWorktree({ project, env, tasks }: WorktreeParts, task: Task) {
  if (task.isolate === 'none' || task.parent !== null || task.base !== null) return { start: {} };
  const repository = await trees.openRepository(project, env);
  const before = await Promise.all(task.after.map((id) => tasks.read(task.session, id)));
  const branches = before.flatMap((one) => one?.branch ?? []);
  const tips = (await Promise.all(branches.map((one) => trees.findBranchTip(repository, one)))).filter(
    (tip) => tip !== undefined,
  );
  const base =
    tips.length === 0
      ? { commit: repository.head }
      : await trees.mergeCommits(repository, await trees.findIndependentCommits(repository, tips));
  if ('conflicts' in base) return { asks: mergeFirst(branches, base.conflicts) };
  const wanted = `council/task-${task.session}-${task.id}`;
  let branch = wanted;
  // A branch of this name may be left from tasks that are no longer known.
  for (let at = 2; (await trees.findBranchTip(repository, branch)) !== undefined; at++)
    branch = `${wanted}-${at}`;
  return { start: { branch, base: base.commit } };
}

/** Builds the question to a person if the changes of several tasks conflict. */
const mergeFirst = (branches: string[], files: string[]): NonNullable<Task['question']> => ({
  text: `${branches.join(' and ')} change the same lines of ${files.join(', ')}: merge them into one of these branches first`,
  options: ['merged'],
  of: 'human',
  until: null,
  message: null,
});

/** The folder of a launch, whether it is writable, and changes left by an earlier launch. */
export interface LaunchSite {
  cwd: string;
  writes: boolean;
  leftover?: string;
}

/** Returns where a launch works: in the project, or in a worktree. Notes changes left by an earlier launch. */
export const enterSite = (parts: WorktreeParts, task: Task): Promise<LaunchSite | RefusedStart> =>
  catchRefusal(() => choosePlace(parts, task));

async function choosePlace({ project, env, tasks, note }: WorktreeParts, task: Task): Promise<LaunchSite> {
  const root = task.isolate === 'none' ? undefined : await findOwner(tasks, task);
  if (!root?.branch || root.base === null) return { cwd: project.root, writes: false };
  const repository = await trees.openRepository(project, env);
  const { branch, base } = root;
  const left = await trees.listChangedFiles(repository, formatWorktreeName(task));
  const path = await trees.openWorktree(repository, { name: formatWorktreeName(task), branch, base });
  if (left.length > 0) {
    const leftover = toOneLine(left.join(', '), 400);
    note(`${task.id}: an earlier launch was ended and has left changes in its worktree: ${leftover}`);
    return { cwd: join(path, repository.below), writes: true, leftover };
  }
  return { cwd: join(path, repository.below), writes: true };
}

/** Returns the task that owns the worktree: parts share the worktree of their first ancestor. */
const findOwner = async (tasks: WorktreeParts['tasks'], task: Task): Promise<Task | undefined> =>
  task.parent === null ? task : tasks.read(task.session, getWireTaskId(task));

/** Returns an error if a worktree is gone, so that the work cannot be saved even if the worker reports success. */
export async function explainLostSite(
  { project, env }: WorktreeParts,
  task: Task,
): Promise<RefusedStart['refused'] | undefined> {
  if (task.isolate === 'none') return undefined;
  const found = await catchRefusal(async () =>
    trees.isWorktreeIntact(await trees.openRepository(project, env), formatWorktreeName(task)),
  );
  if (typeof found === 'object') return found.refused;
  return found ? undefined : buildRefusal('its worktree is gone: nothing of its work was kept');
}

/**
 * Closes the worktree of a finished task: commits to its branch, saves the diff next to the report, and removes
 * the worktree. Notes errors.
 */
export async function closeWorktree(parts: WorktreeParts, task: Task): Promise<Task> {
  const { project, env, tasks, note } = parts;
  const { branch, base } = task;
  if (task.isolate === 'none' || task.parent !== null || branch === null || base === null) return task;
  try {
    const repository = await trees.openRepository(project, env);
    const worktree = { name: formatWorktreeName(task), branch, base };
    const message = `Task ${task.session}/${task.id}: ${toOneLine(task.text, 60)}`;
    await trees.keepWork(repository, worktree, { author: task.worker ?? 'orchestrator', message });
    const kept = await keepChanges(parts, task, repository, worktree);
    await trees.removeWorktree(repository, worktree.name);
    if (kept.branch === null) await trees.dropBranch(repository, worktree);
    const after = await tasks.change(task.session, task.id, (now) =>
      now && isOver(now) ? { ...now, ...kept } : undefined,
    );
    return after ?? task;
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    note(`${task.id}: ${error.message} ${error.hint ?? ''}`.trim());
    return task;
  }
}

async function keepChanges(
  { project }: WorktreeParts,
  task: Task,
  repository: trees.Repository,
  worktree: trees.Worktree,
): Promise<Pick<Task, 'branch' | 'base' | 'diff' | 'patch'>> {
  const nothing = { branch: null, base: null, diff: null, patch: null };
  if ((await trees.findBranchTip(repository, worktree.branch)) === undefined) return nothing;
  const time = (task.endedAt ?? '').replace(/[-:]|\..*$/g, '').replace('T', '_');
  const patch = `${REPORTS_DIR}/${formatWorktreeName(task)}_${time}.patch`;
  const path = join(project.root, patch);
  const diff = await trees.writeBranchPatch(repository, worktree, `${path}.tmp`);
  if (diff === undefined) return nothing;
  replacePath(`${path}.tmp`, path);
  return { branch: worktree.branch, base: worktree.base, diff, patch };
}

/** Time for the process that ended a task to close its worktree (ms), before another one does. */
const PATIENCE_MS = 60_000;

/** Closes the worktrees that were left by finished tasks. */
export async function closeLeftWorktree(
  parts: WorktreeParts & Pick<TaskPorts, 'clock'>,
  session: string,
): Promise<void> {
  for (const name of trees.listWorktreeNames(parts.project)) {
    const [, of, id] = /^(s\w+)-(t\d+)$/.exec(name) ?? [];
    if (of === undefined || id === undefined || of.toUpperCase() === session) continue;
    const task = await parts.tasks.read(`S${of.slice(1)}`, id.toUpperCase());
    const isLeft = task && isOver(task) && parts.clock.now() - Date.parse(task.endedAt ?? '') > PATIENCE_MS;
    if (isLeft) await closeWorktree(parts, task);
  }
}

/** Why a task cannot start. */
export interface RefusedStart {
  refused: { error: TaskError; body: string };
}

async function catchRefusal<T>(act: () => Promise<T>): Promise<T | RefusedStart> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return { refused: buildRefusal(toOneLine(error.message, 160)) };
  }
}

const buildRefusal = (text: string): RefusedStart['refused'] => ({
  error: { code: 'E99', text },
  body: `desc=${asValue(text)}`,
});
