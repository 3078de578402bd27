// Counts weighted positions.
import { pickCommonSpelling } from '../state/ballot.ts';
import { normalisePosition } from '../state/position.ts';

/** Weights are counted in whole millionths: sums of fractions would depend on the order of the participants. */
const UNIT = 1_000_000;

/** Keys that council's files refuse in JSON: a position of such a name is shown in quotes. */
const REFUSED = new Set(['__proto__', 'constructor', 'prototype']);

/** A stated position with the share of a vote that it carries, 0 to 1. */
export interface Stated {
  position: string;
  weight: number;
  by?: string;
}

/** How widely one position is held. */
export interface Support {
  /** The declared option's spelling, or the most frequent one. */
  position: string;
  /** Sum of the weights; the number of participants when nothing is weighted. */
  weight: number;
  heads: number;
  /** Who holds it. */
  by: string[];
  /** Its number on a ballot. */
  number?: string | undefined;
}

/**
 * Support by position, the widest first, then by code units. Nothing depends on the order of `stated`.
 * A blank position, one outside the declared options, and one that all its holders give no weight support nothing.
 */
export function tally(stated: readonly Stated[], options: readonly string[] | null): Support[] {
  const declared = options && new Map(options.map((option) => [normalisePosition(option), option]));
  const groups = new Map<string, Stated[]>();
  for (const one of stated) {
    const key = normalisePosition(one.position);
    if (key === '' || (declared && !declared.has(key))) continue;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const support = [...groups].map(([key, group]) => ({
    position: quoteReservedPosition(
      declared?.get(key) ?? pickCommonSpelling(group.map(({ position }) => position)),
    ),
    weight: group.reduce((sum, { weight }) => sum + Math.round(weight * UNIT), 0) / UNIT,
    heads: group.length,
    by: group.flatMap(({ by }) => by ?? []),
  }));
  return support
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || compare(a.position, b.position));
}

/** A tally as the object that commands print: votes by position. */
export const asVotes = (support: readonly Support[]): Record<string, number> =>
  Object.fromEntries(support.map(({ position, weight }) => [position, weight]));

const quoteReservedPosition = (position: string): string =>
  REFUSED.has(position) ? `"${position}"` : position;

/** For different strings. */
const compare = (a: string, b: string): number => (a < b ? -1 : 1);
