// In which archives somebody sat: read once, by id or a part of the title.
import { expect, it } from 'vitest';
import { renderArchive } from '../../../../src/core/archive/write.ts';
import type { Archives } from '../../../../src/core/store/archives.ts';
import { createSeatFilter } from '../../../../src/server/page/use/archive-seats.ts';
import { closing, queueCouncil } from '../../../helpers/page-sample.ts';

it('finds archives by the id of who sat there, a part of their title, or the coordinator, and reads each once', async () => {
  const text = renderArchive(closing(queueCouncil()), []);
  const read: string[] = [];
  const files = {
    read: async (path: string) => {
      read.push(path);
      return path === 'b.md' ? 'no archive' : text;
    },
  } as Partial<Archives> as Archives;
  const rows = ['a.md', 'b.md'].map((path) => ({
    ...{ id: path, path, topic: '', mode: 'debate', status: 'COMPLETED' as const },
    ...{ startedAt: '', endedAt: '2026-03-01T10:00:00.000Z' },
  }));
  const select = createSeatFilter();
  const found = async (who: string): Promise<string[]> =>
    (await select(files, rows, who)).map(({ path }) => path);
  for (const who of ['nova', 'Open', 'maman']) expect([who, await found(who)]).toEqual([who, ['a.md']]);
  expect(await found('nobody')).toEqual([]);
  expect(await found('nov')).toEqual(['a.md']);
  expect(read).toEqual(['a.md', 'b.md']);
});
