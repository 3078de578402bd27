import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openTempFolder } from '../../../../src/core/store/local/temps.ts';
import { containing, namesOf, scratch, thrown } from '../scratch.ts';

describe('temp files', () => {
  /** A temp of this process, renamed as if another one had made it. */
  function leave(dir: string, rename: (parts: string[]) => string[]): string {
    const path = openTempFolder(dir).write(Buffer.from('x'));
    const name = rename(path.slice(dir.length + 1).split('.')).join('.');
    fs.renameSync(path, join(dir, name));
    return name;
  }
  const dead = (parts: string[]): string[] => parts.map((part, i) => (i === 2 ? String(2 ** 30) : part));
  const elsewhere = (parts: string[]): string[] => ['00000000', ...parts.slice(1)];

  it('are named after their owner, and never the same', () => {
    const dir = join(scratch(), 'made', 'when needed');
    const temps = openTempFolder(dir);
    const names = [temps.write(Buffer.from('1')), temps.write(Buffer.from('2'))];
    expect(new Set(names).size).toBe(2);
    expect(names[0]).toContain(`.${process.pid}.`);
  });

  it('are swept when their owner is dead, and only then', () => {
    const dir = scratch();
    const mine = leave(dir, (parts) => parts);
    leave(dir, dead);
    leave(dir, (parts) => parts.map((part, i) => (i === 1 ? '00000000' : part)));
    const foreign = leave(dir, elsewhere);
    const unknown = 'notes.txt';
    fs.writeFileSync(join(dir, unknown), 'x');
    openTempFolder(dir).sweep();
    expect(namesOf(dir)).toEqual([mine, foreign, unknown].sort());
  });

  it('of another host are swept after an hour', () => {
    const dir = scratch();
    const old = leave(dir, elsewhere);
    const young = leave(dir, elsewhere);
    const age = (name: string, minutes: number): void => {
      const at = new Date(Date.now() - minutes * 60_000);
      fs.utimesSync(join(dir, name), at, at);
    };
    age(old, 61);
    age(young, 59);
    openTempFolder(dir).sweep();
    expect(namesOf(dir)).toEqual([young]);
  });

  it('may be folders of known files; any other folder stays', () => {
    const dir = scratch();
    const folder = leave(dir, dead) + '0';
    const strange = leave(dir, dead) + '0';
    fs.mkdirSync(join(dir, folder));
    fs.mkdirSync(join(dir, strange));
    for (const name of [`${folder}/1.md`, `${folder}/20.md`, `${strange}/1.md`, `${strange}/notes.txt`])
      fs.writeFileSync(join(dir, name), 'x');
    openTempFolder(dir, { holding: /^\d+\.md$/ }).sweep();
    expect(namesOf(dir)).toEqual([strange]);
    expect(namesOf(join(dir, strange))).toEqual(['1.md', 'notes.txt']);
  });

  it('fault 14: are the only names that are ever swept, however old others are', () => {
    const dir = scratch();
    const outside = join(scratch(), 'file');
    fs.writeFileSync(outside, 'x');
    const link = leave(dir, dead);
    fs.rmSync(join(dir, link));
    fs.symlinkSync(outside, join(dir, link));
    fs.writeFileSync(join(dir, 'notes.txt'), 'x');
    fs.mkdirSync(join(dir, 'folder'));
    const old = new Date(Date.now() - 86_400_000);
    for (const name of ['notes.txt', 'folder']) fs.utimesSync(join(dir, name), old, old);
    openTempFolder(dir, { holding: /./ }).sweep();
    expect(namesOf(dir)).toEqual([link, 'folder', 'notes.txt'].sort());
  });

  it('fault 14: are neither swept nor written through a link', () => {
    const root = scratch();
    const outside = scratch();
    const stale = leave(outside, dead);
    fs.symlinkSync(outside, join(root, '.tmp'));
    const temps = openTempFolder(join(root, '.tmp'), { root });
    for (const use of [() => temps.sweep(), () => temps.write(Buffer.from('x'))])
      expect(thrown(use)).toMatchObject({
        code: 'unsafe_path',
        message: containing(`${join(root, '.tmp')} is a link to ${outside}`),
      });
    expect(namesOf(outside)).toEqual([stale]);
  });

  it('tell their label when they are swept', () => {
    const dir = scratch();
    const labels: string[] = [];
    leave(dir, (parts) => [...dead(parts), 'lock-k']);
    leave(dir, dead);
    openTempFolder(dir, { onSwept: (label) => labels.push(label) }).sweep();
    expect(labels).toEqual(['lock-k']);
  });

  it('are no reason to fail where there is no folder', () => {
    expect(() => openTempFolder(join(scratch(), 'none')).sweep()).not.toThrow();
  });
});
