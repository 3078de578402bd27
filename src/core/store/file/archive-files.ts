// File driver: archives in `conseils/`.
import fs from 'node:fs';
import { join } from 'node:path';
import { getSystemCode, ignoreRefusal } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { decodeText } from '../../base/text.ts';
import { asIoError, attempt, discard, fsyncDir, linkNew, listFolderNames } from '../local/disk.ts';
import { makeOwnFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';
import { nameFromSign } from '../census.ts';
import { openTempFolder } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import type { ArchiveFile, Archives } from '../archives.ts';
import { requireArchivePath } from '../names.ts';
import { archiveFacts } from './archive-facts.ts';

const DIR = 'conseils';
const README = 'readme.md';

/** The archives of the project at `root` (absolute). Creates the folder on first use. `env` locates the cache. */
export function archiveFiles({ root, env }: { root: string; env?: NodeJS.ProcessEnv }): Archives {
  const dir = join(root, DIR);
  const temps = openTempFolder(join(root, 'memory', 'shared', '.tmp'), { root });
  const absolute = (relativePath: string): string => join(root, requireArchivePath(relativePath));
  return {
    dir: DIR,
    ...(env && { facts: archiveFacts(root, env) }),
    async create(relativePath, text) {
      const path = absolute(relativePath);
      makeOwnFolder(root, dir);
      return createArchiveFile({ temps, dir, path }, text);
    },
    read: async (relativePath) => read(root, relativePath),
    list: async () => listArchiveFiles(root, dir),
    paths: async () => listFolderNames(dir).map((name) => `${DIR}/${nameFromSign(name) ?? name}`),
    absolute,
  };
}

function createArchiveFile(
  { temps, dir, path }: { temps: Temps; dir: string; path: string },
  text: string,
): 'created' | 'exists' {
  const temp = temps.write(Buffer.from(text));
  try {
    const created = linkNew(temp, path);
    // Also if it exists: the process that linked it may have been stopped before this.
    attempt('sync', dir, () => fsyncDir(dir));
    return created ? 'created' : 'exists';
  } finally {
    discard(temp);
  }
}

function read(root: string, relativePath: string): string | undefined {
  const bytes = readBytes(join(root, requireArchivePath(relativePath)), { limit: READ_LIMITS.archive });
  return bytes && decodeText(bytes, relativePath);
}

/** A plain loop without closures: a search lists a thousand files. */
function listArchiveFiles(root: string, dir: string): ArchiveFile[] {
  const files: ArchiveFile[] = [];
  for (const listed of listFolderNames(dir)) {
    // Reading an offloaded file reports that it is offloaded.
    const name = nameFromSign(listed) ?? listed;
    if (!name.endsWith('.md') || name.startsWith('.') || name.includes('\\')) continue;
    const stat = statFile(`${dir}/${listed}`);
    const path = `${DIR}/${name}`;
    if (!stat || (name.length === README.length && isPlainReadme(root, path))) continue;
    const { size: bytes, mtimeMs, ctimeMs: changedMs, ino: inode } = stat;
    files.push({ path, bytes, mtimeMs, changedMs, inode });
  }
  return files;
}

/** The folder may have a README of its own: it counts only if it is an archive. */
function isPlainReadme(root: string, path: string): boolean {
  if (path.toLowerCase() !== `${DIR}/${README}`) return false;
  return ignoreRefusal(() => !read(root, path)?.includes('\nconversationId:')) ?? false;
}

/** Returns the stat of a link's target; of the link itself if it is broken. */
function statFile(path: string): fs.Stats | undefined {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat) return stat;
  } catch (error) {
    if (getSystemCode(error) !== 'ELOOP') throw asIoError(error, 'look at', path);
  }
  return attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
}
