// The project folder of a long-running process: remembered at the start, and checked while the process runs.
import { findFolderTrouble, rememberFolder } from '../store/file/find-folder-trouble.ts';
import { findProject } from '../store/local/project.ts';
import { isReadable } from '../store/availability.ts';
import type { StoreTrouble } from '../store/availability.ts';
import type { App } from './app.ts';

/** Returns the folder of a long-running process. If it disappears, no folder above it takes its place. */
export function pinRoot(app: App): string | undefined {
  const root = findProject(app)?.root;
  if (root !== undefined) rememberFolder(root);
  return root ?? app.root;
}

/** Checks whether the folder that a server was started in is gone, or was replaced by another one. */
export async function findProjectFolderTrouble({
  root,
}: Pick<App, 'root'>): Promise<StoreTrouble | undefined> {
  const trouble = root === undefined ? undefined : await findFolderTrouble(root);
  return isReadable(trouble) ? undefined : trouble;
}
