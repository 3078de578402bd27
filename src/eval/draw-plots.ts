// Draws the plots of a report as SVG files that need nothing around them. Pure.
import { line, symbol, symbolCircle } from 'd3-shape';
import type { ArmFigures } from './report.ts';

type Named = Pick<ArmFigures, 'share' | 'interval' | 'turns'> & { name: string };

const WIDTH = 720;
const ROW = 28;
const TOP = 44;
const LEFT = 300;
const RIGHT = WIDTH - 30;
const HEIGHT = 360;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** A row for each way: its share, and the interval around it. */
export function drawSharePlot(arms: readonly Named[], title: string): string {
  const bottom = TOP + arms.length * ROW;
  const placeX = (share: number): number => LEFT + share * (RIGHT - LEFT);
  const rows = arms.map(({ name, share, interval: [from, to] }, at) => {
    const y = TOP + (at + 0.5) * ROW;
    return [
      drawText(name, { x: LEFT - 12, y: y + 4, anchor: 'end' }),
      drawLine([
        [placeX(from), y],
        [placeX(to), y],
      ]),
      drawDot(placeX(share), y),
    ];
  });
  const grid = TICKS.map((share) => [
    drawLine(
      [
        [placeX(share), TOP],
        [placeX(share), bottom],
      ],
      'grid',
    ),
    drawText(`${100 * share} %`, { x: placeX(share), y: bottom + 18, anchor: 'middle' }),
  ]);
  return drawPicture(bottom + 30, title, [...grid, ...rows].flat());
}

/** A point for each way: how much it asks, and how often it is right. */
export function drawPricePlot(arms: readonly Named[], title: string): string {
  const [left, bottom] = [60, HEIGHT - 40];
  const most = Math.max(1, ...arms.map(({ turns }) => turns));
  const placeX = (turns: number): number => left + (turns / most) * (RIGHT - 160 - left);
  const placeY = (share: number): number => bottom - share * (bottom - TOP);
  // Ways at the same place would hide each other's names.
  const groups = [...Map.groupBy(arms, ({ turns, share }) => `${turns} ${share}`).values()];
  const points = groups.map((group) => {
    const [x, y] = [placeX(group[0]!.turns), placeY(group[0]!.share)];
    const names = group.map(({ name }) => name.split(/[:,]/)[0]);
    return [drawDot(x, y), drawText([...new Set(names)].join(', '), { x: x + 8, y: y + 4, anchor: 'start' })];
  });
  const grid = TICKS.map((share) => [
    drawLine(
      [
        [left, placeY(share)],
        [RIGHT, placeY(share)],
      ],
      'grid',
    ),
    drawText(`${100 * share} %`, { x: left - 8, y: placeY(share) + 4, anchor: 'end' }),
  ]);
  const ticks = [...new Set(arms.map(({ turns }) => Math.round(turns)))].map((turns) =>
    drawText(String(turns), { x: placeX(turns), y: bottom + 18, anchor: 'middle' }),
  );
  return drawPicture(HEIGHT, title, [...grid, ...ticks, ...points].flat());
}

const drawLine = (points: [number, number][], style = 'range'): string =>
  `<path class="${style}" d="${line().digits(1)(points)}"/>`;

const drawDot = (x: number, y: number): string =>
  `<path class="dot" transform="translate(${x.toFixed(1)},${y.toFixed(1)})" d="${symbol(symbolCircle, 60)()}"/>`;

const drawText = (text: string, { x, y, anchor }: { x: number; y: number; anchor: string }): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeText(text)}</text>`;

const escapeText = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;' })[sign] ?? '&gt;');

function drawPicture(height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeText(title)}">
<style>text{font:13px system-ui,sans-serif;fill:#222}.grid{stroke:#ddd;fill:none}.range{stroke:#3b6ea5;stroke-width:3;fill:none}.dot{fill:#1f3f63}</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${drawText(title, { x: 16, y: 24, anchor: 'start' })}
${parts.join('\n')}
</svg>
`;
}
