// File driver: texts that came too late.
import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { listFolderNames } from '../local/disk.ts';
import { makeOwnFolder, ownFolder } from '../local/folders.ts';
import { requireConversationId, requireFileName } from '../names.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { placeOnce, openTempFolder } from '../local/temps.ts';
import type { LateFiles } from '../small-texts.ts';

/**
 * Texts that came too late, in `<dir>/.late/<conversationId>/`. `dir` is `memory/shared`, `root` the project's folder.
 */
export function lateFiles(dir: string, root = dir): LateFiles {
  const temps = openTempFolder(join(dir, '.tmp'), { root });
  const folderOf = (conversationId: string): string =>
    join(dir, '.late', requireConversationId(conversationId));
  /** The names of a conversation's late texts, with their paths. */
  const named = (conversationId: string): { name: string; path: string }[] => {
    const folder = folderOf(conversationId);
    if (!ownFolder(root, folder)) return [];
    return listFolderNames(folder).map((name) => ({ name, path: join(folder, name) }));
  };
  return {
    async keep(conversationId, name, bytes) {
      const folder = folderOf(conversationId);
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
      named(conversationId).flatMap(({ name, path }) => {
        const bytes = readBytes(path, { links: 'refuse' });
        return bytes ? [{ name, path, bytes }] : [];
      }),
    sizes: async (conversationId) =>
      named(conversationId).map(({ name, path }) => ({ name, path, bytes: measureFileSize(path) ?? 0 })),
  };
}
