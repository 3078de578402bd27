import { expect, it } from 'vitest';
import { wilson } from '../../bench/wilson.ts';

// Worked by hand in Newcombe (1998), Statistics in Medicine 17, table I, method 3.
it.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('has the interval of %i in %i', (hits, tries, from, to) => {
  const [low, high] = wilson(hits, tries);
  expect(low).toBeCloseTo(from, 3);
  expect(high).toBeCloseTo(to, 3);
});

it('says nothing without tries, and stays between 0 and 1', () => {
  expect(wilson(0, 0)).toEqual([0, 1]);
  expect(wilson(20, 20)[1]).toBe(1);
});
