// What stays the same stands first, in every prompt of a council.
import { describe, expect, it } from 'vitest';
import { measureCacheable } from '../../../helpers/measure-cacheable.ts';
import { listDebatePrompts, measurePrompts } from '../../../helpers/cached-prompts.ts';

describe('the beginnings that prompts share', () => {
  it('are counted in bytes, of the longest one to the same program and model', () => {
    const asked = [
      { key: 'a', text: 'été un' },
      { key: 'b', text: 'été un' },
      { key: 'a', text: 'éta' },
      { key: 'a', text: 'été deux' },
    ];
    expect(measureCacheable(asked)).toEqual({ bytes: 8 + 8 + 4 + 10, cacheable: 0 + 0 + 3 + 6 });
  });

  it('are more than half of a debate with 40 KB of context, and more where one model has all seats', () => {
    const different = measurePrompts(listDebatePrompts(3));
    const one = measurePrompts(listDebatePrompts(3, { isOneModel: true }));
    if (process.env.PRINT) console.log({ different, one });
    expect(different.bytes).toBeGreaterThan(450_000);
    expect(different.share).toBeGreaterThan(0.52);
    expect(one.share).toBeGreaterThan(0.7);
  });

  it.each([false, true])(
    'are noted with each launch as they are (one model in all seats: %s)',
    (isOneModel) => {
      const asked = listDebatePrompts(3, { isOneModel });
      let noted = 0;
      asked.forEach((one, at) => {
        const before = measureCacheable(asked.slice(0, at)).cacheable;
        const { cacheable } = measureCacheable(asked.slice(0, at + 1));
        expect(one.noted.bytes).toBe(Buffer.byteLength(one.text));
        expect(one.noted.cacheable).toBeLessThanOrEqual(cacheable - before);
        noted += one.noted.cacheable;
      });
      // Two readers may have the same first text, too.
      expect(noted / measureCacheable(asked).cacheable).toBeGreaterThan(0.97);
    },
  );

  it('are marked for a provider where another prompt is due that has them', () => {
    const kept = (isOneModel: boolean) =>
      listDebatePrompts(3, { isOneModel }).map(
        ({ participant, phase, kept }) => `${phase} ${participant} ${kept.length}`,
      );
    const each = (phase: string, count: number) => [1, 2, 3].map((seat) => `${phase} seat${seat} ${count}`);
    for (const isOneModel of [false, true])
      expect(kept(isOneModel)).toEqual([
        ...each('COLLECT', 1),
        ...each('CHALLENGE', 2),
        // No seat is asked again, and each is to find what it was told before.
        ...each('RESOLVE', 2),
        // It borrows a runner that knows what everybody is told.
        'SYNTHESIZE maman 1',
      ]);
  });

  it('are at least 90 % of what stands above the own turn of an earlier prompt', () => {
    const asked = listDebatePrompts(3);
    for (const id of ['seat1', 'seat2', 'seat3']) {
      const own = asked.filter(({ participant }) => participant === id);
      own.slice(1).forEach(({ text }, at) => {
        const before = own[at]!.text;
        const above = before.slice(0, before.indexOf('\n## Who you are\n'));
        expect(text.startsWith(above)).toBe(true);
        expect(above.length / before.length).toBeGreaterThan(0.85);
      });
    }
  });
});
