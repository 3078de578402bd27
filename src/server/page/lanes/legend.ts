// The signs of the picture with their meanings, those that occur in it.
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import type { Lanes } from './lanes.ts';
import { measureSmallText } from './layout.ts';

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
