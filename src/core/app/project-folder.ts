// The folder of a process that lasts: it is pinned at the start, and looked at again while the process runs.
import { judgeFolder, rememberFolder } from '../store/file/judge-folder.ts';
import { findProject } from '../store/local/project.ts';
import { isReadable } from '../store/availability.ts';
import type { StoreTrouble } from '../store/availability.ts';
import type { App } from './app.ts';

/** The folder that a process which lasts works in: where it has gone, no other one above it takes its place. */
export function pinRoot(app: App): string | undefined {
  const root = findProject(app)?.root;
  if (root !== undefined) rememberFolder(root);
  return root ?? app.root;
}

/** Whether the folder that a server was started in has gone, or another one stands there. */
export async function judgeProjectFolder({ root }: Pick<App, 'root'>): Promise<StoreTrouble | undefined> {
  const trouble = root === undefined ? undefined : await judgeFolder(root);
  return isReadable(trouble) ? undefined : trouble;
}
