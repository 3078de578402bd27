// What the report computes: intervals, an exact test, and how many questions it would take. Pure.
import { binomialDistribution, mean, sampleWithReplacement } from 'simple-statistics';

/** Quantiles of the normal distribution: 97.5 % and 80 %. */
const Z_TWO_SIDED = 1.959964;
const Z_POWER = 0.841621;

export type Interval = [from: number, to: number];

/** Between which shares 95 of 100 such intervals hold the true one (Wilson's); [0, 1] without tries. */
export function computeWilson(hits: number, tries: number): Interval {
  if (tries === 0) return [0, 1];
  const z = Z_TWO_SIDED;
  const share = hits / tries;
  const scale = 1 + z ** 2 / tries;
  const middle = (share + z ** 2 / (2 * tries)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** McNemar's exact test, two-sided: how likely a split of the discordant pairs at least as uneven is, were both equally good. */
export function testMcNemar(onlyFirst: number, onlySecond: number): number {
  const pairs = onlyFirst + onlySecond;
  if (pairs === 0) return 1;
  const chances = binomialDistribution(pairs, 0.5) ?? [];
  const tail = chances.slice(0, Math.min(onlyFirst, onlySecond) + 1);
  return Math.min(1, 2 * tail.reduce((sum, chance) => sum + chance, 0));
}

/** The p-values as Holm corrects them for their number, so that all of them together are wrong in 5 of 100 cases. */
export function correctByHolm(values: readonly number[]): number[] {
  const ranked = values.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const corrected: number[] = [];
  let least = 0;
  ranked.forEach(({ p, at }, rank) => {
    least = Math.max(least, Math.min(1, p * (values.length - rank)));
    corrected[at] = least;
  });
  return corrected;
}

/**
 * How many questions McNemar's test needs to find a difference of that size (0.1 is ten points) in 80 of 100 cases, where so large
 * a share of the pairs is discordant.
 */
export function countNeededQuestions(discordant: number, difference: number): number {
  const share = Math.max(discordant, difference);
  const spread = Math.sqrt(share - difference ** 2);
  return Math.ceil(((Z_TWO_SIDED * Math.sqrt(share) + Z_POWER * spread) / difference) ** 2);
}

/**
 * The middle 95 % of a figure over draws of the questions with replacement; null where there is nothing to draw from. A figure may
 * be infinite. The same items give the same interval.
 */
export function computeBootstrap<Item>(
  items: readonly Item[],
  computeFigure: (drawn: Item[]) => number,
): Interval | null {
  if (items.length === 0) return null;
  const random = createSeededRandom(items.length);
  const figures = Array.from({ length: DRAWS }, () =>
    computeFigure(sampleWithReplacement([...items], items.length, random)),
  ).sort((a, b) => (a === b ? 0 : a - b));
  // Ranks and not interpolated: nothing lies between a number and infinity.
  return [figures[Math.floor(0.025 * DRAWS)]!, figures[Math.ceil(0.975 * DRAWS) - 1]!];
}

const DRAWS = 2000;

export const computeMean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : mean([...values]);

/** Mulberry32: numbers from 0 to 1 that are the same for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
