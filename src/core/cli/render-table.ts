// Renders a table for the terminal.
import { sumFigures } from '../base/text.ts';
import { measureNaturalColumns, paintText, wrapRuns } from './wrap.ts';
import type { Layout, Run } from './wrap.ts';

/** Narrower columns are unreadable. */
const NARROWEST = 6;
/** A longer word may be cut: a hash, an address. */
const LONGEST_WORD = 16;
const MOST_CELLS = 20_000;

/** Renders a table with a header row, in at most `width` columns if the number of columns allows it. */
export function renderTableLines(rows: Run[][][], { width, color }: Layout): string[] {
  const count = countLongest(rows);
  // Every row is padded to all columns.
  if (rows.length * count > MOST_CELLS) return rows.flatMap((row) => renderLooseRow(row, { width, color }));
  const room = width - 3 * (count - 1);
  const words = measureLongestWords(rows, count);
  if (count > 2 && sumFigures(words) > room) return renderStackedTable(rows, { width, color });
  const natural = measureNaturalWidths(rows, count).map((columns) => Math.min(columns, width));
  const widths = fitWidths(natural, room, sumFigures(words) > room ? natural.map(() => NARROWEST) : words);
  const bar = ` ${paintText('│', ['dim'], color)} `;
  const lines = rows.map((row, index) => renderRowLines(row, widths, bar, color, index === 0));
  const rule = paintText(widths.map((w) => '─'.repeat(w)).join('─┼─'), ['dim'], color);
  return [...(lines[0] ?? []), rule, ...lines.slice(1).flat()];
}

/** Renders a row inline, for tables with too many cells. */
function renderLooseRow(row: Run[][], layout: Layout): string[] {
  const bar: Run = { text: ' │ ', styles: ['dim'] };
  const runs = row.flatMap((cell, at) => (at === 0 ? cell : [bar, ...cell]));
  return wrapRuns(runs, layout).map((line) => line.text);
}

/** Renders each row as a list of cells with their headers, if columns would be too narrow for their words. */
function renderStackedTable([head = [], ...rows]: Run[][][], layout: Layout): string[] {
  const colon: Run = { text: ': ', styles: ['bold'] };
  const bold = (cell: Run[]): Run[] =>
    cell.map((run) => ({ ...run, styles: [...new Set([...run.styles, 'bold' as const])] }));
  return rows.flatMap((row, index) => [
    ...(index > 0 ? [''] : []),
    ...row.flatMap((cell, at) => {
      const title = head[at] ?? [];
      return wrapRuns(title.length > 0 ? [...bold(title), colon, ...cell] : cell, layout).map(
        ({ text }) => text,
      );
    }),
  ]);
}

const countLongest = (lists: readonly (readonly unknown[])[]): number =>
  lists.reduce((most, { length }) => Math.max(most, length), 0);

function measureNaturalWidths(rows: Run[][][], count: number): number[] {
  return Array.from({ length: count }, (_, at) =>
    rows.reduce((most, row) => Math.max(most, measureNaturalColumns(row[at] ?? [])), 1),
  );
}

/** Returns the width of the longest word in each column, up to a limit. */
function measureLongestWords(rows: Run[][][], count: number): number[] {
  const measureWords = (cell: Run[]): number[] =>
    cell.flatMap(({ text }) =>
      text.split(/\s+/).map((word) => measureNaturalColumns([{ text: word, styles: [] }])),
    );
  return Array.from({ length: count }, (_, at) =>
    rows.reduce(
      (most, row) =>
        measureWords(row[at] ?? []).reduce((a, b) => Math.max(a, Math.min(b, LONGEST_WORD)), most),
      1,
    ),
  );
}

/** Shrinks the widest columns first, and none below its minimum. */
function fitWidths(natural: number[], width: number, least: number[]): number[] {
  const narrowest = natural.map((columns, at) => Math.min(columns, least[at] ?? NARROWEST));
  if (sumFigures(narrowest) >= width) return narrowest;
  const widths = [...natural];
  const measureShrinkable = (at: number): number =>
    (widths[at] ?? 0) > (narrowest[at] ?? 0) ? (widths[at] ?? 0) : 0;
  for (let excess = sumFigures(widths) - width; excess > 0; excess--) {
    const widest = widths.reduce(
      (most, _, at) => (measureShrinkable(at) > measureShrinkable(most) ? at : most),
      0,
    );
    if (measureShrinkable(widest) === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function renderRowLines(
  row: Run[][],
  widths: number[],
  bar: string,
  color: boolean,
  isHeader: boolean,
): string[] {
  const cells = widths.map((width, at) =>
    wrapRuns(
      (row[at] ?? []).map((run) => (isHeader ? { ...run, styles: [...run.styles, 'bold'] } : run)),
      { width, color, cut: true },
    ),
  );
  const height = countLongest(cells);
  return Array.from({ length: height }, (_, at) =>
    cells
      .map((lines, column) => {
        const { text, columns } = lines[at] ?? { text: '', columns: 0 };
        return text + ' '.repeat(Math.max(0, (widths[column] ?? 0) - columns));
      })
      .join(bar)
      .trimEnd(),
  );
}
