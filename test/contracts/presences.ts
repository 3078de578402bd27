import { describe, expect, it } from 'vitest';
import type { Presences } from '../../src/core/store/small-files.ts';

/** What every driver of presences must do. `make` gives an empty one. */
export function presencesContract(name: string, make: () => Presences): void {
  describe(`${name}: what every driver of presences does`, () => {
    it('replaces a text as a whole, and lists all by agent', async () => {
      const presences = make();
      expect(await presences.list()).toEqual([]);
      await presences.write('zoe', 'a long text, to be replaced');
      await presences.write('ana', '{}');
      await presences.write('zoe', 'short');
      expect(await presences.list()).toEqual([
        { agent: 'ana', text: '{}' },
        { agent: 'zoe', text: 'short' },
      ]);
    });

    it('takes no name that leads elsewhere', async () => {
      await expect(make().write('../x', '{}')).rejects.toMatchObject({ code: 'invalid_id' });
    });
  });
}
