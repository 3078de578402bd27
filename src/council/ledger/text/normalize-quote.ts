// Makes equal what a quote may change.
import { onFirstUse } from '../../../base/remember.ts';

/** A text with what a quote may change made equal; unit `k` stands for the source from `from[k]` to `to[k]`. */
export interface Folded {
  text: string;
  from: Uint32Array;
  to: Uint32Array;
}

const [LF, CR, SPACE, GREATER, DOT, BOM] = [0x0a, 0x0d, 0x20, 0x3e, 0x2e, 0xfeff];
const ELLIPSIS = 0x2026;
const HYPHEN = 0x2d;
const MINUS = '\u2212';
/** White space that can be seen: the zero-width kinds hide inside words, and are not forgiven. */
const WHITE = /[\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]/;
const SINGLE = /[\u2018-\u201B\u2039\u203A]/;
const DOUBLE = /[\u201C-\u201F\u00AB\u00BB]/;
const LEFT_GUILLEMET = /[\u00AB\u2039]/;
const RIGHT_GUILLEMET = /[\u00BB\u203A]/;
const DASH = /[\u2012-\u2015\u2212]/;
const DASHES_EVERYWHERE = /[\u2012-\u2015\u2212]/g;
const DASHES = /[\u2010-\u2015\u2212]/;
const EMPHASIS = /[*_`]/;
const WORD = onFirstUse(() => /[\p{L}\p{N}\p{M}]/u);
/** A letter with the marks above it, or the parts of a Korean syllable: one character in two spellings. */
const SPELLED_OUT = onFirstUse(() => /[^\p{M}]\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?/uy);

/**
 * Folds white space (with the markers of block quotes) to one space, typographic quotation marks and
 * apostrophes to the plain ones, dashes to hyphens, three dots to an ellipsis, and decomposed letters to composed ones;
 * leaves out emphasis and backticks. Nothing else: look-alikes, single characters that Unicode calls equivalent, and
 * zero-width characters stay what they are. Linear time.
 */
export function fold(source: string): Folded {
  // A dash between two words becomes three units, and nothing else becomes more than it was.
  const most = source.length + 2 * (source.match(DASHES_EVERYWHERE)?.length ?? 0);
  const codes = new Uint16Array(most);
  const from = new Uint32Array(most);
  const to = new Uint32Array(most);
  let length = 0;
  const push = (code: number, start: number, end: number): void => {
    codes[length] = code;
    from[length] = start;
    to[length] = end;
    length += 1;
  };
  let at = source.charCodeAt(0) === BOM ? 1 : 0;
  let atLineStart = true;
  /** The end of the white space at `at`, the markers of block quotes at the starts of lines included. */
  const skipSpace = (): number => {
    let end = at;
    for (; end < source.length; end++) {
      const code = source.charCodeAt(end);
      if (code === LF || code === CR) atLineStart = true;
      else if (!(code === GREATER && atLineStart) && !isWhite(code)) break;
    }
    return end;
  };
  while (at < source.length) {
    const end = skipSpace();
    if (end > at) {
      push(SPACE, at, end);
      at = end;
      continue;
    }
    atLineStart = false;
    const code = source.charCodeAt(at);
    // Most of a text stays as it is.
    if (isLetter(code) && source.charCodeAt(at + 1) < 0x300) {
      push(code, at, at + 1);
      at += 1;
      continue;
    }
    if (code === DOT && source.startsWith('...', at)) {
      push(ELLIPSIS, at, at + 3);
      at += 3;
      continue;
    }
    const isPlain =
      (code < 0x1100 && source.charCodeAt(at + 1) < 0x300) || (code >= 0xdc00 && code <= 0xdfff);
    const composed = isPlain ? undefined : composedAt(source, at);
    if (composed !== undefined) {
      for (let k = 0; k < composed.text.length; k++) push(composed.text.charCodeAt(k), at, composed.end);
      at = composed.end;
      continue;
    }
    const char = source[at]!;
    if (EMPHASIS.test(char) && !isInsideWord(source, at)) {
      at += 1;
      continue;
    }
    // Between words a dash parts them, with or without spaces; between figures it means "to".
    if (DASH.test(char) && !(isDigitAt(source, at - 1) && isDigitAt(source, at + 1))) {
      if (length > 0 && codes[length - 1] !== SPACE) push(SPACE, at, at + 1);
      push(HYPHEN, at, at + 1);
      at += 1;
      const past = skipSpace();
      if (past < source.length && !(char === MINUS && past === at)) push(SPACE, at - 1, past);
      at = past;
      continue;
    }
    // French sets guillemets off with spaces, which belong to them; in German they point the other way.
    if (RIGHT_GUILLEMET.test(char) && codes[length - 1] === SPACE && !isWordAt(source, at + 1)) length -= 1;
    const opens = LEFT_GUILLEMET.test(char) && !isWordAt(source, at - 1);
    push(DOUBLE.test(char) ? 0x22 : SINGLE.test(char) ? 0x27 : DASHES.test(char) ? HYPHEN : code, at, at + 1);
    at += 1;
    if (opens) at = skipSpace();
  }
  return {
    text: textOf(codes.subarray(0, length)),
    from: from.subarray(0, length),
    to: to.subarray(0, length),
  };
}

const isLetter = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39);

const isWhite = (code: number): boolean =>
  code === SPACE || (code >= 0x09 && code <= 0x0d) || (code >= 0x85 && WHITE.test(String.fromCharCode(code)));

const isWordAt = (source: string, at: number): boolean =>
  at >= 0 && at < source.length && WORD().test(source[at]!);

/** True for signs that join what stands on both sides: "snake_case", "2*3", and a run of them between spaces. */
function isInsideWord(source: string, at: number): boolean {
  if (source[at] === '`') return false;
  let [from, to] = [at, at + 1];
  // A longer run is no emphasis: there is no need to see all of it.
  while (from > 0 && at - from <= 3 && source[from - 1] === source[at]) from -= 1;
  while (to < source.length && to - at <= 4 && source[to] === source[at]) to += 1;
  if (to - from > 3) return true;
  const [before, after] = [isWordAt(source, from - 1), isWordAt(source, to)];
  if (before && after) return source[at] === '_' || to - from === 1;
  return isSpaceAt(source, from - 1) && isSpaceAt(source, to);
}

const isDigitAt = (source: string, at: number): boolean => /\d/.test(source[at] ?? '');

const isSpaceAt = (source: string, at: number): boolean =>
  at < 0 || at >= source.length || isWhite(source.charCodeAt(at));

function composedAt(source: string, at: number): { text: string; end: number } | undefined {
  const spelledOut = SPELLED_OUT();
  spelledOut.lastIndex = at;
  const found = spelledOut.exec(source)?.[0];
  if (found === undefined) return undefined;
  const text = found.normalize('NFC');
  // The few letters that NFC takes apart must not grow: they stay as they were written.
  return { text: text.length <= found.length ? text : found, end: at + found.length };
}

function textOf(codes: Uint16Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < codes.length; at += 4096)
    // Spread out, each unit would be taken one by one: that takes as long as all the rest.
    pieces.push(
      String.fromCharCode.apply(null, codes.subarray(at, at + 4096) as ArrayLike<number> as number[]),
    );
  return pieces.join('');
}
