import { formatTime } from '../../../src/server/page/page-formats.ts';
import { expect, it } from 'vitest';
import { formatUnbrokenTime } from '../../../src/server/page/elapsed-time.ts';
import { loadPageWords } from '../../../src/server/page/words.ts';

const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;

it.each([
  [0, '0 s'],
  [940, '0.9 s'],
  [9_960, '10 s'],
  [59.6 * S, '1 min'],
  [3 * MIN, '3 min'],
  [3 * MIN + 12 * S, '3 min 12 s'],
  [2 * H, '2 h'],
  [2 * H + 59 * S, '2 h'],
  [2 * H + 5 * MIN, '2 h 5 min'],
  [72 * H, '3 d'],
  [72 * H + 20 * MIN, '3 d'],
  [73 * H, '3 d 1 h'],
])('says how long %i ms are', (ms, words) => {
  expect(formatUnbrokenTime(ms, loadPageWords('en').common).replaceAll('\u00A0', ' ')).toBe(words);
  const french = words.replace('.', ',').replace(' d', ' j');
  expect(formatUnbrokenTime(ms, loadPageWords('fr').common).replaceAll('\u00A0', ' ')).toBe(french);
});

it.each([
  ['en', '22 Nov 2026, 18:02 UTC'],
  ['fr', '22 nov. 2026, 18:02 UTC'],
] as const)('tells a moment in %s as people read it, the same wherever it is read', (lang, words) => {
  expect(formatTime('2026-11-22T18:02:59.000Z', loadPageWords(lang))).toBe(words);
  expect(formatTime('some day', loadPageWords(lang))).toBe('some day');
});
