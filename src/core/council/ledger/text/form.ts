// Reads the form of a text: every field that its author declares, wherever it stands.
import { rememberingNewest } from '../../../base/memoize.ts';
import { readPair } from './form-lines.ts';
import { GOES_ON } from './form-patterns.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { beginsCondition, beginsReason } from './answer-words.ts';
import { findField, isAsked, speaksOfAnother } from './form-names.ts';
import { isBetween } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import { scanForm } from './scan-form.ts';
import type { Scan } from './scan-form.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asShare, isNumbered } from './form-value-words.ts';
import { blankStretches, withoutReasoning } from './reasoning.ts';
import { announcesAnother, isShort, LEADS_ON, limitsForm, SENTENCE, takesBack } from './remarks.ts';
import type { Stretch } from './text-range.ts';

export type { Field } from './form-places.ts';

/** What one text says of itself. */
export interface Form {
  /** The text at its own length with nothing but its author's words to the others: no reasoning, quotations and code. */
  own: string;
  /** The fields that count, in the order in which they stand. Two that differ are both here: who uses them takes neither. */
  fields: Field[];
  /** Where the forms stand, in order. */
  places: Stretch[];
  /** Every line, cell or object with a field in it, also where that counts for nothing. */
  found: Field[];
  /** Keys that are not read: in front matter, or nearly the name of a field. */
  unknown: string[];
}

/** The form of a text. The newest are remembered: they must not be changed. Linear time. */
export const readForm = (text: string): Form =>
  REMEMBER(text, () => {
    const shown = withoutReasoning(text);
    const scan = scanForm(shown, text);
    const runs = joinPlaces(scan).map((run) => judgeRun(run, scan));
    const fields = [...runs.flatMap((run) => run.fields), ...scan.asides].sort((a, b) => a.start - b.start);
    const stated = fields.filter(
      ({ name, isAside }) => (name === 'vote' || name === 'position' || name === 'rank') && !isAside,
    );
    // What is said of another number on a condition leaves the vote as it is.
    const isElsewhere = ({ value }: Field) => {
      const [, number, behind] = CONDITIONAL.exec(String(value)) ?? [];
      return (
        behind !== undefined && stated.every((one) => isNumbered(one.value) && !one.value.includes(number!))
      );
    };
    return {
      own: blankStretches(shown, scan.notOwn),
      fields: fields.filter((one) => !one.isAside || (stated.length > 0 && !isElsewhere(one))),
      places: runs.flatMap(({ place }) => place ?? []),
      found: scan.places.flatMap(({ fields }) => fields),
      unknown: [...new Set(scan.unknown)],
    };
  });
const CONDITIONAL = /^(P ?\d{1,4})( \(.+)$/is;
const REMEMBER = rememberingNewest<Form>(16);

/** Joins places with nothing but empty lines and tags around the whole between them. */
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

/** The fields of a run that count, and where it stands if it is a form and not the beginning of a text. */
function judgeRun(run: readonly FieldGroup[], scan: Scan): { fields: Field[]; place?: Stretch } {
  const { lines, doubtful } = scan;
  const [first, last] = [run[0]!, run.at(-1)!];
  const { at: lead, mark: open } = findNeighbourLine(scan, first.first - 1, -1);
  const { at: after, mark: close } = findNeighbourLine(scan, last.next, 1);
  const unread = run.filter(({ fields }) => fields.length === 0).map((place) => lines[place.first]!);
  const [above, below] = [lines[lead]?.text ?? '', lines[after]?.text ?? ''];
  // What the line above says, or the lines inside that are no field, may tell whose it is.
  const beside = [above, ...unread.map(({ text }) => text), below].filter(
    (words, at) => !SENTENCE.test(words) || (at === 0 && isShort(words) && speaksOfAnother(words)),
  );
  const fields = run
    .flatMap((place) => place.fields)
    .map((field) => ({ ...field, beside: field.beside ? [...beside, ...field.beside] : beside }));
  const doubt = (isMeant: (field: Field) => boolean) =>
    fields.filter(isMeant).map((field) => ({ ...field, isDoubtful: true as const }));
  const isTakenBack =
    [lines[lead], lines[after], ...unread].flatMap(readUnknown).some(takesBack) ||
    readUnknown(lines[last.next]).some(({ value }) => asBoolean(value) !== undefined);
  const isAlone = !lines[after + 1] || isBetween(lines[after + 1]!);
  // "The form asks for", the form, "but I cannot decide."
  const isBegun = above !== '' && !SENTENCE.test(above) && !LEADS_ON.test(above) && !/^ {0,3}#/.test(above);
  const isInside = isBegun && GOES_ON.test(below) && !beginsReason(below) && !BEGINS_ANSWER.test(below);
  const isLimited = isTakenBack || isInside || (isAlone && limitsForm(below));
  if (doubtful.has(first.first) || announcesAnother(above) || isLimited)
    return { fields: doubt(({ name }) => isAsked(name)) };
  if (run.some(({ isHeading }) => isHeading) && !fields.some(isTelling))
    return { fields: doubt(({ name }) => name === 'decision' || isAsked(name)) };
  const isHead = first.first <= findNeighbourLine(scan, 0, 1).at;
  // What stands between two rulers or in a fence, or is an object that begins the text, was put there to declare something.
  if (open !== undefined && close !== undefined)
    return { fields, place: { start: lines[open]!.start, end: lines[close]!.next } };
  const place = { start: first.start, end: last.end };
  if ((isHead && run.some(({ isObject }) => isObject)) || isForm(fields)) return { fields, place };
  const alone = doubt((field) => isCertainAlone(field, isHead));
  const isAll = alone.length === fields.length;
  const isWhole = isAll && alone.every(({ name }) => name !== 'blocking' && name !== 'decision');
  return { fields: alone, ...(isWhole && { place }) };
}

/** An answer to a challenge, or any other key, is no sentence that goes on. */
const BEGINS_ANSWER = /^\W*c\d|^[^:：]{1,40}[:：]/i;

/** The next line of words, and the last mark on the way to it. */
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

/** An unknown key with its value: "withdrawn: true" below a form, or "condition: …" beside it, makes it doubtful; a heading begins another part. */
function readUnknown(line: FormLine | undefined): Pair[] {
  const pair = line && readPair(line);
  if (!pair || findField(pair.key) !== undefined) return [];
  return pair.style !== 'heading' || beginsCondition(pair.key) ? [pair] : [];
}

/** Fields that only a participant's own form has, not the minutes of a meeting. */
const isTelling = ({ name, value }: Field): boolean =>
  name === 'vote' || name === 'approve' ? isNumbered(value) : name === 'confidence' || name === 'blocking';

/** Names that say, two together, that lines are a form: "Done: we moved" alone says nothing about a turn. */
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

/** A ranking of two at least. */
const isRanking = (name: FieldName, value: Field['value']): boolean =>
  name === 'rank' && /[>≻]/.test([value].flat().join(' '));

function isCertainAlone({ name, value }: Field, isHead: boolean): boolean {
  if (name === 'new') return isHead;
  if (name === 'approve' || name === 'same') return /^\W*P ?\d/i.test([value].flat().join(' '));
  if (name === 'confidence') return typeof value === 'string' && asShare(value) !== undefined;
  return name === 'blocking' || name === 'holds' || name === 'decision' || name === 'because';
}
