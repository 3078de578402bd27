// Reads remarks next to a form: a vote, or that the form is someone else's, an example, or not valid.
import { makeOnFirstUse } from '../../../base/memoize.ts';
import {
  beginsCondition,
  countWords,
  isConditional,
  replaceApostrophes,
  readAnswer,
} from './answer-words.ts';
import type { Pair } from './form-lines.ts';
import {
  hasCondition,
  keepsVote,
  hasNegation,
  announcesOwnForm,
  negatesVote,
  mentionsAnotherForm,
  statesApproval,
  mentionsForm,
  mentionsVote,
  cutReason,
  prefersIt,
  standsOnCondition,
  votesOnCondition,
  VOTE_SENTENCE,
} from './form-names.ts';
import { AND, FROM, REJECTING_MARKS, VOTING_VERB } from './form-words.ts';
import { ITEM } from './form-patterns.ts';
import { asItems, isAbstention } from './form-value-words.ts';
import { LANGUAGES } from './languages.ts';
import { voicesOpposition } from './support-or-objection.ts';

/** A longer line is an argument. */
export const isShort = (line: string): boolean => line.trim().length <= 80;

export const LEADS_ON = /[:：][*_\s]*$/;
export const SENTENCE = /[.!?。！？][*_)"”»」]*\s*$/;

/**
 * Whether a line introduces someone else's form: a heading that says so, or a line ending in a colon that
 * does not say it is the author's own. A participant's name counts, too.
 */
export function announcesAnotherForm(line: string): boolean {
  const leadsOn = LEADS_ON.test(line);
  // A line of the ballot.
  if (!leadsOn && /^\W*P ?\d/i.test(line)) return false;
  if (SENTENCE.test(line) && /\s/.test(line.trim())) return false;
  return (
    mentionsAnotherForm(line) ||
    /\bparticipant [A-Z]{1,2}\b/i.test(line) ||
    (leadsOn && !announcesOwnForm(line))
  );
}

/** Whether an unknown key makes a form conditional or withdraws it: "Only if: …", "Status: withdrawn". */
export function withdrawsForm({ key, value }: Pick<Pair, 'key' | 'value'>): boolean {
  const isClause = key.trim().split(/\s+/).length > 2;
  if (!isClause && beginsCondition(key)) return value === '' || asItems(value).length > 0;
  if (isBareCondition(value)) return true;
  const answer = readAnswer(value);
  const isVerdict = answer !== undefined && /^[\s.!]*$/.test(value.slice(answer.length));
  const isTold = mentionsAnotherForm(value) && !/\s.*\s/.test(value);
  return (isVerdict || isTold) && !/\d/.test(key + value);
}

/**
 * Whether words are just a condition: "only if ops agrees", "That holds provided that ops agrees". In a
 * longer sentence they may start a reason.
 */
const isBareCondition = (words: string): boolean =>
  isShort(words) &&
  (isConditional(words) || standsOnCondition(words) || isRestriction(words)) &&
  !/^(?:\S+\s+){2,}\S*,|^[^，、]{5,}[，、]/.test(words.trim());

/** "Only valid if the audit passes.", "(only after the freeze)". */
const isRestriction = (words: string): boolean =>
  beginsCondition(words) && (hasCondition(words) || /^\s*[(（].*[)）]\s*$/.test(words));

/** Whether a line below a form limits it or refers to it: "Only after the freeze", "Disregard the above." */
export const limitsForm = (line: string): boolean =>
  !LEADS_ON.test(line) && isShort(line) && (isBareCondition(line) || mentionsForm(line));

/** A number after a few words: "No, wait: P3", "P2 → P3", "Paso de P2 a P3"; or beside a sign: "+1 P3", "P3 ✅". */
const LAST_NUMBER = new RegExp(
  `^(?:\\+1 )?[^\\p{L}\\p{N}#]*(?:[\\p{L}'’]+(?:[^\\p{L}\\p{N}]+|(?<!\\p{sc=Latin}))){0,4}(?:P ?\\d{1,4} ?(?:[-=]+>|→) ?|(?<=(?<!\\p{L})(?:${FROM}) )P ?\\d{1,4} (?!(?:${AND}) )\\p{L}+ )?(P ?\\d{1,4})(?:\\+1|[*_\`"'.!。)}\\]\\s\\uFE0F]|(?![${REJECTING_MARKS}])\\p{Extended_Pictographic})*$`,
  'iu',
);
/** "After reading c2 I now hold P3", "I move from P2 to P3": a short statement at the end of a longer sentence. */
const OWN_LAST_NUMBER = makeOnFirstUse(() => {
  const persons = LANGUAGES.flatMap(({ i }) => i.split('|')).filter((one) => one !== '');
  return new RegExp(
    `(?<!\\p{L})(?:${persons.join('|')})(?:[\\p{L}'’]+ ){1,3}(?:(?<= (?:${FROM}) )P ?\\d{1,4} \\p{L}+ )?(P ?\\d{1,4})[*_\`.!。]*$`,
    'iu',
  );
});
/** "P3 is better than P2": words before, the number, and words behind it. */
const FIRST_NUMBER =
  /^[*_`]*((?:[\p{L}'’]+,? ){0,4}|[^\0-\u2FFF]{1,8})(P ?\d{1,4})[*_`,]*((?: [\p{L}'’]+)+|[^\0-\u2FFF]+)(?: P ?\d{1,4})?[*_`.!。！]*$/iu;
/** "P3 > P2" */
const ORDER = /^\W*(P ?\d{1,4})(?: ?[>≻]+ ?P ?\d{1,4})+\W*$/iu;
const NUMBER = /(?<![\p{sc=Latin}\p{N}])P ?\d{1,4}(?![\p{sc=Latin}\p{N}])/iu;

/** Consecutive punctuation marks are not sentences. */
const LETTER = /\p{L}/u;

/**
 * Reads votes in a line that is not a field: the numbers voted for, with conditions; abstentions; or the
 * words that may withdraw a vote. `isAlone`: the line is its whole paragraph.
 */
export function findVotes(line: string, isAlone: boolean): string[] {
  const sentences = replaceApostrophes(line)
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
      if (mentionsAnotherForm(front) || voicesOpposition(front)) return [];
      return [isConditional(behind) ? voted + behind : voted];
    }
    const clauses = sentence.split(/[,;:：—。，]/).filter((one) => /\S/.test(one));
    if (number && joinsVote(clauses)) return [number];
    const alone = isSaid && number && findNumberAlone(sentence, clauses);
    if (alone) return [alone];
    return isAlone && withdrawsVote(sentence)
      ? [sentence]
      : isSaid
        ? clauses.filter((one) => isAbstention(one) || isAbstention(one.split(/(?<=\S \S+) /)[0]!))
        : [];
  });
}

/** Whether the author joins a reported vote in the sentence's last words: "Ben votes P3, and so do I." */
function joinsVote([first = '', ...others]: readonly string[]): boolean {
  const last = others.at(-1) ?? '';
  return (
    VOTING_VERB.test(first) &&
    countWords(last) <= 4 &&
    announcesOwnForm(last) &&
    !hasNegation(last) &&
    !voicesOpposition(last)
  );
}

/** Whether words mention the author or a vote, but no other participant: "is my choice". */
const isOwn = (words: string): boolean =>
  (announcesOwnForm(words) || mentionsVote(words)) && !mentionsAnotherForm(words) && !hasNegation(words);

/**
 * Returns a number after a few words, or at the start of a sentence if one more word follows, neutral words,
 * or words about the author or a vote. "P1 costs more" is a reason, "P3 gets my vote" is not.
 */
function findNumberAlone(sentence: string, clauses: readonly string[]): string | undefined {
  const [, before = '', first, behind = ''] = FIRST_NUMBER.exec(sentence) ?? [];
  const isOneWord = /^ \S+$/.test(behind);
  const isShortLead = before.trim().split(' ').length <= 1;
  if (first !== undefined && (isShortLead || (isOwn(before) && !isOneWord && prefersIt(behind))))
    return isOneWord || prefersIt(behind) || (isOwn(behind) && !statesApproval(behind)) ? first : undefined;
  const last = cutReason(clauses.at(-1) ?? '');
  const isOther = voicesOpposition(last) || statesApproval(last) || hasNegation(last);
  if (isOther) return undefined;
  return [
    ORDER.exec(sentence),
    LAST_NUMBER.exec(clauses.slice(-2).join(' ')),
    OWN_LAST_NUMBER().exec(last),
  ].find((one) => one)?.[1];
}

/** "I take it back": a verb with an object in the first person is the author's own concession. */
const POINTING = makeOnFirstUse(() => {
  const either = LANGUAGES.map(({ i, it }) => `(?:${i})\\p{L}+ (?:${it})(?!\\p{L})`).join('|');
  return new RegExp(`^(?:${either})`, 'iu');
});

/**
 * Whether a short sentence withdraws the vote: it mentions the vote with words that are not known to confirm
 * it, or takes back what is above.
 */
function withdrawsVote(sentence: string): boolean {
  if (!isShort(sentence)) return false;
  if (mentionsVote(sentence)) {
    // "After reading all of it, I keep my vote."
    const clauses = sentence.split(/[,，、]/);
    const first = clauses.findIndex((one) => mentionsVote(one) || isConditional(one));
    return !/[\d:：]/.test(sentence) && !keepsVote(clauses.slice(first).join(' '));
  }
  if (negatesVote(sentence)) return true;
  const { status, isSentence, length } = readAnswer(sentence) ?? {};
  const isOwn = status === 'conceded' && !isSentence && POINTING().test(sentence);
  return isOwn && /^[.!]?$/.test(sentence.slice(length));
}
