// Locates the words that challenges quote, so that they can be highlighted.
import { cutUnits } from './text/units.ts';
import { quoteReader, collectQuotable } from './quotable-texts.ts';
import type { QuotableContribution, QuotableInput } from './quotable-texts.ts';
import { formatTurnKey } from '../state/state.ts';
import type { Challenge, ContributionSpan } from '../state/state.ts';

/** Words of a contribution that a challenge quotes, in UTF-16 offsets of its text. */
export interface QuotedPlace extends ContributionSpan {
  challenge: string;
}

export interface QuotedInput extends QuotableInput {
  challenges: readonly Challenge[];
}

/** Accepts anything between quotation marks. */
const ALL = { isClaim: () => true, isSaid: () => true };

/**
 * Locates the verified quotes of challenges in the texts they quote.
 * Parsing a text takes a tenth of a second per megabyte, so each is parsed once, and the generator yields
 * after each search to let a server answer other calls.
 */
export function* locateVerifiedQuotes(input: QuotedInput): Generator<undefined, QuotedPlace[]> {
  const verified = input.challenges.filter(({ against, quote }) => against !== null && quote === 'verified');
  if (verified.length === 0) return [];
  const saidBy = Map.groupBy(collectQuotable(Infinity, input), ({ by }) => by);
  const texts = new Map(input.contributions.map((said) => [formatTurnKey(said), said.text]));
  const places: QuotedPlace[] = [];
  for (const [turn, own] of Map.groupBy(verified, formatTurnKey)) {
    const text = texts.get(turn) ?? '';
    const quotes = cutUnits(text, ALL).flatMap((unit) => unit.quotes);
    const quoteAt = quoteReader(text);
    // Challenges may share their quotes.
    const known = new Map<string, ContributionSpan | undefined>();
    yield;
    for (const { id, against, tour: before, start: from, end: to } of own)
      for (const quote of quotes) {
        const inside = { start: Math.max(quote.start, from), end: Math.min(quote.end, to) };
        if (inside.start >= inside.end) continue;
        const key = `${inside.start} ${inside.end} ${against}`;
        if (!known.has(key)) {
          const wanted = quoteAt(inside);
          const isSaid = ({ tour, find }: QuotableContribution) => tour < before && find(wanted) !== null;
          const said = saidBy.get(against ?? '')?.find(isSaid);
          known.set(key, said && { by: said.by, tour: said.tour, ...said.find(wanted)! });
          yield;
        }
        const place = known.get(key);
        if (place) places.push({ challenge: id, ...place });
      }
  }
  return places;
}
