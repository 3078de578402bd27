import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { formatDuration, parseDuration } from '../../../src/core/base/duration.ts';
import { expectLinear } from '../../helpers/growth.ts';

describe('parseDuration', () => {
  it.each([
    ['300s', 300_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['7 d', 604_800_000],
    ['1 h 30 m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['250ms', 250],
    ['1.5s', 1500],
    [' 5M ', 300_000],
    ['90', 90_000],
    [90, 90_000],
    [0.5, 500],
    ['2min', 120_000],
    ['90 secs', 90_000],
    ['1 hour 30 minutes', 5_400_000],
    ['2days', 172_800_000],
    ['366d', 31_622_400_000],
  ])('reads %j as %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  // prettier-ignore
  it.each(['', '0', '0s', '-5s', 'x', '5x', 's', '1e3', 'Infinity', '367d', '9'.repeat(400), NaN, -1, Infinity])('refuses %j', (text) => {
    expect(() => parseDuration(text, 'timeout')).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining('Not a valid timeout') as string }),
    );
  });

  it('answers quickly to a long wrong text', async () => {
    for (const part of ['1', '1s'])
      await expectLinear(part, 50_000, (n) => expect(() => parseDuration(part.repeat(n) + 'x')).toThrow());
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0s'],
    [-5, '0s'],
    [250, '250ms'],
    [45_000, '45s'],
    [300_000, '5m'],
    [5_400_000, '1h30m'],
    [187_200_000, '2d4h'],
    [59_999, '1m'],
    [86_400_000 + 61_000, '1d1m'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('is read back to within the second unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 366 * 86_400_000 }), (ms) => {
        const text = formatDuration(ms);
        expect(text).toMatch(/^(\d+(ms|[dhms])){1,2}$/);
        expect(Math.abs(parseDuration(text) - ms)).toBeLessThan(Math.max(500.5, ms * 0.5));
      }),
    );
  });
});
