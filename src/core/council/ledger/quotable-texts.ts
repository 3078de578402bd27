// Searches quotes, exact or near, in what participants said before a round.
import { makeOnFirstUse, memoizeByObject } from '../../base/memoize.ts';
import type { TextRange } from './text/limits.ts';
import { findOwnCases, splitClaims } from './claims.ts';
import { findQuote, newSearchBudget, readQuote, readSource } from './quotes.ts';
import type { Quote, Source } from './quotes.ts';
import type { MaskedText } from '../naming/mask.ts';
import { movePlace } from '../naming/reveal-names.ts';
import type { Contribution, Claim } from '../state/state.ts';
import { formatTurnKey } from '../state/state.ts';
import type { Word } from './text/words.ts';

/** One contribution that can be quoted. */
export interface QuotableContribution {
  by: string;
  tour: number;
  /** Finds the quote in the text as written or as its readers saw it; null if absent. */
  find(quote: Quote): TextRange | null;
  /** Finds a near match, with the actual words. */
  near(quote: Quote): NearQuote | null;
  /** True if the author argues against their own position at this place. */
  isOwnCase(place: TextRange): boolean;
}

/** Words that differ only slightly from a quote. */
export interface NearQuote extends TextRange {
  words: string;
}

/** Resolves a name in a contribution to a participant's id, or null; labels, too, in anonymous councils. */
export type Resolve = (name: string) => string | null;

export interface QuotableInput {
  contributions: readonly Contribution[];
  claims: readonly Claim[];
  /** The participants in their starting order. */
  order: readonly string[];
  /** Returns a text as its readers saw it, with the names an anonymous council hides: they quote that. */
  shown: (text: string) => Pick<MaskedText, 'text' | 'places'>;
}

/** For councils without hidden names. */
export const showAsWritten: QuotableInput['shown'] = (text) => ({ text, places: [] });

/** Returns what was said before a round, by round and seat: the first match is the first to have said it. */
export function collectQuotable(
  round: number,
  { contributions, claims, order, shown }: QuotableInput,
): QuotableContribution[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const claimed = Map.groupBy(claims, formatTurnKey);
  return contributions
    .filter((c) => c.tour < round && places.has(c.by))
    .sort((a, b) => a.tour - b.tour || places.get(a.by)! - places.get(b.by)!)
    .map((c) => {
      const known = claimed.get(formatTurnKey(c)) ?? [];
      const against = makeOnFirstUse(() => findOwnCases(c.text));
      const split = () => [...(known.length > 0 ? known : splitClaims(c.text)), ...against()];
      const own = makeOnFirstUse(() => readSource(c.text, split));
      const seen = makeOnFirstUse(() => searchAsSeen(c.text, shown));
      return {
        by: c.by,
        tour: c.tour,
        find: (quote) => findQuote(quote, own()) ?? seen()(quote),
        near: (quote) => {
          const place = findNear(quote, own());
          return place && { ...place, words: shown(c.text.slice(place.start, place.end)).text };
        },
        isOwnCase: (place) => against().some((one) => isOverlapping(one, place)),
      };
    });
}

/** Tests whether a text contains a quote; the text is parsed on first use. */
export function createQuoteFinder(text: string): (quote: Quote) => boolean {
  const source = makeOnFirstUse(() => readSource(text, () => splitClaims(text)));
  return (quote) => findQuote(quote, source()) !== null;
}

/** Reads the quotes of one text from its ranges, block quote markers included. They share one effort limit. */
export function quoteReader(text: string): (stretch: TextRange) => Quote {
  const effort = newSearchBudget();
  return ({ start, end }) => readQuote(text.slice(start, end), effort);
}

/** Searches a text in the form shown to readers; returns offsets into the original text. */
function searchAsSeen(text: string, shown: QuotableInput['shown']): QuotableContribution['find'] {
  const seen = shown(text);
  if (seen.text === text) return () => null;
  const names = seen.places.map(({ at, label, name }) => ({ start: at, end: at + label.length, text: name }));
  const source = readSource(seen.text, () => splitClaims(seen.text));
  return (quote) => {
    const place = findQuote(quote, source);
    return place && { start: movePlace(place.start, names), end: movePlace(place.end, names) };
  };
}

const isOverlapping = (a: TextRange, b: TextRange): boolean => a.start < b.end && b.start < a.end;

/** Shorter quotes are near matches of too many texts; longer ones are too costly to compare word by word. */
const [FEWEST_WORDS, FEWEST_LETTERS, MOST_WORDS] = [3, 10, 400];
/** A quote of n words may differ by n/4 words anywhere (replaced, missing, added), or by n/2 in a single place. */
const [ONE_OF, ONE_OF_IN_ONE_PLACE] = [4, 2];

/** Lower-cases a word; returns '' for punctuation. */
const toPlainWord = (word: string): string => (/[\p{L}\p{N}]/u.test(word) ? word.toLowerCase() : '');

/** Cached per source, for all quotes searched in it. */
const splitClaimWords = memoizeByObject((source: Source) =>
  source.claims().map(({ start, end }) =>
    source.words
      .slice(start, end)
      .map((word) => ({ ...word, text: toPlainWord(word.text) }))
      .filter(({ text }) => text !== ''),
  ),
);

/** Finds the words in one claim that differ least; null if they differ too much, or the quote has an ellipsis. */
export function findNear({ bare, parts, effort }: Quote, source: Source): TextRange | null {
  const quoted = bare.map(toPlainWord).filter((word) => word !== '');
  const isTelling =
    quoted.length >= FEWEST_WORDS && bare.join('').replace(/\P{L}/gu, '').length >= FEWEST_LETTERS;
  if (parts.length > 1 || !isTelling || quoted.length > MOST_WORDS) return null;
  const known = new Set(quoted);
  const fewest = known.size - Math.floor(quoted.length / ONE_OF_IN_ONE_PLACE);
  let best: NearestRange | undefined;
  for (const words of splitClaimWords(source)) {
    effort.near -= words.length;
    const shared = new Set(words.flatMap(({ text }) => (known.has(text) ? text : [])));
    if (shared.size < fewest) continue;
    effort.near -= words.length * quoted.length;
    if (effort.near <= 0) break;
    const found = findNearest(quoted, words);
    if (found.changes < (best?.changes ?? Infinity) && isNear(quoted, words, found)) best = found;
  }
  return best ? { start: best.start, end: best.end } : null;
}

interface NearestRange extends TextRange {
  changes: number;
}

function isNear(
  quoted: readonly string[],
  words: readonly Word[],
  { start, end, changes }: NearestRange,
): boolean {
  if (changes <= Math.floor(quoted.length / ONE_OF)) return true;
  const there = words.filter((word) => word.start >= start && word.end <= end).map(({ text }) => text);
  const shorter = Math.min(there.length, quoted.length);
  let [before, behind] = [0, 0];
  while (before < shorter && there[before] === quoted[before]) before += 1;
  while (before + behind < shorter && there.at(-1 - behind) === quoted.at(-1 - behind)) behind += 1;
  const changed = Math.max(there.length, quoted.length) - before - behind;
  return changed <= Math.floor(quoted.length / ONE_OF_IN_ONE_PLACE);
}

/** Finds the part of `words` with the lowest word edit distance to `quoted` (Sellers' algorithm). */
function findNearest(quoted: readonly string[], words: readonly Word[]): NearestRange {
  const size = quoted.length + 1;
  /** For each prefix of `quoted`: the number of changes, and the word at which the match began. */
  let rows = Array.from({ length: size }, (_, changes) => ({ changes, began: 0 }));
  let best: NearestRange = { changes: Infinity, start: 0, end: 0 };
  words.forEach((word, row) => {
    const next = [{ changes: 0, began: row + 1 }];
    for (let k = 1; k < size; k++) {
      const [same, added, left] = [rows[k - 1]!, rows[k]!, next[k - 1]!];
      const isSame = quoted[k - 1] === word.text;
      const fewest = Math.min(same.changes + (isSame ? 0 : 1), added.changes + 1, left.changes + 1);
      const from =
        fewest === same.changes + (isSame ? 0 : 1) ? same : fewest === added.changes + 1 ? added : left;
      next.push({ changes: fewest, began: from.began });
    }
    rows = next;
    const { changes, began } = rows[size - 1]!;
    if (changes < best.changes) best = { changes, start: words[Math.min(began, row)]!.start, end: word.end };
  });
  return best;
}
