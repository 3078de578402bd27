// Splits a text into words and symbols for comparing quotes, leaving out what a quote may format differently.
import { DOUBLES, SINGLES } from './marks.ts';
import type { TextRange } from './limits.ts';

/** A word, a symbol, or one character of a script without spaces, with its range. */
export interface Word extends TextRange {
  text: string;
  /** No match may start or end in front of it: "non-blocking", "-5", "!ready". */
  isGlued: boolean;
}

// Invisible characters count as letters, so that they cannot make part of a word match as a word.
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;
const LETTER = String.raw`[[\p{L}\p{N}\p{M}\u00AD\u200B-\u200D\u2060\uFEFF]--${UNSPACED}]`;
const HYPHEN = String.raw`[\-\u2010-\u2015\u2212]`;
const [DOUBLE, SINGLE] = [DOUBLES, SINGLES].map((signs) => [...signs].join(''));
const PART = new RegExp(
  [
    // The starts of lines, with block quote markers.
    String.raw`(?:^(?=[\uFEFF\s>])\uFEFF?|[\r\n])(?:[\s--\uFEFF]|>)*`,
    String.raw`(?<word>${UNSPACED}\p{M}*|(?:${LETTER}+|(?<=${LETTER})(?:_+|\*{2,3}|\x60+)(?=${LETTER})|(?<=\p{N})(?:[.,:\/]|${HYPHEN})(?=\p{N}))+(?:[${SINGLE}](?=\p{L}))?)`,
    // Next to a number a mark is significant: "5-10", "- 5". JSON writes `\"`.
    String.raw`(?<!\p{N})(?:\\?[${DOUBLE},${SINGLE}]|${HYPHEN}(?![\s>]{0,9}\p{N}))(?!\p{N})`,
    String.raw`(?<![\p{L}\p{N}])[*_]{1,3}(?!\s)|(?<!\s)[*_]{1,3}(?![\p{L}\p{N}])|\*{2,3}|\x60+`,
    String.raw`(?<sign>\.{3}|\S|\uFEFF)`,
  ].join('|'),
  'gv',
);
/** Positions where a match would split a word, or a number from its sign. */
const JOINT = new RegExp(
  String.raw`(?<=${LETTER}[\-\u2010\u2011\u2212])(?=${LETTER})|(?<=[\-\u2010\u2011\u2212])(?=\p{N})|(?<=${LETTER})(?=[\-\u2010\u2011\u2212]${LETTER})|(?<=(?:^|[^\p{L}\p{N}])[!¬])(?=${LETTER})`,
  'yv',
);
/** A letter with combining marks, or the parts of a Korean syllable: the same character in two encodings. */
const SPELLED = /[^\p{M}]\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?/gu;
const PLAIN: readonly (readonly [string, RegExp])[] = [
  ['"', new RegExp(`[${DOUBLE}]`, 'g')],
  ["'", new RegExp(`[${SINGLE}]`, 'g')],
  ['-', new RegExp(HYPHEN, 'g')],
  ['…', /\.{3}/g],
  ['', /\*{2,}|`+/g],
];

/**
 * Returns the words of a text. Leaves out white space, block quote markers, emphasis, backticks, and dashes,
 * hyphens, commas and quotation marks that are not next to a number.
 * Normalizes only typographic symbols and composed letters: look-alikes, other characters that Unicode
 * considers equivalent, and zero-width characters are kept. Linear time.
 */
export function cutWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: found, index: start, groups = {} } of text.matchAll(PART)) {
    if (groups.word === undefined && groups.sign === undefined) continue;
    const end = start + found.length;
    const said = /^\w+$/.test(found) ? found : writePlainly(found);
    JOINT.lastIndex = start;
    words.push({ text: said, start, end, isGlued: JOINT.test(text) });
  }
  return words;
}

const writePlainly = (found: string): string =>
  PLAIN.reduce(
    (words, [plain, typographic]) => words.replace(typographic, plain),
    found.replace(SPELLED, (letter) => letter.normalize('NFC')),
  );
