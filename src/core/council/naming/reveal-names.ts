// Puts names in place of the letters of an anonymous council, once it is over and texts are shown to people.
import { fill, loadWords } from '../../base/words/words.ts';
import type { CouncilState } from '../state/state.ts';
import { anonymousLabels, claimNames } from './labels.ts';
import type { LedgerOfClaims } from './labels.ts';
import { CODE } from './mask.ts';

/** A stretch of a text, in UTF-16 units, and what stands in its place. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Finds the letters in a text; none where everybody spoke by name. */
export type FindLetters = (text: string) => Replacement[];

type Over = Pick<CouncilState, 'order' | 'lang' | 'anonymous' | 'conversationId' | 'labelSeed'> &
  LedgerOfClaims;

/**
 * Only what has the very form of a label ("Participant B", "Participants A and B") or of a claim's id (`b.1`) that there is. Code
 * and lines that quote stay word for word, but for code that is such an id and nothing else.
 */
export function makeLetterFinder(over: Over, getName: (id: string) => string): FindLetters {
  if (!over.anonymous) return () => [];
  const { common } = loadWords(over.lang);
  const byLabel = new Map([...anonymousLabels(over)].map(([id, label]) => [label, getName(id)]));
  const byClaim = new Map([...claimNames(over)].map(([id, shown]) => [shown, id]));
  const word = fill(common.participant, { letter: '' }).trim();
  const findName = (letter: string): string | undefined => byLabel.get(fill(common.participant, { letter }));
  const replace = (found: string): string | undefined => {
    const claim = /^(`?@?)([a-z]+\.\d+)(`?)$/.exec(found);
    if (claim) return byClaim.has(claim[2]!) ? claim[1]! + byClaim.get(claim[2]!)! + claim[3]! : undefined;
    if (!found.startsWith(word)) return undefined;
    const letters = found.match(LETTER) ?? [];
    if (!letters.every((letter) => findName(letter) !== undefined)) return undefined;
    return found.replace(new RegExp(`^${word}s? `), '').replace(LETTER, (letter) => findName(letter)!);
  };
  const pattern = new RegExp(
    `${CODE.source}|^[ \\t]*>.*|${word} [A-Z]{1,2}${END}|${word}s [A-Z]{1,2}(?:${AND}[A-Z]{1,2})+${END}|(?<![\\p{L}\\p{N}_.@/\\\\-])@?[a-z]{1,2}\\.\\d+(?![\\p{L}\\p{N}_/-]|\\.[\\p{L}\\p{N}])`,
    'gmu',
  );
  return (text) =>
    [...text.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const shown = replace(found);
      return shown === undefined ? [] : [{ start: index, end: index + found.length, text: shown }];
    });
}

const LETTER = /\b[A-Z]{1,2}\b/g;
const AND = '(?:, (?:and |et )?| and | et | & )';
const END = '(?![\\p{L}\\p{N}_-]|/[\\p{L}\\p{N}])';

/** A text with the name in place of each letter that `find` finds in it. */
export function replaceLetters(text: string, find: FindLetters): string {
  let shown = '';
  let done = 0;
  for (const { start, end, text: name } of find(text)) {
    shown += text.slice(done, start) + name;
    done = end;
  }
  return shown + text.slice(done);
}

/** Where a place of the text is once the letters are replaced. */
export function movePlace(place: number, replacements: readonly Replacement[]): number {
  let moved = place;
  for (const { start, end, text } of replacements) {
    if (place <= start) break;
    moved += (place < end ? start - place : start - end) + text.length;
  }
  return moved;
}
