import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IS_SHORT, takeOneIn } from '../../../helpers/long.ts';
import {
  bench,
  doc,
  fill,
  ID,
  inParallel,
  countCalls,
  namesOf,
  projectionOf,
  runWorker,
  scratch,
  startWorker,
  until,
} from '../scratch.ts';
import { bodyOf, readStamp } from '../stamp.ts';

const EACH = IS_SHORT ? 20 : 200;

describe('several processes on one file store', () => {
  it(`lose no update: 8 processes, ${EACH} commits each`, async () => {
    const { dir, store } = bench();
    const words = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const started = performance.now();
    const ended = await Promise.all(words.map((word) => runWorker(['append', dir, 'k', word, String(EACH)])));
    const seconds = (performance.now() - started) / 1000;
    expect(ended.map((e) => [e.code, e.stderr])).toEqual(words.map(() => [0, '']));

    const promised = ended.flatMap((e) =>
      e.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    const revisions = promised.map(([revision]) => Number(revision)).sort((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 8 * EACH }, (_, i) => i + 1));

    const { text, revision } = (await store.read('k'))!;
    expect(revision).toBe(8 * EACH);
    const lines = bodyOf(text).trim().split('\n');
    for (const [at, line] of promised) expect(lines[Number(at) - 1]).toBe(line);
    expect(lines).toHaveLength(8 * EACH);
    expect(projectionOf(dir, 'k')).toBe(text);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    expect((await store.versions('k')).filter((v) => v.bytes > 0)).toHaveLength(50);
    console.log(
      `8 processes x ${EACH} updates: ${Math.round((8 * EACH) / seconds)} commits/s, process start included`,
    );
  });

  it('create a document once', async () => {
    const { dir, store } = bench();
    const ended = await Promise.all(
      Array.from({ length: 6 }, (_, i) => runWorker(['append', dir, 'k', `w${i}`])),
    );
    expect(ended.map((e) => [e.code, e.stderr])).toEqual(ended.map(() => [0, '']));
    expect(
      bodyOf((await store.read('k'))!.text)
        .trim()
        .split('\n')
        .sort(),
    ).toEqual(['w0', 'w1', 'w2', 'w3', 'w4', 'w5']);
  });

  it('import a fresh clone once', async () => {
    const dir = scratch();
    fs.writeFileSync(join(dir, 'council-k.md'), doc(ID, 400, 'body\n'));
    const ended = await Promise.all(
      Array.from({ length: 6 }, (_, i) => runWorker(['append', dir, 'k', `w${i}`])),
    );
    expect(ended.map((e) => [e.code, e.stderr])).toEqual(ended.map(() => [0, '']));
    const { text, revision } = (await bench(dir).store.read('k'))!;
    expect(revision).toBe(406);
    expect(bodyOf(text).trim().split('\n').sort()).toEqual(['body', 'w0', 'w1', 'w2', 'w3', 'w4', 'w5']);
    expect(namesOf(join(dir, '.versions', 'k'))).toHaveLength(406);
  });

  it('see whole texts while others commit and prune', async () => {
    const { dir, again } = bench();
    const writer = startWorker(['append', dir, 'k', 'x', '150']);
    await until(() => writer.printed() !== '', 'the first commit');
    const reader = again();
    let reads = 0;
    for (let last = 0, over = false; !over;) {
      over = writer.child.exitCode !== null;
      const { text, revision } = (await reader.read('k'))!;
      expect(readStamp(text)).toMatchObject({ id: ID, revision, intact: true });
      expect(revision).toBeGreaterThanOrEqual(last);
      const old = await reader.readVersion('k', Math.max(1, revision - 49));
      if (old !== undefined) expect(readStamp(old)?.intact).toBe(true);
      last = revision;
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await writer.ended).code).toBe(0);
    expect(reads).toBeGreaterThan(20);
    expect(namesOf(join(dir, '.edits'))).toEqual([]);
  });

  it('survive that one is stopped at any call while another commits', async () => {
    const base = scratch();
    const prepared = join(base, 'prepared');
    await fill(bench(prepared).store, 'k', 52);
    const prepare = (name: string): string => {
      const dir = join(base, name);
      fs.cpSync(prepared, dir, { recursive: true });
      return dir;
    };
    const env = (dir: string) => ({ FAIL_UNDER: dir, FAIL_WITH: 'SIGSTOP' });
    const counted = prepare('count');
    const calls = await countCalls(['append', counted, 'k', 'stopped'], env(counted), base);
    expect(calls).toBeGreaterThan(10);

    await inParallel(
      takeOneIn(
        3,
        Array.from({ length: calls }, (_, i) => i + 1),
      ),
      9,
      async (n) => {
        const dir = prepare(`at-${n}`);
        const { store, again, warnings } = bench(dir);
        const worker = startWorker(['append', dir, 'k', 'stopped'], { ...env(dir), FAIL_AT: String(n) });
        await until(() => isStopped(worker.child.pid!), `stopped at call ${n}`);
        await store.update('k', (current, next) => doc(ID, next, `${bodyOf(current!.text)}\nmine\n`));
        await fill(store, 'k', 1);
        await fill(store, 'k', 1);
        worker.child.kill('SIGCONT');
        const ended = await worker.ended;
        expect([n, ended.code]).toEqual([n, 0]);
        expect(ended.stderr, `at ${n}`).not.toContain('by hand');
        const newest = fs.readFileSync(join(dir, '.versions', 'k', '56.md'), 'utf8');
        expect(projectionOf(dir, 'k'), `the stopped one put the newest text back, at ${n}`).toBe(newest);
        const acknowledged = Number(ended.stdout.split(' ')[0]);
        expect(bodyOf((await again().readVersion('k', acknowledged))!), `at ${n}`).toMatch(/stopped\n$/);
        const { text, revision } = (await again().read('k'))!;
        expect(revision).toBe(56);
        expect(projectionOf(dir, 'k'), `at ${n}`).toBe(text);
        expect(warnings, `at ${n}`).toEqual([]);
        expect(namesOf(join(dir, '.tmp')), `at ${n}`).toEqual([]);
      },
    );
  });
});

function isStopped(pid: number): boolean {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
