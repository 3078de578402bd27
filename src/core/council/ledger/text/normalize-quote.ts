// Makes equal what a quote may change.
import { onFirstUse } from '../../../base/memoize.ts';
import { plainMark } from './marks.ts';

/** A text with what a quote may change made equal; unit `k` stands for the source from `from[k]` to `to[k]`. */
export interface Folded {
  text: string;
  from: Uint32Array;
  to: Uint32Array;
}

/** White space that can be seen: the zero-width kinds hide inside words, and are not forgiven. */
const WHITE = String.raw`[\t-\r \u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]`;
/** A run of it, with the markers of block quotes at the starts of lines. */
const GAP = String.raw`(?<=^\uFEFF?)(?:${WHITE}|>)+|${WHITE}+(?:(?<=[\r\n]${WHITE}*)>(?:${WHITE}|>)*)?`;
const DASH = String.raw`[\u2012-\u2015\u2212]`;
/** What is not taken as it stands, one group for each kind. */
const SPECIAL = onFirstUse(
  () =>
    new RegExp(
      // Most of a text is plain letters.
      `(?![A-Za-z0-9 ](?![^\\x00-\\x7F]|(?<= )[\\s>]))(?:${[
        String.raw`(?<![^])\uFEFF`,
        String.raw`(?!(?<=\d)${DASH}\d)(?<dash>${DASH})`,
        `(?<gap>${GAP})`,
        String.raw`(?<dots>\.{3})`,
        // A letter with the marks above it, or the parts of a Korean syllable: one character in two spellings.
        String.raw`(?<spelled>[^\p{M}]\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?)`,
        '(?<emphasis>\\*+|_+|`+)',
        String.raw`(?<hyphen>[\u2010-\u2015\u2212])`,
        String.raw`(?<mark>[^\p{L}\p{N}\p{M}\s\x21-\x7E])`,
      ].join('|')})`,
      'gu',
    ),
);

const AFTER_DASH = onFirstUse(() => new RegExp(GAP, 'y'));

/**
 * Folds white space (with the markers of block quotes) to one space, typographic quotation marks and
 * apostrophes to the plain ones, dashes to hyphens, three dots to an ellipsis, and decomposed letters to composed ones;
 * leaves out emphasis and backticks. Nothing else: look-alikes, single characters that Unicode calls equivalent, and
 * zero-width characters stay what they are. Linear time.
 */
export function fold(source: string): Folded {
  const pieces: string[] = [];
  const [from, to]: [number[], number[]] = [[], []];
  const push = (words: string, start: number, end = start + words.length): void => {
    const isCopy = end - start === words.length;
    pieces.push(words);
    for (let k = 0; k < words.length; k++) {
      from.push(isCopy ? start + k : start);
      to.push(isCopy ? start + k + 1 : end);
    }
  };
  const [special, gap] = [SPECIAL(), AFTER_DASH()];
  let last = 0;
  special.lastIndex = 0;
  for (let found = special.exec(source); found !== null; found = special.exec(source)) {
    const { 0: words, index, groups = {} } = found;
    if (index > last) push(source.slice(last, index), last);
    last = index + words.length;
    if (groups.emphasis !== undefined && isInsideWord(source, index, last)) push(words, index);
    else if (groups.gap !== undefined) push(' ', index, last);
    else if (groups.dots !== undefined) push('…', index, last);
    else if (groups.spelled !== undefined) push(composeLetters(words), index, last);
    else if (groups.hyphen !== undefined) push('-', index, last);
    else if (groups.mark !== undefined) push(plainMark(words), index, last);
    else if (groups.dash !== undefined) {
      // Between words a dash parts them, with or without spaces; between figures it means "to", and a minus is a sign.
      if (from.length > 0 && !pieces.at(-1)!.endsWith(' ')) push(' ', index, last);
      push('-', index, last);
      gap.lastIndex = last;
      const isSign = !gap.test(source) && words === '\u2212';
      last = Math.max(last, gap.lastIndex);
      if (last < source.length && !isSign) push(' ', index, last);
      special.lastIndex = last;
    }
  }
  push(source.slice(last), last);
  return { text: pieces.join(''), from: Uint32Array.from(from), to: Uint32Array.from(to) };
}

/** The few letters that NFC takes apart must not grow: they stay as they were written. */
function composeLetters(found: string): string {
  const text = found.normalize('NFC');
  return text.length <= found.length ? text : found;
}

const WORD = /[\p{L}\p{N}\p{M}]/u;
const SPACE = new RegExp(WHITE);

/** True for signs that join what stands on both sides: "snake_case", "2*3", and a run of them between spaces. */
function isInsideWord(source: string, from: number, to: number): boolean {
  const sign = source[from]!;
  if (sign === '`') return false;
  if (to - from > 3) return true;
  const [before, after] = [source[from - 1] ?? ' ', source[to] ?? ' '];
  if (WORD.test(before) && WORD.test(after)) return sign === '_' || to - from === 1;
  return SPACE.test(before) && SPACE.test(after);
}
