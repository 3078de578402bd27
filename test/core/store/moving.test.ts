// What is on its way into another store is read, and not changed.
import { describe, expect, it } from 'vitest';
import { serializeMoveRevision } from '../../../src/postgres/copy/move-document.ts';
import {
  renderJsonDocument,
  createJsonStampReader,
  readJsonDocument,
} from '../../../src/core/store/documents.ts';
import { memoryStore } from '../../../src/core/store/memory/memory-store.ts';
import { parseMoveMarker, refuseMoves } from '../../../src/core/store/availability.ts';

const moving = { to: 'postgres://db.example/council/council', at: '2026-01-31T10:00:00.000Z' };

describe('a document on its way', () => {
  const data = { mail: 'é 🦉 "moving": {"to": "x"}', nested: { moving: { to: 'y', at: 'z' } } };
  const plain = renderJsonDocument(data, 1);
  const leaving = serializeMoveRevision('mail', plain, { revision: 2, moving, actor: 'me' });

  it('says where it goes, whatever people wrote into it', () => {
    expect(parseMoveMarker(plain)).toBeUndefined();
    expect(parseMoveMarker('\n  "moving": {"to": "x", "at": "y"}')).toBeUndefined();
    expect(parseMoveMarker(leaving)).toEqual(moving);
    expect(createJsonStampReader('mail')(leaving)).toMatchObject({ revision: 2, intact: true });
    const arrived = serializeMoveRevision('mail', leaving, { revision: 4, moving: undefined, actor: 'me' });
    expect(arrived).toBe(renderJsonDocument(data, 4));
    expect(readJsonDocument(leaving)).toMatchObject(data);
  });

  it('can be read and not be changed', async () => {
    const store = memoryStore();
    const guarded = refuseMoves(store);
    await guarded.commit('a', plain, 0);
    await guarded.update('a', () => leaving);
    expect((await guarded.read('a'))?.text).toBe(leaving);
    const refused = { code: 'failed', hint: expect.stringContaining('--from files --to postgres') as string };
    await expect(guarded.update('a', () => 'x')).rejects.toMatchObject(refused);
    await expect(guarded.commit('a', 'x', 2)).rejects.toMatchObject(refused);
    await expect(guarded.remove('a', 2)).rejects.toMatchObject(refused);
    expect(await store.revision('a')).toBe(2);
  });
});
