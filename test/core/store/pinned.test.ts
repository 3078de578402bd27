import { expect, it } from 'vitest';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import { pinDocuments } from '../../../src/core/store/documents.ts';

it('changes a document at the named revision only, and says at once which one stands', async () => {
  const store = memoryStore();
  await store.commit('a', 'one', 0);
  await store.commit('a', 'two', 1);
  let looks = 0;
  const change = () => {
    looks++;
    return 'three';
  };
  await expect(pinDocuments(store, 1).update('a', change)).rejects.toMatchObject({
    code: 'conflict',
    details: { revision: 2 },
  });
  expect(looks).toBe(0);
  const pinned = pinDocuments(store, 2);
  expect(await pinned.update('a', change)).toEqual({ revision: 3, committed: true });
  // What the same call changes afterwards follows its own change.
  expect(await pinned.update('a', () => 'four')).toEqual({ revision: 4, committed: true });
});
