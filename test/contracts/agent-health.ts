import { describe, expect, it } from 'vitest';
import type { AgentHealth, Health } from '../../src/core/store/agent-health.ts';

const failed = (before: Health | undefined): Health => ({
  failures: (before?.failures ?? 0) + 1,
  at: '2026-02-08T20:00:00.000Z',
  until: null,
  reason: 'no',
});

/** What every driver of agents' health must do. `make` gives an empty one. */
export function agentHealthContract(name: string, make: () => AgentHealth): void {
  describe(`${name}: what every driver of agents’ health does`, () => {
    it('knows nobody at first', async () => {
      expect(await make().read()).toEqual({});
    });

    it('loses no change of several at once, and hands each its result', async () => {
      const health = make();
      const fail = (id: string): Promise<number> =>
        health.change(id, (before) => ({ next: failed(before), result: before?.failures ?? 0 }));
      const results = await Promise.all([fail('ada'), fail('ada'), fail('bob'), fail('ada')]);
      expect(results.toSorted()).toEqual([0, 0, 1, 2]);
      expect(await health.read()).toMatchObject({ ada: { failures: 3 }, bob: { failures: 1 } });
    });

    it('forgets who is well again, and changes nothing for who stays as it is', async () => {
      const health = make();
      await health.change('ada', (before) => ({ next: failed(before), result: null }));
      await health.change('ada', (before) => ({ next: before, result: null }));
      expect(Object.keys(await health.read())).toEqual(['ada']);
      expect(await health.change('ada', () => ({ next: undefined, result: 'well' }))).toBe('well');
      expect(await health.change('bob', (before) => ({ next: before, result: before }))).toBeUndefined();
      expect(await health.read()).toEqual({});
    });

    it.each(['__proto__', 'constructor'])('takes an agent that is called %s for any other', async (id) => {
      const health = make();
      expect(await health.change(id, (before) => ({ next: before, result: before }))).toBeUndefined();
    });
  });
}
