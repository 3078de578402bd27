// Reads the choices of a form: vote, approvals, a new position, positions that are the same.
import { toOneLine } from '../../base/text.ts';
import type { Field } from '../ledger/text/form.ts';
import { AND } from '../ledger/text/form-words.ts';
import type { FieldName } from '../ledger/text/form-words.ts';
import {
  asItems,
  asShare,
  stripValueMarkup,
  isLeftBlank,
  isNoPosition,
} from '../ledger/text/form-value-words.ts';
import { formatBallotSentence, isNumber, findBallotNumber, normalisePosition } from '../state/ballot.ts';
import type { BallotLine, Choice, Verdict } from '../state/state.ts';
import type { UnclearField, UnreadReason } from '../vote/missing-statements.ts';
import { makeOnFirstUse } from '../../base/memoize.ts';
import { LANGUAGES, loadWords } from '../../base/words/words.ts';

/** The words of a field's description before any placeholder, and the length of its first two clauses. */
interface Meaning {
  words: string[];
  twoClauses: number;
}

const MEANINGS = makeOnFirstUse(() =>
  LANGUAGES.flatMap((lang) => {
    const { field, view } = loadWords(lang);
    return [...Object.values(field), view.formPosition, view.formDecision, view.formOption];
  }).map((sentence): Meaning => {
    // "`position`: where you stand, in one sentence …"
    const said = sentence.slice(sentence.indexOf(':') + 1).replace(/\{.*/s, '');
    const clauses = said.split(/[,;:.(]/).map(splitLowerCaseWords);
    return { words: clauses.flat(), twoClauses: clauses.slice(0, 2).flat().length };
  }),
);
/** A single word may be the author's own. */
const FEWEST = 2;

/**
 * Whether a value is a field's description, in full or truncated, or starts with two clauses of it: the author
 * has echoed the form without filling it in.
 */
export function isOfPrompt(value: string): boolean {
  const words = splitLowerCaseWords(value);
  // The list item for more entries: "- …".
  if (value === '…') return true;
  return MEANINGS().some(({ words: said, twoClauses }) => {
    const differing = said.findIndex((word, at) => word !== words[at]);
    const same = differing === -1 ? said.length : differing;
    return same >= FEWEST && (same === words.length || same >= twoClauses);
  });
}

const splitLowerCaseWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export type ChoiceField = Pick<Field, 'name' | 'value' | 'isDoubtful'>;

/** The meaning of a vote's words: a ballot number, or why there is none. */
export type VoteReading = { id: string } | UnreadReason;

/** Returns a field's words in one line, without surrounding quotes and emphasis. */
export const joinWords = ({ value }: ChoiceField): string => stripValueMarkup([value].flat().join(' '));
export const isEmpty = (field: ChoiceField): boolean => /^[\s–~-]*$/.test(joinWords(field));

const NUMBERED =
  /^(?:(?:number|option|position|vote(?: for)?|pour|n[°º]|no\.)[ ]*)?#?P ?(\d{1,4})(?![\p{L}\p{N}_])[ ]*(.*)$/isu;
/** A position's sentence followed by its number: "Use Redis (P2)". */
const NUMBERED_BEHIND = /^(.*[^ ])[ ]*[([]P ?(\d{1,4})[)\]][.]?$/isu;

/** Full-width letters and digits, as typed in Japanese and Chinese; no superscripts, such as footnote marks. */
const FULL_WIDTH = /[\uFF10-\uFF5A]/g;
const toHalfWidth = (letter: string): string => letter.normalize('NFKC');

/**
 * Reads the words of a vote: a number alone, a number with its own sentence or the start of it, or a sentence
 * alone. Any other words next to a number may withdraw it, so it is uncertain.
 */
export function readVoteWords(words: string, ballot: readonly BallotLine[]): VoteReading {
  const said = stripValueMarkup(words.trim().replace(/^\[(.*)\]$/s, '$1'))
    .replace(/\s+/g, ' ')
    .replace(FULL_WIDTH, toHalfWidth)
    .trim();
  const bySentence = findBallotNumber(ballot, formatBallotSentence(said));
  // "**P2** (Use Redis)"
  const numbered = said.replace(/^([*_`]{1,3})((?:option |position )?P ?\d{1,4})\1(?![\p{L}\p{N}])/iu, '$2');
  const [, sentence = '', last] = NUMBERED_BEHIND.exec(said) ?? [];
  const [, digits = last, behind = sentence] = NUMBERED.exec(numbered) ?? [];
  const line = digits === undefined ? undefined : ballot.find(({ id }) => id === `P${Number(digits)}`);
  if (!line)
    return bySentence === undefined ? (isNoPosition(said) ? 'nothing' : 'unknown') : { id: bySentence };
  if (/^[ .,;!。，；！]*$/.test(behind)) return { id: line.id };
  // A question is not a vote, unless the position itself is one.
  if (/[?？]$/.test(said) && !/[?？]$/.test(line.position)) return 'behind';
  if (bySentence !== undefined) return bySentence === line.id ? { id: line.id } : 'other';
  const beside = stripValueMarkup(behind.replace(/^[ ]*[([:：.,，=—–-]+[ ]*/, '').replace(/[)\]]$/, ''));
  if (isBeginning(beside, line.position)) return { id: line.id };
  return findBallotNumber(ballot, formatBallotSentence(beside)) === undefined ? 'behind' : 'other';
}

/** Whether words are a position's sentence, or enough of its start to identify it. */
function isBeginning(words: string, position: string): boolean {
  const [said, whole] = [normalisePosition(words.replace(/(?:…|\.\.\.)$/, '')), normalisePosition(position)];
  return said === whole || (said.split(' ').length >= 3 && whole.startsWith(`${said} `));
}

/**
 * Returns the position held on an open ballot: the one under `vote` or `position`, otherwise the one that `new`
 * adds. If those fields contain no valid vote, none is held, not even an earlier one.
 */
export function readHeld(
  fields: readonly ChoiceField[],
  ballot: readonly BallotLine[],
  { new: added = '', ...rest }: Choice,
  unclear: UnclearField[],
): Choice & Pick<Verdict, 'position'> {
  const isAdded = (field: ChoiceField): boolean =>
    field.name === 'position' && normalisePosition(joinWords(field)) === normalisePosition(added);
  const votes = fields.filter(
    (field) => (field.name === 'vote' || field.name === 'position') && !isEmpty(field) && !isAdded(field),
  );
  // "Decision: P1" next to a vote, or the sentence of P1; "Ranking: P1 > P2" puts P1 first.
  const isChoice = (words: string) => isNumber(words) || typeof readVoteWords(words, ballot) === 'object';
  const decided = fields
    .filter(({ name }) => name === 'decision' || name === 'rank')
    .map((field) => ({ ...field, value: joinWords(field).split(/[>≻]/)[0]! }))
    .filter((field) => isChoice(joinWords(field)));
  const statements = votes.length === 0 ? [] : [...votes, ...decided];
  const known = findBallotNumber(ballot, added);
  const isNew =
    added !== '' &&
    known === undefined &&
    !isNumber(added) &&
    typeof readVoteWords(added, ballot) === 'string';
  const news = isNew ? { new: added } : {};
  if (statements.length === 0 && known === undefined)
    return { ...rest, ...news, position: isNew ? added : null };
  const vote = statements.length === 0 ? known : readVote(statements, ballot, unclear);
  const line = ballot.find(({ id }) => id === vote);
  return line
    ? { ...rest, vote: line.id, position: line.position, ...news }
    : { ...rest, ...news, position: null, unclear: true };
}

/** Returns the vote that all `statements` name, or records why it is uncertain. Doubtful ones alone give none. */
function readVote(
  statements: readonly ChoiceField[],
  ballot: readonly BallotLine[],
  unclear: UnclearField[],
): string | undefined {
  const isSure = statements.some(({ isDoubtful }) => !isDoubtful);
  const read = statements.map(({ name, value }) => ({
    field: name,
    words: toOneLine([value].flat().join('; '), 120),
    meant: typeof value === 'string' ? readVoteWords(value, ballot) : ('list' as const),
  }));
  const ids = new Set(read.flatMap(({ meant }) => (typeof meant === 'object' ? meant.id : [])));
  for (const { field, words, meant } of read) {
    const why = typeof meant === 'string' ? meant : isSure ? undefined : 'half';
    if (why) unclear.push({ field, words, id: /P ?\d+/i.exec(words)?.[0].toUpperCase() ?? '', why });
  }
  if (ids.size > 1)
    unclear.push({ field: 'vote', words: read.map(({ words }) => words).join(' | '), id: '', why: 'differ' });
  return isSure && ids.size === 1 && read.every(({ meant }) => typeof meant === 'object')
    ? [...ids][0]
    : undefined;
}

/** Reads the choices other than the vote. `hasOptions`: positions are declared, none may be added. */
export function readChoice(
  fields: readonly ChoiceField[],
  ballot: readonly BallotLine[],
  hasOptions: boolean,
  warnings: string[],
): Choice {
  const findFields = (name: FieldName) => fields.filter((field) => field.name === name);
  const approve = requireOneValue(
    'approve',
    findFields('approve').map(({ value }) => readApprovals(value, ballot, warnings)),
    warnings,
  );
  const added = readNew(findFields('new'), hasOptions, warnings);
  const same = requireOneValue(
    'same',
    findFields('same').map(({ value }) => readSame(value, ballot, warnings)),
    warnings,
  );
  const confidence = readConfidence(findFields('confidence'), warnings);
  return {
    ...(approve && { approve }),
    ...(added !== undefined && { new: added }),
    ...(same && same.length > 0 && { same }),
    ...(confidence !== undefined && { confidence }),
  };
}

/** Returns the value of a repeatable field; undefined if the values conflict. */
function requireOneValue<T>(
  field: FieldName,
  said: readonly (T | undefined)[],
  warnings: string[],
): T | undefined {
  const stated = said.filter((value) => value !== undefined);
  if (new Set(stated.map((value) => JSON.stringify(value))).size <= 1) return stated[0];
  warnings.push(`"${field}" is stated twice, and not alike: neither is recorded.`);
  return undefined;
}

function readApprovals(
  value: string | string[],
  ballot: readonly BallotLine[],
  warnings: string[],
): string[] | undefined {
  const meant = asItems(value).flatMap((item) => {
    const whole = readVoteWords(item, ballot);
    if (typeof whole === 'object') return [{ words: item, meant: whole }];
    return item
      .split(new RegExp(`[,;&+、，；]|\\b(?:${AND})\\b`))
      .map((words) => ({ words, meant: readVoteWords(words, ballot) }));
  });
  for (const { words, meant: one } of meant)
    if (typeof one === 'string' && one !== 'nothing')
      warnings.push(
        `"approve: ${toOneLine(words, 80)}" is not recorded: write numbers of the ballot, such as approve: P1, P2.`,
      );
  const ids = meant.flatMap(({ meant: one }) => (typeof one === 'object' ? one.id : []));
  // "None" is an answer. Words that match nothing are not, and next to numbers they may withdraw them.
  const isRead = meant.every(
    ({ words, meant: one }) => typeof one === 'object' || one === 'nothing' || isNumber(words),
  );
  return isRead ? sortIds(ids) : undefined;
}

const sortIds = (ids: readonly string[]): string[] =>
  [...new Set(ids)].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));

function readNew(added: readonly ChoiceField[], hasOptions: boolean, warnings: string[]): string | undefined {
  const sentences = added
    .flatMap(({ value }) => value)
    .map((value) => formatBallotSentence(stripValueMarkup(value)))
    .filter((value) => !isNoPosition(value) && !isLeftBlank(value))
    .filter((value) => !isOfPrompt(value));
  const [sentence] = sentences;
  if (sentence === undefined) return undefined;
  if (new Set(sentences.map(normalisePosition)).size > 1) {
    warnings.push(`Two new positions are stated: ${sentences.join('; ')}. None of them is recorded.`);
    return undefined;
  }
  if (hasOptions) {
    warnings.push(`"new" is not possible here: the options are declared. Vote for one of them.`);
    return undefined;
  }
  return sentence;
}

const SAME = new RegExp(`^P ?\\d{1,4}(?: *(?:=+|≡|~|&|is|same as|${AND}) *P ?\\d{1,4})+$`, 'i');

/** "P1 = P3 = P5" declares every pair of them the same. */
function readSame(
  value: string | string[],
  ballot: readonly BallotLine[],
  warnings: string[],
): [string, string][] | undefined {
  const items = asItems(value).flatMap((item) => item.split(/[;,]/));
  const read = items.map((item): [string, string][] | null => {
    const words = stripValueMarkup(item).replace(/[.]$/, '');
    const ids = sortIds([...words.matchAll(/P ?(\d+)/gi)].map(([, digits]) => `P${Number(digits)}`));
    const isKnown = ids.length > 1 && ids.every((id) => ballot.some((line) => line.id === id));
    if (!SAME.test(words) || !isKnown) return null;
    return ids.flatMap((a, at) => ids.slice(at + 1).map((b): [string, string] => [a, b]));
  });
  if (read.every((pairs) => pairs !== null)) return read.flat();
  warnings.push(
    `"same: ${toOneLine(items.join(', '), 80)}" is not recorded: write two numbers of the ballot, joined by =, such as same: P1 = P3.`,
  );
  return undefined;
}

function readConfidence(fields: readonly ChoiceField[], warnings: string[]): number | undefined {
  const stated = fields.filter(({ value }) => stripValueMarkup([value].flat().join(' ')) !== '');
  const values = stated.map(({ value }) => (typeof value === 'string' ? asShare(value) : undefined));
  if (stated.length > 0 && new Set(values).size === 1 && values[0] !== undefined) return values[0];
  const said = stated.map(({ value }) => toOneLine([value].flat().join(', '), 80)).join('; ');
  if (stated.length > 0)
    warnings.push(
      values.includes(undefined)
        ? `"confidence: ${said}" is not recorded: write a number from 0 to 1, such as confidence: 0.8, or 80 %.`
        : `Two confidences are stated: ${said}. None of them is recorded.`,
    );
  return undefined;
}
