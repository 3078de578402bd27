// Finds and verifies quotes in a text, forgiving differences of typography.
import type { Stretch } from './text/text-range.ts';
import { cutAttribution } from './text/mentions.ts';
import { splitsWord } from './text/word-boundaries.ts';
import { loosenMarks, withoutMarks } from './text/loose-marks.ts';
import { fold } from './text/normalize-quote.ts';
import type { Folded } from './text/normalize-quote.ts';
import { newEffort, findOccurrence } from './text/bounded-search.ts';
import type { Effort } from './text/bounded-search.ts';

/** A quote, ready to be looked for. */
export interface Quote {
  /** The words as they stand, and without the quotation marks around them. */
  whole: QuotePart[];
  /** What stands between the ellipses; empty where there is none. */
  parts: QuotePart[];
  /** The words without marks and attribution. */
  bare: string;
  /** What may be spent on it, and on all that share it. */
  effort: Effort;
}

type Size = Pick<QuotePart, 'words' | 'letters'>;

interface QuotePart {
  /** Up to its first letter, in both cases where that is forgiven; all of one length. */
  heads: string[];
  /** What follows the first letter. */
  rest: string;
  words: number;
  letters: number;
}

/** A text in which quotes are looked for, folded and without marks that may differ. */
export interface Source extends Folded {
  /** Whether words may be cut there, as the text is written. */
  isBorder(at: number): boolean;
  /** Its claims in units of the folded text, and the first one of each wording; asked for only where they matter. */
  claims: () => { all: readonly Stretch[]; byWords: ReadonlyMap<string, Stretch> };
}

/** Fewer words and letters stand in too many texts to say whose they are, unless they are a whole claim. */
const [FEWEST_WORDS, FEWEST_LETTERS] = [3, 12];
/** The same for what stands between two ellipses: "not" must not be picked out of somewhere. */
const [PART_WORDS, PART_LETTERS] = [2, 6];
const MAX_PARTS = 5;
/** A label that was copied with the words. */
const LABEL = /^participant [a-z]{1,2}: ?/i;
/** "[N]obody": a letter that the quoter has fitted into the own sentence. */
const FITTED = /\[(\p{L})\](?=\p{L})/gu;
/** What begins an item of a list. */
const MARKER = /^(?:[-*+•]|\d{1,3}[.)]) +(?=\S)/;
/** A mark that closes the quoter's sentence where the author's own goes on. */
const CLOSING = '.,;:';
const GAP = / ?(?:\[ ?\u2026 ?\]|\( ?\u2026 ?\)|\u2026) ?/;
/** One of these says as much as a short word. */
const IDEOGRAPH = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

/** Prepares a quote; the `>` in front of its lines may stay. All quotes of one text share one `effort`. */
export function readQuote(quote: string, effort: Effort = newEffort()): Quote {
  const text = fold(quote).text.trim();
  const said = fold(cutAttribution(quote))
    .text.trim()
    .replace(MARKER, '')
    .replace(LABEL, '')
    .replace(FITTED, '$1');
  const bare = withoutMarks(/^(["'])(.+)\1[.,;:]*$/su.exec(said)?.[2] ?? said);
  const parts = bare.split(GAP).filter((part) => part !== '');
  const wordings = [withoutMarks(text), withoutMarks(said), bare, withoutClosing(bare)];
  return {
    whole: [...new Set(wordings)].filter((words) => words !== '').map((words) => preparePart(words, true)),
    parts:
      parts.length > MAX_PARTS || parts[0] === bare
        ? []
        : parts.map((part, at) => preparePart(part, at === 0)),
    bare,
    effort,
  };
}

function withoutClosing(text: string): string {
  let end = text.length;
  while (end > 0 && CLOSING.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Prepares a text for many quotes. */
export function readSource(text: string, claims: () => readonly Stretch[]): Source {
  const written = fold(text);
  const { at, ...source } = loosenMarks(written);
  const isBorder = (k: number) => !splitsWord(written.text, k < at.length ? at[k]! : written.text.length);
  let known: ReturnType<Source['claims']> | undefined;
  const read = (): ReturnType<Source['claims']> => {
    const all = claims().map((claim) => foldStretch(claim, source));
    const cutWords = ({ start, end }: Stretch) => source.text.slice(start, end).trim();
    // The first of each wording is the one that counts: it is set last.
    return { all, byWords: new Map(all.toReversed().map((claim) => [cutWords(claim), claim])) };
  };
  return { ...source, isBorder, claims: () => (known ??= read()) };
}

/**
 * Where the source says it, in offsets of its text; null for nowhere, or when no effort is left. Forgiven: white space, emphasis, dashes,
 * hyphens, commas and quotation marks that stand beside no figure, the kind of an apostrophe, the case of the first letter, a closing full stop,
 * a line that says whose words they are, and an ellipsis whose parts stand in that order inside one claim. Words are not cut in two, and a few
 * letters prove nothing. Linear time.
 */
export function findQuote({ whole, parts, effort }: Quote, source: Source): Stretch | null {
  const everywhere = { start: 0, end: source.text.length };
  for (const part of whole) {
    const found = isTelling(part) ? findPart(part, source, everywhere, effort) : findClaim(part, source);
    if (found) return unfoldStretch(found, source);
  }
  if (parts.length === 0 || !isTelling(addSizes(parts))) return null;
  const [only, ...others] = parts;
  const found =
    only && others.length === 0
      ? findPart(only, source, everywhere, effort)
      : findParts(parts, source, effort);
  return found && unfoldStretch(found, source);
}

/** All parts in their order inside one claim. */
function findParts(parts: readonly QuotePart[], source: Source, effort: Effort): Stretch | null {
  if (!parts.every(({ words, letters }) => words >= PART_WORDS || letters >= PART_LETTERS)) return null;
  for (const inside of source.claims().all) {
    const found: Stretch[] = [];
    for (const part of parts) {
      const rest = { start: found.at(-1)?.end ?? inside.start, end: inside.end };
      const next = findPart(part, source, rest, effort);
      if (!next) break;
      found.push(next);
    }
    const [first, last] = [found[0], found.at(-1)];
    if (first && last && found.length === parts.length) return { start: first.start, end: last.end };
  }
  return null;
}

/** The first claim of exactly these words. */
function findClaim({ heads, rest }: QuotePart, source: Source): Stretch | null {
  const { byWords } = source.claims();
  const wordings = heads.map((head) => head + rest).filter((words) => words !== '');
  const found = wordings.flatMap((words) => byWords.get(words) ?? []);
  return found.sort((a, b) => a.start - b.start)[0] ?? null;
}

function preparePart(text: string, isFirst: boolean): QuotePart {
  const heads = isFirst ? findHeads(text) : [''];
  return {
    heads,
    rest: text.slice(heads[0]!.length),
    words: text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)?.length ?? 0,
    letters: (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) + 2 * (text.match(IDEOGRAPH)?.length ?? 0),
  };
}

/** The beginning of a text up to its first letter, as it is and with the other case where that leads back. */
function findHeads(text: string): string[] {
  const [before = '', first = ''] = /^([^\p{L}\p{N}]*)(\p{L})/u.exec(text)?.slice(1) ?? [];
  const swapped = (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const other = swapped(first);
  // Some letters share a lower or upper case with another one, as the Kelvin sign does with K.
  const isPair = other !== first && other.length === first.length && swapped(other) === first;
  return isPair ? [before + first, before + other] : [before + first];
}

function findPart(
  { heads, rest }: QuotePart,
  { text, isBorder }: Source,
  { start: from, end: to }: Stretch,
  effort: Effort,
): Stretch | null {
  const length = heads[0]!.length;
  const accept = (offset: number): boolean => {
    const [start, end] = [from + offset - length, from + offset + rest.length];
    effort.left -= length;
    return heads.includes(text.slice(start, start + length)) && isBorder(start) && isBorder(end);
  };
  const offset = findOccurrence(rest, text.slice(from, to), accept, effort);
  return offset === -1 ? null : { start: from + offset - length, end: from + offset + rest.length };
}

const isTelling = ({ words, letters }: Size): boolean => words >= FEWEST_WORDS || letters >= FEWEST_LETTERS;

const addSizes = (parts: readonly QuotePart[]): Size => ({
  words: parts.reduce((total, part) => total + part.words, 0),
  letters: parts.reduce((total, part) => total + part.letters, 0),
});

/** A stretch of the source's text in units of the folded one. */
function foldStretch({ start, end }: Stretch, { from, to }: Folded): Stretch {
  return { start: firstAtLeast(from, start), end: firstAtLeast(to, end + 1) };
}

/** The first place of an ascending list whose value is `value` or more. */
function firstAtLeast(ascending: Uint32Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const unfoldStretch = ({ start, end }: Stretch, { from, to }: Folded): Stretch => ({
  start: from[start]!,
  end: to[end - 1]!,
});
