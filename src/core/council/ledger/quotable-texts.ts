// Texts that can be quoted: what participants said before a tour.
import { onFirstUse } from '../../base/memoize.ts';
import type { Stretch } from './text/text-range.ts';
import { findOwnCases, splitClaims } from './claims.ts';
import { findNear } from './similar-words.ts';
import { findQuote, newEffort, readQuote, readSource } from './quotes.ts';
import type { Quote } from './quotes.ts';
import type { Masked } from '../naming/mask.ts';
import { movePlace } from '../naming/reveal-names.ts';
import type { Contribution, Claim } from '../state/state.ts';
import { formatTurnKey } from '../state/state.ts';

/** One contribution that can be quoted. */
export interface QuotableContribution {
  by: string;
  tour: number;
  /** Where it says the quote, in its own words or as its readers saw them; null for nowhere. */
  find(quote: Quote): Stretch | null;
  /** Where it says nearly that, and what stands there. */
  near(quote: Quote): Near | null;
  /** True for a place where its author speaks against the own position. */
  isOwnCase(place: Stretch): boolean;
}

/** Words that differ from a quote in a few. */
export interface Near extends Stretch {
  words: string;
}

/** Who a name in a contribution means: a participant's id, or null. Anonymous councils know their labels as well. */
export type Resolve = (name: string) => string | null;

export interface SaidInput {
  contributions: readonly Contribution[];
  claims: readonly Claim[];
  /** The participants in the order of the start. */
  order: readonly string[];
  /** A text as its readers saw it, with names hidden in an anonymous council, and where: they quote what they see. */
  shown: (text: string) => Pick<Masked, 'text' | 'places'>;
}

/** Where no name is hidden. */
export const showAsWritten: SaidInput['shown'] = (text) => ({ text, places: [] });

/** What the participants had said before a tour, the oldest first, then by seat: the first who says it said it first. */
export function collectSaid(
  tour: number,
  { contributions, claims, order, shown }: SaidInput,
): QuotableContribution[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const claimed = Map.groupBy(claims, formatTurnKey);
  return contributions
    .filter((c) => c.tour < tour && places.has(c.by))
    .sort((a, b) => a.tour - b.tour || places.get(a.by)! - places.get(b.by)!)
    .map((c) => {
      const known = claimed.get(formatTurnKey(c)) ?? [];
      const against = onFirstUse(() => findOwnCases(c.text));
      const split = () => [...(known.length > 0 ? known : splitClaims(c.text)), ...against()];
      const own = onFirstUse(() => readSource(c.text, split));
      const seen = onFirstUse(() => searchAsSeen(c.text, shown));
      return {
        by: c.by,
        tour: c.tour,
        find: (quote) => findQuote(quote, own()) ?? seen()(quote),
        near: (quote) => {
          const place = findNear(quote, own());
          return place && { ...place, words: shown(c.text.slice(place.start, place.end)).text };
        },
        isOwnCase: (place) => against().some((one) => overlap(one, place)),
      };
    });
}

/** Whether one text says a quote; it is read at the first question. */
export function makeSayer(text: string): (quote: Quote) => boolean {
  const source = onFirstUse(() => readSource(text, () => splitClaims(text)));
  return (quote) => findQuote(quote, source()) !== null;
}

/** The quotes of one text as they stand there, `>` and all: no others share their effort. */
export function quoteReader(text: string): (stretch: Stretch) => Quote {
  const effort = newEffort();
  return ({ start, end }) => readQuote(text.slice(start, end), effort);
}

/** Looks for quotes in a text as it was shown, and tells where that stands in the text itself. */
function searchAsSeen(text: string, shown: SaidInput['shown']): QuotableContribution['find'] {
  const seen = shown(text);
  if (seen.text === text) return () => null;
  const names = seen.places.map(({ at, label, name }) => ({ start: at, end: at + label.length, text: name }));
  const source = readSource(seen.text, () => splitClaims(seen.text));
  return (quote) => {
    const place = findQuote(quote, source);
    return place && { start: movePlace(place.start, names), end: movePlace(place.end, names) };
  };
}

const overlap = (a: Stretch, b: Stretch): boolean => a.start < b.end && b.start < a.end;
