// Reads what an answer to a challenge says, using the language table. Unlisted words have no meaning here.
import { makeOnFirstUse } from '../../../base/memoize.ts';
import type { ChallengeStatus } from '../../state/allowed-values.ts';
import { ANSWER_LEAD } from './answer-shapes.ts';
import { hasCondition, hasNegation, mentionsAnotherForm } from './form-names.ts';
import { asBoolean, asItems, isLeftBlank } from './form-value-words.ts';
import { AND, REJECTING_MARKS } from './form-words.ts';
import { LANGUAGES } from './languages.ts';

export type AnswerStatus = Exclude<ChallengeStatus, 'open' | 'unanswered'>;

/** An answer at the start of a text. */
export interface AnswerOpening {
  status: AnswerStatus;
  /** Length of the verb alone, and of the verb with its object. */
  verb: number;
  length: number;
  /** It has a subject and an object, or names a challenge: "I accept this", "reject c1". */
  isSentence: boolean;
  /** Nothing that follows changes it. "I concede nothing" and "conceded, but only if …" are not settled. */
  isSettled: boolean;
}

/** Words must match whole, except in scripts without spaces. */
const BORDER = '(?!(?<=\\p{sc=Latin})\\p{sc=Latin})';
const WORD_END = '(?![\\p{L}\\p{N}])';
const BEHIND = '^[\\s*_]*[,;:.(—–，；：。（-]?\\s*';

const readers = makeOnFirstUse(() =>
  LANGUAGES.map((one) => {
    const pattern = (words: string) => new RegExp(words, 'iu');
    const answer = (words: string) => pattern(`^(?:${one.i})?(?:${words})${WORD_END}`);
    const either = `(?:${one.conceded}|${one.right})`;
    return {
      answers: [
        ['conceded', answer(one.conceded)],
        ['rejected', answer(`${one.rejected}|(?:${one.not}) ?(?:${one.conceded})`)],
        [
          'conceded_in_part',
          answer(
            `(?:${one.part})[, ]*${either}|${either}(?: (?:${one.it}))?(?:[,，]? |[ ,，]?[(（—–-]+ ?|(?=[^\\p{sc=Latin}]))(?:${one.part})`,
          ),
        ],
        ['answered', answer(one.answered)],
      ] as const,
      person: pattern(`^(?:${one.i})`),
      object: pattern(`^ ?(?:${one.it})${WORD_END}`),
      but: pattern(`${BEHIND}(?:${one.but})${BORDER}`),
      if: pattern(`${BEHIND}(?:${one.if})${BORDER}`),
      with: pattern(`${BEHIND}(?:${one.with ?? '(?!)'})${BORDER}`),
      because: pattern(`^\\s+(?:${one.because})${BORDER}`),
      not: pattern(`^(?:${one.not})$`),
    };
  }),
);
type Reader = ReturnType<typeof readers>[number];

const ENDS = /^\s*$|^[ \u00A0\u202F]?[.:,;!—–。，：；、！-]|^\s+[—–(（-]|^[(（]|^[ \t]*\r?\n/u;
const AND_THEN = new RegExp(`^\\s+(?:${AND})${BORDER}`, 'iu');
/** "explained above" points to the answer. With more words, someone else may have given it. */
const ELSEWHERE = /^ [\p{L}\p{N}]+[.。]?[ \t]*(?:$|\n)/u;
const CLOSING_MARKS = /^[*_`)\]]+/;

function settlesAnswer(rest: string, status: AnswerStatus, by: Reader): boolean {
  const after = rest.slice(0, 80).replace(CLOSING_MARKS, '');
  const [, behind = ''] = /^[\s:：=,;.(—–-]+([^\n.,;!。，；—–)）\]]*)/.exec(after) ?? [];
  if (behind !== '' && (isLeftBlank(behind) || (status.startsWith('conceded') && deniesAnswer(behind, by))))
    return false;
  const isColon = /^[ \u00A0\u202F]?[:：]/.test(after);
  // After a colon comes the answer itself, whatever it says. The reason for a rejection may start with "if",
  // and a partial answer with "only".
  if (status === 'answered' && (isColon || (ELSEWHERE.test(after) && !hasNegation(after)))) return true;
  const isPart = status === 'conceded_in_part';
  const isReason = isColon && (isPart || status === 'rejected');
  const isCondition = by.if.test(after) || by.with.test(after);
  const isTakenBack = (by.but.test(after) && !isPart) || (isCondition && !isReason);
  return !isTakenBack && (ENDS.test(after) || AND_THEN.test(after) || by.because.test(after));
}

/** Whether a line continues the sentence above with a condition or a reservation. */
export const beginsCondition = (line: string): boolean =>
  readers().some((by) => by.but.test(line) || by.if.test(line) || by.with.test(line));

/** Whether a line certainly starts a condition: "if …", "but only after …". "only then …" may be a reason. */
export const isConditional = (line: string): boolean =>
  readers().some((by) => {
    const [first = ''] = by.but.exec(line) ?? [];
    const rest = line.slice(first.length);
    return by.if.test(rest) || (first !== '' && by.but.test(rest));
  });

/** Whether a line gives a reason for the sentence above it. */
export const beginsReason = (line: string): boolean =>
  readers().some(({ because }) => because.test(` ${line.trimStart()}`));

/** Words that take an answer back: "conceded: no", "accepted: none", "agreed. Not." */
const deniesAnswer = (words: string, by: Reader): boolean =>
  asItems(words).length === 0 || by.not.test(words.trim());

/** Replaces typographic apostrophes; keeps the length. */
export const replaceApostrophes = (words: string): string => words.replaceAll('’', "'");

/** Reads the answer at the start of a text: the longest match in any language. */
export function readAnswer(words: string): AnswerOpening | undefined {
  const text = replaceApostrophes(words.slice(0, 200));
  const found = readers().flatMap((by) =>
    by.answers.flatMap(([status, pattern]) => {
      const verb = pattern.exec(text)?.[0].length;
      return verb === undefined ? [] : [{ by, status, verb }];
    }),
  );
  const longest = Math.max(...found.map(({ verb }) => verb));
  const best = found.filter(({ verb }) => verb === longest);
  const [first] = best;
  if (!first || best.some(({ status }) => status !== first.status)) return undefined;
  const { status, verb } = first;
  const objects = best.map(({ by }) => by.person.test(text) && by.object.exec(text.slice(verb)));
  const [object = ''] = objects.find((one) => one) || /^ @?c\d{1,6}\b/i.exec(text.slice(verb)) || [];
  const length = verb + object.length;
  const isSettled = best.every(({ by }) => settlesAnswer(text.slice(length), status, by));
  return { status, verb, length, isSentence: object !== '', isSettled };
}

/**
 * Reads the answer at the start of a text, after an optional prefix. The status is undefined if prefix and
 * answer disagree. A refusing symbol needs no word; a tick may just mean "done", so it says nothing.
 */
export function readAnswerWord(
  words: string,
): { status: AnswerStatus | undefined; length: number } | undefined {
  const { 0: lead, groups = {} } = ANSWER_LEAD().exec(words.slice(0, 200))!;
  const answer = readAnswer(words.slice(lead.length));
  const isNo = groups.no !== undefined || REJECTING_MARKS.includes(groups.sign ?? ' ');
  if (!answer?.isSettled)
    return isNo && groups.sign ? { status: 'rejected', length: lead.length } : undefined;
  const isContrary = answer.status === 'rejected' ? groups.yes !== undefined : isNo;
  return { status: isContrary ? undefined : answer.status, length: lead.length + answer.length };
}

const CLAUSE = new RegExp(`(?:[.!?…:;,。！？：；，—–\\n]|\\s(?:${AND})\\s)\\s*`, 'g');
const SENTENCE = /(?<=[.!…。！\n])\s*/;
const cutQuotes = (passage: string): string => passage.slice(0, 500).replace(/^[ \t]*>.*$/gm, '');

/** Whether the words after an answer contradict it: "conceded; no, wait, rejected", "conceded. Actually no." */
export function contradictsAnswer(statuses: readonly AnswerStatus[], behind: string): boolean {
  const text = `\n${cutQuotes(behind)}`;
  const clauses = [...text.matchAll(CLAUSE)].flatMap(
    ({ 0: mark, index }) => readAnswerWord(text.slice(index + mark.length))?.status ?? [],
  );
  const said = new Set([...statuses, ...clauses]);
  // "Actually no." alone.
  const isDenied = text
    .split(SENTENCE)
    .some((one) => countWords(one) <= 2 && asBoolean(one.trim().split(' ').at(-1)!) === false);
  return said.has('conceded') && (said.has('rejected') || isDenied);
}

/**
 * Reads answers from sentences. A sentence with a subject and an object counts if it is among the first
 * three; so does a clause that is only an answer, unless words before it deny or limit it: "Raised by B. I
 * accept this", "Fair point, conceded."
 */
export function readSentences(passage: string): AnswerStatus[] {
  const text = cutQuotes(passage).replace(/[*_`]/g, '').trim();
  if (/[?？]/.test(text)) return [];
  const sentences = text.split(SENTENCE).slice(0, 3);
  const statuses = sentences.flatMap((sentence) => {
    const answer = readAnswer(sentence);
    return answer?.isSentence && answer.isSettled ? [answer.status] : [];
  });
  if (statuses.length > 0) return statuses;
  const whole = sentences.join(' ');
  const found = [...whole.matchAll(CLAUSE)]
    .map(({ 0: mark, index }) => ({ before: whole.slice(0, index), said: whole.slice(index + mark.length) }))
    .find(({ said }) => isAnswerAlone(said));
  const isLimited =
    !found || [hasNegation, hasCondition, mentionsAnotherForm].some((isSaid) => isSaid(found.before));
  return isLimited ? [] : [readAnswer(found.said)!.status];
}

/** Whether the first clause is only an answer, and nothing that follows changes it. */
function isAnswerAlone(words: string): boolean {
  const answer = readAnswer(words);
  return answer?.isSettled === true && /^[.!;,。！；，]|^\s*$/.test(words.slice(answer.length));
}

/** Characters of scripts without spaces count as one word each. */
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
export const countWords = (text: string): number => text.match(WORDS)?.length ?? 0;
