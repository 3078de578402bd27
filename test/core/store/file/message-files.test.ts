import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messageFiles } from '../../../../src/core/store/file/message-files.ts';
import { named } from '../../../contracts/message-log.ts';
import { containing, scratch, until } from '../scratch.ts';

function bench() {
  const dir = scratch();
  const warnings: string[] = [];
  const log = messageFiles({ dir, warn: (line) => warnings.push(line) });
  const path = (...parts: string[]): string => join(dir, 'channels', 'general', ...parts);
  fs.mkdirSync(path('2026-01-11'), { recursive: true });
  return { dir, log, warnings, path, names: () => log.names('general', { limit: 99 }) };
}

describe('messages as files', () => {
  it('lie in a folder for each day, and leave no temp file', async () => {
    const { dir, log, path } = bench();
    await log.append('general', named('100000'), '{}');
    expect(fs.readFileSync(path('2026-01-11', named('100000')), 'utf8')).toBe('{}');
    expect(fs.readdirSync(join(dir, '.tmp'))).toEqual([]);
  });

  it('reads a flat folder as well, among the days', async () => {
    const { log, path, names } = bench();
    await log.append('general', named('100000'), '{}');
    fs.writeFileSync(path(named('090000', 'codex-1')), '{"flat":true}');
    fs.writeFileSync(path(named('110000', 'codex-1', '0000', '20260109')), '{}');
    expect(await names()).toEqual([
      named('110000', 'codex-1', '0000', '20260109'),
      named('090000', 'codex-1'),
      named('100000'),
    ]);
    expect(await log.read('general', named('090000', 'codex-1'))).toBe('{"flat":true}');
    expect(await log.append('general', named('090000', 'codex-1'), '{}')).toBe(false);
  });

  it('sees what comes after it has listed a folder', async () => {
    const { log, names } = bench();
    for (let second = 10; second < 30; second++) {
      await log.append('general', named(`1000${second}`), '{}');
      expect(await names()).toHaveLength(second - 9);
    }
  });

  it('leaves out what is no message, and says so once', async () => {
    const { log, warnings, path, names } = bench();
    await log.append('general', named('100000'), '{}');
    fs.writeFileSync(path('2026-01-11', '.tmp-123'), 'half');
    fs.writeFileSync(path('2026-01-11', 'notes.txt'), 'foreign');
    fs.writeFileSync(path('2026-01-11', named('100000', 'ana', '0000', '20260112')), '{}');
    fs.writeFileSync(path('README.md'), 'foreign');
    expect(await names()).toEqual([named('100000')]);
    await names();
    expect(warnings).toHaveLength(3);
  });

  it('never reads through links, FIFOs and folders, nor what is too large or no text', async () => {
    const { dir, log, warnings, path } = bench();
    fs.writeFileSync(join(dir, 'secret'), '{"secret":1}');
    fs.symlinkSync(join(dir, 'secret'), path('2026-01-11', named('100000')));
    execFileSync('mkfifo', [path('2026-01-11', named('100001'))]);
    fs.mkdirSync(path('2026-01-11', named('100002')));
    fs.writeFileSync(path('2026-01-11', named('100003')), Buffer.alloc(1024 * 1024 + 1, 'x'));
    fs.writeFileSync(path('2026-01-11', named('100004')), Buffer.from([0xff, 0xfe]));
    for (let second = 0; second < 5; second++)
      expect(await log.read('general', named(`10000${second}`))).toBeUndefined();
    expect(warnings).toHaveLength(5);
    expect(await log.append('general', named('100000'), '{}')).toBe(false);
    expect(fs.readFileSync(join(dir, 'secret'), 'utf8')).toBe('{"secret":1}');
  });

  it('goes through no folder that is a link', async () => {
    const { dir, log, path, warnings } = bench();
    const elsewhere = scratch();
    fs.symlinkSync(elsewhere, join(dir, 'channels', 'away'));
    fs.symlinkSync(elsewhere, path('2026-01-12'));
    await expect(log.append('away', named('100000'), '{}')).rejects.toMatchObject({ code: 'unsafe_path' });
    await expect(
      log.append('general', named('100000', 'ana', '0000', '20260112'), '{}'),
    ).rejects.toMatchObject({ code: 'unsafe_path' });
    expect(await log.names('general', { limit: 9 })).toEqual([]);
    expect(await log.channels()).toEqual(['general']);
    expect(warnings).toContainEqual(containing('is no channel'));
    expect(fs.readdirSync(elsewhere)).toEqual([]);
  });

  it('wakes for the first message of a new day', async () => {
    const { log } = bench();
    let count = 0;
    const stop = log.watch('general', () => count++);
    await log.append('general', named('100000', 'ana', '0000', '20260112'), '{}');
    await until(() => count > 0, 'the first wake');
    const before = count;
    await log.append('general', named('100001', 'ana', '0000', '20260112'), '{}');
    await until(() => count > before, 'the second wake');
    stop();
  });
});
