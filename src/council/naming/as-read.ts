// Writes a text the way it is read, so that a name is found in all the ways in which it can be written.
import { onFirstUse } from '../../base/remember.ts';

/** A text as it is read; its unit `k` stands for the text that was given from `from[k]` to `to[k]`. */
export interface Read {
  text: string;
  from: Uint32Array;
  to: Uint32Array;
}

/** What may have to be written otherwise; a quick look, which spares most texts the rest. */
const OTHER = /[\xAD\xDF\u02B0-\u2015\u2018\u201B\u2027-\u{10FFFF}]/u;
/** What nobody sees, unless it is a part of an emoji; what only looks different; dashes and apostrophes. */
const VARIANT = onFirstUse(
  () =>
    /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\p{DI}|(?!\p{Extended_Pictographic}|\p{DI})(?:[\xDF\u2010-\u2015\u2212\u02B9-\u02BF\u2018\u201B\u2032]|(?=[^\0-\u02AF])\p{Changes_When_NFKC_Casefolded})/gu,
);
const DASH = /[\u2010-\u2015\u2212\uFE58]/;
const APOSTROPHE = /[\u02B9-\u02BF\u2018\u201B\u2032]/;

/**
 * Without what nobody sees, and with one character for all that are read as it: hyphens, apostrophes, the wide and the
 * mathematical forms of letters, ss for ß. Letters of other scripts that look alike stay. Undefined where nothing changes.
 * Linear time.
 */
export function asRead(text: string): Read | undefined {
  if (!OTHER.test(text)) return undefined;
  const changes = [...text.matchAll(VARIANT())]
    .map(({ 0: old, index }) => ({ index, old, now: plain(old) }))
    .filter(({ old, now }) => now !== old);
  if (changes.length === 0) return undefined;
  const grown = changes.reduce((sum, { old, now }) => sum + now.length - old.length, 0);
  const from = new Uint32Array(text.length + grown);
  const to = new Uint32Array(text.length + grown);
  const parts: string[] = [];
  let [at, length] = [0, 0];
  const keep = (end: number): void => {
    parts.push(text.slice(at, end));
    for (; at < end; length++) {
      from[length] = at;
      at += 1;
      to[length] = at;
    }
  };
  for (const { index, old, now } of changes) {
    keep(index);
    parts.push(now);
    at += old.length;
    from.fill(index, length, length + now.length);
    to.fill(at, length, length + now.length);
    length += now.length;
  }
  keep(text.length);
  return { text: parts.join(''), from, to };
}

function plain(character: string): string {
  if (DASH.test(character)) return '-';
  if (APOSTROPHE.test(character)) return "'";
  if (/[ßẞ]/.test(character)) return 'ss';
  return /^\p{DI}$/u.test(character) ? '' : character.normalize('NFKC');
}

/** A word as it is read. */
export const readOf = (word: string): string => asRead(word)?.text ?? word;
