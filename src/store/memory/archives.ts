// Memory driver for tests: archives.
import type { Archives } from '../archives.ts';
import { requireArchivePath } from '../names.ts';

/** Archives in memory: in `texts`, by path. */
export function memoryArchives(texts = new Map<string, string>()): Archives {
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
