// The index of councils that wait, while processes are killed: it may be lost, and never says that one waits that has moved.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { dueFile } from '../../../src/store/file/due-index.ts';
import { bench, countCalls, fill, inParallel, runWorker, scratch } from '../scratch.ts';

/** Far enough ahead for everything to be at rest. */
const later = (): number => Date.now() + 60_000;
const KINDS = 'open,write,fsync,link,rename,unlink,mkdir';

async function passOver(dir: string, now: number) {
  const { store } = bench(dir);
  const shown = (name: string): string => store.projectionPath(name);
  const due = dueFile({ dir, root: dir, shown, warn: (line) => expect.unreachable(line) });
  const pass = await due.begin({ list: () => store.list(), now, clocks: undefined });
  return { due: [...pass.due], waiting: [...(await pass.waiting()).keys()] };
}

/** A store with two councils, of which the first was noted. Notes hold by inodes and times: a copy has to be noted anew. */
async function noted(dir: string): Promise<number> {
  const { store } = bench(dir);
  for (const key of ['k', 'other']) await fill(store, key, 2);
  const now = later();
  for (let times = 0; times < 2; times++)
    expect(await runWorker(['note', dir, 'k', `${now}`])).toMatchObject({ code: 0, stderr: '' });
  expect(await passOver(dir, now + 1)).toEqual({ due: ['other'], waiting: ['k'] });
  return now;
}

const upTo = (calls: number): number[] => Array.from({ length: calls }, (_, at) => at + 1);

it('is whole, as it was, or nothing when its writer is killed at any call', async () => {
  const base = scratch();
  const counted = join(base, 'count');
  const now = await noted(counted);
  const calls = await countCalls(
    ['note', counted, 'other', `${now + 1}`],
    { FAIL_UNDER: counted, FAIL_KINDS: KINDS },
    base,
  );
  expect(calls).toBeGreaterThan(3);
  await inParallel(upTo(calls), 3, async (n) => {
    const dir = join(base, `${n}`);
    const at = await noted(dir);
    const env = { FAIL_UNDER: dir, FAIL_KINDS: KINDS, FAIL_AT: `${n}` };
    const ended = await runWorker(['note', dir, 'other', `${at + 1}`], env);
    expect([n, ended.signal]).toEqual([n, 'SIGKILL']);
    const { due, waiting } = await passOver(dir, at + 2);
    expect([...due, ...waiting].sort(), `killed at ${n} of ${calls}`).toEqual(['k', 'other']);
    expect([[], ['k'], ['k', 'other']], `killed at ${n} of ${calls}`).toContainEqual(waiting);
    // The next pass notes what it finds, and takes away what was left.
    for (let times = 0; times < 2; times++) await runWorker(['note', dir, 'other', `${later()}`]);
    expect((await passOver(dir, later())).waiting).toContain('other');
    rmSync(dir, { recursive: true });
  });
}, 180_000);

it.each(['append', 'remove'])(
  'shows a council as due that a killed %s has changed, at whatever call it was killed',
  async (action) => {
    const base = scratch();
    const counted = join(base, 'count');
    await noted(counted);
    const args = (dir: string): string[] => [action, dir, 'k', '!'];
    const kinds = { FAIL_KINDS: KINDS };
    const calls = await countCalls(args(counted), { FAIL_UNDER: counted, ...kinds }, base);
    expect(calls).toBeGreaterThan(5);
    await inParallel(upTo(calls), 3, async (n) => {
      const dir = join(base, `${n}`);
      const at = await noted(dir);
      const env = { FAIL_UNDER: dir, FAIL_AT: `${n}`, ...kinds };
      expect((await runWorker(args(dir), env)).signal).toBe('SIGKILL');
      const { due, waiting } = await passOver(dir, at + 1000);
      const revision = await bench(dir).again().revision('k');
      const said = { waits: waiting.includes('k'), due: due.includes('k') };
      // A council that has ended is not listed at all.
      const isLive = revision === 2 || action === 'append';
      expect(said, `killed at ${n} of ${calls}`).toEqual({
        waits: revision === 2 && !said.due,
        due: isLive && !said.waits,
      });
      // A copy of the project knows nothing of the notes' inodes, and looks at everything.
      cpSync(dir, `${dir}-copy`, { recursive: true });
      expect((await passOver(`${dir}-copy`, later())).waiting).toEqual([]);
      for (const one of [dir, `${dir}-copy`]) rmSync(one, { recursive: true });
    });
  },
  180_000,
);

/** What may lie in place of the notes: `newest` and those from before a commit, as somebody has put them back. */
const LYING: Record<string, (newest: Buffer, earlier: Buffer) => Buffer | undefined> = {
  deleted: () => undefined,
  empty: () => Buffer.alloc(0),
  torn: (newest) => newest.subarray(0, Math.floor(newest.length / 2)),
  'torn in its first line': (newest) => newest.subarray(0, 20),
  'without its last byte': (newest) => newest.subarray(0, -1),
  stale: (_, earlier) => earlier,
  'of two times': (newest, earlier) => Buffer.concat([newest, earlier]),
};

it('never says that a council waits which has moved, whatever lies in its place after a kill at any call', async () => {
  const base = scratch();
  /** Noted, changed, and noted again: what was noted first is stale then. */
  const twice = async (dir: string) => {
    const path = join(dir, '.versions', '.due', 'index');
    let now = await noted(dir);
    const earlier = readFileSync(path);
    await fill(bench(dir).store, 'k', 1);
    for (let times = 0; times < 2; times++) await runWorker(['note', dir, 'k', `${(now += 1000)}`]);
    expect((await passOver(dir, now + 1)).waiting).toEqual(['k']);
    return { path, now, earlier, newest: readFileSync(path) };
  };
  const counted = join(base, 'count');
  await twice(counted);
  const args = (dir: string): string[] => ['append', dir, 'k', '!'];
  const calls = await countCalls(args(counted), { FAIL_UNDER: counted, FAIL_KINDS: KINDS }, base);
  await inParallel(upTo(calls), 3, async (n) => {
    const dir = join(base, `${n}`);
    const { path, now, earlier, newest } = await twice(dir);
    const env = { FAIL_UNDER: dir, FAIL_KINDS: KINDS, FAIL_AT: `${n}` };
    expect((await runWorker(args(dir), env)).signal).toBe('SIGKILL');
    for (const [what, make] of Object.entries(LYING)) {
      const bytes = make(newest, earlier);
      mkdirSync(dirname(path), { recursive: true });
      if (bytes) writeFileSync(path, bytes);
      else rmSync(dirname(path), { recursive: true });
      // Too early is a look more; too late would be a council that nobody looks at.
      expect(await passOver(dir, now + 2000), `${what}, killed at ${n} of ${calls}`).toEqual({
        due: ['k', 'other'],
        waiting: [],
      });
    }
    rmSync(dir, { recursive: true });
  });
}, 180_000);
