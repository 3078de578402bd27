// The file of councils that wait: whatever lies in its place, nobody is passed over who may be due.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dueFile } from '../../../src/store/file/due-index.ts';
import { bench, fill } from '../scratch.ts';

async function noted() {
  const { dir, store } = bench();
  await fill(store, 'one', 1);
  const warnings: string[] = [];
  const due = dueFile({ dir, root: dir, warn: (message) => warnings.push(message) });
  const now = Date.now() + 60_000;
  const found = new Map([['one', { conversationId: 'c', phase: 'COLLECT', dueAt: now + 60_000 }]]);
  const note = async () => (await due.begin(['one'], now, undefined)).end(found);
  await note();
  const known = async () => [...(await due.begin(['one'], now + 1, undefined)).waiting.keys()];
  return { dir, path: join(dir, '.versions', '.due.json'), due, note, known, warnings, store };
}

describe('the file of councils that wait', () => {
  it.each([
    ['nothing', ''],
    ['half of it', '{"format":1,"swept":{"at":1'],
    ['another format', '{"format":2,"swept":{"at":1},"noted":{}}'],
    ['a list', '[]'],
    ['entries that are none', '{"format":1,"swept":{"at":1},"noted":{"one":7,"two":{"mark":1}}}'],
    ['keys that reach into a prototype', '{"format":1,"__proto__":{"swept":{"at":1}}}'],
  ])('is worth nothing when it holds %s, and is written anew', async (_what, text) => {
    const { path, known, note, warnings } = await noted();
    expect(await known()).toEqual(['one']);
    fs.writeFileSync(path, text);
    expect(await known()).toEqual([]);
    await note();
    expect(await known()).toEqual(['one']);
    expect(warnings).toEqual([]);
  });

  it('is not read through a link, nor waited for where a FIFO has its name', async () => {
    const { dir, path, known } = await noted();
    fs.renameSync(path, join(dir, 'elsewhere.json'));
    fs.symlinkSync(join(dir, 'elsewhere.json'), path);
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
    expect(warnings).toEqual([expect.stringContaining('every council is read each time')]);
  });

  it('does not note a council whose history has only just changed', async () => {
    const { dir, store } = bench();
    await fill(store, 'one', 1);
    const due = dueFile({ dir, root: dir, warn: (message) => expect.unreachable(message) });
    const now = Date.now();
    const found = new Map([['one', { conversationId: 'c', phase: 'COLLECT', dueAt: now + 60_000 }]]);
    await (await due.begin(['one'], now, undefined)).end(found);
    expect([...(await due.begin(['one'], now, undefined)).waiting]).toEqual([]);
  });
});
