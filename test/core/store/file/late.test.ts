import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLateFiles } from '../../../../src/core/store/file/archive-files.ts';
import { bench, countCalls, ID, inParallel, namesOf, runWorker, scratch } from '../scratch.ts';

const raw = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x41]);
const NAME = 'henry-COLLECT-1-0123456789abcdef';

describe('late texts', () => {
  it('are kept byte for byte', async () => {
    const dir = join(scratch(), 'memory', 'shared');
    const late = openLateFiles(dir);
    expect(await late.list(ID)).toEqual([]);
    const path = await late.keep(ID, NAME, raw);
    expect(path).toBe(join(dir, '.late', ID, NAME));
    expect(await late.list(ID)).toEqual([{ name: NAME, path, bytes: raw }]);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
  });

  it('are kept once, and never overwritten', async () => {
    const late = openLateFiles(scratch());
    const path = await late.keep(ID, NAME, raw);
    expect(await late.keep(ID, NAME, raw)).toBe(path);
    await expect(late.keep(ID, NAME, Buffer.from('other'))).rejects.toMatchObject({ code: 'failed' });
    expect(fs.readFileSync(path)).toEqual(raw);
  });

  it.each([
    ['../x', NAME],
    [ID, '../x'],
    [ID, '.hidden'],
  ])('stay in their folder: %s %s', async (id, name) => {
    const dir = scratch();
    await expect(openLateFiles(dir).keep(id, name, raw)).rejects.toMatchObject({ code: 'invalid_id' });
    expect(namesOf(dir)).toEqual([]);
  });

  it('are whole or not there after SIGKILL at any call', async () => {
    const base = scratch();
    const args = (dir: string): string[] => ['late', dir, NAME, 'the whole text'];
    const counted = join(base, 'count');
    fs.mkdirSync(counted);
    const calls = await countCalls(args(counted), { FAIL_UNDER: counted }, base);
    await inParallel(
      Array.from({ length: calls }, (_, i) => i + 1),
      3,
      async (n) => {
        const dir = join(base, String(n));
        fs.mkdirSync(dir);
        const ended = await runWorker(args(dir), { FAIL_UNDER: dir, FAIL_AT: String(n) });
        expect(ended.signal).toBe('SIGKILL');
        const found = (await openLateFiles(dir).list(ID)).map(({ bytes }) => bytes.toString());
        expect(ended.stdout === '' ? [[], ['the whole text']] : [['the whole text']]).toContainEqual(found);
        await bench(dir).store.list();
        expect(namesOf(join(dir, '.tmp')), `killed at ${n}`).toEqual([]);
      },
    );
  });
});
