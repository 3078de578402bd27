// Cuts a text into the words by which names are found: one spelling for all that Unicode calls the same.
import { onFirstUse } from '../../base/memoize.ts';
import { CONTROLS } from '../../base/terminal.ts';

/** A word, one letter of a script without spaces, an emoji or a sign, and where it stands, in UTF-16 units. */
export interface Word {
  /** In lower case and NFKC, without invisible characters. */
  key: string;
  start: number;
  end: number;
}

const UNSEEN = String.raw`${CONTROLS}\p{DI}`;
/** In scripts that set no spaces between words a name may stand anywhere. */
const SPACELESS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;
const WORDS = onFirstUse(() => {
  // Without the underscore: it is how Markdown writes emphasis.
  const word = String.raw`(?:(?![${SPACELESS}])[\p{L}\p{N}\p{M}${UNSEEN}])+`;
  const letter = String.raw`[${SPACELESS}][\p{M}${UNSEEN}]*`;
  const emoji = String.raw`\p{RI}\p{RI}|${PICTURE}(?:\uFE0F|\p{Emoji_Modifier}|\u200D${PICTURE})*`;
  return new RegExp(`${word}|${letter}|${emoji}|\\S`, 'gu');
});
/** Joiners stay inside an emoji. */
const ALL_UNSEEN = onFirstUse(
  () => new RegExp(String.raw`(?!\u200D)[${UNSEEN}]|(?<!${PICTURE}|\p{Emoji_Modifier})\u200D`, 'gu'),
);

/** The words of a text in order, signs among them. Linear time. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: found, index: start } of text.matchAll(WORDS())) {
    const key = foldWord(found);
    if (key !== '') words.push({ key, start, end: start + found.length });
  }
  return words;
}

function foldWord(found: string): string {
  if (/^[a-z\d]+$/.test(found)) return found;
  const seen = found.replace(ALL_UNSEEN(), '');
  // NFKC would make letters of some emoji. There and back, for "ß" is "SS" in upper case.
  const same = /^\p{Extended_Pictographic}/u.test(seen)
    ? seen
    : seen.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return same === '\u2010' || same === '\u2013' ? '-' : same === '\u2019' ? "'" : same;
}
