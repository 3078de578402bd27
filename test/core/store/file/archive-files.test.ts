import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from 'vitest';
import { archiveFiles } from '../../../../src/core/store/file/archive-files.ts';
import { scratch } from '../scratch.ts';

describe('archiveFiles', () => {
  it('creates a file once, and never touches it again', async () => {
    const root = scratch();
    const files = archiveFiles({ root });
    expect(await files.create('conseils/2026-01-31-a.md', 'first 🦉\r\n')).toBe('created');
    expect(await files.create('conseils/2026-01-31-a.md', 'second')).toBe('exists');
    expect(await files.read('conseils/2026-01-31-a.md')).toBe('first 🦉\r\n');
    expect(files.absolute('conseils/2026-01-31-a.md')).toBe(join(root, 'conseils', '2026-01-31-a.md'));
    expect(statSync(files.absolute('conseils/2026-01-31-a.md')).nlink).toBe(1);
    expect(readdirSync(join(root, 'memory', 'shared', '.tmp'))).toEqual([]);
  });

  it('lists the Markdown files of its folder, sorted, with size and time', async () => {
    const root = scratch();
    const files = archiveFiles({ root });
    expect(await files.list()).toEqual([]);
    await files.create('conseils/b.md', 'bb');
    await files.create('conseils/a.md', 'a');
    mkdirSync(join(root, 'conseils', 'folder.md'));
    for (const other of ['.hidden.md', 'notes.txt', 'README.md'])
      writeFileSync(join(root, 'conseils', other), 'x');
    const { mtimeMs } = statSync(join(root, 'conseils', 'a.md'));
    expect((await files.list()).map(({ path, bytes }) => [path, bytes])).toEqual([
      ['conseils/a.md', 1],
      ['conseils/b.md', 2],
      ['conseils/folder.md', expect.any(Number)],
    ]);
    const { ctimeMs: changedMs, ino: inode } = statSync(join(root, 'conseils', 'a.md'));
    expect((await files.list())[0]).toEqual({
      path: 'conseils/a.md',
      bytes: 1,
      mtimeMs,
      changedMs,
      inode,
    });
    writeFileSync(join(root, 'conseils', 'README.md'), '---\nschema: 1\nconversationId: x\n---\n');
    expect((await files.list()).map((file) => file.path)).toContain('conseils/README.md');
  });

  it('reads nothing where nothing is, and refuses what is not UTF-8', async () => {
    const root = scratch();
    const files = archiveFiles({ root });
    expect(await files.read('conseils/none.md')).toBeUndefined();
    await files.create('conseils/a.md', 'x');
    writeFileSync(join(root, 'conseils', 'a.md'), Buffer.from([0xff, 0x41]));
    await expect(files.read('conseils/a.md')).rejects.toMatchObject({ code: 'invalid_text' });
  });

  it.each([
    '../x.md',
    'conseils/../x.md',
    '/etc/x.md',
    'conseils/a/b.md',
    'conseils\\x.md',
    'conseils/.x.md',
    'conseils/x',
    'x.md',
  ])('refuses the path %s', async (path) => {
    const root = scratch();
    const files = archiveFiles({ root });
    const corrupt = expect.objectContaining({ code: 'corrupt' });
    await expect(files.create(path, 'x')).rejects.toThrow(corrupt);
    await expect(files.read(path)).rejects.toThrow(corrupt);
    expect(() => files.absolute(path)).toThrow(corrupt);
    expect(readdirSync(root)).toEqual([]);
  });

  it('says what is wrong when the folder is a file', async () => {
    const root = scratch();
    writeFileSync(join(root, 'conseils'), '');
    await expect(archiveFiles({ root }).create('conseils/a.md', 'x')).rejects.toThrow(
      expect.objectContaining({
        code: 'unsafe_path',
        message: expect.stringContaining(join(root, 'conseils')) as string,
      }),
    );
    expect(readFileSync(join(root, 'conseils'), 'utf8')).toBe('');
  });
});
