import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { buildMatchQuery, toSearchEntry, searchArchives } from '../../../src/core/archive/search.ts';
import type { SearchResult } from '../../../src/core/archive/search.ts';
import { archiveFiles } from '../../../src/core/store/file/archive-files.ts';
import type { Archives } from '../../../src/core/store/archives.ts';
import { searchIndex } from '../../../src/core/store/file/search-index.ts';
import { anyText } from '../council/fixtures.ts';
import { scratch } from '../store/scratch.ts';
import { finished, spoke } from './sample.ts';
import { countCases } from '../../helpers/long.ts';

async function library(texts: Record<string, string>): Promise<{
  archives: Archives;
  search: (query: string, limit?: number) => Promise<SearchResult[]>;
}> {
  const dir = scratch();
  const archives = archiveFiles({ root: dir });
  for (const [topic, text] of Object.entries(texts)) {
    const closing = { path: `conseils/2026-02-08-${topic}.md`, at: '2026-02-08T23:10:00.000Z', why: null };
    await archives.create(
      closing.path,
      renderArchive(finished([spoke('henry', 1, text)], { topic, closing }), []),
    );
  }
  const index = searchIndex({ root: dir, env: { XDG_CACHE_HOME: `${dir}/cache` } });
  return {
    archives,
    search: async (query, limit) => (await searchArchives({ archives, index }, query, limit)).results,
  };
}

const found = (results: SearchResult[]): string[] => results.map((r) => r.topic);

describe('searchArchives', () => {
  const texts = {
    storage: 'Object storage is cheap, and object storage scales. The migration costs a week.',
    cache: 'A cache in front of the storage hides the cost of every object.',
    décision: 'La décision reste à prendre : où mettre les archives, l’été prochain ?',
  };

  it('finds words in all archives, the better match first, with the hits marked', async () => {
    const { archives, search } = await library(texts);
    const results = await search('object storage');
    expect(found(results)).toEqual(['storage', 'cache']);
    expect(results[0]).toMatchObject({
      id: '2026-02-08-storage',
      path: 'conseils/2026-02-08-storage.md',
      endedAt: '2026-02-08T23:10:00.000Z',
    });
    expect(results[0]!.score).toBeGreaterThan(results[1]!.score);
    expect(results[1]!.excerpt).toContain(
      'A cache in front of the **storage** hides the cost of every **object**.',
    );
    const index = searchIndex({ root: '/nowhere', env: { XDG_CACHE_HOME: scratch() } });
    expect(await searchArchives({ archives, index }, 'migration')).toMatchObject({
      query: 'migration',
      results: [{ topic: 'storage' }],
    });
  });

  it('shows the words of a contribution, and not the lines of its form', async () => {
    const { search } = await library({ walls: '---\nposition: buy\nvote: P1\n---\n\nWe should build it.' });
    const [{ excerpt } = { excerpt: '' }] = await search('build');
    expect(excerpt).toContain('We should **build** it.');
    expect(excerpt).not.toMatch(/---|vote:|position:/);
  });

  it('finds phrases as they stand, and needs every word', async () => {
    const { search } = await library(texts);
    expect(found(await search('"object storage"'))).toEqual(['storage']);
    expect(found(await search('"storage object"'))).toEqual([]);
    expect(found(await search('"hides the cost" front'))).toEqual(['cache']);
    expect(found(await search('storage week'))).toEqual(['storage']);
    expect(found(await search('storage nothing-like-it'))).toEqual([]);
  });

  it('does not mind case and accents, in both directions', async () => {
    const { search } = await library(texts);
    for (const query of ['decision', 'DÉCISION', 'décision ou', 'ete prochain', 'l’été', "l'ete"])
      expect(found(await search(query)), query).toEqual(['décision']);
  });

  it('takes the last word as a beginning, no other one, and no phrase', async () => {
    const { search } = await library(texts);
    expect(found(await search('migra'))).toEqual(['storage']);
    expect(found(await search('migra week'))).toEqual([]);
    expect(found(await search('"migra"'))).toEqual([]);
  });

  it('finds what was added, changed and removed since', async () => {
    const { archives, search } = await library(texts);
    expect(found(await search('zebra'))).toEqual([]);
    const closing = { path: 'conseils/2026-02-09-zoo.md', at: '2026-02-09T10:00:00.000Z', why: null };
    await archives.create(
      closing.path,
      renderArchive(finished([spoke('henry', 1, 'zebra')], { topic: 'zoo', closing }), []),
    );
    expect(found(await search('zebra'))).toEqual(['zoo']);
    const { rmSync, writeFileSync } = await import('node:fs');
    writeFileSync(
      archives.absolute(closing.path),
      (await archives.read(closing.path))!.replaceAll('zebra', 'lion'),
    );
    expect(found(await search('zebra'))).toEqual([]);
    expect(found(await search('lion'))).toEqual(['zoo']);
    rmSync(archives.absolute(closing.path));
    expect(found(await search('lion'))).toEqual([]);
  });

  it('shows an archive and not its copy, which says the same', async () => {
    const { search, archives } = await library(texts);
    const [own] = (await archives.list()).map(({ path }) => path);
    for (const added of [' (1)', ' (conflicted copy)'])
      await archives.create(own!.replace('.md', `${added}.md`), (await archives.read(own!))!);
    const results = await search('storage');
    expect(results.map(({ path }) => path)).toContain(own);
    expect(results.filter(({ path }) => path.includes('('))).toEqual([]);
  });

  it('never takes a query for the index’s language', async () => {
    const { search } = await library(texts);
    for (const query of [
      'storage NOT cache',
      'storage OR decision',
      'topic:storage',
      'body : storage',
      'NEAR(object storage, 2)',
      'storage*',
      '^storage',
      '{topic} storage',
      'storage + object',
      '-storage',
      "storage' OR 1=1 --",
      '(storage',
      'storage"',
      '"storage',
      '""storage""',
      'storage\0object',
      '"storage\0object"',
    ])
      expect(Array.isArray(await search(query)), query).toBe(true);
    expect(found(await search('storage NOT cache'))).toEqual([]);
    expect(found(await search('storage"'))).toEqual(['storage', 'cache']);
  });

  it('survives any query at all', async () => {
    const { search } = await library({ storage: texts.storage });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), anyText), async (query) => {
        try {
          await search(query);
        } catch (error) {
          expect(error).toMatchObject({ code: 'usage' });
        }
      }),
      { numRuns: countCases(100) },
    );
  });

  it('refuses a query without a word, and an endless one', async () => {
    const { search } = await library(texts);
    for (const query of ['', '  ', '-->', '"" "!"'])
      await expect(search(query), query).rejects.toMatchObject({
        code: 'usage',
        hint: expect.stringContaining('council search') as string,
      });
    await expect(search('word '.repeat(51))).rejects.toMatchObject({ code: 'usage' });
    expect(await search('word '.repeat(50))).toEqual([]);
  });

  it('returns as many as asked for', async () => {
    const { search } = await library(
      Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`t${at}`, 'same words'])),
    );
    expect((await search('same words')).length).toBe(10);
    expect((await search('same words', 3)).length).toBe(3);
  });
});

describe('matchOf', () => {
  it('quotes every word and phrase; only the last word is a beginning', () => {
    expect(buildMatchQuery('a "b c" d')).toBe('"a" "b c" "d"*');
    expect(buildMatchQuery('a "b c"')).toBe('"a" "b c"');
    expect(buildMatchQuery('AND c++ !')).toBe('"AND" "c++"');
  });
});

describe('searchable', () => {
  it('has the words without markers, and nothing for a page that is no archive', async () => {
    const text = renderArchive(finished([spoke('henry', 1, 'Some **bold** words')]), []);
    const entry = await toSearchEntry(text, 'conseils/x.md');
    expect(entry).toMatchObject({ topic: 'Tabs or spaces?', endedAt: '2026-02-08T23:10:00.000Z' });
    expect(entry!.body).toContain('Some bold words');
    expect(entry!.body).not.toMatch(/council-response|Transcript|consensus/);
    expect(await toSearchEntry('# Notes', 'conseils/x.md')).toBeUndefined();
    expect(await toSearchEntry(text.replace(/^---\n[^]*?\n---\n/, ''), 'conseils/x.md')).toMatchObject({
      topic: 'Tabs or spaces?',
    });
    const cut = await toSearchEntry(text.slice(0, -200), 'conseils/x.md');
    expect(cut).toMatchObject({
      topic: '',
      body: expect.stringContaining('Some bold words') as string,
      problem: expect.stringContaining('conseils/x.md is cut') as string,
    });
    expect(cut!.body).not.toContain('sha256');
  });
});
