import { expect, it } from 'vitest';
import { restrictArchives } from '../../../src/core/archive/limit-archives.ts';
import { findArchive, listArchives } from '../../../src/core/archive/read.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { searchArchives } from '../../../src/core/archive/search.ts';
import { archiveFiles } from '../../../src/core/store/file/archive-files.ts';
import type { ArchiveFacts, Archives } from '../../../src/core/store/archives.ts';
import { searchIndex } from '../../../src/core/store/file/search-index.ts';
import { scratch } from '../store/scratch.ts';
import { finished, spoke } from './sample.ts';

const idOf = (at: number): string =>
  `1111111${at % 10}-2222-4333-8444-5555555555${String(at).padStart(2, '0')}`;

/** More archives than are read without the cache, among them texts that name the conversations of others. */
async function shelf() {
  const root = scratch();
  const env = { XDG_CACHE_HOME: `${root}/cache` };
  const files = archiveFiles({ root });
  for (let at = 0; at < 14; at++) {
    const closing = {
      path: `conseils/2026-02-08-topic-${at}.md`,
      at: `2026-02-08T2${at % 4}:10:00.000Z`,
      why: null,
    };
    const council = finished([spoke('henry', 1, `As ${idOf((at + 1) % 14)} said: storage ${at}.`)], {
      topic: `Topic ${at}?`,
      conversationId: idOf(at),
      closing,
    });
    await files.create(closing.path, renderArchive(council, []));
  }
  const reads: string[] = [];
  const read = (path: string) => (reads.push(path), files.read(path));
  const kept: number[] = [];
  const facts: ArchiveFacts = {
    readFacts: async () => new Map(),
    lines: async () => new Map(),
    keep: async (_read, listed) => void kept.push(listed.length),
  };
  const archives: Archives = { ...files, read, facts };
  return { archives, env, root, reads, kept };
}

it('is as if no other archive was there, by whichever name it is called', async () => {
  const { archives } = await shelf();
  const own = restrictArchives(archives, idOf(3));
  expect((await listArchives(own)).archives.map(({ topic }) => topic)).toEqual(['Topic 3?']);
  expect(await own.paths()).toEqual(['conseils/2026-02-08-topic-3.md']);
  for (const ref of ['2026-02-08-topic-3', 'topic-3', idOf(3)])
    expect((await findArchive(own, ref)).archive.meta.topic).toBe('Topic 3?');
  for (const ref of ['2026-02-08-topic-4', 'topic-4', idOf(4), 'conseils/2026-02-08-topic-4.md']) {
    await expect(findArchive(own, ref)).rejects.toMatchObject({
      code: 'unknown_archive',
      message: `There is no archive "${ref}".`,
    });
    expect((await findArchive(archives, ref)).archive.meta.topic).toBe('Topic 4?');
  }
  expect(await own.read('conseils/2026-02-08-topic-4.md')).toBeUndefined();
  expect(
    (await listArchives(restrictArchives(archives, '99999999-2222-4333-8444-555555555555'))).archives,
  ).toEqual([]);
});

it('makes nobody else read anew, or search anew', async () => {
  const { archives, env, root, reads, kept } = await shelf();
  const all = searchIndex({ root, env });
  expect((await searchArchives({ archives, index: all }, 'storage', 50)).results).toHaveLength(14);
  await listArchives(archives);
  const own = restrictArchives(archives, idOf(3));
  const index = searchIndex({ root, env, isKept: false });
  expect(
    (await searchArchives({ archives: own, index }, 'storage')).results.map(({ topic }) => topic),
  ).toEqual(['Topic 3?']);
  await listArchives(own);
  reads.length = 0;
  expect((await searchArchives({ archives, index: all }, 'storage', 50)).results).toHaveLength(14);
  expect(reads).toEqual([]);
  // What is not listed is forgotten.
  expect(new Set(kept)).toEqual(new Set([14]));
});
