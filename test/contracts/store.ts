import { describe, expect, it } from 'vitest';
import type { Documents } from '../../src/core/store/documents.ts';
import { bodyOf, doc } from '../core/store/stamp.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const NEXT_ID = '22222222-2222-4222-8222-222222222222';
const conflict = { code: 'conflict', exitCode: 75 };

async function write(store: Documents, key: string, count: number, id = ID): Promise<number> {
  let revision = await store.revision(key);
  for (let i = 0; i < count; i++)
    revision = await store.commit(key, doc(id, revision + 1, `body ${revision + 1}`), revision);
  return revision;
}

/**
 * What every store must do. `makeStore` gives an empty one; documents carry the stamp of test/core/store/stamp.ts. `locks`: nobody
 * can commit while a change is on its way, so that nothing can be faster than it.
 */
export function storeContract(
  name: string,
  makeStore: () => Documents | Promise<Documents>,
  { locks = false }: { locks?: boolean } = {},
): void {
  describe(`${name}: what every store does`, () => {
    it('knows nothing of a key that never existed', async () => {
      const store = await makeStore();
      expect(await store.read('k')).toBeUndefined();
      expect(await store.revision('k')).toBe(0);
      expect(await store.versions('k')).toEqual([]);
      expect(await store.readVersion('k', 1)).toBeUndefined();
      expect(await store.list()).toEqual([]);
    });

    it('creates, and reads back every character', async () => {
      const store = await makeStore();
      const text = doc(ID, 1, '\uFEFFhé 🦉\r\n\u2028 <!-- --> no newline at the end');
      expect(await store.commit('k', text, 0)).toBe(1);
      expect(await store.read('k')).toEqual({ text, revision: 1 });
      expect(await store.revision('k')).toBe(1);
    });

    it('numbers without gaps and keeps what was', async () => {
      const store = await makeStore();
      await write(store, 'k', 7);
      expect((await store.versions('k')).map((v) => v.revision)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(bodyOf((await store.readVersion('k', 3))!)).toBe('body 3');
      const [first] = await store.versions('k');
      expect(first!.bytes).toBe(Buffer.byteLength(doc(ID, 1, 'body 1')));
      expect(Math.abs(Date.parse(first!.at) - Date.now())).toBeLessThan(60_000);
      expect(await store.readVersion('k', 8)).toBeUndefined();
      expect(await store.readVersion('k', 0)).toBeUndefined();
    });

    it.each([0, 1, 3, 99])('refuses a commit over revision %i when the head is 2', async (expected) => {
      const store = await makeStore();
      await write(store, 'k', 2);
      await expect(store.commit('k', doc(ID, expected + 1, 'late'), expected)).rejects.toMatchObject(
        conflict,
      );
      expect(await store.read('k')).toMatchObject({ revision: 2 });
      expect(await store.versions('k')).toHaveLength(2);
    });

    it('lets exactly one of many commits over the same revision through', async () => {
      const store = await makeStore();
      await write(store, 'k', 1);
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, (_, i) => store.commit('k', doc(ID, 2, `by ${i}`), 1)),
      );
      expect(outcomes.filter((o) => o.status === 'fulfilled')).toHaveLength(1);
      expect(await store.revision('k')).toBe(2);
    });

    it('lists the live keys with a prefix, sorted', async () => {
      const store = await makeStore();
      for (const key of ['b-two', 'a-one', 'b-one', 'c']) await write(store, key, 1);
      await store.remove('c', 1);
      expect(await store.list()).toEqual(['a-one', 'b-one', 'b-two']);
      expect(await store.list('b-')).toEqual(['b-one', 'b-two']);
    });

    it('ends a document with a tombstone, and goes on counting for the next one', async () => {
      const store = await makeStore();
      await write(store, 'k', 2);
      await expect(store.remove('k', 1)).rejects.toMatchObject(conflict);
      expect(await store.remove('k', 2)).toBe(3);
      expect(await store.read('k')).toBeUndefined();
      expect(await store.revision('k')).toBe(3);
      expect(await store.readVersion('k', 3)).toBeUndefined();
      expect((await store.versions('k')).at(-1)).toMatchObject({ revision: 3, bytes: 0 });
      await expect(store.remove('k', 3)).rejects.toMatchObject(conflict);
      await expect(store.commit('k', doc(NEXT_ID, 1, 'new'), 0)).rejects.toMatchObject(conflict);
      expect(await store.commit('k', doc(NEXT_ID, 4, 'new'), 3)).toBe(4);
      expect(await store.read('k')).toEqual({ text: doc(NEXT_ID, 4, 'new'), revision: 4 });
      expect(bodyOf((await store.readVersion('k', 2))!)).toBe('body 2');
    });

    it('removes nothing that never was', async () => {
      const store = await makeStore();
      await expect(store.remove('k', 0)).rejects.toMatchObject(conflict);
      expect(await store.revision('k')).toBe(0);
    });

    it('keeps the last fifty texts', async () => {
      const store = await makeStore();
      await write(store, 'k', 60);
      const versions = await store.versions('k');
      expect(versions.map((v) => v.revision)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
      expect(versions.filter((v) => v.bytes > 0).map((v) => v.revision)).toEqual(
        Array.from({ length: 50 }, (_, i) => i + 11),
      );
      expect(await store.readVersion('k', 10)).toBeUndefined();
      expect(await store.readVersion('k', 11)).toBeDefined();
    });

    it('keeps fewer texts of a large document, the older the fewer', async () => {
      const store = await makeStore();
      const long = 'x'.repeat(600 * 1024);
      for (let revision = 1; revision <= 24; revision++)
        await store.commit('k', doc(ID, revision, `${long} ${revision}`), revision - 1);
      const kept = (await store.versions('k')).filter((v) => v.bytes > 0).map((v) => v.revision);
      expect(kept).toEqual([16, 20, 22, 23, 24]);
      expect(await store.readVersion('k', 21)).toBeUndefined();
      expect(await store.readVersion('k', 20)).toBeDefined();
    });

    it('refuses empty text, half characters and keys that are no ids', async () => {
      const store = await makeStore();
      await expect(store.commit('k', '', 0)).rejects.toMatchObject({ code: 'empty_text' });
      await expect(store.commit('k', doc(ID, 1, '\uD800'), 0)).rejects.toMatchObject({
        code: 'invalid_text',
      });
      for (const key of ['../x', '', 'A', 'con', 'a.b', '__proto__']) {
        await expect(store.commit(key, doc(ID, 1, 'x'), 0)).rejects.toMatchObject({ code: 'invalid_id' });
        await expect(store.read(key)).rejects.toMatchObject({ code: 'invalid_id' });
      }
      expect(await store.list()).toEqual([]);
    });

    describe('update', () => {
      it('creates, changes, and leaves alone', async () => {
        const store = await makeStore();
        expect(
          await store.update('k', (current, next) => (current ? undefined : doc(ID, next, 'one'))),
        ).toEqual({ revision: 1, committed: true });
        const seen = await store.update('k', (current, next) => {
          expect(current).toEqual({ text: doc(ID, 1, 'one'), revision: 1 });
          return doc(ID, next, 'two');
        });
        expect(seen).toEqual({ revision: 2, committed: true });
        expect(await store.update('k', async () => undefined)).toEqual({ revision: 2, committed: false });
        expect(await store.read('k')).toEqual({ text: doc(ID, 2, 'two'), revision: 2 });
      });

      it('passes on what the change throws, and writes nothing', async () => {
        const store = await makeStore();
        await write(store, 'k', 1);
        const refuse = () => Promise.reject(new Error('no'));
        await expect(store.update('k', refuse)).rejects.toThrow('no');
        expect(await store.revision('k')).toBe(1);
        await write(store, 'k', 1);
      });

      it.skipIf(locks)('applies the change again when somebody else was faster', async () => {
        const store = await makeStore();
        await write(store, 'k', 1);
        let calls = 0;
        await store.update('k', async (current, next) => {
          if (++calls === 1) await store.commit('k', doc(ID, 2, 'theirs'), 1);
          return doc(ID, next, `${bodyOf(current!.text)} + mine`);
        });
        expect(calls).toBe(2);
        expect(await store.read('k')).toEqual({ text: doc(ID, 3, 'theirs + mine'), revision: 3 });
      });

      it.skipIf(locks)('gives up as busy after repeated conflicts', async () => {
        const store = await makeStore();
        await write(store, 'k', 1);
        let calls = 0;
        const overtaken = store.update('k', async (current, next) => {
          calls++;
          await store.commit('k', doc(ID, next, `theirs ${next}`), current!.revision);
          return doc(ID, next, 'mine');
        });
        await expect(overtaken).rejects.toMatchObject(conflict);
        expect(calls).toBe(40);
      });

      it('loses none of many at once', async () => {
        const store = await makeStore();
        const add = (word: string) =>
          store.update('k', (current, next) =>
            doc(ID, next, `${current ? bodyOf(current.text) : ''}${word} `),
          );
        await Promise.all(Array.from({ length: 20 }, (_, i) => add(`w${i}`)));
        const { text, revision } = (await store.read('k'))!;
        expect(revision).toBe(20);
        expect(bodyOf(text).trim().split(' ').sort()).toEqual(
          Array.from({ length: 20 }, (_, i) => `w${i}`).sort(),
        );
      });

      it('creates anew after a removal', async () => {
        const store = await makeStore();
        await write(store, 'k', 1);
        await store.remove('k', 1);
        await store.update('k', (current, next) => {
          expect(current).toBeUndefined();
          return doc(NEXT_ID, next, 'again');
        });
        expect(await store.read('k')).toEqual({ text: doc(NEXT_ID, 3, 'again'), revision: 3 });
      });
    });

    describe('watch', () => {
      it('hears commits and removals of the keys with its prefix, until it is stopped', async () => {
        const store = await makeStore();
        await write(store, 'w-old', 1);
        const heard: string[] = [];
        const stop = store.watch('w-', (key) => heard.push(key));
        const waitFor = async (key: string, count: number): Promise<void> => {
          for (let left = 1000; heard.filter((k) => k === key).length < count; left--) {
            if (left === 0) throw new Error(`heard only ${heard.join()}`);
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        };
        try {
          await write(store, 'other', 1);
          await write(store, 'w-new', 1);
          await waitFor('w-new', 1);
          await write(store, 'w-old', 1);
          await waitFor('w-old', 1);
          await store.remove('w-old', 2);
          await waitFor('w-old', 2);
          expect(heard).not.toContain('other');
        } finally {
          stop();
        }
        const before = heard.length;
        await write(store, 'w-new', 1);
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(heard).toHaveLength(before);
      });
    });
  });
}
