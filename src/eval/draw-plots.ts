// Draws the plots of a report as SVG files that need nothing around them. Pure.
import { line, symbol, symbolCircle } from 'd3-shape';
import type { Interval } from './statistics.ts';

/** A row of a plot: a value, and the interval around it. */
export interface PlotRow {
  name: string;
  value: number;
  interval: Interval | null;
}

const WIDTH = 720;
const ROW = 28;
const TOP = 44;
const LEFT = 320;
const RIGHT = WIDTH - 30;

/** `ticks` are where the axis has its figures, the first and the last at its ends. */
export function drawIntervals(rows: readonly PlotRow[], title: string, ticks: readonly number[]): string {
  const bottom = TOP + rows.length * ROW;
  const [least, most] = [ticks[0]!, ticks.at(-1)!];
  const placeX = (value: number): number => LEFT + ((value - least) / (most - least)) * (RIGHT - LEFT);
  const grid = ticks.flatMap((tick) => {
    const x = placeX(tick);
    return [
      drawLine([x, TOP], [x, bottom], 'grid'),
      drawText(String(Math.round(100 * tick)), { x, y: bottom + 18, anchor: 'middle' }),
    ];
  });
  const marks = rows.flatMap(({ name, value, interval }, at) => {
    const y = TOP + (at + 0.5) * ROW;
    const [from, to] = (interval ?? [value, value]).map(placeX) as Interval;
    return [
      drawText(name, { x: LEFT - 14, y: y + 4, anchor: 'end' }),
      drawLine([from, y], [to, y], 'range'),
      `<path class="dot" transform="translate(${placeX(value).toFixed(1)},${y})" d="${symbol(symbolCircle, 60)()}"/>`,
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${bottom + 30}" role="img" aria-label="${escapeText(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd}.range{stroke:#3b6ea5;stroke-width:3}.dot{fill:#1f3f63}</style>
<rect width="100%" height="100%" fill="#fff"/>
${[drawText(title, { x: 16, y: 24, anchor: 'start' }), ...grid, ...marks].join('\n')}
</svg>
`;
}

const drawLine = (from: Interval, to: Interval, style: string): string =>
  `<path class="${style}" d="${line().digits(1)([from, to])}"/>`;

const drawText = (text: string, { x, y, anchor }: { x: number; y: number; anchor: string }): string =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escapeText(text)}</text>`;

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
