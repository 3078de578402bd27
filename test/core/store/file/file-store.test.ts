import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { storeContract } from '../../../contracts/store.ts';
import { inspectStore } from '../../../../src/core/store/file/inspect-store.ts';
import type { Documents } from '../../../../src/core/store/documents.ts';
import { bench, doc, fill, ID, namesOf, projectionOf, readStamp } from '../scratch.ts';
import { bodyOf } from '../stamp.ts';

storeContract('file store', () => bench().store);

const OTHER_ID = '33333333-3333-4333-8333-333333333333';

describe('the folder of a file store', () => {
  it('shows the head in the state file, as a copy', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 3);
    expect(store.projectionPath('k')).toBe(join(dir, 'council-k.md'));
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'body 3'));
    expect(namesOf(join(dir, '.versions', 'k'))).toEqual(['1.md', '2.md', '3.md']);
    expect(fs.statSync(join(dir, 'council-k.md')).nlink).toBe(1);
    expect(fs.statSync(join(dir, '.versions', 'k', '3.md')).nlink).toBe(1);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
  });

  it('touches nothing when it only reads', async () => {
    const { dir, store } = bench();
    expect(await store.read('k')).toBeUndefined();
    expect(await store.list()).toEqual([]);
    expect(await store.update('k', () => undefined)).toEqual({ revision: 0, committed: false });
    expect(namesOf(dir)).toEqual([]);
  });

  it('keeps every name when it prunes, with the time of the text that was there', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 2);
    const path = join(dir, '.versions', 'k', '1.md');
    const { mtimeMs } = fs.statSync(path);
    await fill(store, 'k', 53);
    expect(namesOf(join(dir, '.versions', 'k'))).toHaveLength(55);
    expect(fs.statSync(path)).toMatchObject({ size: 0 });
    expect(Math.abs(fs.statSync(path).mtimeMs - mtimeMs)).toBeLessThan(2);
  });

  it('catches up with what a crash has left unpruned', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 52);
    fs.writeFileSync(join(dir, '.versions', 'k', '2.md'), 'left over');
    await fill(store, 'k', 1);
    expect((await store.versions('k')).filter((v) => v.bytes > 0).map((v) => v.revision)[0]).toBe(4);
  });

  describe('of a large document', () => {
    const LARGE = 'x'.repeat(600 * 1024);
    async function commit(store: Documents, times: number): Promise<number> {
      let revision = await store.revision('k');
      for (let i = 0; i < times; i++)
        revision = await store.commit('k', doc(ID, revision + 1, `${LARGE} ${revision + 1}`), revision);
      return revision;
    }
    const kept = async (store: Documents) =>
      (await store.versions('k')).filter(({ bytes }) => bytes > 0).map(({ revision }) => revision);

    it('keeps fewer texts the older they are, ten times the document at most', async () => {
      const { dir, store, again, warnings } = bench();
      for (let round = 0; round < 14; round++) {
        const newest = await commit(store, 5);
        const texts = await kept(store);
        expect(texts.slice(-2)).toEqual([newest - 1, newest]);
        expect(texts.length, `at ${newest}`).toBeLessThanOrEqual(8);
        // What is once gone would have been of no use later either.
        if (newest > 40) expect(texts[0]).toBeLessThan(newest - 16);
      }
      expect(await kept(store)).toEqual([32, 48, 56, 64, 68, 69, 70]);
      expect((await again().read('k'))?.revision).toBe(70);
      expect(inspectStore({ dir, prefix: 'council-', readStamp }).documents[0]).toMatchObject({});
      expect(warnings).toEqual([]);
    });

    it('catches up with what a crash has left, and with a document that has grown', async () => {
      const { dir, store } = bench();
      await fill(store, 'k', 60);
      await commit(store, 1);
      expect(await kept(store)).toEqual([32, 48, 56, 58, 60, 61]);
      fs.writeFileSync(join(dir, '.versions', 'k', '5.md'), 'left over');
      fs.writeFileSync(join(dir, '.versions', 'k', '33.md'), 'left over');
      await commit(store, 1);
      expect((await kept(store)).filter((one) => one < 40)).toEqual([32]);
    });

    it('shows again a state file that stands where a revision was whose text is gone', async () => {
      const { dir, store, again, warnings } = bench();
      await commit(store, 3);
      const stale = fs.readFileSync(join(dir, 'council-k.md'));
      await commit(store, 6);
      fs.writeFileSync(join(dir, 'council-k.md'), stale);
      expect((await again().read('k'))?.revision).toBe(9);
      expect(fs.readFileSync(join(dir, 'council-k.md')).equals(stale)).toBe(false);
      expect(warnings).toEqual([]);
      expect(namesOf(join(dir, '.edits'))).toEqual([]);
    });
  });

  it('finds the head with few looks, whatever the state file claims', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 37);
    for (const claim of [0, 1, 20, 36, 38, 999_999_999]) {
      fs.writeFileSync(join(dir, 'council-k.md'), `{"revision": ${claim}}`);
      expect(await again().revision('k')).toBe(37);
      expect(await again().read('k')).toMatchObject({ revision: 37 });
    }
  });

  it.each(['list', 'read'] as const)('looks again when the head was pruned meanwhile: %s', async (call) => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 60);
    fs.writeFileSync(join(dir, 'council-k.md'), '{"revision": 5}');
    const stat = fs.lstatSync as (path: string, options: object) => fs.Stats;
    let hidden = 0;
    vi.spyOn(fs, 'lstatSync').mockImplementation(((path: string, options: object) => {
      const early = path.endsWith('/6.md') && hidden++ === 0;
      return early ? undefined : stat(path, options);
    }) as never);
    try {
      if (call === 'list') expect(await again().list()).toEqual(['k']);
      else expect(await again().read('k')).toMatchObject({ revision: 60 });
    } finally {
      vi.restoreAllMocks();
    }
    expect(hidden).toBeGreaterThan(1);
  });

  it('starts anew when the history is deleted under a long-lived process', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 9);
    fs.rmSync(join(dir, '.versions'), { recursive: true });
    fs.rmSync(join(dir, 'council-k.md'));
    expect(await store.revision('k')).toBe(0);
    expect(await store.commit('k', doc(ID, 1, 'anew'), 0)).toBe(1);
  });

  it('refuses a text whose stamp does not fit its revision', async () => {
    const { store } = bench();
    await expect(store.commit('k', doc(ID, 2, 'x'), 0)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(store.commit('k', `${doc(ID, 1, 'x')}y`, 0)).rejects.toMatchObject({ code: 'corrupt' });
    await expect(store.commit('k', 'no stamp', 0)).rejects.toMatchObject({ code: 'corrupt' });
    expect(await store.revision('k')).toBe(0);
  });

  it('refuses more than 18 MiB', async () => {
    const { store } = bench();
    const text = doc(ID, 1, 'x'.repeat(18 * 1024 * 1024));
    await expect(store.commit('k', text, 0)).rejects.toMatchObject({ code: 'too_large' });
  });

  it('ignores files that are no documents', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 1);
    for (const name of ['council-.md', 'council-A.md', 'council-k.md.bak', 'notes.md'])
      fs.writeFileSync(join(dir, name), 'x');
    fs.mkdirSync(join(dir, '.versions', 'Not a key'));
    expect(await store.list()).toEqual(['k']);
  });
});

describe('a stale state file', () => {
  const put = (dir: string, text: string): void => fs.writeFileSync(join(dir, 'council-k.md'), text);

  it.each([
    ['an older revision', doc(ID, 2, 'body 2')],
    ['a revision that was pruned', doc(ID, 1, 'body 1')],
  ])('is healed by reading: %s', async (_, text) => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 52);
    put(dir, text);
    expect(await again().read('k')).toMatchObject({ revision: 52 });
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 52, 'body 52'));
    expect(warnings).toEqual([]);
    expect(namesOf(join(dir, '.edits'))).toEqual([]);
  });

  it('is healed when it is missing', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    fs.rmSync(join(dir, 'council-k.md'));
    expect(await again().list()).toEqual(['k']);
    await again().read('k');
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'body 2'));
  });

  it('is replaced by the next commit without a fuss', async () => {
    const { dir, store, warnings } = bench();
    await fill(store, 'k', 4);
    put(dir, doc(ID, 1, 'body 1'));
    await fill(store, 'k', 1);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 5, 'body 5'));
    expect(warnings).toEqual([]);
  });

  it('of a predecessor with the same name is healed as well', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    await store.remove('k', 2);
    await fill(store, 'k', 1, OTHER_ID);
    put(dir, doc(ID, 2, 'body 2'));
    expect(await again().read('k')).toEqual({ text: doc(OTHER_ID, 4, 'body 4'), revision: 4 });
    expect(projectionOf(dir, 'k')).toBe(doc(OTHER_ID, 4, 'body 4'));
  });

  it('that this history never held is kept before it is replaced', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 3);
    put(dir, doc(ID, 2, 'from another clone'));
    await again().read('k');
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'body 3'));
    const [kept] = namesOf(join(dir, '.edits'));
    expect(fs.readFileSync(join(dir, '.edits', kept!), 'utf8')).toBe(doc(ID, 2, 'from another clone'));
    expect(warnings.join()).toContain(kept);
  });

  it('goes when the document was removed', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    await store.remove('k', 2);
    expect(namesOf(dir)).not.toContain('council-k.md');
    put(dir, doc(ID, 2, 'body 2'));
    expect(await again().read('k')).toBeUndefined();
    expect(namesOf(dir)).not.toContain('council-k.md');
  });
});

describe('a hand edit', () => {
  const edits: [string, string][] = [
    ['changed text', doc(ID, 2, 'body 2').replace('body', 'BODY')],
    ['an unknown document', doc(OTHER_ID, 1, 'x')],
    ['a revision from the future', doc(ID, 9, 'x')],
  ];
  const unreadable: [string, string][] = [
    ['no stamp at all', '# notes\n'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1')],
  ];

  it.each([...edits, ...unreadable])('suspends the projection, and commits go on: %s', async (_, text) => {
    const { dir, store, warnings } = bench();
    await fill(store, 'k', 2);
    const path = join(dir, 'council-k.md');
    fs.writeFileSync(path, text, 'latin1');
    expect(await store.isEdited('k')).toBe(true);
    expect(await store.read('k')).toMatchObject({ revision: 2, text: doc(ID, 2, 'body 2') });
    await fill(store, 'k', 2);
    expect(await store.read('k')).toMatchObject({ revision: 4 });
    expect(fs.readFileSync(path, 'latin1')).toBe(text);
    const isReadable = edits.some(([, edit]) => edit === text);
    expect(await store.holdsState('k')).toBe(isReadable);
    expect(warnings.join()).toContain('council restore --name k');
    expect(warnings.join().includes('council adopt --name k')).toBe(isReadable);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
  });

  it('is none when the file is empty: it is put back, and that is told', async () => {
    const { dir, store, warnings } = bench();
    await fill(store, 'k', 2);
    const path = join(dir, 'council-k.md');
    fs.writeFileSync(path, '');
    expect(await store.read('k')).toMatchObject({ revision: 2 });
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'body 2'));
    fs.writeFileSync(path, '');
    await fill(store, 'k', 1);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'body 3'));
    expect(warnings).toEqual(
      [2, 3].map((n) => `${path} was found empty and was put back from revision ${n}.`),
    );
    expect([await store.isEdited('k'), namesOf(join(dir, '.edits'))]).toEqual([false, []]);
  });

  it('is dropped on demand, and kept aside', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 2);
    const edited = doc(ID, 2, 'body 2') + ' more';
    fs.writeFileSync(join(dir, 'council-k.md'), edited);
    expect(await store.editedText('k')).toBe(edited);
    const kept = (await store.dropEdit('k'))!;
    expect(kept.startsWith(join(dir, '.edits', 'council-k-2-'))).toBe(true);
    expect(fs.readFileSync(kept, 'utf8')).toBe(edited);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 2, 'body 2'));
    expect(await store.isEdited('k')).toBe(false);
    expect(await store.editedText('k')).toBeUndefined();
    expect(await store.dropEdit('k')).toBeUndefined();
    await fill(store, 'k', 1);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'body 3'));
  });

  it('can be adopted: committed with a new stamp, then dropped', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 2);
    fs.writeFileSync(join(dir, 'council-k.md'), doc(ID, 2, 'body 2').replace('body', 'my'));
    const edited = bodyOf((await store.editedText('k'))!);
    await store.update('k', (_, next) => doc(ID, next, edited));
    await store.dropEdit('k');
    expect(await store.read('k')).toEqual({ text: doc(ID, 3, 'my 2'), revision: 3 });
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'my 2'));
    expect(namesOf(join(dir, '.edits'))).toHaveLength(1);
  });

  it('is kept when the document is removed', async () => {
    const { dir, store, warnings } = bench();
    await fill(store, 'k', 2);
    fs.writeFileSync(join(dir, 'council-k.md'), 'mine');
    await store.remove('k', 2);
    expect(namesOf(dir)).not.toContain('council-k.md');
    const [kept] = namesOf(join(dir, '.edits'));
    expect(fs.readFileSync(join(dir, '.edits', kept!), 'utf8')).toBe('mine');
    expect(warnings.join()).toContain(kept);
  });

  it('over a removed document is left alone', async () => {
    const { dir, store } = bench();
    await fill(store, 'k', 2);
    await store.remove('k', 2);
    fs.writeFileSync(join(dir, 'council-k.md'), 'a new thought');
    expect(await store.read('k')).toBeUndefined();
    expect(await store.list()).toEqual([]);
    expect(projectionOf(dir, 'k')).toBe('a new thought');
    expect(await store.isEdited('k')).toBe(true);
  });

  it('is told once, however often it is seen', async () => {
    const { dir, store, warnings } = bench();
    await fill(store, 'k', 1);
    fs.writeFileSync(join(dir, 'council-k.md'), 'mine');
    for (let i = 0; i < 3; i++) await store.read('k');
    expect(warnings).toHaveLength(1);
  });
});
