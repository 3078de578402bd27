// What a restore says of a revision whose text is gone.
import { expect, it } from 'vitest';
import { restoreRevision } from '../../../../src/core/council/use/restore.ts';
import type { Ports } from '../../../../src/core/council/use/ports.ts';
import { memoryStore } from '../../../../src/core/store/memory/memory-store.ts';

const asked = (kept: number[], wanted: number): Promise<unknown> => {
  const newest = kept.at(-1) ?? 0;
  const versions = Array.from({ length: newest }, (_, at) => ({
    revision: at + 1,
    at: '2026-01-01T00:00:00.000Z',
    bytes: kept.includes(at + 1) ? 9 : 0,
  }));
  const store = { ...memoryStore(), readVersion: async () => undefined, versions: async () => versions };
  return restoreRevision({ store } as unknown as Ports, 'k', wanted).catch((error: unknown) => error);
};

it('names what is gone, and what is kept', async () => {
  expect(await asked([32, 48, 56, 57, 58], 40)).toMatchObject({
    code: 'unknown_revision',
    message: expect.stringContaining('The text of revision 40 of "k" is gone') as string,
    hint: expect.stringContaining('Kept: 32, 48, 56 to 58.') as string,
  });
  expect(await asked([1, 2, 3], 9)).toMatchObject({
    message: 'Revision 9 of "k" is not kept for this council.',
    hint: expect.stringContaining('Kept: 1 to 3.') as string,
  });
  expect(await asked([], 1)).toMatchObject({ code: 'unknown_revision', hint: undefined });
});
