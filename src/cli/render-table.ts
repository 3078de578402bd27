// Lays out a table for the terminal.
import { naturalColumns, styled, wrap } from './wrap.ts';
import type { Layout, Run } from './wrap.ts';

/** Narrower columns cannot be read. */
const NARROWEST = 6;
const MOST_CELLS = 20_000;

/** A table, its first row the header, in at most `width` columns where the number of its columns allows it. */
export function tableLines(rows: Run[][][], { width, color }: Layout): string[] {
  const count = longest(rows);
  // Every row gets every column, also those it does not have.
  if (rows.length * count > MOST_CELLS) return rows.flatMap((row) => loose(row, { width, color }));
  const widths = fit(
    naturalWidths(rows, count).map((natural) => Math.min(natural, width)),
    width - 3 * (count - 1),
  );
  const bar = ` ${styled('│', ['dim'], color)} `;
  const lines = rows.map((row, index) => rowLines(row, widths, bar, color, index === 0));
  const rule = styled(widths.map((w) => '─'.repeat(w)).join('─┼─'), ['dim'], color);
  return [...(lines[0] ?? []), rule, ...lines.slice(1).flat()];
}

/** Too many cells to stand in columns: one row after the other. */
function loose(row: Run[][], layout: Layout): string[] {
  const bar: Run = { text: ' │ ', styles: ['dim'] };
  const runs = row.flatMap((cell, at) => (at === 0 ? cell : [bar, ...cell]));
  return wrap(runs, layout).map((line) => line.text);
}

const longest = (lists: readonly (readonly unknown[])[]): number =>
  lists.reduce((most, { length }) => Math.max(most, length), 0);

function naturalWidths(rows: Run[][][], count: number): number[] {
  return Array.from({ length: count }, (_, at) =>
    rows.reduce((most, row) => Math.max(most, naturalColumns(row[at] ?? [])), 1),
  );
}

/** The widest column gives way first. */
function fit(natural: number[], width: number): number[] {
  const narrowest = natural.map((columns) => Math.min(columns, NARROWEST));
  if (narrowest.reduce((a, b) => a + b, 0) >= width) return narrowest;
  const widths = [...natural];
  for (let excess = widths.reduce((a, b) => a + b, 0) - width; excess > 0; excess--) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.indexOf(widest)] = widest - 1;
  }
  return widths;
}

function rowLines(row: Run[][], widths: number[], bar: string, color: boolean, isHeader: boolean): string[] {
  const cells = widths.map((width, at) =>
    wrap(
      (row[at] ?? []).map((run) => (isHeader ? { ...run, styles: [...run.styles, 'bold'] } : run)),
      { width, color, cut: true },
    ),
  );
  const height = longest(cells);
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => {
        const { text, columns } = lines[at] ?? { text: '', columns: 0 };
        return text + ' '.repeat(Math.max(0, widths[column]! - columns));
      })
      .join(bar)
      .trimEnd(),
  );
}
