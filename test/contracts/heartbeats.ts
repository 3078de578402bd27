import { describe, expect, it } from 'vitest';
import type { Heartbeat, Heartbeats } from '../../src/core/store/heartbeats.ts';

export const heartbeat = (id: string, over: Partial<Heartbeat> = {}): Heartbeat => ({
  id,
  host: 'büro-4#12',
  bootId: 'b',
  pid: 12,
  startTime: '99',
  labels: ['gpu', 'build-host'],
  agents: { henry: 'ab'.repeat(32) },
  version: '0.1.0',
  speaks: 1,
  ...over,
});

/** What every driver of heartbeats must do. `make` gives an empty one. */
export function heartbeatsContract(name: string, make: () => Heartbeats): void {
  describe(`${name}: what every driver of heartbeats does`, () => {
    it('lists them by id with their age, as they were renewed last', async () => {
      const heartbeats = make();
      expect(await heartbeats.list()).toEqual([]);
      await heartbeats.renew(heartbeat('b'));
      await heartbeats.renew(heartbeat('a', { labels: [], agents: {} }));
      await heartbeats.renew(heartbeat('b', { labels: ['tpu'] }));
      const found = await heartbeats.list();
      expect(found).toEqual([
        { ...heartbeat('a', { labels: [], agents: {} }), ageMs: expect.any(Number) },
        { ...heartbeat('b', { labels: ['tpu'] }), ageMs: expect.any(Number) },
      ]);
      for (const { ageMs } of found) expect(ageMs).toBeGreaterThanOrEqual(0);
    });

    it('forgets one that is removed, also twice, and takes it again', async () => {
      const heartbeats = make();
      await heartbeats.renew(heartbeat('a'));
      await heartbeats.renew(heartbeat('b'));
      await heartbeats.remove('a');
      await heartbeats.remove('a');
      expect((await heartbeats.list()).map(({ id }) => id)).toEqual(['b']);
      await heartbeats.renew(heartbeat('a'));
      expect((await heartbeats.list()).map(({ id }) => id)).toEqual(['a', 'b']);
    });

    it('takes several at once', async () => {
      const heartbeats = make();
      await Promise.all(['a', 'b', 'c', 'a', 'b'].map((id) => heartbeats.renew(heartbeat(id))));
      expect((await heartbeats.list()).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    });

    it('takes no name that leads elsewhere', async () => {
      await expect(make().renew(heartbeat('../x'))).rejects.toMatchObject({ code: 'invalid_id' });
    });
  });
}
