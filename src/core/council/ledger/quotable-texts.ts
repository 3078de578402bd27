// Texts that can be quoted, what participants said before a tour, and the words in them that are nearly those of a quote.
import { onFirstUse, rememberingEach } from '../../base/memoize.ts';
import type { Stretch } from './text/text-range.ts';
import { findOwnCases, splitClaims } from './claims.ts';
import { findQuote, newEffort, readQuote, readSource } from './quotes.ts';
import type { Quote, Source } from './quotes.ts';
import type { Masked } from '../naming/mask.ts';
import { movePlace } from '../naming/reveal-names.ts';
import type { Contribution, Claim } from '../state/state.ts';
import { formatTurnKey } from '../state/state.ts';
import type { Word } from './text/words.ts';

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

/** Fewer words, or fewer letters in them, are near to too much; longer quotes are not compared word by word. */
const [FEWEST_WORDS, FEWEST_LETTERS, MOST_WORDS] = [3, 10, 400];
/** One word of this many may be another, be missing, or be added wherever it stands; in one place every other one may. */
const [ONE_OF, ONE_OF_IN_ONE_PLACE] = [4, 2];

/** The words of a text without its signs. */
const plain = (word: string): string => (/[\p{L}\p{N}]/u.test(word) ? word.toLowerCase() : '');

/** Made once for all quotes that are looked for in a text. */
const splitClaimWords = rememberingEach((source: Source) =>
  source.claims().map(({ start, end }) =>
    source.words
      .slice(start, end)
      .map((word) => ({ ...word, text: plain(word.text) }))
      .filter(({ text }) => text !== ''),
  ),
);

/** The words inside one claim that a quote differs from the least; null where it differs too much. What is left out of a quote makes it far from everything. */
export function findNear({ bare, parts, effort }: Quote, source: Source): Stretch | null {
  const quoted = bare.map(plain).filter((word) => word !== '');
  const isTelling =
    quoted.length >= FEWEST_WORDS && bare.join('').replace(/\P{L}/gu, '').length >= FEWEST_LETTERS;
  if (parts.length > 1 || !isTelling || quoted.length > MOST_WORDS) return null;
  const known = new Set(quoted);
  const fewest = known.size - Math.floor(quoted.length / ONE_OF_IN_ONE_PLACE);
  let best: Nearest | undefined;
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

interface Nearest extends Stretch {
  changes: number;
}

function isNear(
  quoted: readonly string[],
  words: readonly Word[],
  { start, end, changes }: Nearest,
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

/** Where in `words` the fewest words have to be changed, added or left out to read `quoted` (Sellers). */
function findNearest(quoted: readonly string[], words: readonly Word[]): Nearest {
  const size = quoted.length + 1;
  /** How many changes lead to the words so far, and at which word the comparison that ends here began. */
  let rows = Array.from({ length: size }, (_, changes) => ({ changes, began: 0 }));
  let best: Nearest = { changes: Infinity, start: 0, end: 0 };
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
