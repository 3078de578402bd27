import { expect, it } from 'vitest';
import { readWait } from '../../../../src/core/agents/runners/classify-failure.ts';

const NOW = Date.parse('2026-11-28T10:00:20Z');
const HOUR = 3_600_000;

it.each<[string, number]>([
  ['Please try again in 1h 5m.', 65 * 60_000],
  ['Try again in 3 days, 2 hours and 5 minutes.', 74 * HOUR + 5 * 60_000],
  ['Please retry in 40.5s.', 40_500],
  ['Your quota will reset after 3h12m5s.', 3 * HOUR + 725_000],
  ['retry-after-ms: 250\nretry-after: 7', 250],
  ['retry-after: Sat, 28 Nov 2026 10:01:20 GMT', 60_000],
  ['{"retryDelay": "34.5s"}', 34_500],
  ['{"retry_after": 20}', 20_000],
  ['limit reached|1795860060', 40_000],
  ['resets 3pm (Europe/Paris)', 4 * HOUR - 20_000],
  ['resets at 15:00 (UTC)', 5 * HOUR - 20_000],
  ['resets 9:30am (UTC)', 23.5 * HOUR - 20_000],
  ['resets Nov 30, 3pm (Europe/Paris)', 52 * HOUR - 20_000],
  ['try again at Nov 30th, 2026 3:15 PM (UTC).', 53.25 * HOUR - 20_000],
  ['resets Nov 28, 10am (UTC)', 0],
  ['resets Jan 2 at 10am (UTC)', 240 * HOUR],
])('%s', (words, wait) => {
  expect(readWait(words, NOW)).toBe(wait);
});

it.each([
  'Please try again later.',
  'resets 3pm (Nowhere/Town)',
  'resets in 2 months',
  'until 5 seats are full',
  'try again with 5 files',
])('tells nothing: %s', (words) => {
  expect(readWait(words, NOW)).toBeNull();
});
