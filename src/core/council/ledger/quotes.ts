// Finds and verifies quotes in a text, ignoring typographic differences.
import type { TextRange } from './text/limits.ts';
import { makeOnFirstUse } from '../../base/memoize.ts';
import { cutAttribution } from './text/mentions.ts';
import { cutWords } from './text/words.ts';
import type { Word } from './text/words.ts';
import { MAX_EFFORT } from './text/limits.ts';

/** The remaining search budget for the quotes of one text, in word comparisons. Bounds the time per text. */
export interface SearchBudget {
  left: number;
  /** The same budget for near matches. */
  near: number;
}
/** Returns a full budget; each search reduces it. */
export const newSearchBudget = (): SearchBudget => ({ left: MAX_EFFORT, near: MAX_EFFORT });

/** A quote, prepared for searching. */
export interface Quote {
  /** Variants of the quoted words: as written, without surrounding markup, without closing punctuation. */
  whole: QuotePart[];
  /** The parts between ellipses; empty if there are none. */
  parts: QuotePart[];
  /** The words without quotation marks and attribution. */
  bare: string[];
  /** The budget shared by all quotes of one text. */
  effort: SearchBudget;
}

interface QuotePart {
  words: string[];
  /** Index of the first word with a letter or digit, and that word with its first letter in the other case. */
  head: number;
  other: string;
}

/** A text to search quotes in. */
export interface Source {
  words: readonly Word[];
  /** Positions of each word in `words`. */
  places: ReadonlyMap<string, readonly number[]>;
  /** Word ranges of its claims, computed only when needed. */
  claims: () => readonly TextRange[];
}

/** A shorter quote occurs in too many texts to identify its author, unless it is a whole claim. */
const [FEWEST_WORDS, FEWEST_LETTERS] = [3, 12];
/** The same limits for a part between two ellipses: "not" alone must not match just anywhere. */
const [PART_WORDS, PART_LETTERS] = [2, 6];
const MAX_PARTS = 5;
/** What may precede the words: a list marker, and a label copied with them. */
const LEAD = /^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=\S))?["“]?(?:participant [a-z]{1,2}:)?/i;
/** "[N]obody": a letter changed to fit the quoting sentence. */
const FITTED = /\[(\p{L})\](?=\p{L})/gu;
const GAP = / ?(?:[[(] … [\])]|…) ?/;
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** Prepares a quote; `>` at line starts is allowed. All quotes of one text share one `effort`. */
export function readQuote(quote: string, effort: SearchBudget = newSearchBudget()): Quote {
  const cut = (text: string): string =>
    cutWords(text)
      .map((word) => word.text)
      .join(' ');
  const said = cut(cutAttribution(quote).replace(LEAD, '').replace(FITTED, '$1'));
  const bare = said.replace(/^["'] | ["']$/g, '');
  const parts = bare.split(GAP).filter((part) => part !== '');
  // Punctuation that ends the quoting sentence need not be in the original.
  const wordings = new Set([cut(quote), said, bare, bare.replace(/(?: [.,;:])+$/, '')]);
  return {
    whole: [...wordings].filter((words) => words !== '').map(preparePart),
    parts: parts.length > MAX_PARTS || parts[0] === bare ? [] : parts.map(preparePart),
    bare: bare.split(' '),
    effort,
  };
}

function preparePart(text: string): QuotePart {
  const words = text.split(' ');
  const head = words.findIndex((word) => /[\p{L}\p{N}]/u.test(word));
  const word = words[head] ?? '';
  const [first = ''] = word;
  const swapCase = (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const isPair = swapCase(swapCase(first)) === first;
  return { words, head, other: isPair ? swapCase(first) + word.slice(first.length) : word };
}

/** Indexes a text for searching many quotes. */
export function readSource(text: string, claims: () => readonly TextRange[]): Source {
  const words = cutWords(text);
  const places = new Map<string, number[]>();
  for (const [at, word] of words.entries()) {
    const known = places.get(word.text);
    if (known) known.push(at);
    else places.set(word.text, [at]);
  }
  const findWord = (isBefore: (word: Word) => boolean): number => {
    let [low, high] = [0, words.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(words[middle]!)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const cut = makeOnFirstUse(() =>
    claims().map(({ start, end }) => ({
      start: findWord((word) => word.start < start),
      end: findWord((word) => word.end <= end),
    })),
  );
  return { words, places, claims: cut };
}

/**
 * Finds a quote in a source. Returns text offsets, or null if it is not found or the budget is used up.
 * Besides what `cutWords` ignores, it tolerates the case of the first letter, closing punctuation, an
 * attribution line, and ellipses if the parts occur in that order within one claim. Matches only whole words,
 * and rejects quotes too short to prove anything.
 */
export function findQuote({ whole, parts, effort }: Quote, source: Source): TextRange | null {
  const everywhere = { start: 0, end: source.words.length };
  const toText = ({ start, end }: TextRange): TextRange => ({
    start: source.words[start]!.start,
    end: source.words[end - 1]!.end,
  });
  for (const part of whole) {
    const among = isDistinctive([part])
      ? [everywhere]
      : source.claims().filter(({ start, end }) => end - start === part.words.length);
    const found = findParts([part], source, among, effort);
    if (found) return toText(found);
  }
  const isLong = parts.length === 1 || parts.every((part) => isDistinctive([part], PART_WORDS, PART_LETTERS));
  if (!isDistinctive(parts) || !isLong) return null;
  const found = findParts(parts, source, parts.length === 1 ? [everywhere] : source.claims(), effort);
  return found && toText(found);
}

/** Finds all parts, in order, within one of the ranges. */
function findParts(
  parts: readonly QuotePart[],
  source: Source,
  among: readonly TextRange[],
  effort: SearchBudget,
): TextRange | null {
  for (const { start, end } of among) {
    let [first, next]: [number | undefined, number] = [undefined, start];
    const isThere = parts.every((part) => {
      const at = findPart(part, source, { start: next, end }, effort);
      first ??= at;
      next = (at ?? end) + part.words.length;
      return at !== undefined;
    });
    if (isThere && first !== undefined) return { start: first, end: next };
  }
  return null;
}

/** Finds the first match in a range: looks up the rarest word and compares the others there. */
function findPart(
  { words, head, other }: QuotePart,
  { words: all, places }: Source,
  { start, end }: TextRange,
  effort: SearchBudget,
): number | undefined {
  const count = (word: string, at: number): number =>
    (places.get(word)?.length ?? 0) + (at === head && word !== other ? (places.get(other)?.length ?? 0) : 0);
  const counts = words.map(count);
  const rarest = counts.indexOf(counts.reduce((a, b) => Math.min(a, b)));
  const stated = places.get(words[rarest]!) ?? [];
  const swapped = rarest === head && words[head] !== other ? (places.get(other) ?? []) : [];
  const candidates = swapped.length === 0 ? stated : [...stated, ...swapped].sort((a, b) => a - b);
  return candidates
    .map((place) => place - rarest)
    .find((at) => {
      effort.left -= 1;
      if (at < start || at + words.length > end || effort.left <= 0) return false;
      if (all[at]!.isGlued || all[at + words.length]?.isGlued) return false;
      const differing = words.findIndex(
        (word, k) => all[at + k]!.text !== word && !(k === head && all[at + k]!.text === other),
      );
      effort.left -= differing === -1 ? words.length : differing;
      return differing === -1;
    });
}

/** Whether the words are enough to identify their author. An ideograph counts as three letters. */
function isDistinctive(parts: readonly QuotePart[], words = FEWEST_WORDS, letters = FEWEST_LETTERS): boolean {
  const said = parts.map((part) => part.words.join(' ')).join(' ');
  const ideographs = said.match(IDEOGRAPH)?.length ?? 0;
  const spaced = said.replace(IDEOGRAPH, '').match(/[\p{L}\p{N}][^ ]*/gu)?.length ?? 0;
  return spaced >= words || (said.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 2 * ideographs >= letters;
}
