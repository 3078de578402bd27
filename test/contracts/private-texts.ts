import { describe, expect, it } from 'vitest';
import type { PrivateTexts } from '../../src/core/store/small-files.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const DAY = 86_400_000;
const AT = '2026-01-01T00:00:00.000Z';
const bytes = Buffer.from('sealed \u{1F989}\r\n\0');
const invalid = { code: 'invalid_id' };

/** What every driver of private texts must do. `make` gives an empty one. */
export function privateTextsContract(name: string, make: () => PrivateTexts): void {
  describe(`${name}: what every driver of private texts does`, () => {
    it('knows nothing of a conversation that has no texts', async () => {
      const texts = make();
      expect(await texts.list(ID)).toEqual([]);
      expect(await texts.read(ID, 'a')).toBeUndefined();
      expect(await texts.size(ID, 'a')).toBeUndefined();
      expect(await texts.listKept()).toEqual([]);
      await texts.remove(ID, 'a');
      await texts.markArchived(ID, AT);
      expect(await texts.sweep(Date.parse(AT) + 1000 * DAY)).toEqual([]);
    });

    it('gives back every byte, and says where it lies', async () => {
      const texts = make();
      const path = await texts.write(ID, 'a.json', bytes);
      expect(path).toBe(texts.path(ID, 'a.json'));
      expect(Buffer.from((await texts.read(ID, 'a.json'))!)).toEqual(bytes);
      expect(await texts.size(ID, 'a.json')).toBe(bytes.length);
      await texts.write(ID, 'Z-empty', new Uint8Array(), { durable: false });
      expect(await texts.size(ID, 'Z-empty')).toBe(0);
      expect(await texts.list(ID)).toEqual(['Z-empty', 'a.json']);
      expect(await texts.list(OTHER)).toEqual([]);
    });

    it('has kept what was written, whatever becomes of the buffer', async () => {
      const texts = make();
      const buffer = Buffer.from('mine');
      await texts.write(ID, 'a', buffer);
      buffer.fill('x');
      expect(Buffer.from((await texts.read(ID, 'a'))!).toString()).toBe('mine');
    });

    it('takes the same bytes again, and never other ones', async () => {
      const texts = make();
      const path = await texts.write(ID, 'a', bytes);
      expect(await texts.write(ID, 'a', bytes)).toBe(path);
      await expect(texts.write(ID, 'a', Buffer.from('other'))).rejects.toMatchObject({ code: 'failed' });
      expect(Buffer.from((await texts.read(ID, 'a'))!)).toEqual(bytes);
    });

    it('lets one of several different texts of one name through', async () => {
      const texts = make();
      const written = await Promise.allSettled(
        Array.from({ length: 8 }, (_, at) => texts.write(ID, 'a', Buffer.from(`text ${at}`))),
      );
      const through = written.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
      expect(through).toHaveLength(1);
      expect(Buffer.from((await texts.read(ID, 'a'))!).toString()).toBe(`text ${through[0]}`);
    });

    it('removes a text, once or twice, and takes its name again', async () => {
      const texts = make();
      await texts.write(ID, 'a', bytes);
      await texts.remove(ID, 'a');
      await texts.remove(ID, 'a');
      expect(await texts.read(ID, 'a')).toBeUndefined();
      await texts.write(ID, 'a', Buffer.from('other'));
      expect(await texts.size(ID, 'a')).toBe(5);
    });

    it('keeps texts that belong to no council, for ever', async () => {
      const texts = make();
      const path = await texts.keep('henry-1234', bytes);
      expect(await texts.keep('henry-1234', bytes)).toBe(path);
      await expect(texts.keep('henry-1234', Buffer.from('x'))).rejects.toMatchObject({ code: 'failed' });
      expect(await texts.sweep(Date.parse(AT) + 1000 * DAY)).toEqual([]);
      expect(await texts.listKept()).toEqual([{ name: 'henry-1234', bytes: bytes.length }]);
    });

    it('deletes a conversation 30 days after its archive, and nothing that is not marked', async () => {
      const texts = make();
      await texts.write(ID, 'a', bytes);
      await texts.write(OTHER, 'a', bytes);
      await texts.markArchived(ID, AT);
      await texts.markArchived(ID, '2027-01-01T00:00:00.000Z');
      expect(await texts.list(ID)).toEqual(['a']);
      expect(await texts.sweep(Date.parse(AT) + 30 * DAY)).toEqual([]);
      expect(await texts.sweep(Date.parse(AT) + 30 * DAY + 1)).toEqual([ID]);
      expect([await texts.list(ID), await texts.list(OTHER)]).toEqual([[], ['a']]);
    });

    it.each(['', '../x', 'not-a-uuid', `${ID}/..`, '__proto__'])(
      'takes no conversation id that is none: %j',
      async (id) => {
        const texts = make();
        await expect(texts.write(id, 'a', bytes)).rejects.toMatchObject(invalid);
        await expect(texts.read(id, 'a')).rejects.toMatchObject(invalid);
        await expect(texts.list(id)).rejects.toMatchObject(invalid);
        await expect(texts.markArchived(id, AT)).rejects.toMatchObject(invalid);
      },
    );

    it.each(['', '..', '.archived', 'a/b', 'a\\b', 'a\0b', 'x'.repeat(201)])(
      'takes no name that leads elsewhere: %j',
      async (bad) => {
        const texts = make();
        await expect(texts.write(ID, bad, bytes)).rejects.toMatchObject(invalid);
        await expect(texts.keep(bad, bytes)).rejects.toMatchObject(invalid);
      },
    );
  });
}
