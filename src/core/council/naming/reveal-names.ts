// Replaces the labels of an anonymous council by names, when it is over and texts are shown to people.
import { fill, loadWords } from '../../base/words/words.ts';
import type { CouncilState } from '../state/state.ts';
import { createAnonymousLabels, mapClaimIds } from './labels.ts';
import type { LedgerOfClaims } from './labels.ts';
import { CODE } from './mask.ts';

/** A range of a text, in UTF-16 units, and its replacement. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Finds the labels in a text; none if participants spoke by name. */
export type FindLetters = (text: string) => Replacement[];

type RevealState = Pick<CouncilState, 'order' | 'lang' | 'anonymous' | 'conversationId' | 'labelSeed'> &
  LedgerOfClaims;

/**
 * Matches only the exact form of a label ("Participant B", "Participants A and B") or of an existing claim's id
 * (`b.1`). Code and quoted lines are left verbatim, except for code that is just such an id.
 */
export function makeLetterFinder(over: RevealState, getName: (id: string) => string): FindLetters {
  if (!over.anonymous) return () => [];
  const { common } = loadWords(over.lang);
  const byLabel = new Map([...createAnonymousLabels(over)].map(([id, label]) => [label, getName(id)]));
  const byClaim = new Map([...mapClaimIds(over)].map(([id, shown]) => [shown, id]));
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

/** Replaces each label that `find` finds in a text by the name. */
export function replaceLetters(text: string, find: FindLetters): string {
  let shown = '';
  let done = 0;
  for (const { start, end, text: name } of find(text)) {
    shown += text.slice(done, start) + name;
    done = end;
  }
  return shown + text.slice(done);
}

/** Maps an offset in the text to its offset after the replacements. */
export function movePlace(place: number, replacements: readonly Replacement[]): number {
  let moved = place;
  for (const { start, end, text } of replacements) {
    if (place <= start) break;
    moved += (place < end ? start - place : start - end) + text.length;
  }
  return moved;
}
