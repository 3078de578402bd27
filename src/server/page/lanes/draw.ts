// Draws the picture of the lanes, in a page or as a separate file, and describes it in words for those who cannot see it.
import { curveBumpX, line } from 'd3-shape';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../words.ts';
import { html, renderStyle } from '../html.ts';
import type { Html } from '../html.ts';
import { layOutLanes, shortenName, measureTextWidth, measureSmallText } from './layout.ts';
import type { LaneColumn, Layout, PlacedLane, PlacedRow, PlacedStop } from './layout.ts';
import type { Lanes, LaneRow, Stop } from './lanes.ts';
import { formatRoundName } from '../page-formats.ts';
import { cleanForTerminal } from '../../../core/base/terminal.ts';
import type { Language } from '../../../core/base/words/words.ts';
import { PICTURE_STYLE } from '../style.ts';
import { loadPageWords } from '../words.ts';

/** Renders the picture in a page, whose style sheet contains its classes. */
export function renderLanesFigure(lanes: Lanes, topic: string, w: PageWords): Html {
  const { width, height, content } = drawLanes(lanes, w);
  return html`<figure class="picture" tabindex="0" role="group" aria-label="${w.page.positions}">
    <svg
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-labelledby="picture-title picture-desc"
    >
      ${renderPictureTitle(lanes, topic, w)}${content}
    </svg>
  </figure> `;
}

/** Renders the picture with its topic as a self-contained file. */
export function renderPictureFile(lanes: Lanes, { topic, lang }: { topic: string; lang: Language }): string {
  const w = loadPageWords(lang);
  const { width, height, content } = drawLanes(lanes, w, 34);
  const file = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    role="img"
    lang="${lang}"
    aria-labelledby="picture-title picture-desc"
  >
    ${renderPictureTitle(lanes, topic, w)} ${renderStyle(PICTURE_STYLE)}
    <rect width="${width}" height="${height}" class="ground" />
    <text x="12" y="24" class="topic">${toOneLine(topic, Math.floor(width / 9))}</text>
    ${content}
  </svg> `;
  // XML forbids these two characters in any form.
  return cleanForTerminal(file.toString()).replace(/[\uFFFE\uFFFF]/g, '');
}

const renderPictureTitle = (lanes: Lanes, topic: string, w: PageWords): Html =>
  html`<title id="picture-title">${fill(w.page.pictureOf, { topic: toOneLine(topic) })}</title
    ><desc id="picture-desc">${describeLanes(lanes, w)}</desc> `;

const HEADER = 44;

/** A drawing as part of a document: with a size, and classes instead of styles. */
export interface Drawing {
  width: number;
  height: number;
  content: Html;
}

/** Draws the picture below `top`, without the enclosing element. */
export function drawLanes(lanes: Lanes, w: PageWords, top = 0): Drawing {
  const layout = layOutLanes(lanes, top + HEADER - 12, formatApprovals);
  const legend = drawLegend(lanes, { x: 12, y: layout.height + 24, width: layout.width }, w);
  const content = html`${layout.columns.map(({ column, x }) => renderColumnHead(column, x, top, w))}
  ${lanes.hasEnded && html`<text x="${layout.end}" y="${top + 16}" class="round">${w.page.end}</text>`}
  ${layout.lanes.map((lane) => drawLaneBand(lane, layout))}
  ${layout.rows.map((row) => drawRowLines(row, lanes, w))} ${layout.joins.map(renderBracket)}
  ${layout.lanes.map((lane) => renderLaneLabel(lane, layout, w))} ${layout.rows.map(drawRowNames)}
  ${legend.content}`;
  return { width: layout.width, height: layout.height + 12 + legend.height, content };
}

function renderColumnHead({ rounds }: LaneColumn, x: number, top: number, w: PageWords): Html {
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

const getColourClass = ({ colour: number }: PlacedLane): string => `c${number}`;

const drawLaneBand = (lane: PlacedLane, { left, right }: Layout): Html =>
  html`<rect
    x="${left}"
    y="${lane.top}"
    width="${right - left}"
    height="${lane.height}"
    rx="4"
    class="band ${getColourClass(lane)}"
  /> `;

/** The position's number and the start of its text; the table has all of it. */
function renderLaneLabel(lane: PlacedLane, { left, right }: Layout, w: PageWords): Html {
  const room = Math.floor((right - left) / measureTextWidth('x')) - 6;
  const words = lane.number === '' ? w.archive.noPosition : `${lane.number} ${lane.position}`;
  const shown = toOneLine(
    words,
    measureTextWidth(words) > words.length * measureTextWidth('x') ? Math.floor(room / 2) : room,
  );
  return html`<text x="${left}" y="${lane.top - 6}" class="lane ${getColourClass(lane)}"
    >${shown}${lane.isDecided ? ` ★ ${w.page.decided}` : ''}</text
  > `;
}

const curve = line<PlacedStop>(
  ({ x }) => x,
  ({ y }) => y,
)
  .curve(curveBumpX)
  .digits(1);

/** Returns the style of the line to a stop: dashed if unexplained, dotted if the participant only stayed. */
function chooseStroke({ lane, stop }: PlacedStop): string {
  const kind = stop.move?.explained === false ? ' dashed' : stop.kind === 'carried' ? ' dotted' : '';
  return `${getColourClass(lane)}${kind}`;
}

/** Draws a participant's line, with its description as a tooltip. */
function drawRowLines({ row, points }: PlacedRow, { rounds }: Lanes, w: PageWords): Html {
  const pieces: { stroke: string; points: PlacedStop[] }[] = [];
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

function drawStopMark({ x, y, lane, stop }: PlacedStop): Html {
  if (stop.kind === 'silent') return html``;
  if (stop.move && stop.move.explained !== null)
    return html`<circle
      cx="${x}"
      cy="${y}"
      r="5.5"
      class="${getColourClass(lane)} ${stop.move.explained ? 'filled' : 'hollow'}"
    />`;
  if (stop.kind === 'carried')
    return html`<path class="cross ${getColourClass(lane)}" d="M${x - 3.5} ${y - 3.5}l7 7m0-7l-7 7" />`;
  return html`<circle cx="${x}" cy="${y}" r="3" class="${getColourClass(lane)} filled" />`;
}

const renderBracket = ({ numbers, x, top, bottom }: Layout['joins'][number]): Html =>
  html`<path class="bracket" d="M${x - 6} ${top}h6V${bottom}h-6" /><text
      x="${x + 6}"
      y="${Math.round((top + bottom) / 2) + 4}"
      class="join"
      >${numbers.join(' = ')}</text
    > `;

function drawRowNames({ row, points }: PlacedRow): Html {
  const [first, last] = [points[0]!, points.at(-1)!];
  const name = shortenName(row.name);
  return html`<text x="${first.x - 18}" y="${first.y + 4}" class="name before">${name}</text
    ><text x="${last.x + 18}" y="${last.y + 4}" class="name"
      >${name}<tspan class="small">${formatApprovals(row)}</tspan></text
    > `;
}

const formatApprovals = ({ approves }: LaneRow): string =>
  approves.length === 0 ? '' : `  ✓ ${approves.join(', ')}`;

/** Describes everyone who moved, and in one sentence those who stayed. */
export function describeLanes({ rounds, rows }: Lanes, w: PageWords): string {
  const moved = rows.filter(({ stops }) => stops.some(({ move }) => move));
  const stayed = rows.filter((row) => !moved.includes(row) && row.end !== '');
  return [
    ...(moved.length === 0 ? [w.archive.nobodyMoved] : moved.map((row) => describeLaneWay(row, rounds, w))),
    ...(moved.length > 0 && stayed.length > 0
      ? [fill(w.page.stayed, { names: stayed.map(({ name, end }) => `${name} (${end})`).join(', ') })]
      : []),
  ].join(' ');
}

/** Returns "Sage: P2, then P1 in CHALLENGE (round 2), unexplained." */
function describeLaneWay({ name, stops }: LaneRow, rounds: Lanes['rounds'], w: PageWords): string {
  const steps = stops.flatMap((stop, at): string[] => {
    const { phase, tour } = rounds[at]!;
    const round = formatRoundName(phase, tour, w);
    if (stop.move) return [fill(w.page.thenTo, { number: stop.number, round, how: describeMove(stop, w) })];
    const isFirst = stop.number !== '' && stops.slice(0, at).every(({ number }) => number === '');
    return isFirst ? [stop.number] : [];
  });
  return fill(w.page.way, { name, steps: steps.join(', ') || w.archive.noPosition });
}

/** Describes a move: explained (by what), unexplained, or just moved if that is unknown. */
export function describeMove({ move }: Stop, w: PageWords): string {
  if (!move || move.explained === null) return w.page.moved;
  if (!move.explained) return w.ledger.unexplained;
  if (move.because === null) return w.page.explained;
  const because = move.because === 'quote' ? w.page.byQuote : move.because;
  return fill(w.page.explainedBy, { because });
}

interface Sign {
  sign: string;
  meaning: string;
}

/** Explains the signs used, which are also used in the table below the picture. */
export function listLegendSigns({ rows, joins }: Lanes, w: PageWords): Sign[] {
  const stops = rows.flatMap((row) => row.stops);
  const signs: [string, string, boolean][] = [
    ['●', w.page.explainedMove, stops.some(({ move }) => move?.explained === true)],
    ['○', w.page.unexplainedMove, stops.some(({ move }) => move?.explained === false)],
    ['×', w.page.carried, stops.some(({ kind }) => kind === 'carried')],
    ['=', w.page.joined, joins.length > 0],
    ['✓', w.archive.approves, rows.some(({ approves }) => approves.length > 0)],
  ];
  return signs.flatMap(([sign, meaning, isThere]) => (isThere ? [{ sign, meaning }] : []));
}

interface LegendPlace {
  x: number;
  y: number;
  width: number;
}

const LINE = 18;
const GAP = 18;

/** Draws the legend in as many lines as necessary. */
function drawLegend(
  lanes: Lanes,
  { x, y, width }: LegendPlace,
  w: PageWords,
): { height: number; content: Html } {
  let at = { x, y };
  const placed = listLegendSigns(lanes, w).map(({ sign, meaning }) => {
    const words = `${sign} ${meaning}`;
    if (at.x > x && at.x + measureSmallText(words) > width) at = { x, y: at.y + LINE };
    const here = at;
    at = { ...at, x: Math.round(at.x + measureSmallText(words) + GAP) };
    return html`<text x="${here.x}" y="${here.y}" class="small">${words}</text> `;
  });
  return { height: placed.length === 0 ? 0 : at.y - y + LINE, content: html`${placed}` };
}
