// Finds fields in tables (by row, or in one row below their names) and in JSON objects.
import { findRows, splitCells } from './form-lines.ts';
import type { Cell, FormLine } from './form-lines.ts';
import { findFieldName, findField, isAsked, isWrapping } from './form-names.ts';
import type { NamedField } from './form-names.ts';
import { isMeant, makePlace } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import { asBoolean } from './form-value-words.ts';
import type { TextRange } from './limits.ts';
import type { FieldName } from './form-words.ts';
import { readLooseJson } from './loose-json.ts';
import { findVotes, withdrawsForm } from './remarks.ts';

/**
 * Reads a table with one field per row, or one row below a header of field names. A row with two values is
 * uncertain. If only the header contains field names, its columns are the fields. Rows and columns for
 * blocking issues always count.
 */
export function readTable(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const rows = findRows(lines, at);
  if (!rows) return undefined;
  const [head, ...body] = rows.map((line) => ({ line, cells: splitCells(line) })) as [
    FormTableRow,
    ...FormTableRow[],
  ];
  const named = head.cells.map(({ words }) => findField(words));
  const isPlain = named.every((one) => one !== undefined);
  const blocks = named.findIndex((one) => one?.name === 'blocking');
  const hasKeys = body.length === 0 || body.some(({ cells }) => findField(cells[0]?.words ?? ''));
  let fields: Field[];
  if (isPlain && (body.length === 1 || (body.length > 0 && blocks !== -1)))
    fields = body.flatMap((row) => readAcross(row, named));
  else if (blocks !== -1 && !hasKeys) fields = body.flatMap((row) => readColumn(row, blocks));
  else {
    let key: NamedField | undefined;
    fields = [head, ...body].flatMap((row) => {
      key = findField(row.cells[0]?.words ?? '') ?? (row.cells[0]?.words === '' ? key : undefined);
      return readRow(row, key, row === head && !hasKeys);
    });
  }
  const next = at + rows.length + 1;
  const meant = fields.filter((field) => isMeant(field, field.value));
  return { fields: meant, start: lines[at]!.start, end: lines[next - 1]!.next, first: at, next };
}

interface FormTableRow {
  line: FormLine;
  cells: Cell[];
}

const readAcross = ({ cells }: FormTableRow, named: readonly (NamedField | undefined)[]): Field[] =>
  cells.flatMap(({ words, ...place }, column) =>
    words === '' || !named[column] ? [] : [{ ...named[column], value: words, ...place }],
  );

/** One column may say whether a row is blocking, while the issue is in another cell. */
function readColumn(row: FormTableRow, column: number): Field[] {
  const words = row.cells[column]?.words ?? '';
  const value = asBoolean(words) === true ? row.line.text.trim() : words;
  return words === '' ? [] : [{ name: 'blocking', value, ...toRowRange(row), isDoubtful: true }];
}

function readRow(row: FormTableRow, key: NamedField | undefined, isDoubtful: boolean): Field[] {
  const [, ...cells] = row.cells.map(({ words }) => words);
  const isSeverity = !key && cells.some((words) => findFieldName(words) === 'blocking');
  if (isSeverity)
    return [{ name: 'blocking', value: row.line.text.trim(), ...toRowRange(row), isDoubtful: true }];
  const values = cells.filter((words) => words !== '');
  const value = values.length > 1 ? values : (values[0] ?? '');
  return key ? [{ ...key, value, ...toRowRange(row), ...(isDoubtful && { isDoubtful }) }] : [];
}

const toRowRange = ({ line }: FormTableRow): TextRange => ({ start: line.start, end: line.next });

/** How far after an object to look for the next one, in characters. */
const NEXT_OBJECT = 8;

/** Reads the fields of the JSON objects that start on a line; undefined if they cannot be parsed. */
export function readObjects(text: string, lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const line = lines[at]!;
  const fields: Field[] = [];
  let end: number | undefined;
  // Several objects may follow each other on one line.
  for (let from = text.indexOf(line.text.trimStart()[0]!, line.start); from !== -1;) {
    const found = readLooseJson(text, from);
    if (!found) break;
    const place = { start: from, end: found.end, isMember: true as const };
    fields.push(...readMembers(found.data, found.twice).map((field) => ({ ...field, ...place })));
    ({ end } = found);
    from = /^[ \t,]*\{/.test(text.slice(end, end + NEXT_OBJECT)) ? text.indexOf('{', end) : -1;
  }
  return end === undefined ? undefined : { ...makePlace(lines, at, end, fields), isObject: true };
}

type FieldReading = Pick<Field, 'name' | 'value' | 'isDoubtful' | 'isAside' | 'beside'>;

/** Unknown keys whose values may name an object's author: maximum length, in characters, and number. */
const [LONGEST_NOTE, MOST_NOTES] = [60, 20];

function readMembers(data: unknown, twice: readonly string[]): FieldReading[] {
  if (typeof data !== 'object' || data === null) return [];
  // Lists of objects and unknown keys are about others; only blocking issues in them may be the author's.
  if (Array.isArray(data) && data.length === 1) return readMembers(data[0], twice);
  const beside: string[] = [];
  let isDoubtful = false;
  const said = Object.entries(data).flatMap(([key, value]: [string, unknown]): FieldReading[] => {
    const named = findField(key);
    if (isWrapping(key) && typeof value === 'object') return readMembers(value, twice);
    if (!named) {
      const isNote = typeof value === 'string' && value.length <= LONGEST_NOTE && beside.length < MOST_NOTES;
      if (isNote) beside.push(`${key} ${value}`);
      // "withdrawn": true, "condition": "only if …"
      if (typeof value === 'boolean' || withdrawsForm({ key, value: asWords(value) })) isDoubtful = true;
      const [vote] = isNote ? findVotes(`${key}: ${value}`, false) : [];
      if (vote !== undefined) return [{ name: 'vote', value: vote, isDoubtful: true, isAside: true }];
      const isSeverity = typeof value === 'string' && findFieldName(value) === 'blocking';
      return isSeverity
        ? [{ name: 'blocking', value: asWords(data), isDoubtful: true }]
        : markBlockingDoubtful(readMembers(value, twice));
    }
    if (value === null) return [];
    const { name } = named;
    // A duplicate key is uncertain, but its blocking issues still count.
    const isTwice = twice.includes(key) && name !== 'blocking';
    const words = isTwice ? [asWords(value)] : asValue(name, value);
    return isMeant(named, words) ? [{ ...named, value: words }] : [];
  });
  return said.map((one) => ({
    ...one,
    beside: [...beside, ...(one.beside ?? [])],
    ...(isDoubtful && isAsked(one.name) && { isDoubtful }),
  }));
}

const markBlockingDoubtful = (said: readonly FieldReading[]): FieldReading[] =>
  said.flatMap((one) => (one.name === 'blocking' ? [{ ...one, isDoubtful: true as const }] : []));

/** Returns a value's text. A value that is not a text, but may be blocking, is kept as it is. */
function asValue(name: FieldName, value: unknown): string | string[] {
  if (Array.isArray(value)) return value.map(asWords);
  const isText =
    typeof value === 'string' || (name !== 'position' && name !== 'new' && typeof value !== 'object');
  return isText ? asWords(value) : [asWords(value)];
}

const asWords = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(asWords).join(': ') : String(value);
