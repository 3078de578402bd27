import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readBytes, fillBuffer, readStart, measureFileSize } from '../../../../src/core/store/local/read.ts';
import { containing, scratch, thrown } from '../scratch.ts';

afterEach(() => vi.restoreAllMocks());

/** Everything that can have a file's name without being one. */
async function oddities(): Promise<[kind: string, path: string][]> {
  const dir = scratch();
  const at = (name: string): string => join(dir, name);
  execFileSync('mkfifo', [at('fifo')]);
  fs.mkdirSync(at('folder'));
  fs.symlinkSync('nowhere', at('dangling'));
  fs.symlinkSync('circle', at('circle'));
  fs.symlinkSync('/dev/zero', at('device'));
  fs.symlinkSync('fifo', at('linked-fifo'));
  fs.symlinkSync('socket', at('linked-socket'));
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((listening) => server.listen(at('socket'), listening));
  return [
    ['a FIFO', at('fifo')],
    ['a folder', at('folder')],
    ['a link that leads nowhere', at('dangling')],
    ['a link that leads in a circle', at('circle')],
    ['a device', at('device')],
    ['a FIFO', at('linked-fifo')],
    ['a socket', at('socket')],
    ['a link to a socket or device', at('linked-socket')],
  ];
}

describe('reading', () => {
  it('fault 3: refuses by name, at once, whatever is not a regular file', async () => {
    for (const [kind, path] of await oddities()) {
      const refusal = {
        code: 'not_a_file',
        message: containing(`${path} is ${kind}`),
        details: { path, kind },
      };
      expect(thrown(() => readBytes(path))).toMatchObject(refusal);
      expect(thrown(() => readStart(path, 10))).toMatchObject(refusal);
      expect(thrown(() => fillBuffer(Buffer.alloc(10), path))).toMatchObject(refusal);
      expect(thrown(() => measureFileSize(path))).toMatchObject({
        code: 'not_a_file',
        message: containing(path),
      });
    }
  });

  it('fault 3: never has more than the limit in memory', () => {
    const path = join(scratch(), 'f');
    fs.writeFileSync(path, '12345');
    expect(readBytes(path, { limit: 5 })?.toString()).toBe('12345');
    const reads = vi.spyOn(fs, 'readSync');
    expect(thrown(() => readBytes(path, { limit: 4 }))).toMatchObject({
      code: 'too_large',
      message: containing(`${path} has 5 bytes`),
      details: { limit: 4 },
    });
    expect(reads).not.toHaveBeenCalled();
    // A terabyte that takes no space.
    fs.truncateSync(path, 2 ** 40);
    expect(thrown(() => readBytes(path))).toMatchObject({ code: 'too_large' });
  });

  it('fault 3: stops at the limit when a file says it is smaller than it is', () => {
    const path = join(scratch(), 'f');
    fs.writeFileSync(path, 'x'.repeat(100_000));
    const real = fs.fstatSync;
    vi.spyOn(fs, 'fstatSync').mockImplementation((fd: number) => Object.assign(real(fd), { size: 0 }));
    const rooms: number[] = [];
    const read = fs.readSync as (fd: number, into: Buffer, at: number, length: number) => number;
    vi.spyOn(fs, 'readSync').mockImplementation(((fd: number, into: Buffer, at: number, length: number) => {
      rooms.push(into.length);
      return read(fd, into, at, length);
    }) as never);
    expect(readBytes(path, { limit: 100_000 })?.toString()).toBe('x'.repeat(100_000));
    expect(thrown(() => readBytes(path, { limit: 10_000 }))).toMatchObject({ code: 'too_large' });
    expect(Math.max(...rooms)).toBe(100_001);
    expect(rooms.slice(rooms.indexOf(1, 1)).every((room) => room <= 10_001)).toBe(true);
  });

  it('fault 14: follows no link where only council writes', () => {
    const dir = scratch();
    fs.writeFileSync(join(dir, 'file'), 'x');
    fs.symlinkSync('file', join(dir, 'link'));
    expect(readBytes(join(dir, 'link'))?.toString()).toBe('x');
    expect(thrown(() => readBytes(join(dir, 'link'), { links: 'refuse' }))).toMatchObject({
      code: 'not_a_file',
      details: { kind: 'a link' },
    });
    expect(thrown(() => measureFileSize(join(dir, 'link')))).toMatchObject({ details: { kind: 'a link' } });
  });

  it('tells what is not there from what cannot be read', () => {
    const dir = scratch();
    expect(readBytes(join(dir, 'none'))).toBeUndefined();
    expect(measureFileSize(join(dir, 'none'))).toBeUndefined();
    fs.writeFileSync(join(dir, 'file'), 'x');
    expect(thrown(() => readBytes(join(dir, 'file', 'below')))).toMatchObject({ code: 'io' });
  });
});
