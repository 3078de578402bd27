// Tells what words beside a form say of it: a vote, and that the form is another's, an example, or does not stand as it is.
import { onFirstUse } from '../../../base/memoize.ts';
import { beginsCondition, countWords, isConditional, plainApostrophes, readAnswer } from './answer-words.ts';
import type { Pair } from './form-lines.ts';
import {
  hasCondition,
  leavesVote,
  saysNot,
  saysOwn,
  saysVoteNot,
  speaksOfAnother,
  speaksOfApproval,
  speaksOfForm,
  speaksOfVote,
  standsOnCondition,
  votesOnCondition,
  VOTE_SENTENCE,
} from './form-names.ts';
import { VOTING_VERB } from './form-words.ts';
import { ITEM } from './form-patterns.ts';
import { asItems, isAbstention } from './form-value-words.ts';
import { LANGUAGES } from './languages.ts';
import { speaksAgainst } from './support-or-objection.ts';

/** A longer line argues, in characters. */
export const isShort = (line: string): boolean => line.trim().length <= 80;

export const LEADS_ON = /[:：][*_\s]*$/;
export const SENTENCE = /[.!?。！？][*_)"”»」]*\s*$/;

/** A heading by which its author may say that what follows is not the own form, or a line ending in a colon that does not say it is: it names a participant, too. */
export function announcesAnother(line: string): boolean {
  const leadsOn = LEADS_ON.test(line);
  // A line of the ballot.
  if (!leadsOn && /^\W*P ?\d/i.test(line)) return false;
  if (SENTENCE.test(line) && /\s/.test(line.trim())) return false;
  return speaksOfAnother(line) || /\bparticipant [A-Z]{1,2}\b/i.test(line) || (leadsOn && !saysOwn(line));
}

/** Whether an unknown key says on what a form depends, or that it does not stand: "Only if: …", "Caveat: only if …", "Status: withdrawn". */
export function takesBack({ key, value }: Pick<Pair, 'key' | 'value'>): boolean {
  const isClause = key.trim().split(/\s+/).length > 2;
  if (!isClause && beginsCondition(key)) return value === '' || asItems(value).length > 0;
  if (limits(value)) return true;
  const answer = readAnswer(value);
  const isVerdict = answer !== undefined && /^[\s.!]*$/.test(value.slice(answer.length));
  const isTold = speaksOfAnother(value) && !/\s.*\s/.test(value);
  return (isVerdict || isTold) && !/\d/.test(key + value);
}

/** Whether words are no more than a condition: "only if ops agrees", "That holds provided that ops agrees". In a longer sentence, a reason may begin so. */
const limits = (words: string): boolean =>
  isShort(words) &&
  (isConditional(words) || standsOnCondition(words) || restricts(words)) &&
  !/^(?:\S+\s+){2,}\S*,|^[^，、]{5,}[，、]/.test(words.trim());

/** "Only valid if the audit passes.", "(only after the freeze)". */
const restricts = (words: string): boolean =>
  beginsCondition(words) && (hasCondition(words) || /^\s*[(（].*[)）]\s*$/.test(words));

/** Whether a line alone below a form limits it, or speaks of it: "Only after the freeze", "Disregard the above." */
export const limitsForm = (line: string): boolean =>
  !LEADS_ON.test(line) && isShort(line) && (limits(line) || speaksOfForm(line));

/** The last number of a few words, and one that begins a sentence: "No, wait: P3", "P1 it is". */
const LAST_NUMBER =
  /^[^\p{L}\p{N}#]*(?:[\p{L}'’]+(?:[^\p{L}\p{N}]+|(?<!\p{sc=Latin}))){0,4}(P ?\d{1,4})[*_`"'.!。)}\]]*$/iu;
/** "After reading c2 I now hold P3": what a person says in few words at the end of a longer sentence. */
const OWN_LAST_NUMBER = onFirstUse(() => {
  const persons = LANGUAGES.flatMap(({ i }) => i.split('|')).filter((one) => one !== '');
  return new RegExp(
    `(?<!\\p{L})(?:${persons.join('|')})(?:[\\p{L}'’]+ ){1,2}(P ?\\d{1,4})[*_\`.!。]*$`,
    'iu',
  );
});
const FIRST_NUMBER = /^[*_`]*(?:\p{L}+,? )?(P ?\d{1,4})[*_`,]*((?: [\p{L}'’]+)+)[*_`.!]*$/iu;
const NUMBER = /(?<![\p{sc=Latin}\p{N}])P ?\d{1,4}(?![\p{sc=Latin}\p{N}])/iu;

/** Marks in a row are no sentences. */
const LETTER = /\p{L}/u;

/**
 * What a line says of a vote where it is no field: the numbers that its sentences vote for, with a condition behind them, an abstention, or the
 * words by which its author may take the vote back. `isAlone`: nothing else stands in its paragraph.
 */
export function findVotes(line: string, isAlone: boolean): string[] {
  const sentences = plainApostrophes(line)
    .split(/(?<=[.!?。！？])\s*/)
    .filter((one) => LETTER.test(one));
  const isSaid = isShort(line) && !ITEM.test(line);
  return sentences.flatMap((sentence): string[] => {
    const [number] = NUMBER.exec(sentence) ?? [];
    const found = number && VOTE_SENTENCE().exec(sentence);
    if (number && votesOnCondition(sentence)) return [number + (found ? `: ${sentence}` : ` (${sentence})`)];
    if (found) {
      const [whole, voted = ''] = found;
      const front = sentence.slice(0, found.index + whole.length);
      const behind = sentence.slice(front.length);
      if (speaksOfAnother(front) || speaksAgainst(front)) return [];
      return [isConditional(behind) ? voted + behind : voted];
    }
    const clauses = sentence.split(/[,;:：—。，]/).filter((one) => /\S/.test(one));
    if (number && joinsVote(clauses)) return [number];
    const alone = isSaid && number && findNumberAlone(sentence, clauses);
    if (alone) return [alone];
    return isAlone && takesVoteBack(sentence)
      ? [sentence]
      : isSaid
        ? clauses.filter((one) => isAbstention(one) || isAbstention(one.split(/(?<=\S \S+) /)[0]!))
        : [];
  });
}

/** Whether an author joins a vote that the sentence tells of, in its last few words: "Ben votes P3, and so do I." */
function joinsVote([first = '', ...others]: readonly string[]): boolean {
  const last = others.at(-1) ?? '';
  return (
    VOTING_VERB.test(first) &&
    countWords(last) <= 4 &&
    saysOwn(last) &&
    !saysNot(last) &&
    !speaksAgainst(last)
  );
}

/**
 * A number that few words lead on to, or that begins a sentence: of one word more, of words that say nothing else, or of words about
 * its author or a vote. "P1 costs more" is a reason, "P3 gets my vote" is not.
 */
function findNumberAlone(sentence: string, clauses: readonly string[]): string | undefined {
  const [, first, behind = ''] = FIRST_NUMBER.exec(sentence) ?? [];
  if (first !== undefined) {
    const isOwn = (saysOwn(behind) || speaksOfVote(behind)) && !speaksOfAnother(behind) && !saysNot(behind);
    return /^ \S+$/.test(behind) || leavesVote(behind) || isOwn ? first : undefined;
  }
  const last = clauses.at(-1) ?? '';
  const isOther = speaksAgainst(last) || speaksOfApproval(last) || saysNot(last);
  if (isOther) return undefined;
  return LAST_NUMBER.exec(clauses.slice(-2).join(' '))?.[1] ?? OWN_LAST_NUMBER().exec(last)?.[1];
}

/** "I take it back": what a person concedes in a verb with its object is their own. */
const POINTING = onFirstUse(() => {
  const either = LANGUAGES.map(({ i, it }) => `(?:${i})\\p{L}+ (?:${it})(?!\\p{L})`).join('|');
  return new RegExp(`^(?:${either})`, 'iu');
});

/** A sentence about the vote with a word that is not known to leave it as it is, or one that takes back what stands above. */
function takesVoteBack(sentence: string): boolean {
  if (!isShort(sentence)) return false;
  if (speaksOfVote(sentence)) {
    // "After reading all of it, I keep my vote."
    const clauses = sentence.split(/[,，、]/);
    const first = clauses.findIndex((one) => speaksOfVote(one) || isConditional(one));
    return !/[\d:：]/.test(sentence) && !leavesVote(clauses.slice(first).join(' '));
  }
  if (saysVoteNot(sentence)) return true;
  const { status, isSentence, length } = readAnswer(sentence) ?? {};
  const isOwn = status === 'conceded' && !isSentence && POINTING().test(sentence);
  return isOwn && /^[.!]?$/.test(sentence.slice(length));
}
