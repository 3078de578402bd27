import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../../../../src/core/store/file/file-store.ts';
import { storeContract } from '../../../contracts/store.ts';
import { doc, fill, ID, namesOf, projectionOf, readStamp, scratch, until } from '../scratch.ts';

/** Texts that end with `open` are soon followed by another one. */
const isShown = (bytes: Uint8Array): boolean => !/ open$/.test(new TextDecoder().decode(bytes).trimEnd());

function passing(dir = scratch(), warnings: string[] = []) {
  const warn = (message: string) => void warnings.push(message);
  return {
    dir,
    warnings,
    store: fileStore({ dir, prefix: 'council-', readStamp, isShown, isCrowded: () => false, warn }),
  };
}

storeContract('file store without state files and locks', () =>
  fileStore({
    dir: scratch(),
    prefix: 'council-',
    readStamp,
    isShown: () => false,
    isCrowded: () => false,
    warn: () => undefined,
  }),
);

describe('texts that are only passed through', () => {
  it('have no state file until one is to be shown', async () => {
    const { dir, store, warnings } = passing();
    await store.commit('k', doc(ID, 1, 'one open'), 0);
    await store.commit('k', doc(ID, 2, 'two open'), 1);
    expect(fs.existsSync(join(dir, 'council-k.md'))).toBe(false);
    expect(await passing(dir, warnings).store.read('k')).toEqual({
      text: doc(ID, 2, 'two open'),
      revision: 2,
    });
    expect(fs.existsSync(join(dir, 'council-k.md'))).toBe(false);
    await store.commit('k', doc(ID, 3, 'three done'), 2);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'three done'));
    await store.commit('k', doc(ID, 4, 'four open'), 3);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 3, 'three done'));
    expect((await passing(dir, warnings).store.read('k'))?.revision).toBe(4);
    expect(warnings).toEqual([]);
  });

  it('are repaired from the last one that is whole, and from the state file where it is that one', async () => {
    const { dir, store } = passing();
    await store.commit('k', doc(ID, 1, 'one open'), 0);
    await store.commit('k', doc(ID, 2, 'two done'), 1);
    fs.writeFileSync(join(dir, '.versions', 'k', '2.md'), 'damaged');
    expect((await passing(dir).store.read('k'))?.text).toBe(doc(ID, 2, 'two done'));
    await store.commit('k', doc(ID, 3, 'three open'), 2);
    fs.writeFileSync(join(dir, '.versions', 'k', '3.md'), 'damaged');
    expect((await passing(dir).store.read('k'))?.text).toBe(doc(ID, 2, 'two done'));
  });

  it('are read by a store that shows everything, which then shows them', async () => {
    const { dir, store } = passing();
    await store.commit('k', doc(ID, 1, 'one open'), 0);
    const whole = fileStore({ dir, prefix: 'council-', readStamp, warn: () => undefined });
    expect((await whole.read('k'))?.revision).toBe(1);
    expect(projectionOf(dir, 'k')).toBe(doc(ID, 1, 'one open'));
  });

  it('come one after the other without a lock, each once', async () => {
    const { dir } = passing();
    const stores = Array.from({ length: 4 }, () => passing(dir).store);
    const add = (store: (typeof stores)[number]) =>
      store.update('k', (current, revision) =>
        doc(ID, revision, String(Number(/\d+/.exec(current?.text.split('\n').at(-1) ?? '')?.[0] ?? 0) + 1)),
      );
    await Promise.all(stores.flatMap((store) => Array.from({ length: 8 }, () => add(store))));
    expect(await stores[0]!.revision('k')).toBe(32);
    expect(namesOf(join(dir, '.versions'))).toEqual(['k']);
    expect(namesOf(join(dir, '.tmp'))).toEqual([]);
  });

  it('are heard by whoever watches', async () => {
    const { dir, store } = passing();
    await fill(store, 'k', 1);
    const heard: string[] = [];
    const stop = passing(dir).store.watch('', (key) => heard.push(key));
    try {
      await store.update('k', (_, revision) => doc(ID, revision, 'more open'));
      await until(() => heard.includes('k'), 'the change');
    } finally {
      stop();
    }
  });
});
