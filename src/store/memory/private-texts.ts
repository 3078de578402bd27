// Memory driver for tests: private texts.
import { CouncilError } from '../../base/errors.ts';
import { requireConversationId, requireFileName } from '../names.ts';
import { KEPT_AFTER_ARCHIVE_MS } from '../private-texts.ts';
import type { PrivateTexts } from '../private-texts.ts';

/** Texts that belong to no known council. */
const KEPT = 'kept';

/** Private texts in memory: in `texts`, by "conversationId/name". */
export function memoryTexts(texts = new Map<string, Uint8Array>()): PrivateTexts {
  const archived = new Map<string, string>();
  const keyOf = (conversationId: string, name: string): string =>
    `${requireConversationId(conversationId)}/${requireFileName(name)}`;
  const namesIn = (folder: string): string[] =>
    [...texts.keys()]
      .filter((key) => key.startsWith(`${folder}/`))
      .map((key) => key.slice(folder.length + 1))
      .sort();
  const isOver = (conversationId: string, now: number): boolean =>
    now - Date.parse(archived.get(conversationId) ?? '') > KEPT_AFTER_ARCHIVE_MS;
  return {
    write: async (conversationId, name, bytes) => put(texts, keyOf(conversationId, name), bytes),
    read: async (conversationId, name) => texts.get(keyOf(conversationId, name)),
    list: async (conversationId) => namesIn(requireConversationId(conversationId)),
    size: async (conversationId, name) => texts.get(keyOf(conversationId, name))?.length,
    path: keyOf,
    keep: async (name, bytes) => put(texts, `${KEPT}/${requireFileName(name)}`, bytes),
    kept: async () =>
      namesIn(KEPT).map((name) => ({ name, bytes: texts.get(`${KEPT}/${name}`)?.length ?? 0 })),
    async markArchived(conversationId, at) {
      const isKnown = namesIn(requireConversationId(conversationId)).length > 0;
      if (isKnown && !archived.has(conversationId)) archived.set(conversationId, at);
    },
    async sweep(now) {
      const over = [...archived.keys()].filter((conversationId) => isOver(conversationId, now)).sort();
      for (const conversationId of over) {
        for (const name of namesIn(conversationId)) texts.delete(`${conversationId}/${name}`);
        archived.delete(conversationId);
      }
      return over;
    },
    remove: async (conversationId, name) => void texts.delete(keyOf(conversationId, name)),
  };
}

function put(texts: Map<string, Uint8Array>, key: string, bytes: Uint8Array): string {
  const there = texts.get(key);
  if (there && Buffer.compare(there, bytes) !== 0)
    throw new CouncilError('failed', `There is another text ${key} already (${there.length} bytes).`, {
      hint: 'Private texts are never overwritten.',
    });
  if (!there) texts.set(key, Buffer.from(bytes));
  return key;
}
