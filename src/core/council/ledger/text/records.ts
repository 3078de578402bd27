// Finds table rows, JSON objects and YAML items in a contribution, with the ranges of their cells.
import { splitCells } from './form-lines.ts';
import type { TextRange } from './text-range.ts';

export interface TextRecord extends TextRange {
  /** Its cells, without quotation marks, each with its column header or key. */
  cells: NamedCell[];
  isRow?: true;
}
export interface NamedCell extends TextRange {
  name: string;
}

const OBJECT = /\{[^{}]*\}/g;
const PAIR = /"((?:\\.|[^"\\\n]){1,100})"\s*:\s*"((?:\\[^]|[^"\\])*)"/dg;
const JSON_DATA = /^\s*(?:(?:```|~~~).*\s+)?[[{]/;
const YAML = /^\s*(?:```|~~~)[ \t]*ya?ml/i;
const ITEM = /(?<=^|\n)([ \t]*)- (?=\w+:).*(?:\n\1 [ \t]*\S.*)*/g;
const YAML_PAIR = /(?:^|\n)[ \t]*(?:- )?(\w+):[ \t]+(["']?)(\S.*?)\2[ \t]*(?=\n|$)/dg;
const ROW = /(?<=^|\n)[ \t]*\|.*/g;

/** Returns the records in a range. Skips objects with a brace inside a string, and nested ones. */
export function findRecords(text: string, { start: from, end: to }: TextRange): TextRecord[] {
  const words = text.slice(from, to);
  const cut = (found: RegExp, pair: RegExp, value: number) =>
    [...words.matchAll(found)].flatMap(({ 0: whole, index }) => {
      const start = from + index;
      const cells = [...whole.matchAll(pair)].map(({ 1: name = '', indices }) => {
        const [begin, end] = indices![value]!;
        return { name, start: start + begin, end: start + end };
      });
      return cells.length === 0 ? [] : [{ start, end: start + whole.length, cells }];
    });
  if (YAML.test(words)) return cut(words.search(ITEM) === -1 ? /[^]+/g : ITEM, YAML_PAIR, 3);
  if (JSON_DATA.test(words)) return cut(OBJECT, PAIR, 2);
  const rows = [...words.matchAll(ROW)].map(({ 0: row, index }) => {
    const start = from + index;
    return { start, end: start + row.length, cells: splitCells({ start, text: row }) };
  });
  const names = rows[0]?.cells.map(({ words: name }) => name) ?? [];
  return rows.map(({ cells, ...row }) => ({
    ...row,
    isRow: true,
    cells: cells.map(({ start, end }, at) => ({ name: names[at] ?? '', start, end })),
  }));
}
