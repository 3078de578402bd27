import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { decodeText } from '../../base/text.ts';
import { asIoError, attempt, discard, fsyncDir, linkNew, namesIn } from '../local/disk.ts';
import { makeOwnFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';
import { tempsIn } from '../local/temps.ts';

/** A file of the archive's folder. */
export interface ArchiveFile {
  /** Relative to the project's root, with `/`. */
  path: string;
  bytes: number;
  mtimeMs: number;
}

/** The archive's folder: files that are written once and never changed by council. */
export interface ArchiveFiles {
  /** The folder, relative to the project's root: `conseils`. */
  readonly dir: string;
  /**
   * Writes a new file; durable when it returns, whichever it returns. An existing file is never touched.
   * Throws `corrupt` for a path outside the folder, `no_hard_links`, `io`.
   */
  create(relativePath: string, text: string): 'created' | 'exists';
  /** Undefined when there is no such file. Throws `corrupt` like `create`, `not_a_file`, `too_large`, `invalid_text`, `io`. */
  read(relativePath: string): string | undefined;
  /**
   * The `*.md` files of the folder, sorted by path; a README there only when it is an archive. What has such a name and is no
   * file is among them: reading it says what it is.
   */
  list(): ArchiveFile[];
  absolute(relativePath: string): string;
}

const DIR = 'conseils';
const README = 'readme.md';
// Names as council writes them, and as people may rename them; never a way out of the folder.
const NAME = /^conseils\/(?!\.)[^/\\\0]+\.md$/;

/** The archives of the project at `root` (absolute). The folder is made when first needed. */
export function archiveFiles({ root }: { root: string }): ArchiveFiles {
  const dir = join(root, DIR);
  const temps = tempsIn(join(root, 'memory', 'shared', '.tmp'), { root });

  function absolute(relativePath: string): string {
    if (NAME.test(relativePath)) return join(root, relativePath);
    throw new CouncilError(
      'corrupt',
      `Not the path of an archive: ${JSON.stringify(relativePath.slice(0, 200))}.`,
      {
        hint: `Archives lie in ${DIR}/ and are named like 2026-01-31-topic.md.`,
      },
    );
  }

  function create(relativePath: string, text: string): 'created' | 'exists' {
    const path = absolute(relativePath);
    makeOwnFolder(root, dir);
    const temp = temps.write(Buffer.from(text));
    try {
      const created = linkNew(temp, path);
      // Also when it exists: whoever linked it may have been stopped before this.
      attempt('sync', dir, () => fsyncDir(dir));
      return created ? 'created' : 'exists';
    } finally {
      discard(temp);
    }
  }

  function read(relativePath: string): string | undefined {
    const bytes = readBytes(absolute(relativePath), { limit: READ_LIMITS.archive });
    return bytes && decodeText(bytes, relativePath);
  }

  /** A plain loop without closures: a search lists a thousand files while somebody waits. */
  function list(): ArchiveFile[] {
    const files: ArchiveFile[] = [];
    for (const name of namesIn(dir)) {
      if (!name.endsWith('.md') || name.startsWith('.') || name.includes('\\')) continue;
      const stat = fileStat(`${dir}/${name}`);
      const path = `${DIR}/${name}`;
      if (!stat || (name.length === README.length && isPlainReadme(path))) continue;
      files.push({ path, bytes: stat.size, mtimeMs: stat.mtimeMs });
    }
    return files;
  }

  /** The folder may have a README of its own: it counts only when it is an archive. */
  function isPlainReadme(path: string): boolean {
    if (path.toLowerCase() !== `${DIR}/${README}`) return false;
    try {
      return !read(path)?.includes('\nconversationId:');
    } catch (error) {
      if (error instanceof CouncilError) return false;
      throw error;
    }
  }

  return { dir: DIR, create, read, list, absolute };
}

/** Of what a link leads to; of the link itself where it leads nowhere. */
function fileStat(path: string): fs.Stats | undefined {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (stat) return stat;
  } catch (error) {
    if (systemCode(error) !== 'ELOOP') throw asIoError(error, 'look at', path);
  }
  return attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
}
