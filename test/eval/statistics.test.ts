import { describe, expect, it } from 'vitest';
import {
  computeBootstrap,
  computeMean,
  computeWilson,
  correctByHolm,
  countNeededQuestions,
  createSeededRandom,
  testMcNemar,
} from '../../src/eval/statistics.ts';

describe('the statistics of an eval', () => {
  it('gives the exact two-sided p-value, also far out', () => {
    expect(testMcNemar(0, 0)).toBe(1);
    expect(testMcNemar(3, 3)).toBe(1);
    expect(testMcNemar(0, 5)).toBeCloseTo(0.0625, 12);
    expect(testMcNemar(0, 6)).toBeCloseTo(0.03125, 12);
    expect(testMcNemar(10, 2)).toBeCloseTo(0.0385742, 6);
    expect(testMcNemar(0, 43) / (2 * 0.5 ** 43)).toBeCloseTo(1, 6);
  });

  // Worked by hand in Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  it.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('has the interval of %i in %i', (hits, tries, from, to) => {
    const [low, high] = computeWilson(hits, tries);
    expect(low).toBeCloseTo(from, 3);
    expect(high).toBeCloseTo(to, 3);
  });

  it('says nothing without tries, and stays between 0 and 1', () => {
    expect(computeWilson(0, 0)).toEqual([0, 1]);
    expect(computeWilson(20, 20)[1]).toBe(1);
  });

  it('corrects for the number of tests, and keeps their order', () => {
    expect(correctByHolm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06]);
    expect(correctByHolm([0.9, 0.8])).toEqual([1, 1]);
  });

  it('needs more questions where the arms differ more often', () => {
    // Connor (1987), with 80 % power at 5 %: a fifth discordant, a difference of ten points.
    expect(countNeededQuestions(0.2, 0.1)).toBe(155);
    expect(countNeededQuestions(0.4, 0.1)).toBeGreaterThan(countNeededQuestions(0.2, 0.1));
    expect(countNeededQuestions(0, 0.1)).toBe(countNeededQuestions(0.1, 0.1));
  });

  it('draws the same interval each time, around the mean and open where a figure is', () => {
    const items = Array.from({ length: 50 }, (_, at) => (at % 5 === 0 ? 1 : 0));
    const interval = computeBootstrap(items, computeMean)!;
    expect(interval).toEqual(computeBootstrap(items, computeMean));
    expect(interval[0]).toBeGreaterThan(0.05);
    expect(interval[0]).toBeLessThan(0.2);
    expect(interval[1]).toBeGreaterThan(0.2);
    expect(interval[1]).toBeLessThan(0.35);
    expect(computeBootstrap([], computeMean)).toBeNull();
    expect(computeBootstrap([1, 0], (drawn) => (computeMean(drawn) > 0 ? 1 : Infinity))![1]).toBe(Infinity);
  });

  it('draws evenly', () => {
    const random = createSeededRandom(7);
    const drawn = Array.from({ length: 10_000 }, random);
    expect(Math.abs(computeMean(drawn) - 0.5)).toBeLessThan(0.02);
    expect(Math.max(...drawn)).toBeLessThan(1);
  });
});
