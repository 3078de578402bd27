import { describe, expect, it } from 'vitest';
import type { Deliveries, TrackedDelivery } from '../../src/team/messages/delivery.ts';
import { handle, take } from '../../src/team/messages/mailbox.ts';
import type { Mailboxes } from '../../src/team/messages/mailbox.ts';

const tracked = (id: string, given: Partial<TrackedDelivery> = {}): TrackedDelivery => ({
  id,
  chain: ['ada', 'lead'],
  at: 0,
  retries: 0,
  state: 'sent',
  dueAt: 30_000,
  expiresAt: undefined,
  name: `${id}.json`,
  from: 'boss',
  ...given,
});

/** What is kept of deliveries on every driver. */
export function deliveriesContract(name: string, make: () => Deliveries): void {
  describe(`${name}: deliveries`, () => {
    it('are kept by channel, and are what was written last', async () => {
      const deliveries = make();
      const ledger = { mark: 'msg-20260111-163315', tracked: { 'm1 ada': tracked('m1', { expiresAt: 5 }) } };
      expect(await deliveries.read('general')).toEqual({ mark: '', tracked: {} });
      expect(await deliveries.change('general', () => ledger)).toBe(true);
      expect(await deliveries.read('general')).toEqual(ledger);
      expect(await deliveries.read('team-a')).toEqual({ mark: '', tracked: {} });
      expect(await deliveries.change('general', () => undefined)).toBe(false);
    });

    it('are changed by one after the other, and what is none is left out', async () => {
      const deliveries = make();
      const add = (id: string): Promise<boolean> =>
        deliveries.change('general', ({ mark, tracked: all }) => ({
          mark,
          tracked: { ...all, [`${id} ada`]: tracked(id) },
        }));
      await Promise.all(Array.from({ length: 12 }, (_, i) => add(`m${i}`)));
      expect(Object.keys((await deliveries.read('general')).tracked)).toHaveLength(12);
      const damaged = { ...tracked('m1'), chain: [] } as unknown as TrackedDelivery;
      await deliveries.change('general', () => ({ mark: '', tracked: { x: damaged, y: tracked('m2') } }));
      expect(Object.keys((await deliveries.read('general')).tracked)).toEqual(['m2 ada']);
    });
  });
}

const MESSAGE = { id: 'm1', name: 'msg-20260111-163315-boss-0000.json' };

/** What is kept of recipients on every driver. */
export function mailboxesContract(name: string, make: () => Mailboxes): void {
  describe(`${name}: mailboxes`, () => {
    it('give a message to one of many who take it at once, and to the next one when that is gone', async () => {
      const boxes = make();
      const gone = new Set<number>();
      const tryTo = async (pid: number): Promise<boolean> => {
        let isTaken = false;
        const by = { host: 'here', bootId: 'b', pid, startTime: String(pid) };
        const how = { by, until: '2026-01-11T17:00:00.000Z', now: Date.parse('2026-01-11T16:33:20Z') };
        await boxes.change('ada', 'general', (mail) => {
          const next = take(mail, MESSAGE, { ...how, isAlive: (one) => !gone.has(one.pid) });
          isTaken = next !== undefined;
          return next;
        });
        return isTaken;
      };
      const tries = await Promise.all(Array.from({ length: 10 }, (_, pid) => tryTo(pid)));
      expect(tries.filter(Boolean)).toHaveLength(1);
      gone.add(tries.indexOf(true));
      const again = await Promise.all(Array.from({ length: 10 }, (_, pid) => tryTo(pid + 10)));
      expect(again.filter(Boolean)).toHaveLength(1);
      expect((await boxes.read('ada', 'general')).leases.m1).toMatchObject({ attempt: 2 });
      const done = { as: 'acknowledged', at: '2026-01-11T16:34:00.000Z' } as const;
      await boxes.change('ada', 'general', (mail) => handle(mail, [MESSAGE], done));
      expect(await tryTo(30)).toBe(false);
      expect((await boxes.read('ada', 'general')).leases).toEqual({});
      expect((await boxes.read('ben', 'general')).handled).toEqual({});
    });
  });
}
