import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../../../../src/core/store/file/file-store.ts';
import type { Documents, HandEdits } from '../../../../src/core/store/documents.ts';
import { inspectStore } from '../../../../src/core/store/file/inspect-store.ts';
import { doc, fill, ID, namesOf, readStamp, scratch } from '../scratch.ts';

const OPTIONS = { prefix: 'council-', readStamp };

/** A project whose state file `k` is a link. */
async function linked(
  to: string,
): Promise<{ root: string; dir: string; link: string; store: Documents & HandEdits; warnings: string[] }> {
  const root = scratch();
  const dir = join(root, 'memory/shared');
  fs.mkdirSync(join(root, 'docs'), { recursive: true });
  const warnings: string[] = [];
  const store = fileStore({ ...OPTIONS, dir, root, warn: (message) => warnings.push(message) });
  await fill(store, 'k', 1);
  const link = join(dir, 'council-k.md');
  fs.rmSync(link);
  fs.symlinkSync(to, link);
  return { root, dir, link, store, warnings };
}

describe('a state file that is a link', () => {
  it('fault 4: stays one, and is written through inside the project', async () => {
    const { root, dir, link, store, warnings } = await linked('../../docs/k.md');
    const target = join(root, 'docs/k.md');
    for (let revision = 1; revision <= 3; revision++) {
      expect(await store.read('k')).toMatchObject({ revision });
      expect(fs.readFileSync(target, 'utf8')).toBe(doc(ID, revision, `body ${revision}`));
      await fill(store, 'k', 1);
      expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    }
    expect(inspectStore({ ...OPTIONS, dir, root }).documents[0]).toMatchObject({
      shown: 'same',
      refused: null,
    });
    fs.appendFileSync(target, 'by hand');
    const kept = (await store.dropEdit('k'))!;
    expect(fs.lstatSync(kept).isFile()).toBe(true);
    expect(fs.readFileSync(kept, 'utf8')).toContain('by hand');
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
    await store.remove('k', 4);
    expect([fs.existsSync(target), namesOf(dir).includes('council-k.md')]).toEqual([false, false]);
    expect(warnings).toHaveLength(1);
  });

  it('fault 4: may lead over other links', async () => {
    const { root, link, store } = await linked('../../docs/one.md');
    fs.symlinkSync('two.md', join(root, 'docs/one.md'));
    await fill(store, 'k', 1);
    expect(fs.readFileSync(join(root, 'docs/two.md'), 'utf8')).toBe(doc(ID, 2, 'body 2'));
    expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it.each([
    ['out of the project', '../../../elsewhere.md'],
    ['into the histories', '.versions/k/1.md'],
    ['into a hidden folder', '../../.git/hooks/post-commit'],
    ['in a circle', 'council-k.md'],
  ])('fault 4: is refused by name when it leads %s', async (_, to) => {
    const { root, dir, link, store } = await linked(to);
    fs.mkdirSync(join(root, '.git/hooks'), { recursive: true });
    const before = fs.readFileSync(join(dir, '.versions/k/1.md'), 'utf8');
    for (const use of [() => store.read('k'), () => store.update('k', (__, next) => doc(ID, next, 'x'))])
      await expect(use()).rejects.toMatchObject({
        code: 'unsafe_path',
        message: expect.stringContaining(link) as string,
        hint: expect.stringContaining('rm ') as string,
      });
    expect(fs.readFileSync(join(dir, '.versions/k/1.md'), 'utf8')).toBe(before);
    expect([namesOf(join(root, '..')).includes('elsewhere.md'), namesOf(join(root, '.git/hooks'))]).toEqual([
      false,
      [],
    ]);
    expect(inspectStore({ ...OPTIONS, dir, root }).unreadable.map(({ code }) => code)).toEqual([
      'unsafe_path',
    ]);
  });
});
