import { describe, expect, it } from 'vitest';
import type { Clocks } from '../../src/core/base/clock.ts';
import type { Documents } from '../../src/core/store/documents.ts';
import { SWEEP_MS } from '../../src/core/store/due-index.ts';
import type { DueIndex } from '../../src/core/store/due-index.ts';
import { fill } from '../core/store/scratch.ts';

const WAITS = { conversationId: 'c-1', topic: 'Go?', phase: 'COLLECT', tour: 1, awaited: ['ana'] };

/** What every index of waiting councils must do. `make` gives an empty one, over a store of its own. */
export function dueIndexContract(name: string, make: () => { store: Documents; due: DueIndex }): void {
  describe(`${name}: what every index of waiting councils does`, () => {
    /** Far enough ahead for what was committed to lie in the past, as file systems count. */
    const later = (): number => Date.now() + 60_000;
    const clocksAt = (now: number): Clocks => ({ wall: now, bootId: 'b', uptime: now, awake: now });
    const pass = (due: DueIndex, names: string[], now: number, clocks = clocksAt(now)) =>
      due.begin({ list: async () => names, now, clocks });
    async function noted() {
      const { store, due } = make();
      await fill(store, 'one', 1);
      await fill(store, 'two', 2);
      const now = later();
      const dueAt = now + 3_600_000;
      const first = await pass(due, ['one', 'two'], now);
      expect({ due: first.due, resting: first.resting, nextAt: first.nextAt }).toEqual({
        due: ['one', 'two'],
        resting: 0,
        nextAt: undefined,
      });
      await first.end(new Map([['one', { ...WAITS, dueAt }]]));
      const known = async (at: number, clocks = clocksAt(at)) => {
        const { due: looked, resting, listWaiting } = await pass(due, ['one', 'two'], at, clocks);
        const names = [...(await listWaiting()).keys()];
        expect({ resting, all: [...looked, ...names].sort() }).toEqual({
          resting: names.length,
          all: ['one', 'two'],
        });
        return names;
      };
      return { store, due, now, dueAt, known };
    }

    it('knows what was noted, and nothing of what was not', async () => {
      const { due, now, dueAt } = await noted();
      const { due: looked, nextAt, listWaiting } = await pass(due, ['one', 'two'], now + 1);
      expect([...(await listWaiting()).keys()]).toEqual(['one']);
      expect((await listWaiting()).get('one')).toMatchObject({ ...WAITS, dueAt });
      expect({ looked, nextAt }).toEqual({ looked: ['two'], nextAt: dueAt });
    });

    it('finds a council that is new', async () => {
      const { store, due, now } = await noted();
      await fill(store, 'new', 1);
      const { due: looked } = await pass(due, ['new', 'one', 'two'], now + 1);
      expect(looked).toContain('new');
    });

    it('keeps what a later pass did not look at', async () => {
      const { due, now, dueAt, known } = await noted();
      await (await pass(due, ['one', 'two'], now + 1)).end(new Map([['two', { ...WAITS, dueAt }]]));
      expect((await known(now + 2)).sort()).toEqual(['one', 'two']);
    });

    it('forgets a council that somebody commits to', async () => {
      const { store, now, known } = await noted();
      await fill(store, 'one', 1);
      expect(await known(now + 1)).toEqual([]);
    });

    it('does not miss a commit that came while the pass was on its way', async () => {
      const { store, due } = make();
      await fill(store, 'one', 1);
      const now = later();
      const first = await pass(due, ['one'], now);
      await fill(store, 'one', 1);
      await first.end(new Map([['one', { ...WAITS, dueAt: now + 1000 }]]));
      expect((await pass(due, ['one'], now + 1)).due).toEqual(['one']);
    });

    it('tells nothing of a council that is due', async () => {
      const { due, now, known } = await noted();
      const soon = now + 30_000;
      const second = await pass(due, ['one', 'two'], now + 1);
      await second.end(new Map([['two', { ...WAITS, dueAt: soon }]]));
      expect((await pass(due, ['one', 'two'], now + 2)).nextAt).toBe(soon);
      expect(await known(soon - 1)).toContain('two');
      expect(await known(soon)).not.toContain('two');
    });

    it('is not believed after a long time, after the clock was set, a restart or a sleep', async () => {
      const { now, known } = await noted();
      expect(await known(now + SWEEP_MS)).toEqual([]);
      expect(await known(now - 1)).toEqual([]);
      const at = now + 60_000;
      expect(await known(at)).toEqual(['one']);
      expect(await known(at, { ...clocksAt(at), wall: at + 5000 })).toEqual([]);
      expect(await known(at, { ...clocksAt(at), bootId: 'another' })).toEqual([]);
      expect(await known(at, { ...clocksAt(at), awake: at - 30_000 })).toEqual([]);
    });
  });
}
