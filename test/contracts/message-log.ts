import { describe, expect, it } from 'vitest';
import type { MessageLog } from '../../src/core/store/message-log.ts';

export const named = (clock: string, agent = 'ana', hex = '0000', day = '20260111'): string =>
  `msg-${day}-${clock}-${agent}-${hex}.json`;

/** What every driver of messages must do. `make` gives an empty one. */
export function messageLogContract(name: string, make: () => MessageLog): void {
  describe(`${name}: what every driver of messages does`, () => {
    it('makes channels, by hand and with their first message', async () => {
      const log = make();
      expect([await log.channels(), await log.names('general', { limit: 5 })]).toEqual([[], []]);
      expect([await log.create('general'), await log.create('general')]).toEqual([true, false]);
      await log.append('team-a', named('100000'), '{"a":1}');
      expect(await log.channels()).toEqual(['general', 'team-a']);
    });

    it('keeps each message once, character for character, and overwrites none', async () => {
      const log = make();
      const text = '{"text":"Ça \u0085 va 🦉\\n"}\r\n';
      expect(await log.append('general', named('100000'), text)).toBe(true);
      expect(await log.append('general', named('100000'), '{}')).toBe(false);
      expect(await log.append('general', named('100000'), text)).toBe(false);
      expect(await log.read('general', named('100000'))).toBe(text);
      expect(await log.read('general', named('100001'))).toBeUndefined();
      expect(await log.read('other', named('100000'))).toBeUndefined();
    });

    it('gives an id to one channel only, but for what is moved here with it', async () => {
      const log = make();
      const channels = ['general', 'team-a', 'team-b', 'dead-letters'];
      const tries = channels.map((channel) => log.append(channel, named('100000'), `{"in":"${channel}"}`));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await log.append('ops', named('100000'), '{}')).toBe(false);
      expect(await log.append('ops', named('100000'), '{}', { isMoved: true })).toBe(true);
      expect(await log.append('ops', named('100000'), '{}', { isMoved: true })).toBe(false);
    });

    it('names a span, over the borders of days, whatever the order they came in', async () => {
      const log = make();
      const all = [
        named('235959', 'ana', '0000', '20260110'),
        named('235959', 'zoe', 'ffff', '20260110'),
        named('000000'),
        named('000000', 'ana', '0001'),
        named('000000', 'ana-b'),
        named('120000', 'ana', '0000', '20260301'),
      ];
      for (const one of [3, 0, 5, 1, 4, 2]) await log.append('general', all[one]!, '{}');
      const names = (span: Parameters<MessageLog['names']>[1]) => log.names('general', span);
      expect(await names({ limit: 99 })).toEqual(all);
      expect(await names({ limit: 2 })).toEqual(all.slice(0, 2));
      expect(await names({ limit: 3, newest: true })).toEqual(all.slice(3));
      expect(await names({ from: all[1]!, limit: 3 })).toEqual(all.slice(1, 4));
      expect(await names({ from: 'msg-20260111', limit: 9 })).toEqual(all.slice(2));
      expect(await names({ before: all[4]!, limit: 2, newest: true })).toEqual(all.slice(2, 4));
      expect(await names({ before: all[0]!, limit: 2, newest: true })).toEqual([]);
      expect(await names({ from: all[4]!, before: all[2]!, limit: 9 })).toEqual([]);
      expect(await names({ from: 'msg-2027', limit: 9 })).toEqual([]);
      expect(await names({ limit: 0 })).toEqual([]);
    });

    it('lets one of many have a name', async () => {
      const log = make();
      const tries = Array.from({ length: 20 }, (_, i) =>
        log.append('general', named('100000'), `{"n":${i}}`),
      );
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    });

    it.each([
      ['../up', named('100000')],
      ['General', named('100000')],
      ['general', '../x.json'],
      ['general', 'msg-20260111-100000-a_b-0000.json'],
      ['general', `${named('100000')}.tmp`],
    ])('takes no name that leads elsewhere: %s %s', async (channel, bad) => {
      const log = make();
      await expect(log.append(channel, bad, '{}')).rejects.toMatchObject({ code: 'invalid_id' });
      await expect(log.read(channel, bad)).rejects.toMatchObject({ code: 'invalid_id' });
    });

    it('takes no message that nobody could read again', async () => {
      await expect(
        make().append('general', named('100000'), 'x'.repeat(1024 * 1024 + 1)),
      ).rejects.toMatchObject({
        code: 'too_large',
      });
    });

    it('says soon that something came, also into a channel that was missing', async () => {
      const log = make();
      let stop = (): void => undefined;
      const woken = new Promise<void>((done) => (stop = log.watch('general', done)));
      await log.append('general', named('100000'), '{}');
      await woken;
      stop();
    });
  });
}
