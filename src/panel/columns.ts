// Offline panel: a row of a table that breaks the calculation that all other rows follow.
import { agree } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';
import { shown } from './shown.ts';
import { tablesOf } from './tables.ts';
import type { Cell, Table } from './tables.ts';

/** How a column can come from two others. */
const WAYS: readonly { rule: 'product' | 'share'; of(a: number, b: number): number; rows: number }[] = [
  { rule: 'product', of: (a, b) => a * b, rows: 2 },
  { rule: 'share', of: (a, b) => (a / b) * 100, rows: 3 },
  { rule: 'share', of: (a, b) => (b / a) * 100, rows: 3 },
];

/** Rows that break the calculation of all others in the same table. */
export function columns(document: Document): Located[] {
  return tablesOf(document).flatMap((table) => inTable(document, table));
}

function inTable(document: Document, table: Table): Located[] {
  const width = table.header.length;
  for (let a = 0; a < width; a += 1) {
    for (let b = a + 1; b < width; b += 1) {
      for (let c = 0; c < width; c += 1) {
        if (c === a || c === b) continue;
        for (const way of WAYS) {
          const odd = oddRow(table, [a, b, c], way);
          if (!odd) continue;
          const advice = says(document.language).wrongRow(odd.cell.text, shown(odd.value, document.language));
          return [locate(document, odd.cell, { severity: 'first', rule: way.rule, advice })];
        }
      }
    }
  }
  return [];
}

/** The only row in which c is not what a and b make, when enough others are. */
function oddRow(
  { rows }: Table,
  [a, b, c]: readonly [number, number, number],
  way: (typeof WAYS)[number],
): { cell: Cell; value: number } | undefined {
  const odd: { cell: Cell; value: number }[] = [];
  let right = 0;
  for (const row of rows) {
    const cell = row[c];
    const [x, y, z] = [row[a]?.amount, row[b]?.amount, cell?.amount];
    if (!cell || !x || !y || !z || (way.rule === 'share') !== (z.unit === '%')) continue;
    if (x.unit === '%' || y.unit === '%' || y.value === 0 || x.value === 0) continue;
    const value = way.of(x.value, y.value);
    const isTrivial = [x.value, y.value].includes(1);
    if (!agree(z.value, value, slackOf(z, x, y, value))) odd.push({ cell, value });
    else if (!isTrivial) right += 1;
  }
  return right >= way.rows && odd.length === 1 ? odd[0] : undefined;
}

const slackOf = (z: Amount, x: Amount, y: Amount, value: number): number =>
  z.slack + value * ((x.slack < 0.5 ? x.slack / x.value : 0) + (y.slack < 0.5 ? y.slack / y.value : 0));
