// Where given files are looked up, and how their paths are shown.
import fs from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { attempt } from '../../store/local/disk.ts';
import { layOutProject } from '../../store/local/project.ts';
import { resolveAllLinks } from '../../store/local/read.ts';
import { isRemote } from '../app.ts';
import type { App } from '../app.ts';
import { findWorkspace } from '../workspace.ts';

/** Where names are resolved, and which files are allowed. */
export interface FileScope {
  /** The base folder of relative names. */
  from: string;
  root: string;
  /** The local user may name any file; remote callers only those of the project. */
  isOwner: boolean;
  /** Files that council writes or adds to every prompt: skipped if a folder around them is named. */
  own: string[];
}

/**
 * Returns the caller's scope: the local user names any file, from the current folder; others only project
 * files.
 */
export function resolveFileScope(app: App): FileScope {
  const { root } = findWorkspace(app)?.project ?? layOutProject(app.cwd);
  const isOwner = !isRemote(app);
  const own = ['memory/shared', 'conseils', 'COUNCIL.md', 'HEARTBEAT-COUNCIL.md'].map((name) =>
    join(root, name),
  );
  return { from: isOwner ? app.cwd : root, root, isOwner, own };
}

/** Formats a path relative to the project, with slashes. */
export const formatProjectPath = (path: string, { root }: Pick<FileScope, 'root'>): string =>
  (relative(root, path) || '.').split(sep).join('/');

/** Whether a path is the folder or is below it, by names only: links are not followed. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** Some file systems ignore case. */
export const isGitName = (name: string): boolean => name.toLowerCase() === '.git';

/** Whether a path, or its target, is in a `.git` or is one: settings there can contain passwords. */
export const isOfGit = (path: string, { root }: Pick<FileScope, 'root'>): boolean =>
  relative(root, path).split(sep).some(isGitName) ||
  relative(resolveAllLinks(root), resolveAllLinks(path)).split(sep).some(isGitName);

/** Whether part of the path from the project is a link, or the path is outside the project. */
export function isReachedByLink(path: string, root: string): boolean {
  if (!isInside(path, root)) return true;
  const names = relative(root, path).split(sep);
  return names.some((_, at) => {
    const part = join(root, ...names.slice(0, at + 1));
    return part !== root && attempt('look at', part, () => fs.lstatSync(part).isSymbolicLink());
  });
}
