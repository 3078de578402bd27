// File driver: archives and late texts.
import fs from 'node:fs';
import { join, dirname } from 'node:path';
import { getSystemCode, ignoreRefusal, CouncilError } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { decodeText } from '../../base/text.ts';
import { asIoError, attempt, discard, fsyncDir, linkNew, listFolderNames } from '../local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../local/folders.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { nameFromSign } from '../census.ts';
import { openTempFolder, placeOnce } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import type { ArchiveFile, Archives } from '../archives.ts';
import { requireArchivePath, requireConversationId, requireFileName } from '../names.ts';
import { archiveFacts } from './archive-facts.ts';
import type { LateFiles } from '../small-files.ts';

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

/** Late texts, in `<dir>/.late/<conversationId>/`. `dir` is `memory/shared`, `root` the project's folder. */
export function openLateFiles(dir: string, root = dir): LateFiles {
  const temps = openTempFolder(join(dir, '.tmp'), { root });
  const getFolder = (conversationId: string): string =>
    join(dir, '.late', requireConversationId(conversationId));
  /** Lists a conversation's late texts, with their paths. */
  const listLateTexts = (conversationId: string): { name: string; path: string }[] => {
    const folder = getFolder(conversationId);
    if (!hasOwnFolder(root, folder)) return [];
    return listFolderNames(folder).map((name) => ({ name, path: join(folder, name) }));
  };
  return {
    async keep(conversationId, name, bytes) {
      const folder = getFolder(conversationId);
      const path = join(folder, requireFileName(name));
      makeOwnFolder(root, dirname(folder));
      makeOwnFolder(root, folder);
      if (placeOnce(temps, path, bytes)) return path;
      throw new CouncilError(
        'failed',
        `${path} exists already with other content (${bytes.length} bytes were to be kept).`,
        { hint: 'Move that file away and try again.' },
      );
    },
    list: async (conversationId) =>
      listLateTexts(conversationId).flatMap(({ name, path }) => {
        const bytes = readBytes(path, { links: 'refuse' });
        return bytes ? [{ name, path, bytes }] : [];
      }),
    sizes: async (conversationId) =>
      listLateTexts(conversationId).map(({ name, path }) => ({
        name,
        path,
        bytes: measureFileSize(path) ?? 0,
      })),
  };
}
