// Builds task drafts from a command's input: an instruction, a list of tasks, or the archive of a council.
import { relative, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { isRemote } from '../../../core/app/app.ts';
import type { App } from '../../../core/app/app.ts';
import type { TextSource } from '../../../core/app/input/fields.ts';
import { openWorkspace } from '../../../core/app/workspace.ts';
import { readDecidedActions } from '../../../core/archive/decided-actions.ts';
import type { readArchive } from '../../../core/archive/read.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import { sha256 } from '../../../core/base/ids.ts';
import { decodeText, toOneLine } from '../../../core/base/text.ts';
import type { TaskInput } from '../../input/tasks.ts';
import { PRIORITY_OF } from '../../messages/codecs/grammar.ts';
import { readPlan, fillPlaceholders, readSettings } from '../plan-file.ts';
import type { PlanItem } from '../plan-file.ts';
import type { TaskPorts } from './ports.ts';
import { requireWorktrees } from './worktree.ts';
import { readEnclosedFile } from './build-prompt.ts';
import { listWorkerAgents, isWorker } from './workers.ts';
import { READ_LIMITS } from '../../../core/base/limits.ts';
import { readGivenFile } from '../../../core/app/given-file.ts';

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
 * Resolves the files to enclose, relative to the project, by the same rules as those of a question. Reads each
 * once, so that errors occur before the task exists. Throws `usage`, `forbidden`, `not_a_file`, `too_large`,
 * `invalid_text`.
 */
export async function resolveTaskFiles(app: App, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return [];
  const { findFiles, formatProjectPath, resolveFileScope } =
    await import('../../../core/app/context/find-files.ts');
  const place = resolveFileScope(app);
  const files = findFiles(given, place).files.map(({ path }) => formatProjectPath(path, place));
  for (const file of files) readEnclosedFile(place.root, file);
  return files;
}

export const pickTaskSettings = ({ risk, isolate }: Pick<TaskInput, 'risk' | 'isolate'>) => ({
  ...(risk !== undefined && { risk }),
  ...(isolate !== undefined && { isolate }),
});

/** Warns about commands: known programs get no tools to write, but a command may do anything. */
function tellUnkept(tasking: TaskPorts, to: string | undefined): void {
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
  tasking: TaskPorts,
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
  await requireWorktrees(tasking, context);
}

interface PlanDraft {
  planned: PlanItem[];
  /** Identifies the plan. */
  path: string;
}

/**
 * Reads tasks from a file, or from an archive by path or name. `sent` is the file of a remote client; without
 * it no local file is read for them. Throws `usage`, `forbidden`, and as `findArchive`.
 */
export async function readPlanOrArchive(
  app: App,
  tasking: TaskPorts,
  given: string,
  { plan: sent, set }: Pick<TaskInput, 'plan' | 'set'>,
): Promise<PlanDraft> {
  const name = given.trim();
  const values = readSettings(set);
  const text = isRemote(app) ? await readSentText(name, sent) : planFile(app.cwd, name);
  if (text === undefined) {
    const { findArchive } = await import('../../../core/archive/read.ts');
    const { path, archive } = await findArchive(openWorkspace(app).ports.archives, name).catch(
      throwNeitherError,
    );
    return { planned: listPlannedActions(tasking, archive, path), path };
  }
  const file = sent
    ? formatSentName(name, text)
    : relative(tasking.project.root, resolve(app.cwd, name)).replaceAll('\\', '/');
  // The same file with other values is another plan.
  const path = set.length === 0 ? file : `${file} (${toOneLine([...set].sort().join(', '), 200)})`;
  const planned = await parsePlannedTasks(tasking, fillPlaceholders(text, values, name), { name, path });
  if (isRemote(app)) refuseWriters(planned);
  return { planned, path };
}

const readSentText = async (name: string, sent: TextSource | undefined): Promise<string | undefined> =>
  sent && decodeText(await sent.bytes(), name);

/** Files of several machines may have equal names: equal content continues the plan, other content does not. */
const formatSentName = (name: string, text: string): string =>
  `${toOneLine(name, 200)} (${sha256(text).slice(0, 8)})`;

async function parsePlannedTasks(
  tasking: TaskPorts,
  text: string,
  { name, path }: { name: string; path: string },
): Promise<PlanItem[]> {
  if (!/^---\r?\n[\s\S]*?^conversationId:/m.test(text.slice(0, 4096)))
    return readPlan(text, name, (line) => tasking.note(line));
  // Most plans are lists, so the archive code is loaded only if needed.
  const archives = await import('../../../core/archive/read.ts');
  return listPlannedActions(tasking, archives.readArchive(text, path), path);
}

/** Permission to write is given only on the machine of the project. */
function refuseWriters(planned: readonly PlanItem[]): void {
  const writes = planned.filter(({ isolate }) => isolate === 'worktree').map(({ id }) => id);
  if (writes.length === 0) return;
  throw new CouncilError('forbidden', `A plan from elsewhere lets no worker write: ${writes.join(', ')}.`, {
    hint: 'Leave out "isolate", or play the plan on the machine of the project.',
  });
}

/** Extends the error: the name may have meant a file. */
function throwNeitherError(error: unknown): never {
  if (!(error instanceof CouncilError) || error.code !== 'unknown_archive') throw error;
  const message = error.message.replace('There is no archive', 'There is no file and no archive');
  throw new CouncilError(error.code, message, {
    hint: `${PLAN_HINT}\n${error.hint ?? ''}`.trim(),
    details: error.details,
  });
}

function listPlannedActions(
  { agents }: Pick<TaskPorts, 'agents'>,
  { meta, synthesis }: ReturnType<typeof readArchive>,
  path: string,
): PlanItem[] {
  const isAgent = (id: string): boolean => {
    const agent = agents.find(id);
    return agent !== undefined && isWorker(agent);
  };
  const actions = readDecidedActions(synthesis.text, meta.topic, isAgent);
  if (actions.length > 0) return actions.map((action) => ({ ...action, priority: 'normal', budget: null }));
  throw new CouncilError(
    'usage',
    `${path} names no actions: its synthesis has no list under "Next actions".`,
    {
      hint: 'Write the tasks into a file of their own: - T1: … (see council task --help)',
    },
  );
}

const PLAN_HINT = 'A plan is a Markdown file: council task plan PLAN.md. Its form: council task --help';

/** Reads the plan file; undefined for a word that is no file, and may name a council. Throws as `readGivenFile`. */
export function planFile(cwd: string, name: string): string | undefined {
  const isFile = existsSync(resolve(cwd, name));
  if (!isFile && !/[/\\.]/.test(name)) return undefined;
  return decodeText(Buffer.from(readGivenFile(cwd, name, READ_LIMITS.archive, PLAN_HINT)), name);
}
