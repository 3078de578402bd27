import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchFolders } from '../../../../src/core/store/file/watch.ts';
import { bench, fill, runWorker, scratch, until } from '../scratch.ts';

afterEach(() => vi.restoreAllMocks());

describe('watching a file store', () => {
  async function hears(dir: string, act: () => Promise<unknown>): Promise<void> {
    const heard: string[] = [];
    const stop = bench(dir).store.watch('', (key) => heard.push(key));
    try {
      await act();
      await until(() => heard.includes('k'), 'the change');
    } finally {
      stop();
    }
  }
  /** The same with a clock that goes so slowly that no poll comes. */
  async function hearsByEvent(dir: string, act: () => Promise<unknown>): Promise<void> {
    const real = setTimeout;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const heard: string[] = [];
      const stop = bench(dir).store.watch('', (key) => heard.push(key));
      await act();
      for (let ms = 0; ms < 900 && !heard.includes('k'); ms++) {
        vi.advanceTimersByTime(1);
        await new Promise((next) => real(next, 50));
      }
      expect(heard).toContain('k');
      stop();
    } finally {
      vi.useRealTimers();
    }
  }
  const byAnother = (dir: string) => () => runWorker(['append', dir, 'k', 'x']);

  it('hears another process, well before the next poll', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    await hearsByEvent(dir, byAnother(dir));
  });

  it('hears commits while a hand edit suspends the state file', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    fs.writeFileSync(join(dir, 'council-k.md'), 'mine');
    await hears(dir, byAnother(dir));
  });

  it('hears the first commit into a folder that did not exist', async () => {
    const dir = join(scratch(), 'memory', 'shared');
    await hearsByEvent(dir, byAnother(dir));
  });

  it('hears it where a folder on the way is removed and made anew', async () => {
    const dir = join(scratch(), 'memory', 'shared');
    await fill(bench(dir).store, 'k', 1);
    await hears(dir, async () => {
      fs.rmSync(join(dir, '..'), { recursive: true });
      await byAnother(dir)();
      await byAnother(dir)();
    });
  });

  it('falls back to polling where the system gives no watches', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
        code: 'ENOSPC',
      });
    });
    await hears(dir, byAnother(dir));
  });

  describe('looks all the same', () => {
    /** How often is looked in a minute in which nothing happens, where the folder is on such a file system. */
    function looksIn(type: string, folder = scratch()): number {
      const { readFileSync } = fs;
      vi.spyOn(fs, 'readFileSync').mockImplementation(((path: string, options: undefined) =>
        path === '/proc/self/mounts'
          ? Buffer.from(type && `x / ${type} rw 0 0\n`)
          : readFileSync(path, options)) as typeof readFileSync);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const look = vi.fn();
      const stop = watchFolders(() => [folder], look);
      try {
        vi.advanceTimersByTime(60_000);
        return look.mock.calls.length;
      } finally {
        stop();
        vi.useRealTimers();
      }
    }

    it('seldom where the system tells of everything', () => {
      expect(looksIn('ext4')).toBe(5);
    });

    it.each(['nfs4', '9p', 'fuse.sshfs', 'fuse.grpcfuse', ''])(
      'every second where another machine may change the folder, or nobody knows: %j',
      (type) => {
        expect(looksIn(type)).toBeGreaterThan(50);
      },
    );

    it('no more once a look has stopped it', () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const stop = watchFolders(
        () => [join(scratch(), 'later')],
        () => stop(),
      );
      vi.advanceTimersByTime(60_000);
      expect(vi.getTimerCount()).toBe(0);
      vi.useRealTimers();
    });

    it('seldom where the folder is not there: the one above it tells', () => {
      expect(looksIn('ext4', join(scratch(), 'on the way', 'later'))).toBe(5);
    });

    it('every second where the system has no watches left', () => {
      vi.spyOn(fs, 'watch').mockImplementation(() => {
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      });
      expect(looksIn('ext4')).toBeGreaterThan(50);
    });
  });

  it('goes on when the disk fails for a moment', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    await hears(dir, async () => {
      const readdir = vi.spyOn(fs, 'readdirSync').mockImplementation(() => {
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      });
      fs.writeFileSync(join(dir, 'something'), 'happens');
      await until(() => readdir.mock.calls.length > 0, 'a look that fails');
      readdir.mockRestore();
      await byAnother(dir)();
    });
  });
});
