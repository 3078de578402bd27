import { dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { namesIn } from '../local/disk.ts';
import { makeOwnFolder, ownFolder } from '../local/folders.ts';
import { requireConversationId, requireFileName } from '../names.ts';
import { readBytes, sizeOf } from '../local/read.ts';
import { placeOnce, tempsIn } from '../local/temps.ts';

interface LateText {
  name: string;
  path: string;
  bytes: Buffer;
}

/**
 * Texts that came too late, in `<dir>/.late/<conversationId>/`: raw bytes, never overwritten. `dir` is `memory/shared`, `root`
 * the project's folder.
 */
export function lateFiles(
  dir: string,
  root = dir,
): {
  /** Durable when it returns; the same bytes again are fine. Returns the path. Throws `io`, `invalid_id`, `failed`. */
  keep(conversationId: string, name: string, bytes: Uint8Array): string;
  /** The late texts of a conversation, sorted by name. */
  list(conversationId: string): LateText[];
  /** The same with their sizes, without reading them. */
  sizes(conversationId: string): { name: string; path: string; bytes: number }[];
} {
  return {
    keep: (conversationId, name, bytes) => keepLate({ dir, root, conversationId, name, bytes }),
    list: (conversationId) => listLate({ dir, root, conversationId }),
    sizes(conversationId) {
      const folder = folderOf(dir, conversationId);
      if (!ownFolder(root, folder)) return [];
      return namesIn(folder).map((name) => {
        const path = join(folder, name);
        return { name, path, bytes: sizeOf(path) ?? 0 };
      });
    },
  };
}

function keepLate({
  dir,
  root,
  conversationId,
  name,
  bytes,
}: {
  dir: string;
  root: string;
  conversationId: string;
  name: string;
  bytes: Uint8Array;
}): string {
  const folder = folderOf(dir, conversationId);
  const path = join(folder, requireFileName(name));
  makeOwnFolder(root, dirname(folder));
  makeOwnFolder(root, folder);
  if (placeOnce(tempsIn(join(dir, '.tmp'), { root }), path, bytes)) return path;
  throw new CouncilError(
    'failed',
    `${path} exists already with other content (${bytes.length} bytes were to be kept).`,
    {
      hint: 'Move that file away and try again.',
    },
  );
}

function listLate({
  dir,
  root,
  conversationId,
}: {
  dir: string;
  root: string;
  conversationId: string;
}): LateText[] {
  const folder = folderOf(dir, conversationId);
  if (!ownFolder(root, folder)) return [];
  return namesIn(folder).flatMap((name) => {
    const bytes = readBytes(join(folder, name), { links: 'refuse' });
    return bytes ? [{ name, path: join(folder, name), bytes }] : [];
  });
}

const folderOf = (dir: string, conversationId: string): string =>
  join(dir, '.late', requireConversationId(conversationId));
