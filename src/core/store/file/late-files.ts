// File driver: late texts.
import { join, dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { listFolderNames } from '../local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../local/folders.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { openTempFolder, placeOnce } from '../local/temps.ts';
import type { LateFiles } from '../small-files.ts';
import { requireConversationId, requireFileName } from '../names.ts';

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
