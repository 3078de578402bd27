import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, expect, onTestFinished } from 'vitest';
import { findArchive, listArchives } from '../../../src/core/archive/read.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { reserveArchivePath } from '../../../src/core/archive/limit-archives.ts';
import { archiveFiles } from '../../../src/core/store/file/archive-files.ts';
import type { Archives } from '../../../src/core/store/archives.ts';
import { debate, END, finished } from './sample.ts';

const ids = [
  '11111111-2222-4333-8444-555555555555',
  '22222222-2222-4333-8444-555555555555',
  '33333333-2222-4333-8444-555555555555',
];
const days = ['2026-02-07', '2026-02-09', '2026-02-08'];
const pathOf = (at: number): string => `conseils/${days[at]}-topic-${at}.md`;

async function project(): Promise<Archives> {
  const root = mkdtempSync(join(tmpdir(), 'council-read-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = archiveFiles({ root });
  for (const [at, conversationId] of ids.entries()) {
    const closing = { path: pathOf(at), at: `${days[at]}T12:00:00.000Z`, why: null };
    await files.create(
      pathOf(at),
      renderArchive(finished(debate(), { conversationId, topic: `Topic ${at}`, closing }), []),
    );
  }
  return files;
}

describe('listArchives', () => {
  it('lists a council once, whatever else was put beside its archive', async () => {
    const files = await project();
    const [stem] = pathOf(0).split('.md');
    const copies = [`${stem}.sync-conflict-20261126-201500-ABCDEFG.md`, 'conseils/another-name-for-it.md'];
    for (const path of copies) await files.create(path, (await files.read(pathOf(0)))!);
    const list = await listArchives(files);
    expect(list.archives).toHaveLength(ids.length);
    expect(list.copies.map(({ of }) => of)).toEqual([pathOf(0), pathOf(0)]);
    expect((await findArchive(files, ids[0]!)).path).toBe(pathOf(0));
  });

  it('lists all archives, newest first', async () => {
    const { archives, problems } = await listArchives(await project());
    expect(problems).toEqual([]);
    expect(archives.map((a) => a.id)).toEqual([
      '2026-02-09-topic-1',
      '2026-02-08-topic-2',
      '2026-02-07-topic-0',
    ]);
    expect(archives[0]).toEqual({
      id: '2026-02-09-topic-1',
      path: pathOf(1),
      topic: 'Topic 1',
      mode: 'debate',
      status: 'COMPLETED',
      startedAt: '2026-02-08T20:00:00.000Z',
      outcome: 'No decision was taken.',
      endedAt: '2026-02-09T12:00:00.000Z',
    });
  });

  it('leaves other pages out, and reports what cannot be read without hiding the rest', async () => {
    const files = await project();
    await files.create('conseils/notes.md', '# Notes\n\nNot a council.\n');
    await files.create('conseils/broken.md', '---\nconversationId: x\nstatus: fine\n---\n');
    await files.create('conseils/open.md', '---\nconversationId: x\n');
    const { archives, problems } = await listArchives(files);
    expect(archives.length).toBe(3);
    expect(problems.map((p) => p.path)).toEqual(['conseils/broken.md', 'conseils/open.md']);
    expect(problems[0]!.message).toContain('the machine data at its end is missing');
  });

  it('is empty where there is no folder', async () => {
    const root = mkdtempSync(join(tmpdir(), 'council-read-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    expect(await listArchives(archiveFiles({ root }))).toEqual({ archives: [], problems: [], copies: [] });
  });
});

describe('findArchive', () => {
  it('takes a stem, a path, an absolute path and a conversationId', async () => {
    const files = await project();
    for (const ref of [
      '2026-02-09-topic-1',
      '2026-02-09-topic-1.md',
      pathOf(1),
      `./${pathOf(1)}`,
      files.absolute(pathOf(1)),
      ids[1]!,
      ` ${ids[1]} `,
    ]) {
      const { path, text, archive } = await findArchive(files, ref);
      expect([path, archive.meta.conversationId, text]).toEqual([
        pathOf(1),
        ids[1],
        await files.read(pathOf(1)),
      ]);
    }
  });

  it('takes a part that fits one alone, the newest as last, and lists several that fit', async () => {
    const files = await project();
    await files.create('conseils/2026-02-10-broken.md', '---\nconversationId: x\nstatus: fine\n---\n');
    expect((await findArchive(files, 'last')).path).toBe(pathOf(1));
    for (const ref of ['02-08', 'Topic 2', '08-topic'])
      expect((await findArchive(files, ref)).path).toBe(pathOf(2));
    await expect(findArchive(files, 'topic')).rejects.toMatchObject({
      code: 'unknown_archive',
      message: '3 archives fit "topic".',
      details: { matching: ['2026-02-09-topic-1', '2026-02-08-topic-2', '2026-02-07-topic-0'] },
    });
    // Reading it says what is wrong.
    await expect(findArchive(files, 'broken')).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('does not take a conversationId that is only mentioned', async () => {
    const files = await project();
    const other = '44444444-2222-4333-8444-555555555555';
    const closing = { path: 'conseils/2026-02-10-x.md', at: END, why: null };
    await files.create(
      closing.path,
      renderArchive(
        { ...finished([], { conversationId: other, closing }), brief: `As in ${ids[0]} before` },
        [],
      ),
    );
    expect((await findArchive(files, ids[0]!)).path).toBe(pathOf(0));
  });

  it('names what is near when there is no such archive', async () => {
    const files = await project();
    await expect(findArchive(files, '2026-02-09-topik-1')).rejects.toMatchObject({
      code: 'unknown_archive',
      hint: 'Did you mean 2026-02-09-topic-1?',
      details: { near: ['2026-02-09-topic-1'] },
    });
    await expect(findArchive(files, 'lasd')).rejects.toMatchObject({ hint: 'Did you mean last?' });
    await expect(findArchive(files, '../../etc/passwd')).rejects.toMatchObject({
      code: 'unknown_archive',
      hint: 'See all of them with: council list',
    });
    await expect(findArchive(files, '')).rejects.toMatchObject({ code: 'unknown_archive' });
  });
});

describe('reserveArchivePath', () => {
  const reserve = (files: Archives, topic: string, reserved?: string[]): Promise<string> =>
    reserveArchivePath(files, topic, Date.parse('2026-02-08T23:59:59.999Z'), reserved);

  it('is the day in UTC and the topic', async () => {
    const files = await project();
    expect(await reserve(files, 'Évaluer “les tabs” ?')).toBe('conseils/2026-02-08-evaluer-les-tabs.md');
    expect(await reserve(files, '東京')).toBe('conseils/2026-02-08-東京.md');
    expect(await reserve(files, '../../etc/passwd')).toBe('conseils/2026-02-08-etc-passwd.md');
    expect(await reserve(files, 'x'.repeat(200))).toBe(`conseils/2026-02-08-${'x'.repeat(60)}.md`);
  });

  it('counts on when the name is taken, by a file or by another council', async () => {
    const files = await project();
    expect(await reserve(files, 'Topic 2')).toBe('conseils/2026-02-08-topic-2-2.md');
    await files.create('conseils/2026-02-08-Topic-2-2.md', 'x');
    expect(await reserve(files, 'Topic 2')).toBe('conseils/2026-02-08-topic-2-3.md');
    expect(await reserve(files, 'Topic 2', ['conseils/2026-02-08-topic-2-3.md'])).toBe(
      'conseils/2026-02-08-topic-2-4.md',
    );
  });
});
