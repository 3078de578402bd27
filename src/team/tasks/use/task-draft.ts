// What a command says about its tasks, as drafts of them.
import { CouncilError } from '../../../core/base/errors.ts';
import { PRIORITY_OF } from '../plan-file.ts';
import type { App } from '../../../core/app/app.ts';
import type { TaskInput } from '../../input/tasks.ts';
import type { Tasking } from './ports.ts';
import { readContext } from './task-attachments.ts';
import { listWorkerAgents } from './workers.ts';

/** A task out of what was given. */
export const toTaskDraft = (
  { needs, to, priority, budget, timeout, after, context, ...input }: TaskInput,
  text: string,
) => ({
  text,
  needs: [
    ...new Set(
      needs
        .flatMap((one) => one.split(','))
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ],
  ...(to !== undefined && { to }),
  ...(priority !== undefined && { priority: PRIORITY_OF[priority]! }),
  ...(budget !== undefined && { budget }),
  ...(timeout !== undefined && { timeout }),
  ...pickTaskSettings(input),
  after: [...new Set(after.flatMap((one) => one.split(',')))],
  context,
});

/**
 * The files that go with a task, as paths from the project: named as those of a question are. Each is read once, so that what
 * cannot be given is said before there is a task. Throws `usage`, `forbidden`, `not_a_file`, `too_large`, `invalid_text`.
 */
export async function resolveTaskFiles(app: App, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [];
  const [{ findFiles }, { formatProjectPath: named, resolveFileScope: placeOf }] = await Promise.all([
    import('../../../core/app/context/find-files.ts'),
    import('../../../core/app/context/file-scope.ts'),
  ]);
  const place = placeOf(app);
  const files = findFiles(given, place).files.map(({ path }) => named(path, place));
  for (const file of files) readContext(place.root, file);
  return files;
}

/** What holds for all tasks of a command. */
export const pickTaskSettings = ({ risk, isolate }: Pick<TaskInput, 'risk' | 'isolate'>) => ({
  ...(risk !== undefined && { risk }),
  ...(isolate !== undefined && { isolate }),
});

/** Agents that council knows by name get no tools to write; what a command does is its own affair. */
function tellUnkept(tasking: Tasking, to: string | undefined): void {
  const commands = listWorkerAgents(tasking).filter(
    ({ id, runner }) => runner === 'command' && (to === undefined || id === to),
  );
  if (commands.length > 0)
    tasking.note(
      `Nothing keeps a command from changing files: ${commands.map(({ id }) => id).join(', ')}. The others get no tools for that.`,
    );
}

/** Checks that an agent that may write can have its own worktree. Throws `usage` if not. */
export async function requireSite(
  tasking: Tasking,
  { isolate, readOnly, to }: TaskInput,
  context: readonly string[],
): Promise<void> {
  if (readOnly && isolate !== 'worktree') return tellUnkept(tasking, to);
  if (isolate !== 'worktree') return;
  if (readOnly)
    throw new CouncilError(
      'usage',
      'With --isolate worktree a worker may write: --read-only contradicts that.',
      {
        hint: 'Leave out one of the two.',
      },
    );
  await (await import('./worktree.ts')).requireWorktrees(tasking, context);
}
