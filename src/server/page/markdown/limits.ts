// What is too much to be formatted: it is shown as it was written.
import type { Root } from 'mdast';

/** Formatting longer texts takes seconds. */
const MAX_BYTES = 64 * 1024;
/** Of blocks and emphasis in each other. A parser calls itself for each, and has so much stack. */
const MAX_DEPTH = 100;

/** Of a table: as many as can be written out in that many bytes. A row that is left short is filled up to the width of its table. */
const MAX_CELLS = MAX_BYTES / 2;

const MARK = String.raw`(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\s]{1,80}\]:)`;
const DEEP = new RegExp(String.raw`^[ \t]*(?:${MARK}[ \t]*){${MAX_DEPTH},}|^[ \t]{${2 * MAX_DEPTH},}\S`, 'm');

/** Told without parsing it. */
export const isTooMuch = (text: string): boolean =>
  Buffer.byteLength(text) > MAX_BYTES || DEEP.test(text) || mostCells(text) > MAX_CELLS;

/** As many cells as the tables of a text have at the most: told by the rows of dashes, in whatever a table stands. */
function mostCells(text: string): number {
  let all = 0;
  let [columns, rows] = [0, 0];
  for (const line of [...text.split(/\r\n?|\n/), '']) {
    const isOver = line.trim() === '';
    if (isOver) all += columns * rows;
    columns = isOver ? 0 : Math.max(columns, columnsIn(line));
    rows = isOver || columns === 0 ? 0 : rows + 1;
  }
  return all;
}

/** Of the row of dashes that a line ends in; 0 where it ends in none. */
function columnsIn(line: string): number {
  const dashes = line.split(/[^|: \t-]/).at(-1) ?? '';
  return dashes.includes('|') ? dashes.split('|').filter((cell) => cell.includes('-')).length : 0;
}

/** True for a tree deeper than the limit; nothing here calls itself. */
export function isTooDeep(tree: Root): boolean {
  let level: { children?: unknown }[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((node) => (Array.isArray(node.children) ? (node.children as typeof level) : []));
  }
  return false;
}
