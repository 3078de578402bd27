// Reports of agents, as files in `memory/reports/`.
import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../../core/base/errors.ts';
import { requireId } from '../../core/base/ids.ts';
import { READ_LIMITS } from '../../core/base/limits.ts';
import { decodeText } from '../../core/base/text.ts';
import type { Archives } from '../../core/store/archives.ts';
import {
  attempt,
  discard,
  fsyncDir,
  isThere,
  linkNew,
  listFolderNames,
} from '../../core/store/local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../../core/store/local/folders.ts';
import { readBytes } from '../../core/store/local/read.ts';
import { openTempFolder } from '../../core/store/local/temps.ts';

/** Reports: written once and never overwritten. Paths are relative to the project's root. */
export interface Reports extends Pick<Archives, 'list' | 'read'> {
  /**
   * Writes a report of an agent; durable when it resolves. `at`: milliseconds. Several in one second get a
   * file each; the same text again keeps its file. Resolves to the path: `wanted`, unless another text has
   * it.
   */
  add(agent: string, at: number, text: string, wanted?: string): Promise<string>;
  /** Returns a free path, reserved within this process; another process may still be faster. */
  reserve(agent: string, at: number): Promise<string>;
}

/** The start of every path. */
export const REPORTS_DIR = 'memory/reports';

/** Returns `memory/reports/w1_20260111_163000.md`, and `…_2.md` for the second one in that second. */
export function reportPath(agent: string, at: number, number: number): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '').replace('T', '_').slice(0, 15);
  return `${REPORTS_DIR}/${agent}_${time}${number === 1 ? '' : `_${number}`}.md`;
}

/** Returns when the report of a path was written, ISO 8601 UTC; undefined for any other file name. */
export function reportTime(path: string): string | undefined {
  const found = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)(?:_\d+)?\.md$/.exec(path);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second] = found;
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The reports of the project at `root` (absolute). The folder is created on first use. */
export function reportFiles(root: string): Reports {
  const dir = join(root, REPORTS_DIR);
  const reserved = new Set<string>();
  let isMade = false;
  const temps = openTempFolder(join(root, 'memory', 'shared', '.tmp'), { root });
  const read = (path: string): string | undefined => {
    const bytes = readBytes(join(root, requireReportPath(path)), {
      limit: READ_LIMITS.archive,
      links: 'refuse',
    });
    return bytes && decodeText(bytes, path);
  };
  return {
    read: async (path) => read(path),
    list: async () => listReports(dir),
    async reserve(agent, at) {
      requireId(agent, 'agent');
      for (let number = 1; ; number++) {
        const path = reportPath(agent, at, number);
        if (reserved.has(path) || isThere(join(root, path))) continue;
        reserved.add(path);
        return path;
      }
    },
    async add(agent, at, text, wanted) {
      requireId(agent, 'agent');
      // The names of the folders have to be made durable once, even if another process created them.
      if (!isMade || !hasOwnFolder(root, dir)) makeOwnFolder(root, dir);
      isMade = true;
      const temp = temps.write(Buffer.from(text));
      try {
        for (let number = wanted === undefined ? 1 : 0; ; number++) {
          const path = number === 0 ? requireReportPath(wanted!) : reportPath(agent, at, number);
          const isNew = linkNew(temp, join(root, path));
          if (!isNew && read(path) !== text) continue;
          // Also if it exists: the process that linked it may have been stopped before this.
          attempt('sync', dir, () => fsyncDir(dir));
          return path;
        }
      } finally {
        discard(temp);
      }
    },
  };
}

function listReports(dir: string) {
  return listFolderNames(dir).flatMap((name) => {
    if (!name.endsWith('.md') || name.startsWith('.') || name.includes('\\')) return [];
    const stat = attempt('look at', dir, () => fs.lstatSync(join(dir, name), { throwIfNoEntry: false }));
    if (!stat?.isFile()) return [];
    const { size: bytes, mtimeMs, ctimeMs: changedMs, ino: inode } = stat;
    return [{ path: `${REPORTS_DIR}/${name}`, bytes, mtimeMs, changedMs, inode }];
  });
}

function requireReportPath(path: string): string {
  if (/^memory\/reports\/(?!\.)[^/\\\0]+\.md$/.test(path)) return path;
  throw new CouncilError('corrupt', `Not the path of a report: ${JSON.stringify(path.slice(0, 200))}.`, {
    hint: 'Reports lie in memory/reports/ and are named like w1_20260111_163000.md.',
  });
}
