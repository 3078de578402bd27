import { describe, expect, it } from 'vitest';
import { formatTimeDistance, formatLocalTime, formatDueTime } from '../../../src/core/base/local-time.ts';

const NOW = new Date(2026, 10, 22, 13, 23).getTime();
const at = (ms: number): string => new Date(NOW + ms).toISOString();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('times for people', () => {
  it('are local, and say how far away they are', () => {
    expect(formatDueTime(at(42 * MINUTE), NOW)).toBe('in 42 min, 14:05');
    expect(formatDueTime(at(-3 * MINUTE), NOW)).toBe('3 min ago, 13:20');
  });

  it('name the day where it is another one', () => {
    expect(formatLocalTime(at(48 * HOUR), NOW)).toBe('Tue 24 Nov 2026, 13:23');
    expect(formatLocalTime(at(11 * HOUR), NOW)).toBe('Mon 23 Nov 2026, 00:23');
  });

  it.each([
    [0, 'now'],
    [20_000, 'in 20 s'],
    [89 * MINUTE, 'in 1 h 29 min'],
    [47 * HOUR, 'in 47 h'],
    [-72 * HOUR, '3 d ago'],
  ])('%i ms from now is %s', (ms, expected) => {
    expect(formatTimeDistance(at(ms), NOW)).toBe(expected);
  });

  it('leave what is no time as it is', () => {
    expect(formatDueTime('soon', NOW)).toBe('soon');
  });
});
