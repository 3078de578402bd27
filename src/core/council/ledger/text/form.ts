// Reads the form of a text: every field its author declares, wherever it is.
import { memoizeNewest } from '../../../base/memoize.ts';
import { readPair } from './form-lines.ts';
import { GOES_ON } from './form-patterns.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { beginsCondition, beginsReason } from './answer-words.ts';
import { findField, isAsked, mentionsAnotherForm } from './form-names.ts';
import { isBetween } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import { scanForm } from './scan-form.ts';
import type { Scan } from './scan-form.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asShare, isNumbered } from './form-value-words.ts';
import { blankRanges, blankReasoning } from './reasoning.ts';
import { announcesAnotherForm, isShort, LEADS_ON, limitsForm, SENTENCE, withdrawsForm } from './remarks.ts';
import type { TextRange } from './limits.ts';

export type { Field } from './form-places.ts';

/** What a text declares about itself. */
export interface Form {
  /** The text at its original length, with reasoning, quotations and code blanked. */
  own: string;
  /** The fields that count, in text order. Conflicting fields are both included; callers must use neither. */
  fields: Field[];
  /** The ranges of the forms, in order. */
  places: TextRange[];
  /** Every field found, including those that do not count. */
  found: Field[];
  /** Keys that are not read: in front matter, or close to a field name. */
  unknown: string[];
}

/** Reads the form of a text. The latest results are cached and must not be changed. Linear time. */
export const readForm = (text: string): Form =>
  REMEMBER(text, () => {
    const shown = blankReasoning(text);
    const scan = scanForm(shown, text);
    const runs = joinPlaces(scan).map((run) => judgeRun(run, scan));
    const fields = [...runs.flatMap((run) => run.fields), ...scan.asides].sort((a, b) => a.start - b.start);
    const stated = fields.filter(
      ({ name, isAside }) => (name === 'vote' || name === 'position' || name === 'rank') && !isAside,
    );
    // A conditional remark about another number does not affect the vote.
    const isElsewhere = ({ value }: Field) => {
      const [, number, behind] = CONDITIONAL.exec(String(value)) ?? [];
      return (
        behind !== undefined && stated.every((one) => isNumbered(one.value) && !one.value.includes(number!))
      );
    };
    return {
      own: blankRanges(shown, scan.notOwn),
      fields: fields.filter((one) => !one.isAside || (stated.length > 0 && !isElsewhere(one))),
      places: runs.flatMap(({ place }) => place ?? []),
      found: scan.places.flatMap(({ fields }) => fields),
      unknown: [...new Set(scan.unknown)],
    };
  });
const CONDITIONAL = /^(P ?\d{1,4})( \(.+)$/is;
const REMEMBER = memoizeNewest<Form>(16);

/** Joins places that are separated only by empty lines and wrapping tags. */
function joinPlaces({ lines, places }: Scan): FieldGroup[][] {
  const runs: FieldGroup[][] = [];
  for (const place of places) {
    const last = runs.at(-1)?.at(-1);
    const isNext = last && lines.slice(last.next, place.first).every(isBetween);
    if (isNext) runs.at(-1)!.push(place);
    else runs.push([place]);
  }
  return runs;
}

/** Returns the fields of a run that count, and its range if it is a form rather than part of the text. */
function judgeRun(run: readonly FieldGroup[], scan: Scan): { fields: Field[]; place?: TextRange } {
  const { lines, doubtful } = scan;
  const [first, last] = [run[0]!, run.at(-1)!];
  const { at: lead, mark: open } = findNeighbourLine(scan, first.first - 1, -1);
  const { at: after, mark: close } = findNeighbourLine(scan, last.next, 1);
  const unread = run.filter(({ fields }) => fields.length === 0).map((place) => lines[place.first]!);
  const [above, below] = [lines[lead]?.text ?? '', lines[after]?.text ?? ''];
  // The line above, and lines inside that are not fields, may tell whose form it is.
  const beside = [above, ...unread.map(({ text }) => text), below].filter(
    (words, at) => !SENTENCE.test(words) || (at === 0 && isShort(words) && mentionsAnotherForm(words)),
  );
  const fields = run
    .flatMap((place) => place.fields)
    .map((field) => ({ ...field, beside: field.beside ? [...beside, ...field.beside] : beside }));
  const markDoubtful = (isMeant: (field: Field) => boolean) =>
    fields.filter(isMeant).map((field) => ({ ...field, isDoubtful: true as const }));
  const isTakenBack =
    [lines[lead], lines[after], ...unread].flatMap(readUnknown).some(withdrawsForm) ||
    readUnknown(lines[last.next]).some(({ value }) => asBoolean(value) !== undefined);
  const isAlone = !lines[after + 1] || isBetween(lines[after + 1]!);
  // The form is in the middle of a sentence: "The form asks for", then the form, then "but I cannot decide."
  const isBegun = above !== '' && !SENTENCE.test(above) && !LEADS_ON.test(above) && !/^ {0,3}#/.test(above);
  const isInside = isBegun && GOES_ON.test(below) && !beginsReason(below) && !BEGINS_ANSWER.test(below);
  const isLimited = isTakenBack || isInside || (isAlone && limitsForm(below));
  if (doubtful.has(first.first) || announcesAnotherForm(above) || isLimited)
    return { fields: markDoubtful(({ name }) => isAsked(name)) };
  if (run.some(({ isHeading }) => isHeading) && !fields.some(isTelling))
    return { fields: markDoubtful(({ name }) => name === 'decision' || isAsked(name)) };
  const isHead = first.first <= findNeighbourLine(scan, 0, 1).at;
  // Fields between rulers, in a fence, or in an object at the start of the text are meant as declarations.
  if (open !== undefined && close !== undefined)
    return { fields, place: { start: lines[open]!.start, end: lines[close]!.next } };
  const place = { start: first.start, end: last.end };
  if ((isHead && run.some(({ isObject }) => isObject)) || isForm(fields)) return { fields, place };
  const alone = markDoubtful((field) => isCertainAlone(field, isHead));
  const isAll = alone.length === fields.length;
  const isWhole = isAll && alone.every(({ name }) => name !== 'blocking' && name !== 'decision');
  return { fields: alone, ...(isWhole && { place }) };
}

/** An answer to a challenge, or any other key, does not continue a sentence. */
const BEGINS_ANSWER = /^\W*c\d|^[^:：]{1,40}[:：]/i;

/** Returns the next line with words in a direction, and the last mark before it. */
function findNeighbourLine(
  { lines, marks }: Scan,
  from: number,
  step: number,
): { at: number; mark?: number } {
  const beside: ReturnType<typeof findNeighbourLine> = { at: from };
  for (; lines[beside.at] && (isBetween(lines[beside.at]!) || marks.has(beside.at)); beside.at += step)
    if (marks.has(beside.at)) beside.mark = beside.at;
  return beside;
}

/**
 * Reads an unknown key: "withdrawn: true" below a form or "condition: …" beside it makes the form doubtful.
 * Other headings start a new part and are ignored.
 */
function readUnknown(line: FormLine | undefined): Pair[] {
  const pair = line && readPair(line);
  if (!pair || findField(pair.key) !== undefined) return [];
  return pair.style !== 'heading' || beginsCondition(pair.key) ? [pair] : [];
}

/** Fields that occur only in a participant's own form, not in the minutes of a meeting. */
const isTelling = ({ name, value }: Field): boolean =>
  name === 'vote' || name === 'approve' ? isNumbered(value) : name === 'confidence' || name === 'blocking';

/** Two different fields of these make lines a form: "Done: we moved" alone says nothing about a turn. */
const OF_A_FORM = new Set<FieldName>([
  'approve',
  'confidence',
  'blocking',
  'agreed',
  'done',
  'new',
  'same',
  'rank',
]);

function isForm(fields: readonly Field[]): boolean {
  if (fields.some(({ name, value }) => name === 'position' || name === 'vote' || isRanking(name, value)))
    return true;
  const telling = fields.filter(
    ({ name, value }) =>
      OF_A_FORM.has(name) && ((name !== 'agreed' && name !== 'done') || asBoolean(value) !== undefined),
  );
  const names = new Set(telling.map(({ name }) => name));
  return names.size >= 2 && [...names].some((name) => name !== 'new' && name !== 'same');
}

/** A ranking with at least two entries. */
const isRanking = (name: FieldName, value: Field['value']): boolean =>
  name === 'rank' && /[>≻]/.test([value].flat().join(' '));

function isCertainAlone({ name, value }: Field, isHead: boolean): boolean {
  if (name === 'new') return isHead;
  if (name === 'approve' || name === 'same') return /^\W*P ?\d/i.test([value].flat().join(' '));
  if (name === 'confidence') return typeof value === 'string' && asShare(value) !== undefined;
  return name === 'blocking' || name === 'holds' || name === 'decision' || name === 'because';
}
