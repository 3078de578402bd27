// All spellings of participants' names, and where they stand in a text.
import { rememberingLast } from '../../base/remember.ts';
import { oneLine } from '../../base/text.ts';
import { seat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';
import { tableKey } from './labels.ts';
import { wordsOf } from './words-of.ts';
import type { Word } from './words-of.ts';

/** One spelling by which somebody at the table may be called, or a model. */
export interface Name {
  spelling: string;
  what: 'id' | 'title' | 'emoji' | 'model';
  /** More than one when several share it, and nobody can tell who is meant; nobody of the table for a model. */
  owners: string[];
}

/** A name in a text, in UTF-16 units. */
export interface Found {
  name: Name;
  start: number;
  end: number;
}

/** All names of a table, and where they stand in a text: in order, none inside another one. */
export interface NameBook {
  names: Name[];
  foundIn(text: string): Found[];
}

interface Spelled {
  name: Name;
  words: Word[];
}

/** White space inside a name, in UTF-16 units: more of it parts two sentences. */
const WIDEST_GAP = 20;

/**
 * Everybody's ids, titles and emoji, coordinator included: as whole words in any case, with any white space inside;
 * emoji only where they are no part of another one. "🦉 Henry (henry)" is one name, not three.
 */
export const nameBook: (state: CouncilState) => NameBook = rememberingLast((state) => {
  const names = namesOf(state);
  const spelled = names.map((name) => ({ name, words: wordsOf(name.spelling) }));
  const byFirst = Map.groupBy(spelled, ({ words }) => words[0]!.key);
  return {
    names,
    foundIn(text) {
      const words = wordsOf(text);
      const found: Found[] = [];
      for (let at = 0; at < words.length; at++) {
        const name = byFirst.get(words[at]!.key)?.find((one) => standsAt(at, words, one));
        if (name === undefined) continue;
        const { start } = words[at]!;
        at += name.words.length - 1;
        found.push({ name: name.name, start, end: words[at]!.end });
      }
      return found;
    },
  };
}, tableKey);

/** Whether these words are the name's, with white space where it has some; "🦉Henry" is meant as well as "🦉 Henry". */
function standsAt(at: number, words: readonly Word[], { words: own }: Spelled): boolean {
  return own.every(({ key, start }, k) => {
    const word = words[at + k];
    if (word?.key !== key) return false;
    if (k === 0) return true;
    const gap = word.start - words[at + k - 1]!.end;
    const isApart = start > own[k - 1]!.end;
    const isOptional = isApart && !(isLetters(key) && isLetters(own[k - 1]!.key));
    return gap <= WIDEST_GAP && (isOptional || gap > 0 === isApart);
  });
}

const isLetters = (key: string): boolean => /^[\p{L}\p{N}\p{M}]/u.test(key);

/** Every spelling once, the longest first. */
function namesOf(state: CouncilState): Name[] {
  const everybody = [...state.order, ...(state.coordinator ? [state.coordinator] : [])];
  const spellings = everybody.flatMap((id): (Omit<Name, 'owners'> & { id: string })[] => {
    const called = seat(state, id);
    const [title, emoji] = [oneLine(called.title), oneLine(called.emoji)];
    return [
      { id, spelling: id, what: 'id' },
      { id, spelling: title, what: 'title' },
      { id, spelling: emoji, what: 'emoji' },
      { id, spelling: `${emoji} ${title} (${id})`.trim(), what: 'id' },
      { id, spelling: `${title} (${id})`.trim(), what: 'id' },
      { id, spelling: `${emoji} ${title}`.trim(), what: 'title' },
    ];
  });
  const spelled = spellings.filter(({ spelling }) => wordsOf(spelling).length > 0);
  return [...Map.groupBy(spelled, ({ spelling }) => keyOfName(spelling)).values()]
    .map(([first, ...same]) => ({
      spelling: first!.spelling,
      what: first!.what,
      owners: [...new Set([first!, ...same].map(({ id }) => id))],
    }))
    .sort((a, b) => b.spelling.length - a.spelling.length);
}

/** The same for all that is read as one name. */
export const keyOfName = (spelling: string): string =>
  wordsOf(spelling)
    .map(({ key, start }, at, all) => (start > (all[at - 1]?.end ?? 0) ? ` ${key}` : key))
    .join('')
    .trim();
