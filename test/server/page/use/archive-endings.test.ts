import { expect, it } from 'vitest';
import { createEndingReader } from '../../../../src/server/page/use/archive-seats.ts';
import { renderArchive } from '../../../../src/core/archive/write.ts';
import { loadPageWords } from '../../../../src/server/page/words.ts';
import type { Archives } from '../../../../src/core/store/archives.ts';
import { describeEnd } from '../../../../src/server/page/seat/document.ts';
import { closing, queueArchive, queueCouncil } from '../../../helpers/page-sample.ts';

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
    [...(await endings(files, rows as never, loadPageWords(lang))).values()].map(({ ending }) => ending);
  broken.add('conseils/b.md');
  await expect(told('en')).rejects.toThrow('EIO');
  broken.clear();
  const [english, french] = [await told('en'), await told('fr')];
  expect(english[0]).not.toBe(french[0]);
  expect([english[1], french[1]]).toEqual([english[0], french[0]]);
  expect(await told('en')).toEqual(english);
  expect(read.map((path) => path.slice(9, 10)).join('')).toBe('abbab');
});

it('says in a word what was decided, and never beside it that there was no consensus', () => {
  const w = loadPageWords('en');
  const { meta } = queueArchive();
  const decided = { decided: true, position: 'Redis', blockedBy: [] };
  const end = (over: object): string => describeEnd({ ...meta, ...over }, w);
  expect(meta.status).toBe('COMPLETED');
  expect(end({})).toBe('decided');
  expect(end({ decision: { ...decided, votes: { redis: 4 } } })).toBe('decided');
  expect(end({ decision: { ...decided, votes: { Redis: 3, 'A file': 1 } } })).toBe('decided, with dissent');
  expect(end({ decision: { ...decided, decided: false, position: null, votes: {} } })).toBe('undecided');
  expect(end({ decision: null, result: 'No verdict.' })).toBe('ended');
  // Positions that stand side by side are nothing that was left undecided.
  expect(end({ decision: { ...decided, decided: false, rule: 'none', votes: {} } })).toBe('ended');
  expect(end({ status: 'TIMEOUT', decision: null })).toBe('the last phase closed by timeout');
  expect(end({ status: 'TIMEOUT', decision: { ...decided, votes: { Redis: 4 } } })).toBe('decided');
  expect(end({ status: 'CANCELLED', decision: null })).toBe('cancelled');
});
