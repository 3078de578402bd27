// Where given files are looked for, and how they are called.
import fs from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { attempt } from '../../store/local/disk.ts';
import { layOutProject } from '../../store/local/project.ts';
import { resolveAllLinks } from '../../store/local/read.ts';
import { isRemote } from '../app.ts';
import type { App } from '../app.ts';
import { findWorkspace } from '../workspace.ts';

/** Where names are looked up, and what they may lead to. */
export interface FileScope {
  /** The folder that relative names start from. */
  from: string;
  root: string;
  /** The local user may name any file; remote callers only those of the project. */
  isOwner: boolean;
  /**
   * Files that council writes or adds to every prompt: skipped when a folder around them is named.
   */
  own: string[];
}

/** The scope of a caller: the local user names any file, from the current folder; others only those of the project. */
export function resolveFileScope(app: App): FileScope {
  const { root } = findWorkspace(app)?.project ?? layOutProject(app.cwd);
  const isOwner = !isRemote(app);
  const own = ['memory/shared', 'conseils', 'COUNCIL.md', 'HEARTBEAT-COUNCIL.md'].map((name) =>
    join(root, name),
  );
  return { from: isOwner ? app.cwd : root, root, isOwner, own };
}

/** A path as it is told: relative to the project, with slashes. */
export const formatProjectPath = (path: string, { root }: Pick<FileScope, 'root'>): string =>
  (relative(root, path) || '.').split(sep).join('/');

/** Whether a path is the folder or lies in it, by the names alone: links are not followed. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** On some disks in any case. */
export const isGitName = (name: string): boolean => name.toLowerCase() === '.git';

/** Whether a path, or what it leads to, lies in a `.git` or is one: settings there can hold passwords. */
export const isOfGit = (path: string, { root }: Pick<FileScope, 'root'>): boolean =>
  relative(root, path).split(sep).some(isGitName) ||
  relative(resolveAllLinks(root), resolveAllLinks(path)).split(sep).some(isGitName);

/** Whether a part of the way from the project to a path is a link, or the way does not begin at the project. */
export function reachedByLink(path: string, root: string): boolean {
  if (!isInside(path, root)) return true;
  const names = relative(root, path).split(sep);
  return names.some((_, at) => {
    const part = join(root, ...names.slice(0, at + 1));
    return part !== root && attempt('look at', part, () => fs.lstatSync(part).isSymbolicLink());
  });
}
