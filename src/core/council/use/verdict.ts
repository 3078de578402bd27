// Reads the verdict of a contribution from flags and form; an addition counts only for what was missing.
import { toOneLine } from '../../base/text.ts';
import { fill, loadWords } from '../../base/words/words.ts';
import { readForm } from '../ledger/text/form.ts';
import type { Field } from '../ledger/text/form.ts';
import { findFieldName, isAsked } from '../ledger/text/form-names.ts';
import {
  asBoolean,
  asItems,
  beginsWithNothing,
  isLeftBlank,
  isNoPosition,
} from '../ledger/text/form-value-words.ts';
import { formatBallotSentence, isNumber, normalisePosition, openBallot } from '../state/ballot.ts';
import type { BallotLine, Choice, Verdict, CouncilState } from '../state/state.ts';
import { isEmpty, joinWords, readChoice, readHeld, isOfPrompt } from './read-choice.ts';
import { readRank } from './read-rank.ts';
import type { RankScope } from './read-rank.ts';
import type { ChoiceField } from './read-choice.ts';
import type { UnclearField, DeclaredContribution } from '../vote/missing-statements.ts';
import { splitParts } from '../ledger/text/spoken-words.ts';
import type { TextInParts } from '../ledger/text/spoken-words.ts';
import { mentionsAnother } from '../naming/names.ts';
import { createNameResolver } from '../naming/labels.ts';
import { listMissingStatements } from '../vote/missing-statements.ts';

/** The flags of `council respond` about a contribution. */
export interface VerdictFlags {
  agree: boolean;
  done: boolean;
  block: string[];
}

/** A verdict, and the parts of the form that could not be used. */
export interface ReadVerdict {
  verdict: Verdict;
  /** Fields that the author must clarify. */
  unclear: UnclearField[];
  /** Whether the form states blocking issues, even if only "none". */
  saysBlocking: boolean;
  warnings: string[];
}

const MAX_ISSUES = 20;

/**
 * Reads the verdict of a contribution: its flags OR its form. Only what is certain in the form counts;
 * conflicting statements count as none. A contribution with an unusable form is still accepted, with warnings.
 * `isAnothers` recognizes other participants' names: a form next to one is doubtful.
 */
export function readVerdict(
  text: string,
  flags: VerdictFlags,
  ballot?: readonly BallotLine[],
  hasOptions = false,
  isAnothers: (words: string) => boolean = () => false,
  ranking?: RankScope,
): ReadVerdict {
  const { fields: found, unknown } = readForm(text);
  const fields = found.flatMap((field): Field[] => {
    if (!field.beside?.some(isAnothers)) return [field];
    return isAsked(field.name) ? [{ ...field, isDoubtful: true }] : [];
  });
  const warnings = unknown.map((key) => `"${key}" is no field of the form: it is not read.`);
  const unclear: UnclearField[] = [];
  const blocks = fields.filter(({ name }) => name === 'blocking');
  const issues = blocks.flatMap((field) => readIssues(field, unclear));
  const blocking = [...flags.block, ...issues]
    .map((issue) => toOneLine(issue))
    .filter((issue) => issue !== '');
  if (blocking.length > MAX_ISSUES)
    warnings.push(`Only the first ${MAX_ISSUES} blocking issues are recorded; the text keeps all.`);
  const choice: Choice = ballot ? readChoice(fields, ballot, hasOptions, warnings) : {};
  const votes = ranking ? fields.filter(({ name }) => name !== 'rank') : fields;
  const readHeldPosition = () =>
    ballot?.length
      ? readHeld(votes, ballot, choice, unclear)
      : { ...choice, position: readPosition(fields, hasOptions, choice.new, warnings) };
  const rank = ranking && readRank(fields, ranking, unclear, warnings);
  // When answers are ranked, the ranking is the only vote.
  const stated = ranking?.answers
    ? { ...choice, position: null, ...(rank && { rank }) }
    : joinRankAndVote(readHeldPosition(), rank, ranking, unclear);
  const { unclear: reasons } = loadWords('en');
  return {
    verdict: {
      agreed: flags.agree || isSaid('agreed', fields, warnings),
      done: flags.done || isSaid('done', fields, warnings),
      blocking: [...new Set(blocking)].slice(0, MAX_ISSUES),
      ...stated,
    },
    unclear,
    saysBlocking: blocks.some((field) => joinWords(field) !== ''),
    warnings: [...warnings, ...unclear.map((one) => fill(reasons[one.why], { ...one }))],
  };
}

/** A vote ranks its position first; an untied first place is a vote. If they conflict, neither counts. */
function joinRankAndVote(
  held: Choice & Pick<Verdict, 'position'>,
  rank: string[][] | undefined,
  ranking: RankScope | undefined,
  unclear: UnclearField[],
): Choice & Pick<Verdict, 'position'> {
  if (!ranking || held.unclear) return held;
  const isUnread = unclear.some(({ field }) => field === 'rank');
  if (isUnread || (rank && held.vote !== undefined && !rank[0]?.includes(held.vote))) {
    if (rank)
      unclear.push({ field: 'rank', words: `${rank[0]?.join(' = ')} | ${held.vote}`, id: '', why: 'differ' });
    const { vote: _vote, ...rest } = held;
    return { ...rest, position: null, unclear: true };
  }
  if (!rank) return held.vote === undefined ? held : { ...held, rank: [[held.vote]] };
  const [first] = rank[0]?.length === 1 && held.position === null ? rank[0] : [];
  const line = ranking.ballot.find(({ id }) => id === first);
  return { ...held, rank, ...(line && { vote: line.id, position: line.position }) };
}

/** Returns all blocking issues. A doubtful one counts, and its author is asked. */
function readIssues({ value, isDoubtful }: ChoiceField, unclear: UnclearField[]): string[] {
  const items = asItems(value).filter((item) => !isOfPrompt(item));
  for (const item of items)
    if (isDoubtful || asBoolean(item) === true || beginsWithNothing(item))
      unclear.push({ field: 'blocking', words: toOneLine(item, 120), id: '', why: 'blocks' });
  return items;
}

function isSaid(key: 'agreed' | 'done', fields: readonly ChoiceField[], warnings: string[]): boolean {
  const values = fields
    .filter(({ name, value, isDoubtful }) => name === key && value !== '' && !isDoubtful)
    .map(({ value }) => asBoolean(value));
  if (values.includes(undefined)) warnings.push(`"${key}" is neither true nor false: ignored.`);
  return values.length > 0 && values.every((value) => value === true);
}

/** Returns the position stated in words, before there is a ballot; a vote in words counts as well. */
function readPosition(
  fields: readonly ChoiceField[],
  hasOptions: boolean,
  added: string | undefined,
  warnings: string[],
): string | null {
  const findFilledFields = (key: 'position' | 'vote') =>
    fields.filter((field) => field.name === key && !isEmpty(field));
  const [positions, votes] = [findFilledFields('position'), findFilledFields('vote')];
  const stated = [
    ...positions,
    ...votes.filter((field) => positions.length === 0 || !isNumber(joinWords(field))),
  ];
  if (stated.some(({ value }) => Array.isArray(value))) {
    warnings.push('"position" is not a line of text: ignored.');
    return null;
  }
  // Any document may contain a heading "Position: treasurer".
  const isSure = stated.some(({ isDoubtful }) => !isDoubtful);
  const said = isSure || !added ? stated.map(joinWords) : [added];
  const [position, ...others] = new Map(
    said.map((words) => formatBallotSentence(words)).map((words) => [normalisePosition(words), words]),
  ).values();
  if (others.length === 0)
    return position === undefined || !(isSure || added)
      ? null
      : checkPosition(position, hasOptions, warnings);
  warnings.push(`Two positions are stated: ${[position, ...others].join('; ')}. None of them is recorded.`);
  return null;
}

function checkPosition(position: string, hasOptions: boolean, warnings: string[]): string | null {
  if (/^\[[^\]]*$|^\{[^}]*$/.test(position)) warnings.push(`The position cannot be read: ${position}.`);
  else if (isExample(position)) warnings.push(`The position is still the example of the form: ${position}.`);
  else if (isNumber(position))
    warnings.push(
      `"${position}" is a number, not a position: write it in words. Positions get their numbers when COLLECT closes.`,
    );
  else if (hasOptions || !isNoPosition(position)) return position;
  else
    warnings.push(
      `The position "${position}" is read as no position yet. If that is your answer, write it as a sentence, such as "None of them".`,
    );
  return null;
}

/** An unfilled value: words of the prompt, a field name, or a placeholder. */
const isExample = (position: string): boolean =>
  isOfPrompt(position) ||
  findFieldName(position.replace(/[:：].*$/s, '')) !== undefined ||
  isLeftBlank(position);

interface Written extends Omit<DeclaredContribution, 'verdict'>, TextInParts {
  flags: VerdictFlags;
}

/** Returns the first part's verdict, with what it lacks from later parts, and the blocking issues of all. */
export function readParts(state: CouncilState, written: Written): ReadVerdict {
  const [first = '', ...others] = splitParts(written);
  let read = readPartVerdict(state, written.by, first, written.flags);
  for (const text of others) {
    const more = readPartVerdict(state, written.by, text, NO_FLAGS);
    const isAsked = read.unclear.some(({ field }) => field === 'blocking') && more.saysBlocking;
    // Blocking issues count wherever they are stated.
    const before = isAsked ? [] : read.verdict.blocking;
    const blocking = [...new Set([...before, ...more.verdict.blocking])];
    read = {
      ...more,
      verdict: { ...fillVerdict(state, written, read.verdict, more.verdict), blocking },
      warnings: [...read.warnings, ...more.warnings],
    };
  }
  // An answer that lacks a required vote is not silence, so no earlier vote is carried over.
  const isUnvoted = listMissingStatements(state, { ...written, verdict: read.verdict }).some(
    (what) => what === 'vote' || what === 'rank',
  );
  return isUnvoted && state.rules.ranks !== 'answers'
    ? { ...read, verdict: { ...read.verdict, unclear: true } }
    : read;
}

/** Returns the verdict of one part; without a council, from the text alone. */
export const readPartVerdict = (
  state: CouncilState | undefined,
  by: string | null,
  text: string,
  flags: VerdictFlags,
): ReadVerdict =>
  state
    ? readVerdict(
        text,
        flags,
        openBallot(state),
        state.rules.options !== null,
        (words) => mentionsAnother(state, by, words),
        findRankScope(state, by),
      )
    : readVerdict(text, flags, []);

function findRankScope(state: CouncilState, ranker: string | null): RankScope | undefined {
  const { rules, ballot = [] } = state;
  if (rules.rule !== 'ranked' || ballot.length === 0) return undefined;
  return {
    ballot,
    ...(rules.ranks === 'answers' && { answers: { resolve: createNameResolver(state), ranker } }),
  };
}

export const NO_FLAGS: VerdictFlags = { agree: false, done: false, block: [] };

/** Completes the first verdict with what it lacks from the second. */
function fillVerdict(
  state: CouncilState,
  { by, phase, tour }: Omit<DeclaredContribution, 'verdict'>,
  verdict: Verdict,
  more: Verdict,
): Verdict {
  const listMissing = (one: Verdict) => listMissingStatements(state, { by, phase, tour, verdict: one });
  if (listMissing(verdict).length === 0) return verdict;
  if ((more.position === null && !more.rank) || listMissing(more).length > 0) return verdict;
  const { vote: _vote, new: _new, unclear: _unclear, ...kept } = verdict;
  const { position, vote, new: added, rank } = more;
  return {
    ...kept,
    position,
    ...(vote !== undefined && { vote }),
    ...(added !== undefined && { new: added }),
    ...(rank && { rank }),
  };
}
