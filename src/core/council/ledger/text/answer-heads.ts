// Recognizes the heads of answers to challenges: "c1 conceded: …", "I concede c1", "**Rejected:** c1, c2".
import { countWords, readAnswer, readAnswerWord } from './answer-words.ts';
import { ALONE, CLOSING, FIRST, LAST, LEAD, NEXT, SIGN } from './answer-shapes.ts';
import { announcesOwnForm, mentionsAnotherForm } from './form-names.ts';
import type { AnswerStatus } from './answer-words.ts';

/** The challenges an answer is about, its status if certain, and the length of the head. */
export interface AnswerHead {
  challenges: string[];
  status: AnswerStatus | undefined;
  length: number;
}

/** Maximum length of a head, in characters. */
const LONGEST = 300;

/**
 * Finds the heads at the start of a line. If no mark follows the id, the answer must be followed by one: "c1
 * rejected what I said" rejects nothing.
 */
export function findHeads(line: string): (AnswerHead & { start: number })[] {
  const words = line.slice(0, 2000).normalize('NFC');
  const starts = [...words.matchAll(NEXT)].map(({ 0: mark, index }) => ({
    end: index,
    next: index + mark.length,
  }));
  const read = (start: number) => {
    // "I concede c1 but reject c2"
    const next = starts.find(
      (one) =>
        one.next > start && !/^[*_`]*@?c\d/i.test(words.slice(one.next)) && readAnswer(words.slice(one.next)),
    );
    const rest = words.slice(start, Math.min(next?.end ?? Infinity, start + LONGEST));
    const head = readIdHead(rest) ?? readWordHead(rest);
    return head && { ...head, start };
  };
  const [lead = ''] = LEAD.exec(words) ?? [];
  const isPlain = countWords(lead) <= 2 || announcesOwnForm(lead);
  const isLed = lead !== '' && isPlain && !mentionsAnotherForm(lead) && readAnswerWord(lead) === undefined;
  const led = isLed ? read(lead.length) : undefined;
  const first = led?.status === undefined ? read(0) : led;
  if (!first) return [];
  const others = starts.flatMap(({ next }) => {
    const head = next < first.start + first.length ? undefined : read(next);
    return head?.status === undefined ? [] : [head];
  });
  return [first, ...(first.status === undefined ? [] : others)];
}

function readIdHead(words: string): AnswerHead | undefined {
  const [whole = '', ids = '', who = '', separator = ''] = FIRST.exec(words) ?? [];
  if (ids === '') return undefined;
  const challenges = findIds(ids);
  const behind = words.slice(whole.length);
  // "c1 (conceded): the figure was wrong"
  const inside = readAnswer(who);
  const said = inside?.length === who.length ? { ...inside, length: 0 } : readAnswerWord(behind);
  const isMarked = separator.trim() !== '' || /\*\*|[\])]/.test(ids) || SIGN.test(behind);
  if (said?.status !== undefined) {
    const length = whole.length + said.length;
    return { challenges, status: said.status, length: length + measureClosing(words.slice(length)) };
  }
  const isAlone = behind.replace(/[\s*_`:：.—–-]/g, '') === '';
  return isMarked || isAlone ? { challenges, status: undefined, length: whole.length } : undefined;
}

function readWordHead(words: string): AnswerHead | undefined {
  const from = /^[\s*_`]*/.exec(words)![0].length;
  const said = readAnswer(words.slice(from));
  if (!said) return undefined;
  // "I concede that c1 is well put" concedes nothing.
  const [whole = '', ids = ''] = LAST.exec(words.slice(from + said.verb)) ?? [];
  const length = from + said.verb + whole.length;
  const isSettled = readAnswer(words.slice(from, from + said.verb) + words.slice(length))?.isSettled;
  if (ids === '' || !isSettled) return undefined;
  return {
    challenges: findIds(ids),
    status: said.status,
    length: length + measureClosing(words.slice(length)),
  };
}

const measureClosing = (rest: string): number => CLOSING.exec(rest)![0].length;

const findIds = (words: string): string[] => [
  ...new Set([...words.matchAll(/c\d{1,6}/gi)].map(([id]) => id.toLowerCase())),
];

/** Returns the challenges named in a table cell, if it contains nothing else but their authors. */
export const readOnlyChallenges = (words: string): string[] =>
  findIds(ALONE.exec(words.slice(0, 200).trim())?.[1] ?? '');
