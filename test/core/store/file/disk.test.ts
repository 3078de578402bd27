import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CouncilError } from '../../../../src/core/base/errors.ts';
import { fsyncDir, linkNew, makeDir, makeFolders, writeNew } from '../../../../src/core/store/local/disk.ts';
import { CLI } from '../../../helpers/cli.ts';
import {
  bench,
  containing,
  doc,
  fill,
  ID,
  matching,
  namesOf,
  projectionOf,
  scratch,
  thrown,
} from '../scratch.ts';
import { readBytes } from '../../../../src/core/store/local/read.ts';

afterEach(() => vi.restoreAllMocks());

const failure = (code: string): Error => Object.assign(new Error(`${code}: made up`), { code });

type Sync = 'openSync' | 'writeSync' | 'fsyncSync' | 'linkSync' | 'renameSync' | 'mkdirSync' | 'closeSync';

/** Makes one file system function throw from its n-th call on, `times` times. */
function failAt(name: Sync, code: string, from = 1, times = Infinity): void {
  const original = fs[name] as (...args: unknown[]) => unknown;
  let calls = 0;
  vi.spyOn(fs, name).mockImplementation((...args: unknown[]) => {
    calls++;
    if (calls >= from && calls < from + times) throw failure(code);
    return original(...args);
  });
}

describe('writing a file', () => {
  it('writes all of it, however little the system takes at once', () => {
    const original = fs.writeSync as (fd: number, bytes: Uint8Array, at: number, length: number) => number;
    vi.spyOn(fs, 'writeSync').mockImplementation(((fd: number, bytes: Uint8Array, at = 0) =>
      original(fd, bytes, at, Math.min(3, bytes.length - at))) as never);
    const path = join(scratch(), 'f');
    writeNew(path, Buffer.from('a whole text'));
    expect(fs.readFileSync(path, 'utf8')).toBe('a whole text');
  });

  it.each([
    ['writeSync', 'ENOSPC', 'no space is left on the device'],
    ['writeSync', 'EDQUOT', 'quota'],
    ['fsyncSync', 'EIO', 'the device reports an error'],
    ['openSync', 'EROFS', 'read-only'],
    ['openSync', 'EACCES', 'permission denied'],
    ['closeSync', 'EDQUOT', 'quota'],
  ] as const)('names what failed, and leaves nothing: %s %s', (name, code, words) => {
    const dir = scratch();
    const path = join(dir, 'f');
    failAt(name, code, 1, 1);
    expect(thrown(() => writeNew(path, Buffer.from('x')))).toMatchObject({
      code: 'io',
      message: matching(new RegExp(`${path}: ${code}.*${words}`)),
      hint: matching(/./),
      details: { errno: code, path },
    });
    vi.restoreAllMocks();
    expect(namesOf(dir)).toEqual([]);
  });

  it('never overwrites', () => {
    const path = join(scratch(), 'f');
    writeNew(path, Buffer.from('first'));
    expect(thrown(() => writeNew(path, Buffer.from('second')))).toMatchObject({ code: 'io' });
    expect(fs.readFileSync(path, 'utf8')).toBe('first');
  });

  it('reports a folder where a file should be', () => {
    expect(thrown(() => readBytes(scratch()))).toMatchObject({
      code: 'not_a_file',
      message: containing('is a folder'),
    });
  });
});

describe('linking', () => {
  it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
    'says by name that there are no hard links: %s',
    (code) => {
      failAt('linkSync', code);
      expect(thrown(() => linkNew('/a/x', '/b/x'))).toMatchObject({
        code: 'no_hard_links',
        message: containing(code),
      });
    },
  );

  it('takes the answer EEXIST for success when it is the same file', () => {
    const dir = scratch();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => join(dir, name)) as [string, string, string];
    fs.writeFileSync(a, 'x');
    fs.writeFileSync(c, 'x');
    fs.linkSync(a, b);
    expect(linkNew(a, b)).toBe(true);
    expect(linkNew(a, c)).toBe(false);
  });
});

describe('folders', () => {
  it('are made with their parents, and each parent is synced', () => {
    const dir = scratch();
    const synced = vi.spyOn(fs, 'fsyncSync');
    makeDir(join(dir, 'a', 'b'));
    expect(fs.statSync(join(dir, 'a', 'b')).isDirectory()).toBe(true);
    expect(synced.mock.calls.length).toBeGreaterThanOrEqual(2);
  });

  it.each(['EINVAL', 'ENOTSUP'])('need not be synced where that is not possible: %s', (code) => {
    failAt('fsyncSync', code);
    expect(() => fsyncDir('/')).not.toThrow();
  });
});

describe('a commit on a failing disk', () => {
  it.each(['openSync', 'writeSync'] as const)('changes nothing when no space is left at %s', async (name) => {
    const { dir, store } = bench();
    await fill(store, 'k', 2);
    for (let call = 1; call <= 2; call++) {
      failAt(name, 'ENOSPC', call);
      await expect(store.commit('k', doc(ID, 3, 'x'), 2)).rejects.toMatchObject({
        code: 'io',
        message: containing('ENOSPC'),
      });
      vi.restoreAllMocks();
      expect(namesOf(join(dir, '.tmp'))).toEqual([]);
      expect(namesOf(join(dir, '.versions', 'k'))).toEqual(['1.md', '2.md']);
      expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'body 2'));
    }
    expect(await store.commit('k', doc(ID, 3, 'x'), 2)).toBe(3);
  });

  it('is uncertain when the folder cannot be synced, and is not tried again', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 1);
    failAt('fsyncSync', 'EIO', 3);
    let calls = 0;
    const change = store.update('k', (_, next) => {
      calls++;
      return doc(ID, next, 'x');
    });
    await expect(change).rejects.toMatchObject({
      code: 'commit_uncertain',
      details: { errno: 'EIO', revision: 2 },
    });
    vi.restoreAllMocks();
    expect(calls).toBe(1);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    expect(await store.read('k')).toMatchObject({ revision: 2 });
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'x'));
  });

  it('is refused by name without hard links', async () => {
    const { dir, store } = bench();
    failAt('linkSync', 'EPERM');
    await expect(store.commit('k', doc(ID, 1, 'x'), 0)).rejects.toMatchObject({ code: 'no_hard_links' });
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    vi.restoreAllMocks();
    expect(await store.read('k')).toBeUndefined();
    expect(await store.commit('k', doc(ID, 1, 'x'), 0)).toBe(1);
  });

  it('stands, with a warning, when only the state file cannot be replaced', async () => {
    const { dir, store, warnings } = bench();
    await fill(store, 'k', 1);
    failAt('renameSync', 'EACCES');
    expect(await store.commit('k', doc(ID, 2, 'x'), 1)).toBe(2);
    expect(await store.read('k')).toMatchObject({ revision: 2 });
    expect(warnings.join()).toMatch(/The change is saved.*EACCES/);
    vi.restoreAllMocks();
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    await store.read('k');
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'x'));
  });

  it('reads on while nothing can be written', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 2);
    fs.writeFileSync(join(dir, 'council-k.md'), doc(ID, 1, 'body 1'));
    const open = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((path, flags, mode) => {
      if (flags === 'wx') throw failure('EROFS');
      return open(path, flags, mode);
    });
    expect(await again().read('k')).toMatchObject({ revision: 2 });
    expect(warnings.join()).toContain('EROFS');
  });
});

describe('a close that fails', () => {
  it.each([
    ['a file', (dir: string) => writeNew(join(dir, 'f'), Buffer.from('x'))],
    ['a folder', (dir: string) => fsyncDir(dir)],
  ] as const)('fault 7: is an error that names %s, and it is closed once', (_, use) => {
    const dir = scratch();
    failAt('closeSync', 'EIO');
    expect(thrown(() => use(dir))).toMatchObject({ code: 'io', details: { errno: 'EIO' } });
    expect(vi.mocked(fs.closeSync)).toHaveBeenCalledTimes(1);
  });

  it('fault 7: does not hide what went wrong before', () => {
    const dir = scratch();
    failAt('closeSync', 'EBADF');
    failAt('writeSync', 'ENOSPC');
    expect(thrown(() => writeNew(join(dir, 'f'), Buffer.from('x')))).toMatchObject({
      details: { errno: 'ENOSPC' },
    });
  });

  it('fault 7: after the folder of the history was synced makes the commit uncertain', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 1);
    // Two temp files and their folder come before it.
    const closed = vi.spyOn(fs, 'closeSync');
    await fill(store, 'k', 1);
    const calls = closed.mock.calls.length;
    vi.restoreAllMocks();
    const codes: string[] = [];
    for (let call = 1; call <= calls; call++) {
      const revision = await store.revision('k');
      failAt('closeSync', 'EIO', call, 1);
      try {
        await store.commit('k', doc(ID, revision + 1, 'x'), revision);
        codes.push('committed');
      } catch (error) {
        codes.push((error as { code: string }).code);
      }
      vi.restoreAllMocks();
      expect(await store.revision('k'), codes.join()).toBe(revision + (codes.at(-1) === 'io' ? 0 : 1));
      expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    }
    expect(new Set(codes)).toEqual(new Set(['io', 'commit_uncertain', 'committed']));
  });

  it('fault 7: no file is read as text in one call, because Node ends the whole process when its close fails', () => {
    const src = join(import.meta.dirname, '../../../../src');
    const files = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'));
    const reads = files.filter((name) =>
      /readFileSync\([^()]*(\([^()]*\)[^()]*)*,\s*(['"{]|encoding)/.test(
        fs.readFileSync(join(src, name), 'utf8'),
      ),
    );
    expect(reads).toEqual([]);
  });

  it('no folder is made with `recursive`, which never ends where nobody can make any', () => {
    const src = join(import.meta.dirname, '../../../../src');
    const files = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'));
    expect(
      files.filter((name) => /mkdirSync\([^;]*recursive/.test(fs.readFileSync(join(src, name), 'utf8'))),
    ).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('a folder that nobody can make', () => {
  it('is an error at once', () => {
    expect(() => makeDir('/proc/council/state')).toThrow(CouncilError);
    expect(() => makeFolders('/proc/council/state')).toThrow(/ENOENT/);
  });

  it('keeps no command from working', () => {
    const { status } = spawnSync(process.execPath, [CLI, 'status', '--root', scratch()], {
      env: { PATH: process.env.PATH, HOME: '/proc', XDG_CACHE_HOME: '/proc' },
      timeout: 20_000,
    });
    expect(status).toBe(0);
  });
});
