// Reads what `task plan` is given: a list of tasks, or the archive of a council whose decided actions become tasks.
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { readArchive } from '../../archive/read.ts';
import { CouncilError } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { decodeText } from '../../base/text.ts';
import { decidedActions } from '../../tasks/decided-actions.ts';
import { readPlan } from '../../tasks/plan-file.ts';
import type { Planned } from '../../tasks/plan-file.ts';
import type { App } from '../app.ts';
import { readGivenFile } from '../given-file.ts';
import { openWorkspace } from '../workspace.ts';
import type { Tasking } from './ports.ts';
import { isWorker } from './workers.ts';

const HINT = 'A plan is a Markdown file: council task plan PLAN.md. Its form: council task --help';

interface Plan {
  planned: Planned[];
  /** What the plan is known by. */
  path: string;
}

/** The tasks of a file, or of an archive by its path or its name. Throws `usage`, and as `findArchive`. */
export async function readPlanOrArchive(app: App, tasking: Tasking, given: string): Promise<Plan> {
  const file = given.trim();
  const { root } = tasking.project;
  const isFile = existsSync(resolve(app.cwd, file));
  // A word that is no file may be the name of a council.
  if (!isFile && !/[/\\.]/.test(file)) {
    const { findArchive } = await import('../../archive/read.ts');
    const { path, archive } = await findArchive(openWorkspace(app).ports.archives, file).catch(orNeither);
    return { planned: actionsOf(tasking, archive, path), path };
  }
  const text = decodeText(Buffer.from(readGivenFile(app.cwd, file, READ_LIMITS.archive, HINT)), file);
  const path = relative(root, resolve(app.cwd, file)).replaceAll('\\', '/');
  if (!/^---\r?\n[\s\S]*?^conversationId:/m.test(text.slice(0, 4096)))
    return { planned: readPlan(text, file, (line) => tasking.note(line)), path };
  // Most plans are lists: nothing of archives is loaded for those.
  const archives = await import('../../archive/read.ts');
  return { planned: actionsOf(tasking, archives.readArchive(text, path), path), path };
}

/** A file may have been meant as well. */
function orNeither(error: unknown): never {
  if (!(error instanceof CouncilError) || error.code !== 'unknown_archive') throw error;
  const message = error.message.replace('There is no archive', 'There is no file and no archive');
  throw new CouncilError(error.code, message, {
    hint: `${HINT}\n${error.hint ?? ''}`.trim(),
    details: error.details,
  });
}

function actionsOf(
  { agents }: Pick<Tasking, 'agents'>,
  { meta, synthesis }: ReturnType<typeof readArchive>,
  path: string,
): Planned[] {
  const isAgent = (id: string): boolean => {
    const agent = agents.find(id);
    return agent !== undefined && isWorker(agent);
  };
  const planned = decidedActions(synthesis.text, meta.topic, isAgent);
  if (planned.length > 0) return planned;
  throw new CouncilError(
    'usage',
    `${path} names no actions: its synthesis has no list under "Next actions".`,
    {
      hint: 'Write the tasks into a file of their own: - T1: … (see council task --help)',
    },
  );
}
