// File driver: reports in `memory/reports/`, and late texts.
import fs from 'node:fs';
import { join, dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { decodeText } from '../../base/text.ts';
import { attempt, discard, fsyncDir, isThere, linkNew, listFolderNames } from '../local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../local/folders.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { openTempFolder, placeOnce } from '../local/temps.ts';
import { reportPath, REPORTS_DIR } from '../small-files.ts';
import type { Reports, LateFiles } from '../small-files.ts';
import { requireConversationId, requireFileName } from '../names.ts';

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
