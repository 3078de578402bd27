// Finds and verifies quotes in a text, forgiving differences of typography.
import type { Stretch } from './text/text-range.ts';
import { onFirstUse } from '../../base/memoize.ts';
import { cutAttribution } from './text/mentions.ts';
import { cutWords } from './text/words.ts';
import type { Word } from './text/words.ts';
import { MAX_EFFORT } from './text/limits.ts';

/** How much longer the quotes of one text are looked for, in words that are compared: no text takes long. */
export interface Effort {
  left: number;
  /** The same for words that are only near. */
  near: number;
}
/** How much may be searched for the quotes of one text: it is used up by each search. */
export const newEffort = (): Effort => ({ left: MAX_EFFORT, near: MAX_EFFORT });

/** A quote, ready to be looked for. */
export interface Quote {
  /** The words as they stand, without what may stand around them, and without the mark that closes them. */
  whole: QuotePart[];
  /** What stands between the ellipses; empty where there is none. */
  parts: QuotePart[];
  /** The words without marks and attribution. */
  bare: string[];
  /** What may be spent on it, and on all that share it. */
  effort: Effort;
}

interface QuotePart {
  words: string[];
  /** Which of them is the first with a letter, and that with its first letter in the other case, as it may stand in another sentence. */
  head: number;
  other: string;
}

/** A text that quotes are searched in. */
export interface Source {
  words: readonly Word[];
  /** Where each word stands among them. */
  places: ReadonlyMap<string, readonly number[]>;
  /** Its claims in words; asked for only where they matter. */
  claims: () => readonly Stretch[];
}

/** Fewer words and letters stand in too many texts to say whose they are, unless they are a whole claim. */
const [FEWEST_WORDS, FEWEST_LETTERS] = [3, 12];
/** The same for what stands between two ellipses: "not" must not be picked out of somewhere. */
const [PART_WORDS, PART_LETTERS] = [2, 6];
const MAX_PARTS = 5;
/** What may stand in front of the words: the marker of a list, and a label that was copied with them. */
const LEAD = /^[\s>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=\S))?["“]?(?:participant [a-z]{1,2}:)?/i;
/** "[N]obody": a letter that the quoter has fitted into the own sentence. */
const FITTED = /\[(\p{L})\](?=\p{L})/gu;
const GAP = / ?(?:[[(] … [\])]|…) ?/;
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** Prepares a quote; the `>` in front of its lines may stay. All quotes of one text share one `effort`. */
export function readQuote(quote: string, effort: Effort = newEffort()): Quote {
  const cut = (text: string): string =>
    cutWords(text)
      .map((word) => word.text)
      .join(' ');
  const said = cut(cutAttribution(quote).replace(LEAD, '').replace(FITTED, '$1'));
  const bare = said.replace(/^["'] | ["']$/g, '');
  const parts = bare.split(GAP).filter((part) => part !== '');
  // A mark that closes the quoter's sentence stands where the author's own goes on.
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

/** Prepares a text for many quotes. */
export function readSource(text: string, claims: () => readonly Stretch[]): Source {
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
  const cut = onFirstUse(() =>
    claims().map(({ start, end }) => ({
      start: findWord((word) => word.start < start),
      end: findWord((word) => word.end <= end),
    })),
  );
  return { words, places, claims: cut };
}

/**
 * Where the source says it, in offsets of its text; null for nowhere, or when no effort is left. Beside what `cutWords` leaves out are
 * forgiven the case of the first letter, a closing mark, a line that says whose words they are, and an ellipsis whose parts stand in that order
 * inside one claim. Words are not cut in two, and a few letters prove nothing.
 */
export function findQuote({ whole, parts, effort }: Quote, source: Source): Stretch | null {
  const everywhere = { start: 0, end: source.words.length };
  const toText = ({ start, end }: Stretch): Stretch => ({
    start: source.words[start]!.start,
    end: source.words[end - 1]!.end,
  });
  for (const part of whole) {
    const among = isTelling([part])
      ? [everywhere]
      : source.claims().filter(({ start, end }) => end - start === part.words.length);
    const found = findParts([part], source, among, effort);
    if (found) return toText(found);
  }
  const isLong = parts.length === 1 || parts.every((part) => isTelling([part], PART_WORDS, PART_LETTERS));
  if (!isTelling(parts) || !isLong) return null;
  const found = findParts(parts, source, parts.length === 1 ? [everywhere] : source.claims(), effort);
  return found && toText(found);
}

/** All parts in their order inside one of the stretches. */
function findParts(
  parts: readonly QuotePart[],
  source: Source,
  among: readonly Stretch[],
  effort: Effort,
): Stretch | null {
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

/** The first place of words in a stretch: where the rarest of them stands, the others are compared. */
function findPart(
  { words, head, other }: QuotePart,
  { words: all, places }: Source,
  { start, end }: Stretch,
  effort: Effort,
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

/** Whether words are enough to say whose they are. A letter of a script without spaces says as much as a short word. */
function isTelling(parts: readonly QuotePart[], words = FEWEST_WORDS, letters = FEWEST_LETTERS): boolean {
  const said = parts.map((part) => part.words.join(' ')).join(' ');
  const ideographs = said.match(IDEOGRAPH)?.length ?? 0;
  const spaced = said.replace(IDEOGRAPH, '').match(/[\p{L}\p{N}][^ ]*/gu)?.length ?? 0;
  return spaced >= words || (said.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 2 * ideographs >= letters;
}
