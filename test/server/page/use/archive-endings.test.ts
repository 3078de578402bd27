import { expect, it } from 'vitest';
import { createEndingReader } from '../../../../src/server/page/use/archive-endings.ts';
import { renderArchive } from '../../../../src/core/archive/write.ts';
import { loadWords } from '../../../../src/core/base/words/words.ts';
import type { Archives } from '../../../../src/core/store/archives.ts';
import { closing, queueCouncil } from '../../../helpers/page-sample.ts';

it('reads an archive once for each language, and again where reading failed', async () => {
  const text = renderArchive(closing(queueCouncil()), []);
  const [read, broken] = [[] as string[], new Set<string>()];
  const files = {
    list: async () => [],
    read: async (path: string) => {
      read.push(path);
      if (broken.has(path)) throw new Error('EIO');
      return text;
    },
  } as unknown as Archives;
  const rows = ['a', 'b'].map((id) => ({
    ...{ id, path: `conseils/${id}.md`, topic: '', mode: '', status: '', startedAt: '', endedAt: '' },
  }));
  const endings = createEndingReader();
  const told = async (lang: 'en' | 'fr'): Promise<string[]> =>
    [...(await endings(files, rows as never, loadWords(lang))).values()].map(({ ending }) => ending);
  broken.add('conseils/b.md');
  await expect(told('en')).rejects.toThrow('EIO');
  broken.clear();
  const [english, french] = [await told('en'), await told('fr')];
  expect(english[0]).not.toBe(french[0]);
  expect([english[1], french[1]]).toEqual([english[0], french[0]]);
  expect(await told('en')).toEqual(english);
  expect(read.map((path) => path.slice(9, 10)).join('')).toBe('abbab');
});
