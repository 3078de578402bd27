// Tells which fields of a text declare something: those that stand together as a form, and what is certain alone.
import type { Field } from './form-fields.ts';
import { EMPTY } from './form-lines.ts';
import type { Line } from './form-lines.ts';
import { announcesAnother } from './form-names.ts';
import type { FieldName } from './form-names.ts';
import { RULER, WRAPPER } from './form-scan.ts';
import type { Place, Scan } from './form-scan.ts';
import { asBoolean, asShare } from './form-values.ts';
import type { Stretch } from './stretch.ts';

/** A field of a form, and how far it is one. */
export interface Declared extends Field {
  /** Nothing else of a form stands beside it: any text may have such a line. */
  isAlone?: true;
  /** A heading with its value in the same line, and nothing beside it that only a form has. */
  isHeading?: true;
}

/** The fields that count, and the places of text that they take. */
export function declaredIn({ places, lines }: Scan): { fields: Declared[]; places: Stretch[] } {
  const runs = runsOf(places, lines).filter(({ first }) => !announcesAnother(lineAbove(lines, first)));
  const head = lines.findIndex(({ text }) => !isBetween(text));
  const read = runs.map((run) => declared(run, run.first === head || run.places[0]!.first <= head));
  return {
    fields: read.flatMap(({ fields }) => fields),
    places: runs.flatMap((run, at) => (read[at]!.isForm ? placesOf(run) : [])),
  };
}

interface Run {
  first: number;
  places: Place[];
}

/** Places with nothing but empty lines, rules and tags around the whole between them. */
function runsOf(places: readonly Place[], lines: readonly Line[]): Run[] {
  const runs: Run[] = [];
  let next = -1;
  for (const place of places) {
    const isOpen = place.kind === 'line' && runs.at(-1)?.places.at(-1)?.kind === 'line';
    const isNext = isOpen && lines.slice(next, place.first).every(({ text }) => isBetween(text));
    if (isNext) runs.at(-1)!.places.push(place);
    else runs.push({ first: place.first, places: [place] });
    ({ next } = place);
  }
  return runs;
}

const isBetween = (text: string): boolean => EMPTY.test(text) || RULER.test(text) || WRAPPER.test(text);

const placesOf = ({ places }: Run): Stretch[] => places.map(({ start, end }) => ({ start, end }));

function lineAbove(lines: readonly Line[], first: number): string {
  let at = first - 1;
  while (at >= 0 && isBetween(lines[at]!.text)) at -= 1;
  return lines[at]?.text ?? '';
}

function declared(run: Run, isHead: boolean): { fields: Declared[]; isForm: boolean } {
  const fields = run.places.flatMap((place) => place.fields);
  const isBlock = run.places.some(({ kind }) => kind === 'block' || (kind === 'object' && isHead));
  if (run.places.some(({ isHeading }) => isHeading) && !fields.some(isTelling)) {
    const statements = fields.filter(({ name }) => name === 'vote' || name === 'position');
    return { fields: statements.map((field) => ({ ...field, isHeading: true as const })), isForm: false };
  }
  if (isBlock || isForm(fields)) return { fields, isForm: true };
  const alone = fields.filter((field) => isCertainAlone(field, isHead));
  return {
    fields: alone.map((field) => ({ ...field, isAlone: true as const })),
    isForm:
      alone.length === fields.length && alone.every(({ name }) => name !== 'blocking' && name !== 'decision'),
  };
}

/** What only somebody's own form has, not the minutes of a meeting. */
const isTelling = ({ name, value }: Field): boolean =>
  name === 'vote' || name === 'approve'
    ? typeof value === 'string' && /^[*_`"[]*(?:\w+[ ]+)?P ?\d/i.test(value) && !value.includes('?')
    : name === 'confidence' || name === 'blocking';

/** Names that say by themselves, or two together, that lines are a form. */
const OF_A_FORM: ReadonlySet<FieldName> = new Set([
  'approve',
  'confidence',
  'blocking',
  'agreed',
  'done',
  'new',
  'same',
]);

/** Whether lines are a form and not the beginning of a text: "Done: we moved" alone says nothing about a turn. */
function isForm(fields: readonly Field[]): boolean {
  if (fields.some(({ name }) => name === 'position' || name === 'vote')) return true;
  const telling = fields.filter(
    ({ name, value }) =>
      OF_A_FORM.has(name) && (!['agreed', 'done'].includes(name) || asBoolean(value) !== undefined),
  );
  return (
    new Set(telling.map(({ name }) => name)).size >= 2 &&
    telling.some(({ name }) => name !== 'new' && name !== 'same')
  );
}

function isCertainAlone({ name, value }: Field, isHead: boolean): boolean {
  if (name === 'new') return isHead;
  if (name === 'approve' || name === 'same') return /^\W*P ?\d/i.test([value].flat().join(' '));
  if (name === 'confidence') return typeof value === 'string' && asShare(value) !== undefined;
  return name === 'blocking' || name === 'holds' || name === 'decision' || name === 'because';
}
