// How positions moved: the picture, and the table that says the same and stands alone on a small screen.
import { fill } from '../../../core/base/words/words.ts';
import type { PageDocument } from '../document.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { howMoved } from '../lanes/describe.ts';
import type { Lane, Lanes, Row, Stop } from '../lanes/lanes.ts';
import { listLegendSigns } from '../lanes/legend.ts';
import { renderLanesFigure } from '../picture.ts';
import type { Show } from '../show.ts';
import { table } from '../show.ts';

/** Nothing without positions. */
export function positionsRegion({ lanes, archive }: PageDocument, show: Show): Html | null {
  if (!lanes) return null;
  const { w } = show;
  return html`<section id="positions" aria-labelledby="positions-h">
    <h2 id="positions-h">${w.page.positions}</h2>
    ${renderLanesFigure(lanes, archive.meta.topic, w)}
    <dl class="lanes">
      ${lanes.lanes
        .filter(({ number }) => number !== '')
        .map(
          (lane) =>
            html`<div>
              <dt class="c${lane.colour}">${lane.number}</dt>
              <dd>
                <bdi>${lane.position}</bdi>${lane.isDecided && html` <strong>★ ${w.page.decided}</strong>`}
              </dd>
            </div>`,
        )}
    </dl>
    ${stopsTable(lanes, w)}
    <p class="beside">
      ${listLegendSigns(lanes, w)
        .map(({ sign, meaning }) => `${sign} ${meaning}`)
        .join(' · ')}
    </p>
  </section> `;
}

function stopsTable({ rounds, lanes, rows, hasEnded }: Lanes, w: Show['w']): Html {
  const byNumber = new Map(lanes.map((lane) => [lane.number, lane]));
  const hasApprovals = rows.some(({ approves }) => approves.length > 0);
  const header = [
    w.archive.participant,
    ...rounds.map(({ phase, tour, isBlind }) =>
      isBlind ? `${phase} (${w.page.blind})` : fill(w.archive.transcriptPhase, { phase, tour }),
    ),
    ...(hasEnded ? [w.page.end] : []),
    ...(hasApprovals ? [w.page.approves] : []),
  ];
  const cells = ({ name, stops, end, approves, isRecused }: Row): (string | Html)[] => [
    isRecused ? `${name} (${w.page.recused})` : name,
    ...stops.map((stop) => stopCell(stop, byNumber, w)),
    ...(hasEnded ? [numberCell(end, byNumber, w)] : []),
    ...(hasApprovals ? [approves.length > 0 ? `✓ ${approves.join(', ')}` : ''] : []),
  ];
  return table(w.page.tableCaption, header, rows.map(cells));
}

function numberCell(number: string, lanes: ReadonlyMap<string, Lane>, w: Show['w']): Html {
  const lane = lanes.get(number);
  return number === '' || !lane
    ? html`<span class="silent">–<span class="unseen"> ${w.archive.noPosition}</span></span>`
    : html`<span class="c${lane.colour}">${number}</span>`;
}

/** The number, with a sign for what was special and its words for those who hear the page. */
function stopCell(stop: Stop, lanes: ReadonlyMap<string, Lane>, w: Show['w']): Html {
  const number = numberCell(stop.number, lanes, w);
  if (stop.move) {
    const sign = stop.move.explained === null ? '' : stop.move.explained ? ' ●' : ' ○';
    return html`<strong>${number}</strong><span aria-hidden="true">${sign}</span
      ><span class="unseen">, ${howMoved(stop, w)}</span>`;
  }
  if (stop.kind === 'carried')
    return html`${number} <span aria-hidden="true">×</span><span class="unseen">, ${w.page.carried}</span>`;
  if (stop.kind === 'asked') return html`${number} <span class="beside">(${w.page.asked})</span>`;
  return number;
}
