// A project and git: whether a folder is a clone or contains agents, and the lines for git's files.
import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { attempt, isThere, listFolderNames, lstatPath } from './disk.ts';
import { hasOwnFolder } from './folders.ts';
import { readBytes } from './read.ts';

/**
 * Whether a folder is in a git work tree that was cloned, or has a remote: its content may come from other
 * people. Does not call git, because settings in the folder can make it run programs. Throws `io`.
 */
export function isClone(folder: string): boolean {
  const tree = findWorkTree(folder);
  if (!tree) return false;
  // A `.git` file refers to the repository of a submodule or another work tree.
  return !tree.isFolder || hasRemote(join(tree.top, '.git'));
}

/**
 * Finds the nearest folder upwards with a `.git`, and whether that is a folder. Undefined if there is none.
 * Throws `io`.
 */
export function findWorkTree(folder: string): { top: string; isFolder: boolean } | undefined {
  for (let top = resolve(folder); ; top = dirname(top)) {
    const git = join(top, '.git');
    const stat = lstatPath(git);
    if (stat) return { top, isFolder: stat.isDirectory() };
    if (dirname(top) === top) return undefined;
  }
}

/**
 * Matches remotes and includes in git's settings, in any case and spelling. Unreadable settings count as
 * foreign.
 */
const REMOTE = /\[[^\]"\n]*(remote|include)|\bremote\s*=/i;

function hasRemote(git: string): boolean {
  const found = ignoreRefusal(() => {
    // Traces of a fetch, and settings stored elsewhere.
    if (['FETCH_HEAD', 'commondir'].some((name) => isThere(join(git, name)))) return true;
    if (['remotes', 'branches'].some((name) => listFolderNames(join(git, name)).length > 0)) return true;
    return ['config', 'config.worktree'].some((name) =>
      REMOTE.test(readBytes(join(git, name), { limit: READ_LIMITS.settings })?.toString('utf8') ?? ''),
    );
  });
  return found ?? true;
}

/**
 * Whether a folder that is no project yet contains COUNCIL.md, or a file in one of the agent folders
 * (relative to it). Counts any file, even a broken link, since its content may change later. Throws `io`.
 */
export function hasProjectFiles(root: string, agentFolders: readonly string[]): boolean {
  return (
    isThere(join(root, 'COUNCIL.md')) || agentFolders.some((folder) => hasAgents(root, join(root, folder)))
  );
}

function hasAgents(root: string, folder: string): boolean {
  const isOwn = ignoreRefusal(() => hasOwnFolder(root, folder), 'unsafe_path');
  if (!isOwn) return isOwn === undefined;
  return listFolderNames(folder).some((name) => name.endsWith('.md') && !/^readme\.md$/i.test(name));
}

/** Folders for .gitignore, relative to the root of a project. */
export const GIT_IGNORES = [
  ...['.versions', '.tmp', '.edits', '.quarantine', 'channels', 'presence'].map((name) => `shared/${name}`),
  'logs',
].map((path) => `memory/${path}/`);
/** Lines about these folders for git's files, by file name. */
export const GIT_LINES: Readonly<Record<string, readonly string[]>> = {
  '.gitattributes': ['memory/shared/*.md -text', 'conseils/*.md -text'],
  '.gitignore': GIT_IGNORES,
};

/** Adds missing lines; returns the extended files, and warnings. Throws `io`. */
export function tellGit(root: string): { created: string[]; warnings: string[] } {
  const created: string[] = [];
  const warnings: string[] = [];
  for (const [name, lines] of Object.entries(GIT_LINES))
    try {
      if (addLines(join(root, name), lines)) created.push(name);
    } catch (error) {
      if (!(error instanceof CouncilError && error.code === 'not_a_file')) throw error;
      // A council can start without git; but a user of git must know.
      warnings.push(
        `${error.message} git does not follow links there either. Make it a file with: ${lines.join(', ')}`,
      );
    }
  return { created, warnings };
}

/** Appends missing lines; false if there are none. Follows no link, like git. */
function addLines(path: string, lines: readonly string[]): boolean {
  const text = readBytes(path, { links: 'refuse' })?.toString() ?? '';
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return false;
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  appendText(path, `${start}${missing.join('\n')}\n`);
  return true;
}

/** Uses a descriptor, since the file may have been replaced meanwhile. */
function appendText(path: string, text: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
  attempt('write', path, () => {
    const fd = fs.openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
    try {
      fs.writeSync(fd, text);
    } finally {
      fs.closeSync(fd);
    }
  });
}
