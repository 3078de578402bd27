// What the words of an answer to a challenge say, by the table of languages. What stands on no table says nothing.
import { onFirstUse } from '../../../base/memoize.ts';
import type { ChallengeStatus } from '../../state/choices.ts';
import { ANSWER_LEAD } from './answer-shapes.ts';
import { hasCondition, saysNot, speaksOfAnother } from './form-names.ts';
import { asBoolean, asItems, isLeftBlank } from './form-value-words.ts';
import { AND, REJECTING_MARKS } from './form-words.ts';
import { LANGUAGES } from './languages.ts';

export type AnswerStatus = Exclude<ChallengeStatus, 'open' | 'unanswered'>;

/** An answer at the beginning of words. */
export interface AnswerOpening {
  status: AnswerStatus;
  /** How long its verb is, and that with its object. */
  verb: number;
  length: number;
  /** It has a person and an object, or names a challenge: "I accept this", "reject c1". */
  isSentence: boolean;
  /** What follows leaves it as it is: its end, a mark, a reason. "I concede nothing" and "conceded, but only if …" settle nothing. */
  isSettled: boolean;
}

/** No word is cut in two; scripts that set no spaces have no such border. */
const BORDER = '(?!(?<=\\p{sc=Latin})\\p{sc=Latin})';
const WORD_END = '(?![\\p{L}\\p{N}])';
const BEHIND = '^[\\s*_]*[,;:.(—–，；：。（-]?\\s*';

const readers = onFirstUse(() =>
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
/** "explained above": where the answer stands. In more words another may have given it. */
const ELSEWHERE = /^ [\p{L}\p{N}]+[.。]?[ \t]*(?:$|\n)/u;
const CLOSING_MARKS = /^[*_`)\]]+/;

function settles(rest: string, status: AnswerStatus, by: Reader): boolean {
  const after = rest.slice(0, 80).replace(CLOSING_MARKS, '');
  const [, behind = ''] = /^[\s:：=,;.(—–-]+([^\n.,;!。，；—–)）\]]*)/.exec(after) ?? [];
  if (behind !== '' && (isLeftBlank(behind) || (status.startsWith('conceded') && denies(behind, by))))
    return false;
  const isColon = /^[ \u00A0\u202F]?[:：]/.test(after);
  // Behind the colon stands the answer, whatever it is; a rejection may begin its reason with "if", and a part with "only".
  if (status === 'answered' && (isColon || (ELSEWHERE.test(after) && !saysNot(after)))) return true;
  const isPart = status === 'conceded_in_part';
  const isReason = isColon && (isPart || status === 'rejected');
  const isCondition = by.if.test(after) || by.with.test(after);
  const isTakenBack = (by.but.test(after) && !isPart) || (isCondition && !isReason);
  return !isTakenBack && (ENDS.test(after) || AND_THEN.test(after) || by.because.test(after));
}

/** Whether a line goes on with the sentence above it as a condition does, or a doubt. */
export const beginsCondition = (line: string): boolean =>
  readers().some((by) => by.but.test(line) || by.if.test(line) || by.with.test(line));

/** Whether a line begins a condition for certain: "if …", "but only after …"; "only then …" may be a reason. */
export const isConditional = (line: string): boolean =>
  readers().some((by) => {
    const [first = ''] = by.but.exec(line) ?? [];
    const rest = line.slice(first.length);
    return by.if.test(rest) || (first !== '' && by.but.test(rest));
  });

/** Whether a line gives a reason for the sentence above it. */
export const beginsReason = (line: string): boolean =>
  readers().some(({ because }) => because.test(` ${line.trimStart()}`));

/** Words that take an answer back by saying no: "conceded: no", "accepted: none", "agreed. Not." */
const denies = (words: string, by: Reader): boolean =>
  asItems(words).length === 0 || by.not.test(words.trim());

/** An apostrophe in one spelling; the length stays. */
export const plainApostrophes = (words: string): string => words.replaceAll('’', "'");

/** The answer that words begin with: of all that fit the longest, in whatever language. */
export function readAnswer(words: string): AnswerOpening | undefined {
  const text = plainApostrophes(words.slice(0, 200));
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
  const isSettled = best.every(({ by }) => settles(text.slice(length), status, by));
  return { status, verb, length, isSentence: object !== '', isSettled };
}

/**
 * The answer that words begin with, behind such a lead; its status is missing where the two say different things. A sign that
 * says no needs no word; a tick may mean that all is done, and says nothing.
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

/** Whether words go on by saying the contrary of the answer in front of them: "conceded; no, wait, rejected", "conceded. Actually no." */
export function contradicts(statuses: readonly AnswerStatus[], behind: string): boolean {
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
 * A sentence with a person and an object counts wherever it stands among the first three, and so does a clause that is nothing but an
 * answer where nothing in front of it denies or limits it: "Raised by B. I accept this", "Fair point, conceded."
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
  const isLimited = !found || [saysNot, hasCondition, speaksOfAnother].some((isSaid) => isSaid(found.before));
  return isLimited ? [] : [readAnswer(found.said)!.status];
}

/** Whether the first clause is nothing but an answer, and what follows leaves it as it is. */
function isAnswerAlone(words: string): boolean {
  const answer = readAnswer(words);
  return answer?.isSettled === true && /^[.!;,。！；，]|^\s*$/.test(words.slice(answer.length));
}

/** Words that are counted one by one where no spaces part them. */
const WORDS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
export const countWords = (text: string): number => text.match(WORDS)?.length ?? 0;
