// Writes a text the way it is read, so that a name is found in all the ways in which it can be written.
import { onFirstUse } from '../../base/remember.ts';
import { CONTROLS, UNPRINTED } from '../../base/terminal.ts';

/** A text as it is read; its unit `k` stands for the text that was given from `from(k)` to `to(k)`. */
export interface Read {
  text: string;
  from(unit: number): number;
  to(unit: number): number;
}

/**
 * Something that may have to be written otherwise: all but ASCII, letters of most of Europe, and what is frequent beside
 * them. A quick look, which spares most texts the rest.
 */
const OTHER =
  /[^\t\n\x20-\x7E\xA0-\xAC\xAE-\xB3\xB5-\xDE\xE0-\u0131\u0134-\u01C3\u01CD-\u01F0\u01F4-\u024F\u2014\u2019\u201C-\u201E\u2022\u2026\u20AC\u{1F300}-\u{1FAFF}]/u;
const INVISIBLE = String.raw`[${CONTROLS}\p{DI}]`;
/** Letters with marks of their own, also behind something invisible, and Korean syllables in parts: one character in two spellings. */
const SPELLED_OUT = String.raw`[^${CONTROLS}\p{DI}\p{M}](?:${INVISIBLE}*(?!\p{DI})\p{M})+|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?`;
/** What nobody sees, unless it is a part of an emoji. */
const UNSEEN = String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\p{DI}`;
/** What looks different, and is read as something else. */
const VARIANT = String.raw`(?!\p{Extended_Pictographic}|\p{DI})(?:[\xB4\xDF\u0132\u0133\u01C4-\u01CC\u01F1-\u01F3\u2010-\u2013\u2212\u02B9-\u02BF\u2018\u201B\u2032]|(?=[^\0-\u02AF])\p{Changes_When_NFKC_Casefolded})`;
const CHANGING = onFirstUse(
  () => new RegExp([UNPRINTED().source, SPELLED_OUT, UNSEEN, VARIANT].join('|'), 'gu'),
);
/** Not the longer ones, which stand between clauses. */
const DASH = /[\u2010-\u2013\u2212]/;
const APOSTROPHE = /[\xB4\u02B9-\u02BF\u2018\u201B\u2032]/;

/** A stretch that is written otherwise. */
interface Change {
  start: number;
  end: number;
  now: string;
}

/**
 * The ways to read a text: without what nobody sees, and, where there is some of that, also with it as a border between words.
 * In both stands one character for all that are read as it: hyphens, apostrophes, wide and mathematical letters, ss for ß,
 * composed letters. Letters of other scripts that look alike stay. Linear time.
 */
export function readingsOf(text: string): Read[] {
  const changes = OTHER.test(text) ? changesIn(text) : [];
  const kept = changes.filter(({ now }) => now !== '');
  return kept.length === changes.length
    ? [reading(text, changes)]
    : [reading(text, changes), reading(text, kept)];
}

/** A word as it is read. */
export const readOf = (word: string): string => readingsOf(word)[0]!.text;

function changesIn(text: string): Change[] {
  const changes: Change[] = [];
  text.replace(CHANGING(), (old: string, start: number) => {
    const now = plain(old);
    if (now !== old) changes.push({ start, end: start + old.length, now });
    return '';
  });
  return changes;
}

function plain(old: string): string {
  const seen = old.replace(ALL_INVISIBLE(), '');
  if (APOSTROPHE.test(seen)) return "'";
  const composed = seen.normalize('NFKC');
  return DASH.test(composed) ? '-' : composed.replace(/[ßẞ]/g, 'ss');
}

const ALL_INVISIBLE = onFirstUse(() => new RegExp(INVISIBLE, 'gu'));

function reading(text: string, changes: readonly Change[]): Read {
  if (changes.length === 0) return { text, from: (unit) => unit, to: (unit) => unit + 1 };
  const grown = changes.reduce((sum, { start, end, now }) => sum + now.length - (end - start), 0);
  const [from, to] = [new Uint32Array(text.length + grown), new Uint32Array(text.length + grown)];
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
  for (const { start, end, now } of changes) {
    keep(start);
    parts.push(now);
    from.fill(start, length, length + now.length);
    to.fill(end, length, length + now.length);
    length += now.length;
    at = end;
  }
  keep(text.length);
  return { text: parts.join(''), from: (unit) => from[unit]!, to: (unit) => to[unit]! };
}
