// The file of councils that wait: whatever lies in its place, nobody is passed over who may be due.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../src/base/ids.ts';
import { dueFile } from '../../../src/store/file/due-index.ts';
import { heartbeatFiles } from '../../../src/store/file/heartbeat-files.ts';
import { bench, fill } from '../scratch.ts';
import type { Bench } from '../scratch.ts';

const WAITS = { conversationId: 'c', topic: 'Go?', phase: 'COLLECT', tour: 1, awaited: ['ana'] };

function indexOf({ dir, store, warnings }: Bench) {
  const list = vi.fn(() => store.list('', { look: false }));
  const shown = (name: string): string => join(dir, `council-${name}.md`);
  const due = dueFile({ dir, root: dir, shown, warn: (message) => warnings.push(message) });
  /** Far enough ahead for everything to be at rest. */
  const now = Date.now() + 60_000;
  const begin = (at = now, byHand = false) => due.begin({ list, now: at, clocks: undefined, byHand });
  return { begin, list, now };
}

async function noted() {
  const made = bench();
  await fill(made.store, 'one', 1);
  await fill(made.store, 'two', 1);
  const { begin, list, now } = indexOf(made);
  const found = new Map([['one', { ...WAITS, dueAt: now + 60_000 }]]);
  const note = async () => {
    // The first one makes the folder that the file lies in.
    for (let times = 0; times < 2; times++) await (await begin()).end(found);
  };
  await note();
  const known = async () => [...(await (await begin(now + 1)).waiting()).keys()];
  const path = join(made.dir, '.versions', '.due', 'index');
  return { ...made, path, begin, list, now, note, known };
}

/** A file whose hash is right. */
const file = (head: object, ...lines: string[]): string => {
  const start = JSON.stringify({ format: 3, doors: null, count: lines.length, ...head });
  return hashed([start, ...lines].map((line) => `${line}\n`).join(''));
};
const hashed = (rest: string): string => `${sha256(rest)}\n${rest}`;
const SWEPT = { swept: { at: Date.now() } };

describe('the file of councils that wait', () => {
  it.each([
    ['nothing', ''],
    ['half of a line', '{"format":3,"swept":{"at":1'],
    ['half of its lines', file(SWEPT, '0\t["one"]', '0\t["two"]').slice(0, -8)],
    ['another format', file({ ...SWEPT, format: 1 })],
    ['a list', hashed('[]\n')],
    ['a line without an end', hashed(`${file({ ...SWEPT, count: 1 }).split('\n')[1]}\n99\t`)],
    ['a line that is no list', file(SWEPT, '9e15\t{"one":1}')],
    ['a line of a name that is none', file(SWEPT, '9e15\t["../one"]')],
    ['a line that lacks something', file(SWEPT, '9e15\t["one","mark"]')],
    ['a line whose time is none', file(SWEPT, 'soon\t["one"]')],
    ['keys that reach into a prototype', hashed('{"format":3,"__proto__":{"swept":{"at":1}}}\n')],
  ])('is worth nothing when it holds %s, and is written anew', async (_what, text) => {
    const { path, known, note, warnings } = await noted();
    expect(await known()).toEqual(['one']);
    fs.writeFileSync(path, text);
    expect(await known()).toEqual([]);
    await note();
    expect(await known()).toEqual(['one']);
    expect(warnings).toEqual([]);
  });

  it('is worth nothing when any of its digits has changed', async () => {
    const { path, known, note } = await noted();
    const text = fs.readFileSync(path, 'latin1');
    for (const { index } of text.matchAll(/\d/g)) {
      fs.writeFileSync(
        path,
        text.slice(0, index) + (text[index] === '9' ? '8' : '9') + text.slice(index + 1),
      );
      expect(await known(), `digit ${index}`).toEqual([]);
    }
    await note();
    expect(await known()).toEqual(['one']);
  });

  it('is not read through a link, nor waited for where a FIFO has its name', async () => {
    const { dir, path, known } = await noted();
    fs.renameSync(path, join(dir, 'elsewhere'));
    fs.symlinkSync(join(dir, 'elsewhere'), path);
    expect(await known()).toEqual([]);
    fs.unlinkSync(path);
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    expect(await known()).toEqual([]);
  });

  it('says so where it cannot be written, and the pass goes on', async () => {
    const { path, note, warnings } = await noted();
    fs.rmSync(path);
    fs.mkdirSync(path);
    fs.writeFileSync(join(path, 'full'), '');
    await note();
    expect(warnings[0]).toContain('every council is read each time');
  });

  it('does not note a council whose history has only just changed', async () => {
    const made = bench();
    await fill(made.store, 'one', 1);
    const { begin } = indexOf(made);
    const now = Date.now();
    await (await begin(now)).end(new Map([['one', { ...WAITS, dueAt: now + 60_000 }]]));
    expect((await begin(now)).due).toEqual(['one']);
  });

  it('neither lists nor looks at the councils as long as nobody commits', async () => {
    const { begin, list, now, store } = await noted();
    list.mockClear();
    expect((await begin(now + 1)).due).toEqual(['two']);
    expect(list).not.toHaveBeenCalled();
    await fill(store, 'three', 1);
    expect((await begin(now + 1)).due).toEqual(['three', 'two']);
    expect(list).toHaveBeenCalledOnce();
  });

  it('does not take the row that a heartbeat renews for a commit', async () => {
    const { begin, list, note, now, dir } = await noted();
    const heartbeats = heartbeatFiles(dir);
    const machine = { host: 'a', bootId: 'b', pid: 1, startTime: '1' };
    const row = { id: 'h1', ...machine, labels: [], agents: {}, version: '1', speaks: 1 };
    const renew = () => heartbeats.renew(row);
    await renew();
    // Its folder was made: that is noted once.
    await note();
    await renew();
    list.mockClear();
    expect((await begin(now + 1)).due).toEqual(['two']);
    await heartbeats.remove(row.id);
    expect((await begin(now + 1)).due).toEqual(['two']);
    expect(list).not.toHaveBeenCalled();
  });

  it('trusts nothing while a file of a commit lies there, whose writer may still link it', async () => {
    const { begin, list, now, dir } = await noted();
    const temp = join(dir, '.tmp', 'somebody-else');
    fs.writeFileSync(temp, 'x');
    await (await begin(now)).end(new Map([['two', { ...WAITS, dueAt: now + 60_000 }]]));
    list.mockClear();
    // What it was noted by holds, and every history is looked at all the same.
    expect((await begin(now + 1)).due).toEqual([]);
    expect(list).toHaveBeenCalledOnce();
  });

  it('sees a change by hand where it is asked to, and leaves it to whoever did not look', async () => {
    const { begin, now, dir } = await noted();
    // Noted by a pass that did not look at what people see.
    expect((await begin(now, true)).due).toEqual(['one', 'two']);
    await (await begin(now, true)).end(new Map([['one', { ...WAITS, dueAt: now + 60_000 }]]));
    expect((await begin(now + 1, true)).due).toEqual(['two']);
    fs.appendFileSync(join(dir, 'council-one.md'), 'by hand');
    expect((await begin(now + 1, true)).due).toEqual(['one', 'two']);
    expect((await begin(now + 1)).due).toEqual(['two']);
  });
});
