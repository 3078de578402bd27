import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, expect } from 'vitest';
import { archiveFiles } from '../../../src/store/file/archive-files.ts';
import { scratch } from '../scratch.ts';

describe('archiveFiles', () => {
  it('creates a file once, and never touches it again', () => {
    const root = scratch();
    const files = archiveFiles({ root });
    expect(files.create('conseils/2026-01-31-a.md', 'first 🦉\r\n')).toBe('created');
    expect(files.create('conseils/2026-01-31-a.md', 'second')).toBe('exists');
    expect(files.read('conseils/2026-01-31-a.md')).toBe('first 🦉\r\n');
    expect(files.absolute('conseils/2026-01-31-a.md')).toBe(join(root, 'conseils', '2026-01-31-a.md'));
    expect(statSync(files.absolute('conseils/2026-01-31-a.md')).nlink).toBe(1);
    expect(readdirSync(join(root, 'memory', 'shared', '.tmp'))).toEqual([]);
  });

  it('lists the Markdown files of its folder, sorted, with size and time', () => {
    const root = scratch();
    const files = archiveFiles({ root });
    expect(files.list()).toEqual([]);
    files.create('conseils/b.md', 'bb');
    files.create('conseils/a.md', 'a');
    mkdirSync(join(root, 'conseils', 'folder.md'));
    for (const other of ['.hidden.md', 'notes.txt', 'README.md'])
      writeFileSync(join(root, 'conseils', other), 'x');
    const { mtimeMs } = statSync(join(root, 'conseils', 'a.md'));
    expect(files.list().map(({ path, bytes }) => [path, bytes])).toEqual([
      ['conseils/a.md', 1],
      ['conseils/b.md', 2],
      ['conseils/folder.md', expect.any(Number)],
    ]);
    expect(files.list()[0]).toEqual({ path: 'conseils/a.md', bytes: 1, mtimeMs });
    writeFileSync(join(root, 'conseils', 'README.md'), '---\nschema: 1\nconversationId: x\n---\n');
    expect(files.list().map((file) => file.path)).toContain('conseils/README.md');
  });

  it('reads nothing where nothing is, and refuses what is not UTF-8', () => {
    const root = scratch();
    const files = archiveFiles({ root });
    expect(files.read('conseils/none.md')).toBeUndefined();
    files.create('conseils/a.md', 'x');
    writeFileSync(join(root, 'conseils', 'a.md'), Buffer.from([0xff, 0x41]));
    expect(() => files.read('conseils/a.md')).toThrow(expect.objectContaining({ code: 'invalid_text' }));
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
  ])('refuses the path %s', (path) => {
    const root = scratch();
    const files = archiveFiles({ root });
    for (const act of [() => files.create(path, 'x'), () => files.read(path), () => files.absolute(path)]) {
      expect(act).toThrow(expect.objectContaining({ code: 'corrupt' }));
    }
    expect(readdirSync(root)).toEqual([]);
  });

  it('says what is wrong when the folder is a file', () => {
    const root = scratch();
    writeFileSync(join(root, 'conseils'), '');
    expect(() => archiveFiles({ root }).create('conseils/a.md', 'x')).toThrow(
      expect.objectContaining({
        code: 'unsafe_path',
        message: expect.stringContaining(join(root, 'conseils')) as string,
      }),
    );
    expect(readFileSync(join(root, 'conseils'), 'utf8')).toBe('');
  });
});
