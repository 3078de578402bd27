// Memory driver for tests: late texts.
import { CouncilError } from '../../base/errors.ts';
import type { LateFiles } from '../late-files.ts';
import { requireConversationId, requireFileName } from '../names.ts';

/** Late texts in memory. */
export function memoryLateFiles(): LateFiles {
  const texts = new Map<string, Buffer>();
  const folderOf = (conversationId: string): string => `${requireConversationId(conversationId)}/`;
  const list: LateFiles['list'] = async (conversationId) => {
    const folder = folderOf(conversationId);
    return [...texts]
      .filter(([path]) => path.startsWith(folder))
      .map(([path, bytes]) => ({ name: path.slice(folder.length), path, bytes }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  return {
    async keep(conversationId, name, bytes) {
      const path = `${folderOf(conversationId)}${requireFileName(name)}`;
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
