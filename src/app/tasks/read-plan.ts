// Reads what `task plan` is given: a list of tasks, or the archive of a council whose decided actions become tasks.
import { relative, resolve } from 'node:path';
import { decodeText } from '../../base/text.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { readPlan } from '../../tasks/plan-file.ts';
import type { Planned } from '../../tasks/plan-file.ts';
import type { App } from '../app.ts';
import { readGivenFile } from '../given-file.ts';
import type { Tasking } from './ports.ts';

/** The tasks, and the path that the plan is known by. Throws `usage`. */
export async function readPlanOrArchive(
  { cwd }: App,
  { project }: Pick<Tasking, 'project'>,
  file: string,
): Promise<{ planned: Planned[]; path: string }> {
  const text = decodeText(Buffer.from(readGivenFile(cwd, file.trim(), READ_LIMITS.contribution)), file);
  const path = relative(project.root, resolve(cwd, file.trim())).replaceAll('\\', '/');
  return { planned: readPlan(text, file), path };
}
