import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bench, doc, fill, ID, namesOf, projectionOf, scratch } from '../scratch.ts';

const NEXT_ID = '22222222-2222-4222-8222-222222222222';

describe('a fresh clone', () => {
  function clone(text: string): string {
    const dir = scratch();
    fs.writeFileSync(join(dir, 'council-k.md'), text);
    return dir;
  }

  it.each(['read', 'revision', 'list', 'versions', 'update'] as const)(
    'is imported at its own revision by %s',
    async (call) => {
      const dir = clone(doc(ID, 7, 'body 7'));
      const { store } = bench(dir);
      if (call === 'update') await store.update('k', () => undefined);
      else await store[call]('k');
      expect(namesOf(join(dir, '.versions', 'k'))).toHaveLength(7);
      expect(await store.read('k')).toEqual({ text: doc(ID, 7, 'body 7'), revision: 7 });
      expect(await store.list()).toEqual(['k']);
      expect((await store.versions('k')).filter((v) => v.bytes > 0)).toMatchObject([{ revision: 7 }]);
      expect(await store.commit('k', doc(ID, 8, 'on'), 7)).toBe(8);
      expect(projectionOf(dir, 'k')).toBe(doc(ID, 8, 'on'));
      expect(namesOf(join(dir, '.tmp'))).toEqual([]);
    },
  );

  it('can be committed to at once', async () => {
    const { store } = bench(clone(doc(ID, 2, 'body 2')));
    expect(await store.commit('k', doc(ID, 3, 'on'), 2)).toBe(3);
    const other = bench(clone(doc(ID, 2, 'body 2'))).store;
    await expect(other.commit('k', doc(ID, 1, 'on'), 0)).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each(['<<<<<<< HEAD\n', doc(ID, 3, 'x') + 'y', doc(ID, 100_001, 'x'), doc(ID, 0, 'x')])(
    'is refused unless intact, and hides no other: %j',
    async (text) => {
      const dir = clone(text);
      const { store, warnings } = bench(dir);
      await fill(store, 'good', 1);
      await expect(store.read('k')).rejects.toMatchObject({ code: 'hand_edit' });
      await expect(store.commit('k', doc(ID, 1, 'x'), 0)).rejects.toMatchObject({ code: 'hand_edit' });
      expect(await store.list()).toEqual(['good']);
      expect(warnings.join()).toContain('"k" is skipped');
      expect(projectionOf(dir, 'k')).toBe(text);
    },
  );

  it('is imported over the empty folder that a crash has left', async () => {
    const dir = clone(doc(ID, 2, 'body 2'));
    fs.mkdirSync(join(dir, '.versions', 'k'), { recursive: true });
    expect(await bench(dir).store.read('k')).toMatchObject({ revision: 2 });
  });

  it('is imported once by two at the same time', async () => {
    const dir = clone(doc(ID, 5, 'body 5'));
    const rename = fs.renameSync;
    const { store, again } = bench(dir);
    let raced = false;
    fs.renameSync = (from, to) => {
      fs.renameSync = rename;
      raced = true;
      // The other one gets there between our building and our moving.
      void again().revision('k');
      fs.renameSync(from, to);
    };
    try {
      expect(await store.read('k')).toMatchObject({ revision: 5 });
    } finally {
      fs.renameSync = rename;
    }
    expect(raced).toBe(true);
    expect(namesOf(join(dir, '.versions', 'k'))).toHaveLength(5);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
  });
});

describe('a damaged head', () => {
  const version = (dir: string, revision: number): string => join(dir, '.versions', 'k', `${revision}.md`);
  const damage = (dir: string, revision: number): void =>
    fs.writeFileSync(version(dir, revision), Buffer.from([0x7b, 0xff, 0x00]));

  it.each(['read', 'update'] as const)('is repaired from the state file: %s', async (call) => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 3);
    damage(dir, 3);
    if (call === 'read') expect(await again().read('k')).toEqual({ text: doc(ID, 3, 'body 3'), revision: 3 });
    else await again().update('k', (current) => void expect(current?.text).toBe(doc(ID, 3, 'body 3')));
    expect(fs.readFileSync(version(dir, 3), 'utf8')).toBe(doc(ID, 3, 'body 3'));
    expect(warnings.join()).toContain('was repaired from');
    const [kept] = namesOf(join(dir, '.quarantine'));
    expect(fs.readFileSync(join(dir, '.quarantine', kept!))).toEqual(Buffer.from([0x7b, 0xff, 0x00]));
  });

  it('is replaced by the last good text when the state file does not help', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 4);
    for (const revision of [3, 4]) damage(dir, revision);
    fs.writeFileSync(join(dir, 'council-k.md'), 'scribble');
    expect(await again().read('k')).toEqual({ text: doc(ID, 2, 'body 2'), revision: 5 });
    expect(warnings.join()).toContain('The text of revision 2 was put back as revision 5');
    expect(namesOf(join(dir, '.quarantine'))).toHaveLength(1);
    expect(await again().commit('k', doc(ID, 6, 'on'), 5)).toBe(6);
    expect(projectionOf(dir, 'k')).toBe('scribble');
    expect(await again().dropEdit('k')).toBeDefined();
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 6, 'on'));
  });

  it('is noticed by update even when the state file is damaged in the same way', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    for (const path of [version(dir, 2), join(dir, 'council-k.md')])
      fs.writeFileSync(path, doc(ID, 2, 'body 2').replace('body', 'b0dy'));
    await again().update(
      'k',
      (current) => void expect(current).toEqual({ text: doc(ID, 1, 'body 1'), revision: 3 }),
    );
  });

  it('is not repaired from another document', async () => {
    const { dir, store, again } = bench();
    await fill(store, 'k', 2);
    damage(dir, 2);
    fs.writeFileSync(join(dir, 'council-k.md'), doc(NEXT_ID, 2, 'foreign'));
    expect(await again().read('k')).toEqual({ text: doc(ID, 1, 'body 1'), revision: 3 });
    expect(projectionOf(dir, 'k')).toBe(doc(NEXT_ID, 2, 'foreign'));
  });

  it('does not bring a removed document back', async () => {
    const { dir, store, again, warnings } = bench();
    await fill(store, 'k', 1);
    await store.remove('k', 1);
    await fill(store, 'k', 1, NEXT_ID);
    damage(dir, 3);
    fs.rmSync(join(dir, 'council-k.md'));
    await expect(again().read('k')).rejects.toMatchObject({ code: 'corrupt' });
    await fill(again(), 'good', 1);
    expect(await again().list()).toContain('good');
    expect(warnings).toEqual([]);
    expect(await again().remove('k', 3)).toBe(4);
    expect(await again().read('k')).toBeUndefined();
  });
});
