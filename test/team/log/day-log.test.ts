import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dayLogFiles } from '../../../src/team/log/day-log.ts';
import { at, dayLogContract, linesOf } from '../../contracts/day-log.ts';
import { containing, scratch } from '../../core/store/scratch.ts';

afterEach(() => vi.restoreAllMocks());

const DRIVER = join(import.meta.dirname, '../../../src/team/log/day-log.ts');
const NOON = at('2026-01-11T12:00:00');

function bench(limits?: { fileBytes: number; allBytes: number; days: number }) {
  const root = scratch();
  const dir = join(root, 'memory', 'logs');
  const warnings: string[] = [];
  const open = () =>
    dayLogFiles({ root, dir, warn: (line) => warnings.push(line), ...(limits && { limits }) });
  const names = (): string[] => fs.readdirSync(dir).sort();
  return { root, dir, warnings, open, log: open(), names, path: (name: string) => join(dir, name) };
}

dayLogContract('day log in files', () => bench().log);

describe('a day log in files', () => {
  it('goes on in another file when one is full, also for a writer that began before', async () => {
    const { log, open, names } = bench({ fileBytes: 100, allBytes: 10_000, days: 30 });
    const other = open();
    const lines = Array.from({ length: 30 }, (_, n) => `{"line":${n},"filler":"${'x'.repeat(30)}"}`);
    for (const [n, line] of lines.entries()) await (n % 2 === 0 ? log : other).append(NOON, line);
    expect(names()).toHaveLength(15);
    expect(names()).toContain('2026-01-11.10.ndjson');
    expect(await linesOf(log)).toEqual(lines);
    expect(await linesOf(open(), { newest: true })).toEqual(lines.toReversed());
  });

  it('forgets the oldest files, by size and by age', async () => {
    const { log, names, path, dir } = bench({ fileBytes: 100, allBytes: 250, days: 3 });
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path('2026-01-07.ndjson'), 'old\n');
    fs.writeFileSync(path('2026-01-08.ndjson'), 'kept\n');
    fs.writeFileSync(path('notes.txt'), 'mine');
    await log.append(NOON, 'first');
    expect(names()).toEqual(['2026-01-08.ndjson', '2026-01-11.ndjson', 'notes.txt']);
    for (let n = 0; n < 8; n++) await log.append(NOON, 'x'.repeat(99));
    expect(names()).not.toContain('2026-01-11.ndjson');
    expect((await linesOf(log)).length).toBeGreaterThan(1);
    expect((await linesOf(log)).length).toBeLessThan(5);
    expect(names()).toContain('notes.txt');
  });

  it('keeps every line whole when many processes write at once', async () => {
    const { root, dir, log } = bench({ fileBytes: 20_000, allBytes: 10_000_000, days: 30 });
    const script = `
      const { dayLogFiles } = await import(${JSON.stringify(pathToFileURL(DRIVER).href)});
      const [root, dir, name] = process.argv.slice(1);
      const log = dayLogFiles({ root, dir, limits: { fileBytes: 20000, allBytes: 1e7, days: 30 } });
      for (let n = 0; n < 200; n++) await log.append(${NOON}, JSON.stringify({ name, n, filler: 'é'.repeat(n) }));`;
    const ended = ['a', 'b', 'c', 'd'].map(
      (name) =>
        new Promise((done) =>
          spawn(process.execPath, ['--input-type=module', '-e', script, root, dir, name]).on('close', done),
        ),
    );
    expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
    const read = (await linesOf(log)).map((line) => JSON.parse(line) as { name: string; n: number });
    expect(read).toHaveLength(800);
    for (const name of ['a', 'b', 'c', 'd'])
      expect(read.filter((one) => one.name === name).map(({ n }) => n)).toEqual([...Array(200).keys()]);
  });

  it('begins a new line after one that was cut off, and shows no half one', async () => {
    const { log, path } = bench();
    await log.append(NOON, 'one');
    fs.appendFileSync(path('2026-01-11.ndjson'), '{"cut":"of');
    expect(await linesOf(log)).toEqual(['one']);
    await log.append(NOON, 'two');
    expect(await linesOf(log)).toEqual(['one', '{"cut":"of', 'two']);
  });

  it('tells a full disk once, and fails nobody', async () => {
    const { log, warnings } = bench();
    const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
    });
    await log.append(NOON, 'lost');
    await log.append(NOON, 'lost');
    write.mockImplementation(() => 2);
    await log.append(NOON, 'half');
    write.mockRestore();
    await log.append(NOON, 'kept');
    expect(warnings).toEqual([containing('ENOSPC'), containing('no space is left for a whole line')]);
    expect(await linesOf(log)).toEqual(['kept']);
  });

  it.each([
    ['a link', (path: string, dir: string) => fs.symlinkSync(join(dir, '../secret'), path)],
    ['a link that leads nowhere', (path: string) => fs.symlinkSync('/nowhere/at/all', path)],
    ['a FIFO', (path: string) => void execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => fs.mkdirSync(path)],
  ])('writes into no %s, and waits for none', async (_, put) => {
    const { root, dir, log, warnings, path } = bench();
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(join(root, 'memory', 'secret'), 'mine\n');
    put(path('2026-01-11.ndjson'), dir);
    await log.append(NOON, 'one');
    expect(warnings).toHaveLength(1);
    expect(await linesOf(log)).toEqual([]);
    expect(fs.readFileSync(join(root, 'memory', 'secret'), 'utf8')).toBe('mine\n');
    await log.append(at('2026-01-12T12:00:00'), 'two');
    expect(await linesOf(log, { from: '2026-01-12' })).toEqual(['two']);
  });

  it('goes through no folder that is a link, and takes no file for one', async () => {
    const { root, dir, log, warnings } = bench();
    const elsewhere = scratch();
    fs.mkdirSync(join(root, 'memory'));
    fs.symlinkSync(elsewhere, dir);
    await log.append(NOON, 'one');
    expect(await linesOf(log)).toEqual([]);
    fs.rmSync(dir);
    fs.writeFileSync(dir, 'a file');
    await log.append(NOON, 'two');
    expect(fs.readdirSync(elsewhere)).toEqual([]);
    expect(warnings).toEqual([containing('is a link'), containing('is no folder')]);
  });
});
