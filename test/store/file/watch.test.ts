import fs from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bench, fill, runWorker, scratch, until } from '../scratch.ts';

afterEach(() => vi.restoreAllMocks());

describe('watching a file store', () => {
  async function hears(dir: string, act: () => Promise<unknown>, ms = 10_000): Promise<number> {
    const heard: string[] = [];
    const stop = bench(dir).store.watch('', (key) => heard.push(key));
    try {
      await act();
      const started = performance.now();
      await until(() => heard.includes('k'), 'the change', ms);
      return performance.now() - started;
    } finally {
      stop();
    }
  }
  const byAnother = (dir: string) => () => runWorker(['append', dir, 'k', 'x']);

  it('hears another process, well before the next poll', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    expect(await hears(dir, byAnother(dir))).toBeLessThan(500);
  });

  it('hears commits while a hand edit suspends the state file', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    fs.writeFileSync(join(dir, 'council-k.md'), 'mine');
    await hears(dir, byAnother(dir));
  });

  it('hears the first commit into a folder that did not exist', async () => {
    const dir = join(scratch(), 'memory', 'shared');
    await hears(dir, byAnother(dir));
  });

  it('falls back to polling where the system gives no watches', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    vi.spyOn(fs, 'watch').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
        code: 'ENOSPC',
      });
    });
    await hears(dir, byAnother(dir), 3000);
  });

  it('goes on when the disk fails for a moment', async () => {
    const dir = scratch();
    await fill(bench(dir).store, 'k', 1);
    await hears(dir, async () => {
      const readdir = vi.spyOn(fs, 'readdirSync').mockImplementation(() => {
        throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
      });
      await until(() => readdir.mock.calls.length > 0, 'a look that fails');
      readdir.mockRestore();
      await byAnother(dir)();
    });
  });
});
