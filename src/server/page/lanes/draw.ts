// Draws the lanes: a band for each position, a line for each participant, a column for each round.
import { curveBumpX, line } from 'd3-shape';
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { describeLaneWay, drawLegend } from './describe.ts';
import type { Column, Layout, PlacedLane, PlacedRow, Point } from './layout.ts';
import type { Lanes, Row } from './lanes.ts';
import { layOutLanes, shortName, measureTextWidth } from './layout.ts';

const HEADER = 44;

/** The picture's own part of a document: it has a size, and classes instead of styles. */
export interface Drawing {
  width: number;
  height: number;
  content: Html;
}

/** The picture below `top`, without the element around it. */
export function drawLanes(lanes: Lanes, w: Words, top = 0): Drawing {
  const layout = layOutLanes(lanes, top + HEADER - 12, approvals);
  const legend = drawLegend(lanes, { x: 12, y: layout.height + 24, width: layout.width }, w);
  const content = html`${layout.columns.map(({ column, x }) => columnHead(column, x, top, w))}
  ${lanes.hasEnded && html`<text x="${layout.end}" y="${top + 16}" class="round">${w.page.end}</text>`}
  ${layout.lanes.map((lane) => drawLaneBand(lane, layout))}
  ${layout.rows.map((row) => drawRowLines(row, lanes, w))} ${layout.joins.map(bracket)}
  ${layout.lanes.map((lane) => laneLabel(lane, layout, w))} ${layout.rows.map(drawRowNames)} ${legend.content}`;
  return { width: layout.width, height: layout.height + 12 + legend.height, content };
}

function columnHead({ rounds }: Column, x: number, top: number, w: Words): Html {
  const [first, last] = [rounds[0]!, rounds.at(-1)!];
  const isFolded = rounds.length > 1;
  const below = isFolded
    ? w.page.nobodyMovedHere
    : first.isBlind
      ? w.page.blind
      : fill(w.page.round, { tour: first.tour });
  const name = isFolded ? fill(w.page.rounds, { from: first.tour, to: last.tour }) : first.phase;
  return html`<text x="${x}" y="${top + 16}" class="round">${name}</text
    ><text x="${x}" y="${top + 30}" class="round small">${below}</text> `;
}

const colour = ({ colour: number }: PlacedLane): string => `c${number}`;

const drawLaneBand = (lane: PlacedLane, { left, right }: Layout): Html =>
  html`<rect
    x="${left}"
    y="${lane.top}"
    width="${right - left}"
    height="${lane.height}"
    rx="4"
    class="band ${colour(lane)}"
  /> `;

/** The number and the beginning of the sentence: the table has all of it. */
function laneLabel(lane: PlacedLane, { left, right }: Layout, w: Words): Html {
  const room = Math.floor((right - left) / measureTextWidth('x')) - 6;
  const words = lane.number === '' ? w.archive.noPosition : `${lane.number} ${lane.position}`;
  const shown = oneLine(
    words,
    measureTextWidth(words) > words.length * measureTextWidth('x') ? Math.floor(room / 2) : room,
  );
  return html`<text x="${left}" y="${lane.top - 6}" class="lane ${colour(lane)}"
    >${shown}${lane.isDecided ? ` ★ ${w.page.decided}` : ''}</text
  > `;
}

const curve = line<Point>(
  ({ x }) => x,
  ({ y }) => y,
)
  .curve(curveBumpX)
  .digits(1);

/** How the line into a stop is drawn: dashed where the reason is not known, dotted where the participant only stayed. */
function chooseStroke({ lane, stop }: Point): string {
  const kind = stop.move?.explained === false ? ' dashed' : stop.kind === 'carried' ? ' dotted' : '';
  return `${colour(lane)}${kind}`;
}

/** The way of one participant, with its words as a tooltip. */
function drawRowLines({ row, points }: PlacedRow, { rounds }: Lanes, w: Words): Html {
  const pieces: { stroke: string; points: Point[] }[] = [];
  points.slice(1).forEach((point, at) => {
    const [last, stroke] = [pieces.at(-1), chooseStroke(point)];
    if (last?.stroke === stroke) last.points.push(point);
    else pieces.push({ stroke, points: [points[at]!, point] });
  });
  return html`<g
    ><title>${describeLaneWay(row, rounds, w)}</title>${pieces.map(
      (piece) => html`<path class="way ${piece.stroke}" d="${curve(piece.points) ?? ''}" />`,
    )}${points.slice(0, -1).map(drawStopMark)}</g
  > `;
}

function drawStopMark({ x, y, lane, stop }: Point): Html {
  if (stop.kind === 'silent') return html``;
  if (stop.move && stop.move.explained !== null)
    return html`<circle
      cx="${x}"
      cy="${y}"
      r="5.5"
      class="${colour(lane)} ${stop.move.explained ? 'filled' : 'hollow'}"
    />`;
  if (stop.kind === 'carried')
    return html`<path class="cross ${colour(lane)}" d="M${x - 3.5} ${y - 3.5}l7 7m0-7l-7 7" />`;
  return html`<circle cx="${x}" cy="${y}" r="3" class="${colour(lane)} filled" />`;
}

const bracket = ({ numbers, x, top, bottom }: Layout['joins'][number]): Html =>
  html`<path class="bracket" d="M${x - 6} ${top}h6V${bottom}h-6" /><text
      x="${x + 6}"
      y="${Math.round((top + bottom) / 2) + 4}"
      class="join"
      >${numbers.join(' = ')}</text
    > `;

function drawRowNames({ row, points }: PlacedRow): Html {
  const [first, last] = [points[0]!, points.at(-1)!];
  const name = shortName(row.name);
  return html`<text x="${first.x - 18}" y="${first.y + 4}" class="name before">${name}</text
    ><text x="${last.x + 18}" y="${last.y + 4}" class="name"
      >${name}<tspan class="small">${approvals(row)}</tspan></text
    > `;
}

const approvals = ({ approves }: Row): string => (approves.length === 0 ? '' : `  ✓ ${approves.join(', ')}`);
