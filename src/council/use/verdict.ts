// Reads the verdict of a contribution from flags and form.
import { oneLine } from '../../base/text.ts';
import { fill, wordsFor } from '../../base/words/words.ts';
import { formOf } from '../ledger/text/form.ts';
import { fieldNamed } from '../ledger/text/form-names.ts';
import { asBoolean, asItems, bare, beginsWithNothing, isNoPosition } from '../ledger/text/form-values.ts';
import { ballotSentence, isNumber, numberOf } from '../state/ballot.ts';
import { normalisePosition } from '../state/position.ts';
import type { BallotLine, Choice, Verdict } from '../state/state.ts';
import { choiceOf, meantBy, readVote } from './choice.ts';
import { isOfPrompt } from './prompt-words.ts';
import type { Read } from './choice.ts';
import type { Unclear } from '../vote/wanted.ts';

/** What the flags of `council respond` say about a contribution. */
export interface VerdictFlags {
  agree: boolean;
  done: boolean;
  block: string[];
}

/** A verdict, and what in the form could not be used. */
export interface ReadVerdict {
  verdict: Verdict;
  /** Fields whose author has to say once more what they mean. */
  unclear: Unclear[];
  /** Whether the form says, also by a word for none, what blocks. */
  saysBlocking: boolean;
  warnings: string[];
}

const MAX_ISSUES = 20;

/**
 * The verdict of a contribution: flags and its form are OR-ed. What is certain in the form is taken; two statements that differ are none.
 * A contribution whose form cannot be used stays a good one: its author is told.
 */
export function readVerdict(
  text: string,
  flags: VerdictFlags,
  ballot?: readonly BallotLine[],
  hasOptions = false,
): ReadVerdict {
  const { fields, unknown } = formOf(text);
  const warnings = unknown.map((key) => `"${key}" is no field of the form: it is not read.`);
  const unclear: Unclear[] = [];
  const issues = blockingIn(fields, unclear);
  const blocking = [...flags.block, ...issues].map((issue) => oneLine(issue)).filter((issue) => issue !== '');
  if (blocking.length > MAX_ISSUES)
    warnings.push(`Only the first ${MAX_ISSUES} blocking issues are recorded; the text keeps all.`);
  const choice: Choice = ballot ? choiceOf(fields, ballot, hasOptions, warnings) : {};
  const stated = ballot?.length
    ? heldOn(ballot, fields, choice, unclear)
    : { ...choice, position: positionOf(fields, hasOptions, choice.new, warnings) };
  const { unclear: reasons } = wordsFor('en');
  return {
    verdict: {
      agreed: flags.agree || said('agreed', fields, warnings),
      done: flags.done || said('done', fields, warnings),
      blocking: [...new Set(blocking)].slice(0, MAX_ISSUES),
      ...stated,
    },
    unclear,
    saysBlocking: fields.some(
      ({ name, value }) => name === 'blocking' && [value].flat().join('').trim() !== '',
    ),
    warnings: [...warnings, ...unclear.map((one) => fill(reasons[one.why], { ...one }))],
  };
}

/**
 * What is held on an open ballot: the position whose number or sentence stands under `vote` or `position`, else the one that `new` adds. Where
 * something stands there that is no vote, none is held: not one of an earlier round either.
 */
function heldOn(
  ballot: readonly BallotLine[],
  fields: readonly Read[],
  choice: Choice,
  unclear: Unclear[],
): Choice & Pick<Verdict, 'position'> {
  const { new: added, ...rest } = choice;
  const asVote = (id: string) => ({
    ...rest,
    vote: id,
    position: ballot.find((line) => line.id === id)?.position ?? null,
  });
  const isAdded = ({ name, value }: Read): boolean =>
    name === 'position' &&
    added !== undefined &&
    normalisePosition(bare([value].flat().join(' '))) === normalisePosition(added);
  const statements = fields.filter(
    (field) => (field.name === 'vote' || field.name === 'position') && !isEmpty(field) && !isAdded(field),
  );
  const known = added === undefined ? undefined : numberOf(ballot, added);
  if (statements.length === 0) {
    if (added === undefined) return { ...rest, position: null };
    if (known !== undefined) return asVote(known);
    const meant = meantBy(added, ballot);
    return isNumber(added) || typeof meant === 'object'
      ? { ...rest, position: null }
      : { ...choice, position: added };
  }
  const vote = readVote(statements, ballot, unclear);
  const adds = added !== undefined && known === undefined && !isNumber(added) && { new: added };
  return vote === undefined
    ? { ...rest, ...adds, position: null, unclear: true }
    : { ...asVote(vote), ...adds };
}

const isEmpty = ({ value }: Read): boolean => /^[\s–~-]*$/.test(bare([value].flat().join(' ')));

/** All that its author says is blocking. What could be an issue or none counts as one, and its author is asked. */
function blockingIn(fields: readonly Read[], unclear: Unclear[]): string[] {
  return fields
    .filter(({ name }) => name === 'blocking')
    .flatMap(({ value, isAlone }) => {
      const items = asItems(value).filter((item) => !isOfPrompt(item));
      const doubtful = items.filter((item) => asBoolean(item) === true || beginsWithNothing(item));
      const asked = isAlone ? items : doubtful;
      for (const item of asked)
        unclear.push({ field: 'blocking', words: oneLine(item, 120), id: '', why: 'blocks' });
      return items;
    });
}

function said(key: 'agreed' | 'done', fields: readonly Read[], warnings: string[]): boolean {
  const values = fields
    .filter(({ name, value }) => name === key && value !== '')
    .map(({ value }) => asBoolean(value));
  if (values.includes(undefined)) warnings.push(`"${key}" is neither true nor false: ignored.`);
  return values.length > 0 && values.every((value) => value === true);
}

/** The position that is stated in words, before there is a ballot: a vote in words is one, too. */
function positionOf(
  fields: readonly Read[],
  hasOptions: boolean,
  added: string | undefined,
  warnings: string[],
): string | null {
  const under = (key: 'position' | 'vote') => fields.filter((field) => field.name === key && !isEmpty(field));
  const isPosition = under('position').length > 0;
  const votes = under('vote').filter(({ value }) => !isPosition || !isNumber(bare([value].flat().join(' '))));
  const stated = [...under('position'), ...votes];
  if (stated.some(({ value }) => Array.isArray(value))) {
    warnings.push('"position" is not a line of text: ignored.');
    return null;
  }
  const positions = [
    ...stated.map(({ value }) => String(value)),
    ...(stated.length === 0 && added ? [added] : []),
  ]
    .map((value) => ballotSentence(bare(value)))
    .filter((value) => value !== '');
  if (new Set(positions.map(normalisePosition)).size > 1) {
    warnings.push(`Two positions are stated: ${positions.join('; ')}. None of them is recorded.`);
    return null;
  }
  const [position] = positions;
  // Any document may have a heading "Position: treasurer".
  if (position === undefined || stated.every(({ isHeading }) => isHeading))
    return position && added ? position : null;
  return usable(position, hasOptions, warnings);
}

function usable(position: string, hasOptions: boolean, warnings: string[]): string | null {
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

/** What nobody has filled in: words of the prompt, the name of a field, or a blank in brackets. */
const isExample = (position: string): boolean =>
  isOfPrompt(position) ||
  fieldNamed(position.replace(/[:：].*$/s, '')) !== undefined ||
  /^(?:<[^<>]*>|\[[^[\]]*\]|\{[^{}]*\}|\.{3}|…|[?_–—-]+)$/.test(position);
