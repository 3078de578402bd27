// Tells whether a folder is a git clone or brings along agents or settings.
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { attempt, listFolderNames } from './disk.ts';
import { ownFolder } from './folders.ts';
import { readBytes } from './read.ts';

/**
 * Whether a folder lies in a git work tree that was cloned, or is kept in step with another: what it holds may be
 * somebody else's. Git itself is not asked, because settings in the folder can make it run programs. Throws `io`.
 */
export function isClone(folder: string): boolean {
  const tree = workTree(folder);
  if (!tree) return false;
  // A file leads to the repository of a submodule or of another work tree.
  return !tree.isFolder || hasRemote(join(tree.top, '.git'));
}

/** The nearest folder upwards that has a `.git`, and whether that is a folder. Undefined where there is none. Throws `io`. */
export function workTree(folder: string): { top: string; isFolder: boolean } | undefined {
  for (let top = resolve(folder); ; top = dirname(top)) {
    const git = join(top, '.git');
    const stat = attempt('look at', git, () => fs.lstatSync(git, { throwIfNoEntry: false }));
    if (stat) return { top, isFolder: stat.isDirectory() };
    if (dirname(top) === top) return undefined;
  }
}

/**
 * Where other repositories stand in git's settings: sections in any case and spelling, and files that may have some. Settings
 * that cannot be read as such count as foreign.
 */
const REMOTE = /\[[^\]"\n]*(remote|include)|\bremote\s*=/i;

function hasRemote(git: string): boolean {
  try {
    // What was fetched once, and settings that lie elsewhere.
    if (['FETCH_HEAD', 'commondir'].some((name) => isThere(join(git, name)))) return true;
    if (['remotes', 'branches'].some((name) => listFolderNames(join(git, name)).length > 0)) return true;
    return ['config', 'config.worktree'].some((name) =>
      REMOTE.test(readBytes(join(git, name), { limit: READ_LIMITS.settings })?.toString('utf8') ?? ''),
    );
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    return true;
  }
}

/**
 * Whether a folder that is no project yet holds anything of one: COUNCIL.md, or a file in one of the folders of agents
 * (relative to it). Whatever the file says, and be it a link that leads nowhere: it may say something else tomorrow. Throws `io`.
 */
export function bringsAlong(root: string, agentFolders: readonly string[]): boolean {
  return (
    isThere(join(root, 'COUNCIL.md')) || agentFolders.some((folder) => hasAgents(root, join(root, folder)))
  );
}

function hasAgents(root: string, folder: string): boolean {
  try {
    if (!ownFolder(root, folder)) return false;
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'unsafe_path') return true;
    throw error;
  }
  return listFolderNames(folder).some((name) => name.endsWith('.md') && !/^readme\.md$/i.test(name));
}

const isThere = (path: string): boolean =>
  attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false })) !== undefined;
