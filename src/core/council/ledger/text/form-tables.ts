// Finds the fields of a table: in its rows, or in the row under their names.
import { findRows, splitCells } from './form-lines.ts';
import type { Cell, FormLine } from './form-lines.ts';
import { fieldNamed, findField } from './form-names.ts';
import type { NamedField } from './form-names.ts';
import { isMeant } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import { asBoolean } from './form-value-words.ts';
import type { Stretch } from './text-range.ts';

/**
 * A table with a field in each row, or with one row under the names of the fields. Two values in a row are none that is certain, and a head
 * of keys that no other row has says what stands in the columns. What is in a row or a column of what blocks counts, whatever the others are.
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

/** Whether a row blocks may stand in one of its cells, and what in another one. */
function readColumn(row: FormTableRow, column: number): Field[] {
  const words = row.cells[column]?.words ?? '';
  const value = asBoolean(words) === true ? row.line.text.trim() : words;
  return words === '' ? [] : [{ name: 'blocking', value, ...toRowRange(row), isDoubtful: true }];
}

function readRow(row: FormTableRow, key: NamedField | undefined, isDoubtful: boolean): Field[] {
  const [, ...cells] = row.cells.map(({ words }) => words);
  const isSeverity = !key && cells.some((words) => fieldNamed(words) === 'blocking');
  if (isSeverity)
    return [{ name: 'blocking', value: row.line.text.trim(), ...toRowRange(row), isDoubtful: true }];
  const values = cells.filter((words) => words !== '');
  const value = values.length > 1 ? values : (values[0] ?? '');
  return key ? [{ ...key, value, ...toRowRange(row), ...(isDoubtful && { isDoubtful }) }] : [];
}

const toRowRange = ({ line }: FormTableRow): Stretch => ({ start: line.start, end: line.next });
