// Archives, late texts and private texts in memory: the same contracts as the files, but nothing persists.
import { CouncilError } from '../../base/errors.ts';
import type { Archives } from '../archives.ts';
import type { LateFiles, PrivateTexts } from '../small-files.ts';
import { requireArchivePath, requireConversationId, requireFileName } from '../names.ts';
import { KEPT_AFTER_ARCHIVE_MS } from '../small-files.ts';

/** Archives in memory, stored in `texts` by path. */
export function createMemoryArchives(texts = new Map<string, string>()): Archives {
  return {
    dir: 'conseils',
    async create(path, text) {
      if (texts.has(requireArchivePath(path))) return 'exists';
      texts.set(path, text);
      return 'created';
    },
    read: async (path) => texts.get(requireArchivePath(path)),
    list: async () =>
      [...texts]
        .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), mtimeMs: 0, changedMs: 0, inode: 0 }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    paths: async () => [...texts.keys()].sort(),
    absolute: (path) => `/${requireArchivePath(path)}`,
  };
}

export function createMemoryLateFiles(): LateFiles {
  const texts = new Map<string, Buffer>();
  const getFolder = (conversationId: string): string => `${requireConversationId(conversationId)}/`;
  const list: LateFiles['list'] = async (conversationId) => {
    const folder = getFolder(conversationId);
    return [...texts]
      .filter(([path]) => path.startsWith(folder))
      .map(([path, bytes]) => ({ name: path.slice(folder.length), path, bytes }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    async keep(conversationId, name, bytes) {
      const path = `${getFolder(conversationId)}${requireFileName(name)}`;
      const there = texts.get(path);
      if (there && !there.equals(bytes))
        throw new CouncilError('failed', `There is another late text ${path} already.`, {
          hint: 'Late texts are never overwritten.',
        });
      if (!there) texts.set(path, Buffer.from(bytes));
      return path;
    },
    list,
    sizes: async (conversationId) =>
      (await list(conversationId)).map((text) => ({ ...text, bytes: text.bytes.length })),
  };
}

/** The folder for texts that belong to no known council. */
const KEPT = 'kept';

/** Private texts in memory, stored in `texts` by "conversationId/name". */
export function createMemoryTexts(texts = new Map<string, Uint8Array>()): PrivateTexts {
  const archived = new Map<string, string>();
  const getKey = (conversationId: string, name: string): string =>
    `${requireConversationId(conversationId)}/${requireFileName(name)}`;
  const listNames = (folder: string): string[] =>
    [...texts.keys()]
      .filter((key) => key.startsWith(`${folder}/`))
      .map((key) => key.slice(folder.length + 1))
      .sort();
  const isOver = (conversationId: string, now: number): boolean =>
    now - Date.parse(archived.get(conversationId) ?? '') > KEPT_AFTER_ARCHIVE_MS;
  return {
    write: async (conversationId, name, bytes) => putText(texts, getKey(conversationId, name), bytes),
    read: async (conversationId, name) => texts.get(getKey(conversationId, name)),
    list: async (conversationId) => listNames(requireConversationId(conversationId)),
    size: async (conversationId, name) => texts.get(getKey(conversationId, name))?.length,
    path: getKey,
    keep: async (name, bytes) => putText(texts, `${KEPT}/${requireFileName(name)}`, bytes),
    listKept: async () =>
      listNames(KEPT).map((name) => ({ name, bytes: texts.get(`${KEPT}/${name}`)?.length ?? 0 })),
    async markArchived(conversationId, at) {
      const isKnown = listNames(requireConversationId(conversationId)).length > 0;
      if (isKnown && !archived.has(conversationId)) archived.set(conversationId, at);
    },
    async sweep(now) {
      const over = [...archived.keys()].filter((conversationId) => isOver(conversationId, now)).sort();
      for (const conversationId of over) {
        for (const name of listNames(conversationId)) texts.delete(`${conversationId}/${name}`);
        archived.delete(conversationId);
      }
      return over;
    },
    remove: async (conversationId, name) => void texts.delete(getKey(conversationId, name)),
  };
}

function putText(texts: Map<string, Uint8Array>, key: string, bytes: Uint8Array): string {
  const there = texts.get(key);
  if (there && Buffer.compare(there, bytes) !== 0)
    throw new CouncilError('failed', `There is another text ${key} already (${there.length} bytes).`, {
      hint: 'Private texts are never overwritten.',
    });
  if (!there) texts.set(key, Buffer.from(bytes));
  return key;
}
