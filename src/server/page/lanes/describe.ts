// The picture in words: who moved, for those who do not see it, and the signs with their meanings.
import { fill } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import type { Lanes, Row, Stop } from './lanes.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { measureSmallText } from './layout.ts';

/** One sentence for everybody who moved, and one on who stayed. */
export function describe({ rounds, rows }: Lanes, w: Words): string {
  const moved = rows.filter(({ stops }) => stops.some(({ move }) => move));
  const stayed = rows.filter((row) => !moved.includes(row) && row.end !== '');
  return [
    ...(moved.length === 0 ? [w.archive.nobodyMoved] : moved.map((row) => describeLaneWay(row, rounds, w))),
    ...(moved.length > 0 && stayed.length > 0
      ? [fill(w.page.stayed, { names: stayed.map(({ name, end }) => `${name} (${end})`).join(', ') })]
      : []),
  ].join(' ');
}

/** "Sage: P2, then P1 in CHALLENGE (round 2), unexplained." */
export function describeLaneWay({ name, stops }: Row, rounds: Lanes['rounds'], w: Words): string {
  const steps = stops.flatMap((stop, at): string[] => {
    const { phase, tour } = rounds[at]!;
    const round = fill(w.archive.transcriptPhase, { phase, tour });
    if (stop.move) return [fill(w.page.thenTo, { number: stop.number, round, how: howMoved(stop, w) })];
    const isFirst = stop.number !== '' && stops.slice(0, at).every(({ number }) => number === '');
    return isFirst ? [stop.number] : [];
  });
  return fill(w.page.way, { name, steps: steps.join(', ') || w.archive.noPosition });
}

/** How a move is called: explained (by what), unexplained, or only moved where that is not known. */
export function howMoved({ move }: Stop, w: Words): string {
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

/** What each sign means. The table below the picture has the same signs. */
export function listLegendSigns({ rows, joins }: Lanes, w: Words): Sign[] {
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

/** Where the legend stands, and how wide it may be. */
interface LegendPlace {
  x: number;
  y: number;
  width: number;
}

const LINE = 18;
const GAP = 18;

/** The legend in as many lines as it needs. */
export function drawLegend(
  lanes: Lanes,
  { x, y, width }: LegendPlace,
  w: Words,
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
