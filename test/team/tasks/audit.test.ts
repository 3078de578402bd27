import { describe, expect, it } from 'vitest';
import { findFirstBreak, buildNextEntry, NO_ENTRY } from '../../../src/team/tasks/audit.ts';
import { createAuditTrail } from '../../../src/team/tasks/audit-trail.ts';
import type { AuditEnd, AuditEvent } from '../../../src/team/tasks/audit.ts';
import type { LineFile } from '../../../src/team/tasks/audit-trail.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';

const NOW = Date.parse('2026-01-11T16:30:00.000Z');
const event = (task: string): AuditEvent => ({
  what: 'task.asked',
  by: 'ana',
  task,
  details: { text: `do "${task}"\n` },
});

function trail(count: number): { lines: string[]; end: AuditEnd } {
  const lines: string[] = [];
  let end = NO_ENTRY;
  for (let at = 1; at <= count; at++) {
    const next = buildNextEntry(end, event(`T${at}`), NOW);
    lines.push(next.line);
    end = next.end;
  }
  return { lines, end };
}
const hashOf = (line: string): string => (JSON.parse(line) as AuditEnd).hash;
const text = (lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('a trail', () => {
  const { lines, end } = trail(6);

  it('is whole as it was written', () => {
    expect(findFirstBreak(text(lines), end)).toBeUndefined();
    expect(findFirstBreak('', NO_ENTRY)).toBeUndefined();
    expect(JSON.parse(lines[1]!)).toMatchObject({
      seq: 2,
      by: 'ana',
      task: 'T2',
      previous: hashOf(lines[0]!),
    });
  });

  it.each<[string, (all: string[]) => string[], string, number]>([
    ['a word', (all) => all.with(2, all[2]!.replace('ana', 'eve')), 'altered', 3],
    ['white space', (all) => all.with(2, all[2]!.replace('"by":', '"by": ')), 'altered', 3],
    ['a line that is none', (all) => all.with(2, 'x'), 'altered', 3],
    [
      'a line with a hash of its own',
      (all) => all.with(2, buildNextEntry({ seq: 2, hash: hashOf(all[1]!) }, event('T9'), NOW).line),
      'altered',
      3,
    ],
    [
      'the last line with a hash of its own',
      (all) => all.with(5, buildNextEntry({ seq: 5, hash: hashOf(all[4]!) }, event('T9'), NOW).line),
      'altered',
      6,
    ],
    ['a number', (all) => all.with(2, all[2]!.replace('"seq":3', '"seq":9')), 'altered', 3],
    ['one taken out', (all) => all.toSpliced(2, 1), 'removed', 3],
    ['the first taken out', (all) => all.slice(1), 'removed', 1],
    ['the last taken out', (all) => all.slice(0, -1), 'removed', 6],
    ['two exchanged', (all) => all.with(2, all[3]!).with(3, all[2]!), 'reordered', 3],
    ['one moved to the end', (all) => [...all.toSpliced(2, 1), all[2]!], 'reordered', 3],
    ['one repeated', (all) => all.toSpliced(2, 0, all[1]!), 'reordered', 3],
    ['all of it taken out', () => [], 'removed', 1],
    ['one put behind that fits', (all) => [...all, buildNextEntry(end, event('T7'), NOW).line], 'added', 7],
  ])('tells %s', (_, change, kind, entry) => {
    expect(findFirstBreak(text(change(lines)), end)).toMatchObject({ kind, entry });
  });

  it('tells a line that was cut off, wherever it was', () => {
    const whole = text(lines);
    for (const cut of [1, 2, 50, lines[5]!.length])
      expect(findFirstBreak(whole.slice(0, -cut), end)).toEqual({ kind: 'torn', entry: 6, line: 6 });
    expect(findFirstBreak(whole.slice(0, -lines[5]!.length - 1), end)).toMatchObject({
      kind: 'removed',
      entry: 6,
    });
  });
});

function memoryFile(): LineFile & { bytes: Buffer } {
  return {
    bytes: Buffer.alloc(0),
    async read() {
      return this.bytes.toString();
    },
    async size() {
      return this.bytes.length;
    },
    async writeAt(offset, bytes) {
      const grown = Buffer.alloc(Math.max(this.bytes.length, offset + bytes.length));
      this.bytes.copy(grown);
      grown.set(bytes, offset);
      this.bytes = grown;
    },
  };
}

describe('adding to it', () => {
  const clock = { now: () => NOW };

  it('gives everybody who adds at once a place of their own', async () => {
    const [store, file] = [memoryStore(), memoryFile()];
    const trails = Array.from({ length: 8 }, () => createAuditTrail({ store, file, clock }));
    await Promise.all(trails.flatMap((one, at) => [one.add(event(`T${at}`)), one.add(event(`É${at}`))]));
    expect(await trails[0]!.verify()).toMatchObject({ entries: 16, broken: undefined });
  });

  it('keeps the end of a task once, whoever adds it, and another end of the same task', async () => {
    const [store, file] = [memoryStore(), memoryFile()];
    const trails = Array.from({ length: 3 }, () => createAuditTrail({ store, file, clock }));
    const ended = (endedAt: string) => ({
      ...event('S1/T1'),
      what: 'task.ended' as const,
      details: { endedAt },
    });
    await Promise.all(trails.map((one) => one.add(ended('2026-11-01T00:00:00Z'))));
    await trails[0]!.add(ended('2026-11-02T00:00:00Z'));
    await trails[1]!.add(ended('2026-11-02T00:00:00Z'));
    expect(await trails[2]!.verify()).toMatchObject({ entries: 2, broken: undefined });
  });

  it('is whole for whoever looks while others add', async () => {
    const [store, file] = [memoryStore(), memoryFile()];
    const [one, other] = [createAuditTrail({ store, file, clock }), createAuditTrail({ store, file, clock })];
    const adding = (async () => {
      for (let at = 1; at <= 200; at++) await one.add(event(`T${at}`));
    })();
    for (let look = 0; look < 50; look++) expect((await other.verify()).broken?.kind).not.toBe('added');
    await adding;
    expect(await other.verify()).toMatchObject({ entries: 200, broken: undefined });
  });

  it('writes what a writer who was stopped has left out', async () => {
    const [store, file] = [memoryStore(), memoryFile()];
    const stopped = createAuditTrail({
      store,
      clock,
      file: { ...file, writeAt: () => Promise.reject(new Error('killed')), size: () => file.size() },
    });
    const other = createAuditTrail({ store, file, clock });
    await other.add(event('T1'));
    await expect(stopped.add(event('T2'))).rejects.toThrow('killed');
    expect((await other.verify()).broken).toMatchObject({ kind: 'removed', entry: 2 });
    await file.writeAt(file.bytes.length, Buffer.from('{"seq":2,"at"'));
    expect((await other.verify()).broken).toMatchObject({ kind: 'torn', entry: 2 });
    await other.add(event('T3'));
    expect(await other.verify()).toMatchObject({ entries: 3, broken: undefined });
  });

  it('has what a stopped writer left out when it is mended, without another entry', async () => {
    const store = memoryStore();
    const file = memoryFile();
    const whole = createAuditTrail({ store, file, clock });
    for (let at = 1; at <= 3; at++) await whole.add(event(`T${at}`));
    const all = await file.read();
    const cut = memoryFile();
    await cut.writeAt(0, Buffer.from(all.slice(0, -20)));
    const stopped = createAuditTrail({ store, file: cut, clock });
    expect((await stopped.verify()).broken).toMatchObject({ kind: 'torn' });
    await stopped.mend();
    expect(await cut.read()).toBe(all);
    expect((await stopped.verify()).broken).toBeUndefined();
  });

  it('goes on behind the last line where the record of its end is gone', async () => {
    const file = memoryFile();
    const first = createAuditTrail({ store: memoryStore(), file, clock });
    for (const task of ['T1', 'T2']) await first.add(event(task));
    await createAuditTrail({ store: memoryStore(), file, clock }).add(event('T3'));
    expect(findFirstBreak(await file.read())).toBeUndefined();
  });

  it('leaves a change where it was', async () => {
    const [store, file] = [memoryStore(), memoryFile()];
    const one = createAuditTrail({ store, file, clock });
    for (let at = 1; at <= 5; at++) await one.add(event(`T${at}`));
    file.bytes = Buffer.from((await file.read()).replace('ana', 'eve-and-others'));
    await one.add(event('T6'));
    expect(await one.verify()).toMatchObject({ entries: 6, broken: { kind: 'altered', entry: 1 } });
  });
});
