// Reads the verdict of a contribution from flags and form.
import { onFirstUse } from '../../base/remember.ts';
import { oneLine } from '../../base/text.ts';
import { LANGUAGES, wordsFor } from '../../base/words/words.ts';
import { formOf } from '../ledger/text/form.ts';
import type { FieldName } from '../ledger/text/form-names.ts';
import { asBoolean, asItems, bare } from '../ledger/text/form-values.ts';
import { ballotSentence, isNumber } from '../state/ballot.ts';
import type { BallotLine, Choice, Verdict } from '../state/state.ts';
import { choiceOf, meantBy } from './choice.ts';
import type { Read } from './choice.ts';

/** What the flags of `council respond` say about a contribution. */
export interface VerdictFlags {
  agree: boolean;
  done: boolean;
  block: string[];
}

/** A verdict, and what in the form could not be used. */
export interface ReadVerdict {
  verdict: Verdict;
  warnings: string[];
}

const MAX_ISSUES = 20;

/**
 * The verdict of a contribution: flags and its form are OR-ed. A form whose values cannot be used leaves a good
 * contribution without them: it is only warned about.
 */
export function readVerdict(
  text: string,
  flags: VerdictFlags,
  ballot?: readonly BallotLine[],
  hasOptions = false,
): ReadVerdict {
  const warnings: string[] = [];
  const form = formOf(text);
  const isSaidElsewhere = form.fields.some(({ name, isHeading }) => isHeading && name === 'position');
  const fields = form.fields.filter(
    ({ name, isHeading }) => !isHeading && !(isSaidElsewhere && name === 'position'),
  );
  const blocking = [...flags.block, ...fields.filter(({ name }) => name === 'blocking').flatMap(itemsOf)]
    .map((issue) => oneLine(issue))
    .filter((issue) => issue !== '');
  if (blocking.length > MAX_ISSUES)
    warnings.push(`Only the first ${MAX_ISSUES} blocking issues are recorded; the text keeps all.`);
  // Before there is a ballot, a vote in words is a position.
  const isEarly = ballot?.length === 0 && !fields.some(({ name }) => name === 'position');
  const names: FieldName[] = isEarly ? ['vote'] : ['position'];
  const stated = positionOf(fields, { names, hasOptions }, warnings);
  const choice = ballot && choiceOf(fields, ballot, hasOptions, warnings);
  return {
    verdict: {
      agreed: flags.agree || said('agreed', fields, warnings),
      done: flags.done || said('done', fields, warnings),
      blocking: [...new Set(blocking)].slice(0, MAX_ISSUES),
      ...(ballot && choice ? held(stated, choice, ballot, warnings) : { position: stated }),
    },
    warnings,
  };
}

/**
 * The position that a choice and a stated one come to: a vote goes before a new position, and that before `position`. The
 * sentence of a vote is that of the ballot; a stated sentence that stands there is a vote for its number.
 */
function held(
  stated: string | null,
  choice: Choice,
  ballot: readonly BallotLine[],
  warnings: string[],
): Choice & Pick<Verdict, 'position'> {
  const { vote, new: added, ...rest } = choice;
  const asVote = (id: string) => ({
    ...rest,
    vote: id,
    position: ballot.find((line) => line.id === id)?.position ?? null,
  });
  if (vote !== undefined) return { ...choice, ...asVote(vote) };
  const words = added ?? stated;
  if (words === null) return { ...rest, position: null };
  const meant = meantBy(words, ballot);
  const id = typeof meant === 'object' ? meant.id : undefined;
  if (id !== undefined) return asVote(id);
  // A number is never a sentence.
  if (meant === 'nothing' || isNumber(words)) {
    warnings.push(
      ballot.length === 0
        ? `"${words}" is a number, not a position: write it in words. Positions get their numbers when COLLECT closes.`
        : `The position "${words}" names no position of the ballot: not recorded.`,
    );
    return { ...rest, position: null };
  }
  return { ...choice, position: words };
}

const itemsOf = ({ value }: Read): string[] => asItems(value);

function said(key: 'agreed' | 'done', fields: readonly Read[], warnings: string[]): boolean {
  const values = fields.filter(({ name }) => name === key).map(({ value }) => asBoolean(value));
  if (values.includes(undefined)) warnings.push(`"${key}" is neither true nor false: ignored.`);
  return values.length > 0 && values.every((value) => value === true);
}

function positionOf(
  fields: readonly Read[],
  { names, hasOptions }: { names: readonly FieldName[]; hasOptions: boolean },
  warnings: string[],
): string | null {
  const stated = fields.filter(({ name }) => names.includes(name));
  if (stated.some(({ value }) => Array.isArray(value))) {
    warnings.push('"position" is not a line of text: ignored.');
    return null;
  }
  const positions = stated
    .map(({ value }) => ballotSentence(bare(String(value))))
    .filter((value) => value !== '');
  if (new Set(positions).size > 1) {
    warnings.push(`Two positions are stated: ${positions.join('; ')}. None of them is recorded.`);
    return null;
  }
  const [position] = positions;
  if (position === undefined) return null;
  // A list that is never closed is nobody's position.
  if (/^\[[^\]]*$|^\{[^}]*$/.test(position)) {
    warnings.push(`The position cannot be read: ${position}.`);
    return null;
  }
  if (isExample(position)) warnings.push(`The position is still the example of the form: ${position}.`);
  else if (hasOptions || !isNothing(position)) return position;
  else
    warnings.push(
      `The position "${position}" is read as no position yet. If that is your answer, write it as a sentence, such as "None of them".`,
    );
  return null;
}

const EXAMPLES = onFirstUse(
  () =>
    new Set(
      LANGUAGES.map((lang) => wordsFor(lang).view).flatMap((view) => [
        view.formPosition,
        view.formDecision,
        view.formOption,
      ]),
    ),
);

/** What nobody has filled in: the words of the form, or a blank in brackets. */
const isExample = (position: string): boolean =>
  EXAMPLES().has(position.replace(/[.…]$/, '')) ||
  /^(?:<[^<>]*>|\[[^[\]]*\]|\.{3}|…|[?_–—-]+)$/.test(position);

/** What says that there is no position; among declared options it may be one. */
const isNothing = (position: string): boolean =>
  /^(?:tbd|todo|n\/a|to be (?:decided|determined|defined)|undecided|no position(?: yet)?|(?:none|unknown|pending)(?: yet)?|à (?:définir|déterminer|décider)|indécise?|aucune(?: position)?|pas de position)[.!]?$/i.test(
    position,
  );
