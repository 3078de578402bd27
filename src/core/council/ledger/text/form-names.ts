// Maps the names of form fields, in any spelling, to fields.
import { makeOnFirstUse } from '../../../base/memoize.ts';
import { findNearest } from '../../../base/unknown-name.ts';
import { COLUMN } from './answer-shapes.ts';
import { ITEM } from './form-patterns.ts';
import { WRAPPER_NAMES, NAME_QUALIFIERS, NAMES, VALUES, VOTING_VERB } from './form-words.ts';
import type { FieldName } from './form-words.ts';
import { LANGUAGES } from './languages.ts';
import type { Language } from './languages.ts';

const splitNames = (list: string): string[] =>
  list.split(',').map((word) => word.replace(/\s+/g, ' ').trim());
export const VALUE_WORDS = {
  yes: new Set(splitNames(VALUES.yes)),
  no: new Set(splitNames(VALUES.no)),
  nothing: new Set(splitNames(VALUES.nothing)),
  abstain: new Set(splitNames(VALUES.abstain)),
  noPosition: new Set(splitNames(VALUES.noPosition)),
};
const FIELDS = new Map(
  Object.entries(NAMES).flatMap(([name, list]) => splitNames(list).map((word) => [word, name as FieldName])),
);
const LONGEST = 60;
const beside = splitNames(NAME_QUALIFIERS).join('|');
/** Qualifiers without effect: "my vote", "vote finale", "最終投票". */
const BESIDE = new RegExp(`^(?:(?:${beside})(?: |(?<=[^\\0-\\u2FFF])))+|(?: (?:${beside}))+$`, 'g');
const WRAPPING_KEY = new RegExp(`^${WRAPPER_NAMES}$`, 'i');

/** Whether a key merely wraps an answer. */
export const isWrapping = (key: string): boolean => WRAPPING_KEY.test(key);

/**
 * Normalizes a key for comparison: removes marks, numbers in brackets and case. A note in brackets stays,
 * because it may name the value's author.
 */
const foldKey = (key: string): string =>
  key
    .normalize('NFKC')
    .replace(
      /\p{Cf}|\([^()\p{L}]*\)|[()]|["'*`:?[\]]+$|^["'*`[]+|[*`"]|[\u2190-\u2BFF]|[\uD83C-\uD83E][\uDC00-\uDFFF]|\uFE0F/gu,
      '',
    )
    // {"blockingIssues": …}
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .replace(/’/g, "'")
    .replace(/[_\s-]+/g, ' ')
    .trim()
    .toLowerCase();

/** Returns the field that a key names, in any of its spellings. */
export function findFieldName(key: string): FieldName | undefined {
  if (key.length > LONGEST) return undefined;
  const words = foldKey(key);
  return FIELDS.get(words) ?? FIELDS.get(words.replace(BESIDE, ''));
}

/** Words for "no" in all languages, and the same with words for "not". */
export const NO_WORDS = [...VALUE_WORDS.no, ...VALUE_WORDS.nothing]
  .filter((word) => /^\p{L}+$/u.test(word))
  .join('|');
export const NOT_WORDS = [...LANGUAGES.map((one) => one.not), NO_WORDS].join('|');

const HALVES = makeOnFirstUse(() => {
  const names = [...FIELDS].filter(([, name]) => isAsked(name)).map(([word]) => word);
  const either = names.sort((a, b) => b.length - a.length).join('|');
  const word = '[\\p{L}\\p{N}]';
  const latin = '\\p{sc=Latin}';
  const border = `(?:(?<!${word})|(?<!${latin})(?!${latin}))`;
  const end = `(?:(?!${word})|(?<!${latin})(?!${latin}))`;
  return new RegExp(`^(${either})${end}|(?<!(?<!${word})(?:${NOT_WORDS})\\s*)${border}(${either})$`, 'u');
});

const BLOCK_MENTION = makeOnFirstUse(() => {
  const names = [...FIELDS].flatMap(([word, name]) => (name === 'blocking' ? word : []));
  const not = NOT_WORDS;
  const either = names.sort((a, b) => b.length - a.length).join('|');
  const sentences = names.filter((name) =>
    LANGUAGES.some(({ i }) => new RegExp(`^(?:${i.replace(/\|$/, '')})`).test(name)),
  );
  const me = LANGUAGES.map((one) => one.me).join('|');
  const letter = '\\p{sc=Latin}';
  const word = `(?<!${letter}|(?<!${letter})(?:${not})[\\s-]*)(?:${either})(?!${letter})`;
  const number = '(?:[ ]*#?\\d{1,3})?';
  const mark = `[^\\p{L}\\p{N}\\s,'’"\`/-]`;
  return {
    /** "‼️ BLOCKING ‼️ x", "Blocking issue 1 — x", "I veto." */
    first: new RegExp(`^[^\\p{L}]*${word}${number}[*_\`]*(?:[ ]*${mark}+|$)`, 'iu'),
    /** "x (blocking)", "x — blocking", "x #blocker" */
    last: new RegExp(
      `[ ]*(?:[*_]*[(\\[][*_]*${word}[*_]*[)\\]][*_]*[.!]?|(?:[—–#]|\\*\\*|__)[ ]*${word}[*_]*)$`,
      'iu',
    ),
    /** "One blocking issue remains: x", "severity=blocking" */
    key: new RegExp(
      `^[^:：=]{0,${LONGEST}}${word}[^:：=]{0,${LONGEST}}[:：=]|[:：=][ ]*[*_\`]*${word}[*_\`]*(?:[ ]*[([—–-]|$)`,
      'iu',
    ),
    /** "I block this because …", "My blocker is the lease.", "The lease is a blocker for me." */
    person: new RegExp(
      `(?:^[^\\p{L}]*(?:(?:${beside}) ${word}|(?:${sentences.join('|')})(?!${letter}))|[.!?] (?:${sentences.join('|')})(?!${letter}))(?![ ]+(?:${not})(?!${letter}))|(?<!(?:${not}|n't|n’t)(?: [\\p{L}']+){0,4} )${word}[^.!?]{0,20} (?:${me})(?!${letter})|(?<!${letter})(?:${me})[^.!?:]{0,60} (?<!(?:${not}|n't)(?: [\\p{L}']+){0,4} )${word}`,
      'iu',
    ),
  };
});

/** Returns the blocking issue in a line that is not a field: the words after the mark at its start, or all. */
export function findBlockMention(line: string): string | undefined {
  const words = line.slice(0, 1000).replaceAll('’', "'").trim();
  const { first, last, key, person } = BLOCK_MENTION();
  const start = first.exec(words);
  if (start) return words.slice(start[0].length).trim() || words;
  const end = last.exec(words);
  if (end) return (ITEM.exec(words)?.[1] ?? words).slice(0, end.index - words.length).trim() || words;
  return [key, person].some((shape) => shape.test(words)) ? words : undefined;
}

const listVoteNames = (isSentence: boolean): string =>
  [...FIELDS]
    .flatMap(([words, name]) => (name === 'vote' && words.includes(' ') === isSentence ? words : []))
    .sort((a, b) => b.length - a.length)
    .join('|');

/** "I vote for P3", "My vote goes to P3", "投票をP3に…": the words before the number, and the number. */
export const VOTE_SENTENCE = makeOnFirstUse(
  () =>
    new RegExp(
      `(?<!\\p{sc=Latin})(?:(?:${listVoteNames(true)}|(?:${beside}) (?:${listVoteNames(false)}))(?: [\\p{L}']+){0,2}[ :：*_\`]+|(?:${listVoteNames(false)})(?<=[^\\0-\\u2FFF])[^\\0-\\u2FFF]?)(P ?\\d{1,4})(?![\\p{sc=Latin}\\p{N}])`,
      'iu',
    ),
);
const VOTE = makeOnFirstUse(
  () => new RegExp(`(?<!\\p{L})(?:${listVoteNames(false)})(?!\\p{sc=Latin})`, 'iu'),
);
/** Whether a sentence is about a vote, and whether all its words leave it unchanged: "This is my final vote." */
export const mentionsVote = (sentence: string): boolean => VOTE().test(sentence);
export const keepsVote = (sentence: string): boolean => !/\p{L}/u.test(sentence.replace(LEAVING(), ''));
/** Whether the words behind a number prefer it: neutral words, or "better" and its like with at most three words before. */
export const prefersIt = (behind: string): boolean =>
  !/\p{L}/u.test(behind.replace(PREFERRING(), '')) && !hasNegation(behind);
/** Whether a line is about a form: "Disregard the above." */
export const mentionsForm = (line: string): boolean => FORM().test(line);
/** Whether words state approval, negate, or vote conditionally: "I would vote P2 provided that ops agrees." */
export const statesApproval = (words: string): boolean => APPROVE().test(words);
export const hasNegation = (words: string): boolean => NOT().test(words);
export const cutReason = (sentence: string): string => sentence.split(BECAUSE())[0]!.trim();
export const votesOnCondition = (sentence: string): boolean =>
  VOTING_VERB.test(sentence) && IF().test(cutReason(sentence));
/** "That holds provided that ops agrees": confirms the vote, but on a condition. */
export function standsOnCondition(sentence: string): boolean {
  const [main = '', ...condition] = sentence.split(IF());
  return condition.length > 0 && /\p{L}/u.test(main) && keepsVote(main);
}

export const hasCondition = (sentence: string): boolean => IF().test(sentence);
/** "Do not count this": only neutral words about a vote, and a negation. */
export function negatesVote(sentence: string): boolean {
  const rest = sentence.replace(LEAVING(), '');
  return rest !== sentence && hasNegation(rest) && !/\p{L}/u.test(rest.replace(NOT(), ''));
}

/** Fields whose author is asked when the value is uncertain. */
export const isAsked = (name: FieldName): boolean =>
  name === 'vote' || name === 'position' || name === 'rank' || name === 'blocking';

/** A field, and whether its key matches a name only in part. */
export interface NamedField {
  name: FieldName;
  isDoubtful?: true;
}

/**
 * Returns the field that a key names, even if the key only starts or ends with a name (then doubtful): "My
 * revised vote (round 2)" may be an earlier vote, or another participant's.
 */
export function findField(key: string): NamedField | undefined {
  const name = findFieldName(key);
  if (name !== undefined || key.length > LONGEST) return name && { name };
  const words = foldKey(key).replace(BESIDE, '');
  const [, first, last] = HALVES().exec(words) ?? [];
  const half = FIELDS.get(first ?? last ?? '');
  return half && { name: half, isDoubtful: true };
}

/** Whether an unknown key is close to a name: an edit distance of at most a quarter of its length. */
export function isNearlyNamed(key: string): boolean {
  const words = foldKey(key);
  return findNearest(words, LONG_NAMES, Math.floor(words.length / 4)) !== undefined;
}
const LONG_NAMES = [...FIELDS.keys()].filter(({ length }) => length >= 4);

/** Matches words of all languages, plus others. Scripts without spaces need no word boundaries. */
const buildWordPattern = (pick: (one: Language) => string, others: readonly string[] = [], flags = 'iu') =>
  makeOnFirstUse(() => {
    const words = [...others, ...LANGUAGES.map(pick)].join('|');
    return new RegExp(`(?<!\\p{sc=Latin})(?:${words})(?!(?<=\\p{sc=Latin})\\p{sc=Latin})`, flags);
  });
const ANOTHER = buildWordPattern(({ another }) => another);
const OWN = buildWordPattern(({ own }) => own);
const FORM = buildWordPattern(({ form }) => form);
const IF = buildWordPattern((one) => one.if);
const BECAUSE = buildWordPattern(({ because }) => because);
const APPROVE = buildWordPattern(() => '(?!)', splitNames(NAMES.approve));
const NOT = buildWordPattern(({ not }) => not, [NO_WORDS]);
const getNeutralWords = ({ own, leaves = '(?!)' }: Language): string => `${leaves}|${own}`;
const NEUTRAL = [beside, listVoteNames(false)];
const LEAVING = buildWordPattern(getNeutralWords, NEUTRAL, 'giu');
const PREFERRING = buildWordPattern(
  (one) => `(?:\\p{sc=Latin}+ ){0,3}(?:${one.best})|${one.me}|${getNeutralWords(one)}`,
  NEUTRAL,
  'giu',
);

/** Whether words introduce someone else's form, an example, an earlier form, or one that the author rejects. */
export const mentionsAnotherForm = (words: string): boolean => ANOTHER().test(words);

/** Whether the line before a form says that it is the author's own: "Here is mine:", "Final:", "Answer:". */
export const announcesOwnForm = (line: string): boolean =>
  OWN().test(line) || isWrapping(foldKey(line)) || COLUMN().test(foldKey(line));
