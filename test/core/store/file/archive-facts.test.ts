import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  archiveMetas,
  archiveOfConversation,
  findArchive,
  listArchives,
} from '../../../../src/core/archive/read.ts';
import { archiveFiles } from '../../../../src/core/store/file/archive-files.ts';
import type { Archives } from '../../../../src/core/store/archives.ts';
import { renderArchive } from '../../../../src/core/archive/write.ts';
import { debate, finished } from '../../archive/sample.ts';
import { scratch } from '../scratch.ts';

const COUNT = 12;
const pathOf = (at: number): string => `conseils/2026-02-07-topic-${at}.md`;
const idOf = (at: number): string => `11111111-2222-4333-8444-${String(at).padStart(12, '0')}`;
const textOf = (at: number, topic = `Topic ${at}`): string =>
  renderArchive(
    finished(debate(), {
      conversationId: idOf(at),
      topic,
      closing: { path: pathOf(at), at: '2026-02-07T12:00:00.000Z', why: null },
    }),
    [],
  );

interface Library {
  root: string;
  cache: string;
  /** What lists and finds say, each by a process that starts afresh. */
  topics(): Promise<string[]>;
  /** How many files the last one read. */
  read(): number;
  database(): string;
}

async function library(): Promise<Library> {
  const root = scratch();
  const cache = join(root, 'cache');
  const plain = archiveFiles({ root });
  for (let at = 0; at < COUNT; at++) await plain.create(pathOf(at), textOf(at));
  let reads = 0;
  const counting = (): Archives => {
    const archives = archiveFiles({ root, env: { XDG_CACHE_HOME: cache } });
    return {
      ...archives,
      read: (path) => {
        reads++;
        return archives.read(path);
      },
    };
  };
  return {
    root,
    cache,
    async topics() {
      reads = 0;
      return (await archiveMetas(counting())).metas.map(({ topic }) => topic).sort();
    },
    read: () => reads,
    database: () => join(cache, 'council', fs.readdirSync(join(cache, 'council'))[0]!, 'search.sqlite'),
  };
}

/** Files that changed a moment ago are read each time: the clock is set on. */
const settled = (): unknown => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 });
afterEach(() => {
  vi.useRealTimers();
});

/** What a fresh process reads for one call. */
async function readsOf(root: string, call: (archives: Archives) => Promise<unknown>): Promise<number> {
  const archives = archiveFiles({ root, env: { XDG_CACHE_HOME: join(root, 'cache') } });
  const read = vi.fn(archives.read);
  await call({ ...archives, read });
  return read.mock.calls.length;
}

describe('what is kept of the archives', () => {
  it('tells lists, and finds one by name, id or file without reading the others', async () => {
    const { root } = await library();
    settled();
    expect(await readsOf(root, listArchives)).toBe(COUNT);
    const plain = archiveFiles({ root });
    const [known, read] = await Promise.all([
      listArchives(archiveFiles({ root, env: { XDG_CACHE_HOME: join(root, 'cache') } })),
      listArchives(plain),
    ]);
    expect(known).toEqual(read);
    for (const call of [
      listArchives,
      archiveMetas,
      (archives: Archives) => archiveOfConversation(archives, idOf(3)),
    ])
      expect(await readsOf(root, call)).toBe(0);
    for (const ref of [idOf(3), idOf(7).slice(0, 8), 'test', '2026-02-07-topic-3', `${pathOf(4)}`, 'topic-5'])
      expect(
        await readsOf(root, (archives) => findArchive(archives, ref).catch(() => undefined)),
        ref,
      ).toBeLessThanOrEqual(1);
    // A file that is no archive is not read again either, and is none.
    await plain.create('conseils/notes.md', '# Notes\n');
    vi.setSystemTime(Date.now() + 10_000);
    expect(await readsOf(root, listArchives)).toBe(1);
    expect(await readsOf(root, listArchives)).toBe(0);
    expect((await listArchives(plain)).archives).toHaveLength(COUNT);
  });

  it('stays in the memory of a server, until a file changes', async () => {
    const { root, database } = await library();
    settled();
    await readsOf(root, listArchives);
    await readsOf(root, listArchives);
    fs.rmSync(database());
    expect(await readsOf(root, listArchives)).toBe(0);
    fs.writeFileSync(join(root, pathOf(3)), textOf(3, 'Another topic'));
    fs.rmSync(join(root, pathOf(5)));
    const files = archiveFiles({ root, env: { XDG_CACHE_HOME: join(root, 'cache') } });
    const topics = (await listArchives(files)).archives.map(({ topic }) => topic);
    expect(topics).toContain('Another topic');
    expect(topics).not.toContain('Topic 3');
    expect(topics).not.toContain('Topic 5');
  });

  it('is what they say, and is not read again', async () => {
    const { topics, read, root } = await library();
    const fresh = await topics();
    expect(read()).toBe(COUNT);
    // They are too new to be kept.
    await topics();
    expect(read()).toBe(COUNT);
    settled();
    await topics();
    expect(await topics()).toEqual(fresh);
    expect(read()).toBe(0);
    const direct = await archiveMetas(archiveFiles({ root }));
    const kept = await archiveMetas(archiveFiles({ root, env: { XDG_CACHE_HOME: join(root, 'cache') } }));
    expect(kept).toEqual(direct);
  });

  it('forgets a file with whatever is changed in it, also when size and time are set back', async () => {
    const { topics, read, root } = await library();
    settled();
    await topics();
    const path = join(root, pathOf(3));
    const { atime, mtime, size } = fs.statSync(path);
    fs.writeFileSync(path, textOf(3, 'Topik 3'));
    fs.utimesSync(path, atime, mtime);
    expect(fs.statSync(path).size).toBe(size);
    expect(await topics()).toContain('Topik 3');
    expect(read()).toBe(1);
    fs.rmSync(path);
    expect(await topics()).toHaveLength(COUNT - 1);
    // Another file in its place, as an editor leaves it that renames.
    const other = join(root, 'conseils', 'other.tmp');
    fs.writeFileSync(other, textOf(3, 'Topic three'));
    fs.utimesSync(other, atime, mtime);
    fs.renameSync(other, path);
    expect(await topics()).toContain('Topic three');
  });

  it('is done without where it is damaged, in the way, or locked', async () => {
    const { topics, cache, database } = await library();
    settled();
    const fresh = await topics();
    fs.writeFileSync(database(), 'garbage '.repeat(2000));
    expect(await topics()).toEqual(fresh);
    fs.truncateSync(database(), 100);
    expect(await topics()).toEqual(fresh);
    fs.rmSync(cache, { recursive: true });
    fs.writeFileSync(cache, 'a file in the way');
    expect(await topics()).toEqual(fresh);
  });
});
