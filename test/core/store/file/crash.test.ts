import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeOneIn } from '../../../helpers/long.ts';
import { bench, countCalls, doc, fill, ID, inParallel, namesOf, runWorker, scratch } from '../scratch.ts';
import { bodyOf, readStamp } from '../stamp.ts';

interface Scenario {
  /** What the killed process was asked to do, after its folder. */
  args: [action: string, key: string, ...rest: string[]];
  prepare: (dir: string) => Promise<unknown>;
  /** The bodies that may stand afterwards; undefined: no document. The second only if the process got that far. */
  before: string | undefined;
  after: string | undefined;
}

const filled = (count: number) => (dir: string) => fill(bench(dir).store, 'k', count);

const scenarios: Record<string, Scenario> = {
  'a creation': {
    args: ['append', 'k', 'new'],
    prepare: async (dir) => fs.mkdirSync(dir),
    before: undefined,
    after: 'new\n',
  },
  'a commit': { args: ['append', 'k', '!'], prepare: filled(3), before: 'body 3', after: 'body 3!\n' },
  'a commit that prunes': {
    args: ['append', 'k', '!'],
    prepare: filled(55),
    before: 'body 55',
    after: 'body 55!\n',
  },
  'a removal': { args: ['remove', 'k'], prepare: filled(3), before: 'body 3', after: undefined },
  'a commit after a removal': {
    args: ['append', 'k', 'new'],
    prepare: async (dir) => {
      await filled(2)(dir);
      await bench(dir).store.remove('k', 2);
    },
    before: undefined,
    after: 'new\n',
  },
  'an import': {
    args: ['read', 'k'],
    prepare: async (dir) => {
      fs.mkdirSync(dir);
      fs.writeFileSync(join(dir, 'council-k.md'), doc(ID, 4, 'cloned'));
    },
    before: 'cloned',
    after: 'cloned',
  },
  'a repair from the state file': {
    args: ['read', 'k'],
    prepare: async (dir) => {
      await filled(3)(dir);
      fs.writeFileSync(join(dir, '.versions', 'k', '3.md'), 'damaged');
    },
    before: 'body 3',
    after: 'body 3',
  },
  'a repair from the version before': {
    args: ['read', 'k'],
    prepare: async (dir) => {
      await filled(3)(dir);
      fs.writeFileSync(join(dir, '.versions', 'k', '3.md'), 'damaged');
      fs.rmSync(join(dir, 'council-k.md'));
    },
    before: 'body 2',
    after: 'body 2',
  },
  'dropping a hand edit': {
    args: ['dropEdit', 'k'],
    prepare: async (dir) => {
      await filled(3)(dir);
      fs.writeFileSync(join(dir, 'council-k.md'), 'my edit');
    },
    before: 'body 3',
    after: 'body 3',
  },
};

/** Everything a person may have written by hand is still somewhere. */
function handEdits(dir: string): string[] {
  const kept = namesOf(join(dir, '.edits')).map((name) => join(dir, '.edits', name));
  return [...kept, join(dir, 'council-k.md')]
    .filter((path) => fs.existsSync(path))
    .map((path) => fs.readFileSync(path, 'utf8'));
}

describe.each(Object.entries(scenarios))(
  'SIGKILL at every call of %s',
  (_, { args, prepare, before, after }) => {
    it('loses nothing that was promised, and leaves nothing behind', async () => {
      const base = scratch();
      const argsIn = (dir: string): string[] => [args[0], dir, ...args.slice(1)];
      const prepared = join(base, 'prepared');
      await prepare(prepared);
      const counted = join(base, 'count');
      fs.cpSync(prepared, counted, { recursive: true });
      const calls = await countCalls(argsIn(counted), { FAIL_UNDER: counted }, base);
      expect(calls).toBeGreaterThan(3);

      await inParallel(
        takeOneIn(
          3,
          Array.from({ length: calls + 1 }, (_, i) => i + 1),
        ),
        3,
        async (n) => {
          const dir = join(base, String(n));
          fs.cpSync(prepared, dir, { recursive: true });
          const ended = await runWorker(argsIn(dir), { FAIL_UNDER: dir, FAIL_AT: String(n) });
          expect([n, ended.signal, ended.code]).toEqual(n <= calls ? [n, 'SIGKILL', null] : [n, null, 0]);

          const { again } = bench(dir);
          const found = await again().read('k');
          const body = found && bodyOf(found.text);
          // What was printed was promised.
          expect(ended.stdout === '' ? [before, after] : [after], `killed at ${n} of ${calls}`).toContain(
            body,
          );
          if (found) expect(readStamp(found.text)).toMatchObject({ id: ID, intact: true });
          const names = namesOf(join(dir, '.versions', 'k'));
          expect(names.sort()).toEqual(names.map((_, i) => `${i + 1}.md`).sort());
          if (args[0] === 'dropEdit') expect(handEdits(dir)).toContain('my edit');

          // The next command need not wait until a dead process's lock goes stale.
          expect(namesOf(join(dir, '.versions')), `killed at ${n} of ${calls}`).not.toContain('k.lock');
          const next = bench(dir);
          await next.store.update('k', (current, revision) =>
            doc(ID, revision, `${current ? bodyOf(current.text) : ''}next`),
          );
          await next.store.dropEdit('k');
          expect(bodyOf((await next.store.read('k'))!.text)).toBe(`${body ?? ''}next`);
          expect(bodyOf(fs.readFileSync(join(dir, 'council-k.md'), 'utf8'))).toBe(`${body ?? ''}next`);
          expect(namesOf(join(dir, '.tmp')), `killed at ${n} of ${calls}`).toEqual([]);
          fs.rmSync(dir, { recursive: true });
        },
      );
    });
  },
);
