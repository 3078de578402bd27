import { describe, expect, it } from 'vitest';
import type { LateFiles } from '../../src/core/store/small-files.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const NAME = 'henry-COLLECT-1-0123456789abcdef';
const raw = Buffer.from([0xff, 0x00, 0x0d, 0x0a, 0x41]);

/** What every driver of late texts must do. `make` gives an empty one. */
export function lateFilesContract(name: string, make: () => LateFiles): void {
  describe(`${name}: what every driver of late texts does`, () => {
    it('keeps them byte for byte, sorted, by conversation', async () => {
      const late = make();
      expect([await late.list(ID), await late.sizes(ID)]).toEqual([[], []]);
      const second = await late.keep(ID, NAME, raw);
      const first = await late.keep(ID, 'ana-COLLECT-1-0123456789abcdef', Buffer.from('text'));
      const listed = await late.list(ID);
      expect(listed.map((one) => [one.path, Buffer.from(one.bytes)])).toEqual([
        [first, Buffer.from('text')],
        [second, raw],
      ]);
      expect(await late.sizes(ID)).toEqual([
        { name: 'ana-COLLECT-1-0123456789abcdef', path: first, bytes: 4 },
        { name: NAME, path: second, bytes: raw.length },
      ]);
      expect(await late.list(OTHER)).toEqual([]);
    });

    it('keeps each once, and overwrites none', async () => {
      const late = make();
      const path = await late.keep(ID, NAME, raw);
      expect(await late.keep(ID, NAME, raw)).toBe(path);
      await expect(late.keep(ID, NAME, Buffer.from('other'))).rejects.toMatchObject({ code: 'failed' });
      expect((await late.list(ID)).map((one) => Buffer.from(one.bytes))).toEqual([raw]);
    });

    it.each([
      ['../x', NAME],
      [ID, '../x'],
      [ID, '.hidden'],
    ])('takes no name that leads elsewhere: %s %s', async (id, bad) => {
      await expect(make().keep(id, bad, raw)).rejects.toMatchObject({ code: 'invalid_id' });
    });
  });
}
