// Quotation marks of all scripts, the text between them, and an author's own words beside a quote.
import type { TextRange } from './limits.ts';

interface QuoteAndWords {
  /** The lines of its first quote; empty if it has none. */
  quote: string;
  /** The text outside quotes. */
  words: string;
}

/** Much more than a line shows, in characters. */
const READ = 4000;
const QUOTED = /^[ \t]*>/;

export function quoteAndWords(text: string): QuoteAndWords {
  const lines = text.slice(0, READ).split(/\r\n?|\n/);
  const from = lines.findIndex((line) => QUOTED.test(line));
  const length = from === -1 ? 0 : lines.slice(from).findIndex((line) => !QUOTED.test(line));
  const quoted = from === -1 ? [] : lines.slice(from, length === -1 ? undefined : from + length);
  return {
    quote: stripMarkdown(quoted.map((line) => line.replace(/^[ \t]*(?:>[ \t]?)+/, ''))),
    words: stripMarkdown(lines.filter((line) => !QUOTED.test(line))),
  };
}

const stripMarkdown = (lines: readonly string[]): string =>
  lines
    .map((line) => line.replace(/^[ \t]*(?:#{1,6}[ \t]+|[-*+][ \t]+(?:\[[ xX]\][ \t]+)?)/, ''))
    .join(' ')
    .replace(/!?\[([^[\]]{1,300})\]\([^()\s]{0,300}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_]{1,500}?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}_*])([*_])(?=\S)([^*_]{1,500}?)\1(?![\p{L}\p{N}_*])/gu, '$2')
    .replace(/`([^`]{1,500})`/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

/** Each opening mark with its closing marks. German and Danish reverse guillemets. */
const DOUBLE = '"" “” „“” ”” «» »«» 「」 『』 ｢｣ 〝〞〟';
/** Marks that are also apostrophes: they open only before a word, and close only after one. */
const SINGLE = "'' ‘’ ‚‘’ ‹› ›‹";
const splitPairs = (marks: string) => marks.split(' ').map(([opens, ...closes]) => [opens!, closes] as const);
export const CLOSING = new Map(splitPairs(`${DOUBLE} ${SINGLE}`));
const toMarkSet = (marks: string) => new Set(marks.replaceAll(' ', ''));
export const [DOUBLES, SINGLES] = [toMarkSet(`${DOUBLE}‟`), toMarkSet(`${SINGLE}‛`)];

const listOpening = (marks: string) =>
  splitPairs(marks)
    .map(([opens]) => opens)
    .join('');
// A straight mark closes after a word or full stop; after a number it means inches.
const OPENS = new RegExp(
  `(?!(?<=[\\p{sc=Latin}\\p{N}.!?])"|"(?!\\S))[${listOpening(DOUBLE)}]|(?<![\\p{L}\\p{N}])[${listOpening(SINGLE)}](?=\\S)`,
  'gu',
);
const isLetter = (char = ''): boolean => /[\p{L}\p{N}]/u.test(char);

/**
 * Returns the ranges between quotation marks, marks included, in order. Ignores the opening marks in `but`.
 * Makes a single pass, even if many marks are never closed.
 */
export function findMarked(text: string, but = ''): TextRange[] {
  const next = new Map<string, number>();
  const findNext = (sign: string, from: number): number => {
    let at = next.get(sign) ?? -1;
    if (at >= from) return at;
    do at = text.indexOf(sign, Math.max(at + 1, from));
    while (at !== -1 && SINGLES.has(sign) && isLetter(text[at + 1]));
    next.set(sign, at === -1 ? Infinity : at);
    return next.get(sign)!;
  };
  const found: TextRange[] = [];
  for (const { 0: sign, index: start } of text.matchAll(OPENS)) {
    if (but.includes(sign) || start < (found.at(-1)?.end ?? 0)) continue;
    const end = Math.min(...CLOSING.get(sign)!.map((closes) => findNext(closes, start + 1))) + 1;
    if (end < Infinity && end > start + 2) found.push({ start, end });
  }
  return found;
}

/** Returns the text inside if the words are exactly one quotation. */
export function unquote(words: string): string | undefined {
  const [inside, closes] = [words.slice(1, -1), CLOSING.get(words[0] ?? '') ?? []];
  const isOne =
    closes.includes(words.at(-1)!) && ![words[0]!, ...closes].some((sign) => inside.includes(sign));
  return isOne && inside !== '' ? inside : undefined;
}
