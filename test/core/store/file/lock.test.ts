import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runLocked } from '../../../../src/core/store/file/lock.ts';
import { scratch, until } from '../scratch.ts';

const silent = { warn: () => {} };

describe('runLocked', () => {
  it('holds the lock while the action runs, and lets go of it', async () => {
    const path = join(scratch(), 'k');
    const result = await runLocked(path, async () => fs.existsSync(`${path}.lock`), silent);
    expect(result).toBe(true);
    expect(fs.existsSync(`${path}.lock`)).toBe(false);
  });

  it('lets go when the action throws', async () => {
    const path = join(scratch(), 'k');
    await expect(runLocked(path, () => Promise.reject(new Error('no')), silent)).rejects.toThrow('no');
    expect(fs.existsSync(`${path}.lock`)).toBe(false);
  });

  it('runs one action after the other', async () => {
    const path = join(scratch(), 'k');
    let inside = 0;
    let most = 0;
    const action = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 2));
      inside--;
    };
    await Promise.all(Array.from({ length: 5 }, () => runLocked(path, action, silent)));
    expect(most).toBe(1);
  });

  it('goes on without the lock after its patience', async () => {
    const path = join(scratch(), 'k');
    let free = (): void => {};
    const held = runLocked(path, () => new Promise<void>((resolve) => (free = resolve)), silent);
    await until(() => fs.existsSync(`${path}.lock`), 'the lock');
    const started = performance.now();
    expect(await runLocked(path, () => 'ran', { ...silent, patience: 100 })).toBe('ran');
    expect(performance.now() - started).toBeGreaterThanOrEqual(100);
    expect(fs.existsSync(`${path}.lock`)).toBe(true);
    free();
    await held;
  });

  it('takes over what was abandoned', async () => {
    const path = join(scratch(), 'k');
    fs.mkdirSync(`${path}.lock`);
    const old = new Date(Date.now() - 60_000);
    fs.utimesSync(`${path}.lock`, old, old);
    // Until its patience is over would be too long for the test.
    await runLocked(path, () => {}, { ...silent, patience: 3_600_000 });
  });

  it('runs without a lock where none can be made', async () => {
    expect(await runLocked(join(scratch(), 'no', 'such', 'folder'), () => 'ran', silent)).toBe('ran');
  });

  it('notes a lost lock, and does not throw', async () => {
    const path = join(scratch(), 'k');
    const notes: string[] = [];
    const result = await runLocked(
      path,
      async () => {
        fs.rmdirSync(`${path}.lock`);
        await until(() => notes.length > 0, 'the note');
        return 'ran';
      },
      { warn: (message) => notes.push(message) },
    );
    expect(result).toBe('ran');
    expect(notes[0]).toContain('was lost while it was held');
  });
});
