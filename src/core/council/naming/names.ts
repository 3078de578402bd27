// Spellings of ids, titles and emoji, and where they occur in a text.
import { memoizeLast, makeOnFirstUse } from '../../base/memoize.ts';
import { toOneLine } from '../../base/text.ts';
import { getSeat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';
import { createNameResolver, tableKey } from './labels.ts';
import { CONTROLS } from '../../base/terminal.ts';

export interface Name {
  spelling: string;
  kind: 'id' | 'title' | 'emoji' | 'model';
  /** Several if they share it, so that it is ambiguous; empty for a model. */
  owners: string[];
}

/** A name in a text, in UTF-16 units. */
export interface NameOccurrence {
  name: Name;
  start: number;
  end: number;
}

/** Maximum white space inside a name, in UTF-16 units; a wider gap is not inside a name. */
const WIDEST_GAP = 20;

/**
 * Finds the ids, titles and emoji of all participants and the coordinator: as whole words, ignoring case, with
 * any white space inside; emoji only if not part of another one. "🦉 Henry (henry)" is one name, not three.
 */
export const getNameIndex = memoizeLast((state: CouncilState) => {
  const names = listNames(state);
  const spelled = names.map((name) => ({ name, words: splitWords(name.spelling) }));
  const byFirst = Map.groupBy(spelled, ({ words }) => words[0]!.key);
  return {
    names,
    findNames(text: string): NameOccurrence[] {
      const words = splitWords(text);
      const found: NameOccurrence[] = [];
      for (let at = 0; at < words.length; at++) {
        const name = byFirst.get(words[at]!.key)?.find((one) => matchesName(at, words, one.words));
        if (name === undefined) continue;
        const { start } = words[at]!;
        at += name.words.length - 1;
        found.push({ name: name.name, start, end: words[at]!.end });
      }
      return found;
    },
  };
}, tableKey);

/** Whether words name a participant other than `by`; in an anonymous council, labels count, too. */
export function mentionsAnother(state: CouncilState, by: string | null, words: string): boolean {
  const labels = state.anonymous ? [...words.matchAll(/\bparticipant ([a-z]{1,2})\b/gi)] : [];
  const resolve = createNameResolver(state);
  const meant = [
    ...labels.flatMap(([, letter = '']) => resolve(`participant-${letter}`) ?? []),
    ...getNameIndex(state)
      .findNames(words)
      .flatMap(({ name }) => name.owners),
  ];
  return meant.some((id) => id !== by);
}

/** Whether the words at `at` are the name. White space is optional next to an emoji: "🦉Henry". */
function matchesName(at: number, words: readonly Word[], nameWords: readonly Word[]): boolean {
  return nameWords.every(({ key, start }, k) => {
    const word = words[at + k];
    if (word?.key !== key) return false;
    if (k === 0) return true;
    const gap = word.start - words[at + k - 1]!.end;
    const isApart = start > nameWords[k - 1]!.end;
    const isOptional = isApart && !(isLetters(key) && isLetters(nameWords[k - 1]!.key));
    return gap <= WIDEST_GAP && (isOptional || gap > 0 === isApart);
  });
}

const isLetters = (key: string): boolean => /^[\p{L}\p{N}\p{M}]/u.test(key);

/** Returns every spelling once, longest first. */
function listNames(state: CouncilState): Name[] {
  const everybody = [...state.order, ...(state.coordinator ? [state.coordinator] : [])];
  const spellings = everybody.flatMap((id) => {
    const called = getSeat(state, id);
    const [title, emoji] = [toOneLine(called.title), toOneLine(called.emoji)];
    const ids = [id, `${emoji} ${title} (${id})`, `${title} (${id})`].map((name) => [name, 'id'] as const);
    const others = [
      [title, 'title'],
      [emoji, 'emoji'],
      [`${emoji} ${title}`, 'title'],
    ] as const;
    return [...ids, ...others].map(([name, kind]) => ({ id, spelling: name.trim(), kind }));
  });
  const spelled = spellings.filter(({ spelling }) => splitWords(spelling).length > 0);
  return [...Map.groupBy(spelled, ({ spelling }) => foldName(spelling)).values()]
    .map((same) => ({ ...same[0]!, owners: [...new Set(same.map(({ id }) => id))] }))
    .sort((a, b) => b.spelling.length - a.spelling.length)
    .map(({ spelling, kind, owners }) => ({ spelling, kind, owners }));
}

/** Returns a key shared by all spellings that are read as one name. */
export const foldName = (spelling: string): string =>
  splitWords(spelling)
    .map(({ key, start }, at, all) => (start > (all[at - 1]?.end ?? 0) ? ` ${key}` : key))
    .join('')
    .trim();

/** A word, one letter of a script without spaces, an emoji or a symbol, with its range in UTF-16 units. */
interface Word {
  /** In lower case and NFKC, without invisible characters. */
  key: string;
  start: number;
  end: number;
}

const UNSEEN = String.raw`${CONTROLS}\p{DI}`;
/** Scripts without spaces: a name may occur anywhere. */
const SPACELESS = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`;
const PICTURE = String.raw`\p{Extended_Pictographic}`;
const WORDS = makeOnFirstUse(() => {
  // Without the underscore, which Markdown uses for emphasis.
  const word = String.raw`(?:(?![${SPACELESS}])[\p{L}\p{N}\p{M}${UNSEEN}])+`;
  const letter = String.raw`[${SPACELESS}][\p{M}${UNSEEN}]*`;
  const emoji = String.raw`\p{RI}\p{RI}|${PICTURE}(?:\uFE0F|\p{Emoji_Modifier}|\u200D${PICTURE})*`;
  return new RegExp(`${word}|${letter}|${emoji}|\\S`, 'gu');
});
/** Invisible characters to remove; not the joiners inside an emoji. */
const ALL_UNSEEN = makeOnFirstUse(
  () => new RegExp(String.raw`(?!\u200D)[${UNSEEN}]|(?<!${PICTURE}|\p{Emoji_Modifier})\u200D`, 'gu'),
);

/** Returns the words and symbols of a text, in order. Linear time. */
function splitWords(text: string): Word[] {
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
  // NFKC would turn some emoji into letters. Upper-cased in between, because "ß" becomes "SS".
  const same = /^\p{Extended_Pictographic}/u.test(seen)
    ? seen
    : seen.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
  return same === '\u2010' || same === '\u2013' ? '-' : same === '\u2019' ? "'" : same;
}
