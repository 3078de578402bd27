// What a project in PostgreSQL keeps on this machine needs no database.
import { expect, it } from 'vitest';
import { createMemoryTexts } from '../../../src/core/store/memory/memory-store.ts';
import { deferStore } from '../../../src/postgres/store/deferred.ts';

const ID = '11111111-2222-4333-8444-555555555555';

it('writes what a process leaves behind that is ending, before it waits for anything', async () => {
  const begun: string[] = [];
  const local = createMemoryTexts(new Map<string, Uint8Array>());
  const texts = deferStore(() => Promise.reject(new Error('the database is away')), {
    displayName: 'postgres://somewhere',
    local: { ...local, write: (...given) => (begun.push(given[1]), local.write(...given)) },
    archives: { dir: 'conseils', absolute: (path) => path },
  }).privateTexts();
  const writing = texts.write(ID, 'lease-l-exit.json', Buffer.from('{}'));
  expect(begun).toEqual(['lease-l-exit.json']);
  await writing;
  await expect(texts.write(ID, 'sealed-ana-1-x.json', Buffer.from('{}'))).rejects.toThrow('is away');
  expect(begun).toHaveLength(1);
});
