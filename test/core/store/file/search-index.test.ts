import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from 'vitest';
import { archiveFiles } from '../../../../src/core/store/file/archive-files.ts';
import type { Archives, Describe } from '../../../../src/core/store/archives.ts';
import { searchIndex } from '../../../../src/core/store/file/search-index.ts';
import { scratch } from '../scratch.ts';

const describeText: Describe = async (text, path) =>
  text.startsWith('no') ? undefined : { topic: path, endedAt: '2026-02-08', body: text };

interface Library {
  root: string;
  cache: string;
  archives: Archives;
  find: (match: string) => Promise<string[]>;
  /** How many texts were read by the last search. */
  read: () => number;
  database: () => string;
}

async function library(count: number): Promise<Library> {
  const root = scratch();
  const cache = join(root, 'cache');
  const archives = archiveFiles({ root });
  for (let at = 1; at <= count; at++) await archives.create(`conseils/${at}.md`, `word number${at}`);
  let reads = 0;
  const counting: Describe = (text, path) => {
    reads++;
    return describeText(text, path);
  };
  const find = async (match: string): Promise<string[]> => {
    reads = 0;
    const query = { match, limit: 100, excerpt: (topic: string) => topic };
    const hits = await searchIndex({ root, env: { XDG_CACHE_HOME: cache } }).search(
      archives,
      counting,
      query,
    );
    return hits.map((hit) => hit.path);
  };
  const database = (): string =>
    join(cache, 'council', readdirSync(join(cache, 'council'))[0]!, 'search.sqlite');
  return { root, cache, archives, find, read: () => reads, database };
}

describe('searchIndex', () => {
  it('reads only what has changed, and what it is not an archive only once', async () => {
    const { archives, find, read } = await library(3);
    await archives.create('conseils/other.md', 'no archive, word');
    expect(await find('"word"')).toEqual(['conseils/1.md', 'conseils/2.md', 'conseils/3.md']);
    expect(read()).toBe(4);
    await find('"word"');
    expect(read()).toBe(0);
    await archives.create('conseils/4.md', 'word again');
    expect((await find('"word"')).length).toBe(4);
    expect(read()).toBe(1);
  });

  it('lies outside the project, for its owner only', async () => {
    const { find, database, cache } = await library(1);
    await find('"word"');
    expect(existsSync(database())).toBe(true);
    expect(statSync(join(cache, 'council')).mode & 0o077).toBe(0);
    expect(readdirSync(join(database(), '..'))).toEqual(['search.sqlite']);
  });

  it.each([
    ['is no database', (path: string) => writeFileSync(path, 'garbage '.repeat(2000))],
    ['was cut', (path: string) => truncateSync(path, 8192)],
    ['is empty', (path: string) => truncateSync(path, 0)],
    [
      'has a hole',
      (path: string) =>
        writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(40_000, 7)])),
    ],
  ])('is made anew when it %s', async (_, damage) => {
    const { find, read, database } = await library(20);
    await find('"word"');
    damage(database());
    expect((await find('"word"')).length).toBe(20);
    expect(read()).toBe(20);
    await find('"word"');
    expect(read()).toBe(0);
  });

  it('searches in memory where the cache cannot be made', async () => {
    const { find, read, cache } = await library(3);
    writeFileSync(cache, 'a file in the way');
    expect(await find('"number2"')).toEqual(['conseils/2.md']);
    expect(await find('"number3"')).toEqual(['conseils/3.md']);
    expect(read()).toBe(3);
  });

  it('searches in memory where the database is in a folder’s place', async () => {
    const { find, database } = await library(3);
    await find('"word"');
    const path = database();
    rmSync(path);
    mkdirSync(path);
    expect(await find('"number2"')).toEqual(['conseils/2.md']);
  });

  it.skipIf(process.getuid?.() === 0)('still answers from a cache that has become read-only', async () => {
    const { archives, find, read, database } = await library(3);
    await find('"word"');
    chmodSync(database(), 0o400);
    chmodSync(join(database(), '..'), 0o500);
    expect((await find('"word"')).length).toBe(3);
    expect(read()).toBe(0);
    await archives.create('conseils/4.md', 'word again');
    expect((await find('"word"')).length).toBe(4);
    chmodSync(join(database(), '..'), 0o700);
  });

  it('passes on what is wrong with the query itself', async () => {
    const { find } = await library(1);
    await expect(find('"unbalanced')).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' });
  });

  it(
    'is built once by many processes at once, and none of them says anything about SQLite',
    { timeout: 180_000 },
    async () => {
      const { root, cache } = await library(200);
      const script = `
      import { archiveFiles } from '${join(import.meta.dirname, '../../../../src/core/store/file/archive-files.ts')}';
      import { searchIndex } from '${join(import.meta.dirname, '../../../../src/core/store/file/search-index.ts')}';
      const [root, cache] = process.argv.slice(1);
      const describe = async (text, path) => ({ topic: path, endedAt: '', body: text });
      const hits = await searchIndex({ root, env: { XDG_CACHE_HOME: cache } }).search(archiveFiles({ root }), describe, { match: '"word"', limit: 1000, excerpt: () => '' });
      console.log(hits.length);`;
      const run = (): Promise<string> =>
        new Promise((resolve) => {
          const child = spawn(process.execPath, ['--input-type=module', '-e', script, root, cache]);
          let output = '';
          child.stdout.on('data', (chunk) => (output += chunk));
          child.stderr.on('data', (chunk) => (output += chunk));
          child.on('close', () => resolve(output));
        });
      expect(await Promise.all(Array.from({ length: 6 }, run))).toEqual(
        Array.from({ length: 6 }, () => '200\n'),
      );
    },
  );
});
