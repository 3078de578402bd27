// Statistics for the report: intervals, an exact test, and the required number of questions. Pure.
import { binomialDistribution, mean, sampleWithReplacement } from 'simple-statistics';

/** Quantiles of the normal distribution: 97.5 % and 80 %. */
const Z_TWO_SIDED = 1.959964;
const Z_POWER = 0.841621;

export type Interval = [from: number, to: number];

/** Returns Wilson's 95 % interval of a share; [0, 1] without tries. */
export function computeWilson(hits: number, tries: number): Interval {
  if (tries === 0) return [0, 1];
  const z = Z_TWO_SIDED;
  const share = hits / tries;
  const scale = 1 + z ** 2 / tries;
  const middle = (share + z ** 2 / (2 * tries)) / scale;
  const half = (z / scale) * Math.sqrt((share * (1 - share)) / tries + z ** 2 / (4 * tries ** 2));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/**
 * McNemar's exact test, two-sided: the probability of a split of the discordant pairs at least this uneven if
 * both arms are equally good.
 */
export function testMcNemar(onlyFirst: number, onlySecond: number): number {
  const pairs = onlyFirst + onlySecond;
  if (pairs === 0) return 1;
  const chances = binomialDistribution(pairs, 0.5) ?? [];
  const tail = chances.slice(0, Math.min(onlyFirst, onlySecond) + 1);
  return Math.min(1, 2 * tail.reduce((sum, chance) => sum + chance, 0));
}

/** Applies Holm's correction to p-values, so that the chance of any false positive among all tests is at most 5 %. */
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
 * Returns how many questions McNemar's test needs to detect a difference of this size (0.1 is ten points) in 80
 * of 100 cases, given the share of discordant pairs.
 */
export function countNeededQuestions(discordant: number, difference: number): number {
  const share = Math.max(discordant, difference);
  const spread = Math.sqrt(share - difference ** 2);
  return Math.ceil(((Z_TWO_SIDED * Math.sqrt(share) + Z_POWER * spread) / difference) ** 2);
}

/**
 * Returns the 95 % bootstrap interval of a figure, or null without items. A figure may be infinite. The same
 * items give the same interval.
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
  // Uses ranks without interpolation: there is nothing between a number and infinity.
  return [figures[Math.floor(0.025 * DRAWS)]!, figures[Math.ceil(0.975 * DRAWS) - 1]!];
}

const DRAWS = 2000;

export const computeMean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : mean([...values]);

/** Mulberry32: pseudorandom numbers from 0 to 1, the same for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
