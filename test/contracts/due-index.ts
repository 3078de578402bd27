import { describe, expect, it } from 'vitest';
import type { Clocks } from '../../src/base/clock.ts';
import type { Documents } from '../../src/store/documents.ts';
import { SWEEP_MS } from '../../src/store/due-index.ts';
import type { DueIndex } from '../../src/store/due-index.ts';
import { fill } from '../store/scratch.ts';

const WAITS = { conversationId: 'c-1', phase: 'COLLECT' };

/** What every index of waiting councils must do. `make` gives an empty one, over a store of its own. */
export function dueIndexContract(name: string, make: () => { store: Documents; due: DueIndex }): void {
  describe(`${name}: what every index of waiting councils does`, () => {
    /** Far enough ahead for what was committed to lie in the past, as file systems count. */
    const later = (): number => Date.now() + 60_000;
    const clocksAt = (now: number): Clocks => ({ wall: now, bootId: 'b', uptime: now, awake: now });
    async function noted() {
      const { store, due } = make();
      await fill(store, 'one', 1);
      await fill(store, 'two', 2);
      const now = later();
      const dueAt = now + 3_600_000;
      const pass = await due.begin(['one', 'two'], now, clocksAt(now));
      expect([...pass.waiting]).toEqual([]);
      await pass.end(new Map([['one', { ...WAITS, dueAt }]]));
      const known = async (at: number, clocks = clocksAt(at)) => [
        ...(await due.begin(['one', 'two'], at, clocks)).waiting.keys(),
      ];
      return { store, due, now, dueAt, known };
    }

    it('knows what was noted, and nothing of what was not', async () => {
      const { due, now, dueAt } = await noted();
      const { waiting } = await due.begin(['one', 'two', 'new'], now + 1, clocksAt(now + 1));
      expect([...waiting.keys()]).toEqual(['one']);
      expect(waiting.get('one')).toMatchObject({ ...WAITS, dueAt });
    });

    it('keeps what a later pass did not look at', async () => {
      const { due, now, dueAt, known } = await noted();
      await (
        await due.begin(['one', 'two'], now + 1, clocksAt(now + 1))
      ).end(new Map([['two', { ...WAITS, dueAt }]]));
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
      const pass = await due.begin(['one'], now, clocksAt(now));
      await fill(store, 'one', 1);
      await pass.end(new Map([['one', { ...WAITS, dueAt: now + 1000 }]]));
      expect([...(await due.begin(['one'], now + 1, clocksAt(now + 1))).waiting]).toEqual([]);
    });

    it('tells nothing of a council that is due', async () => {
      const { due, now, known } = await noted();
      const soon = now + 30_000;
      const pass = await due.begin(['two'], now + 1, clocksAt(now + 1));
      await pass.end(new Map([['two', { ...WAITS, dueAt: soon }]]));
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
