// Renders the first screen: decision, dissent, unanswered challenges, and how positions moved.
import { describeCouncilEnd } from '../../../core/archive/sections.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { quoteAndWords } from '../../../core/council/ledger/text/marks.ts';
import {
  formatAnchor,
  formatLabelledValue,
  formatShownName,
  formatTime,
  formatPermanentLink,
  renderTime,
  renderTable,
  formatRoundName,
  translateMode,
  translatePhase,
} from '../page-formats.ts';
import type { PageDocument, ShownSeats } from '../document.ts';
import { A_PAGE, linkToSeats, renderSeatsNavigation } from '../parts.ts';

import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { describeUnderway } from '../document.ts';
import { describeEnd } from '../seat/document.ts';
import type { RenderContext } from '../page-formats.ts';
import { describeMove, listLegendSigns, renderLanesFigure } from '../lanes/draw.ts';
import type { Lane, Lanes, LaneRow, Stop } from '../lanes/lanes.ts';

/** Maximum number of unanswered challenges here; the ledger shows all. */
const FIRST = 3;

export function renderOutcomeHeading(
  { archive, underway, altered, part }: PageDocument,
  { w }: RenderContext,
): Html {
  const { meta } = archive;
  // Blocking issues also count as dissent, but are shown with the contributions.
  const isExact = meta.status === 'COMPLETED' && meta.decision?.decided === true;
  const end = isExact ? describeCouncilEnd(archive, w) : describeEnd(meta, w);
  // A council of one minute has one time.
  const isLater = !underway && formatTime(meta.startedAt, w) !== formatTime(meta.endedAt, w);
  const names = listNames(
    meta.participants.map(({ id }) => formatShownName(meta, id)),
    part,
    w,
  );
  return html`<header id="top">
    <h1 dir="auto">${toOneLine(meta.topic, 1000)}</h1>
    <p class="beside">
      ${translateMode(meta.mode, w)} · ${underway ? w.councilStatus.ACTIVE : end} ·
      ${renderTime(meta.startedAt, w)}${isLater && html` – ${renderTime(meta.endedAt, w)}`}${underway?.hasLetters ? html`<br />${w.page.letters}` : html`<span class="sat"><br />${fill(w.page.sat, { names })}</span>`}
    </p>
    ${altered.map((what) => html`<p class="warning">${fill(w.page.altered, { what })}</p>`)}
  </header> `;
}

/** Joins names; a partial page shows only a limited number. */
function listNames(names: readonly string[], part: PageDocument['part'], w: RenderContext['w']): string {
  const shown = part ? names.slice(0, A_PAGE) : names;
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [fill(w.page.more, { count: more })] : [])].join(', ');
}

/** Renders the time as an element, wherever it is in the sentence. */
function renderDeadline(page: PageDocument, w: RenderContext['w']): Html {
  const [before = '', after = ''] = describeUnderway(page, () => '{until}').split('{until}');
  return html`${before}${renderTime(page.underway?.until ?? '', w)}${after}`;
}

/** `hasClock`: the deadline of the phase is already shown above. */
export function renderDecision(
  page: PageDocument,
  { w, text }: RenderContext,
  hasClock = false,
): Html | null {
  const { own, underway } = page;
  // An open phase without a decision needs no decision section.
  if (underway && own.decision.length === 0)
    return hasClock ? null : html`<p id="underway"><strong>${renderDeadline(page, w)}</strong></p> `;
  return html`<section id="decision" aria-labelledby="decision-h">
    <h2 id="decision-h">${w.archive.decision}</h2>
    ${underway && !hasClock && html`<p><strong>${renderDeadline(page, w)}</strong></p>`}
    ${own.decision.map(text)}
  </section> `;
}

/** Returns null if dissent was impossible. */
export function renderDissent({ own }: PageDocument, { w, text }: RenderContext): Html | null {
  if (own.dissent.length + own.blocking.length === 0) return null;
  return html`<section id="dissent" aria-labelledby="dissent-h">
    <h2 id="dissent-h">${w.archive.dissent}</h2>
    ${own.dissent.map(text)}
    ${
      own.blocking.length > 0 &&
      html`<h3>${w.archive.blockingIssues}</h3>
        ${own.blocking.map(text)}`
    }
  </section> `;
}

/** Renders unanswered challenges, which are open questions rather than dissent. */
export function renderUnanswered({ silent, archive, part }: PageDocument, { w }: RenderContext): Html | null {
  if (silent.length === 0) return null;
  const next = silent[FIRST];
  return html`<section id="unanswered" aria-labelledby="unanswered-h">
    <h2 id="unanswered-h">${w.archive.unansweredChallenges} (${silent.length})</h2>
    <ul>
      ${silent.slice(0, FIRST).map((one) => renderSilentLine(one, { part, meta: archive.meta }, { w }))}${next && html`<li><a href="${part ? formatPermanentLink(part, formatAnchor('challenge', next.id)) : '#ledger'}">${fill(w.page.more, { count: silent.length - FIRST })}</a></li>`}
    </ul>
  </section> `;
}

function renderSilentLine(
  { id, by, against, words: said }: PageDocument['silent'][number],
  { part, meta }: Pick<PageDocument, 'part'> & Pick<PageDocument['archive'], 'meta'>,
  { w }: Pick<RenderContext, 'w'>,
): Html {
  const to = against === null ? w.common.nobody : formatShownName(meta, against);
  const who = fill(w.page.to, { by: formatShownName(meta, by), to });
  const { quote, words } = quoteAndWords(said);
  return html`<li>
    <a href="${formatPermanentLink(part, formatAnchor('challenge', id))}">${id}</a>
    ${formatLabelledValue(who, '', { w })}${quote !== '' && html`<q dir="auto">${toOneLine(quote, 90)}</q> `}<bdi
      >${toOneLine(words, 90)}</bdi
    >
  </li>`;
}

/** Returns null without positions. */
export function renderPositions(page: PageDocument, show: RenderContext): Html | null {
  const { lanes, archive, part, seats } = page;
  if (!lanes) return null;
  const { w } = show;
  const cards = part ? lanes.lanes.slice(0, A_PAGE) : lanes.lanes;
  return html`<section id="positions" aria-labelledby="positions-h">
    <h2 id="positions-h">${w.page.positions}</h2>
    <ul class="cards">
      ${cards.map((lane) => renderPositionCard(lane, lanes.rows, page, show))}
    </ul>
    ${cards.length < lanes.lanes.length && html`<p>${fill(w.page.more, { count: lanes.lanes.length - cards.length })}</p>`}
    ${
      seats === 'elsewhere'
        ? html`<p>
            <a href="${linkToSeats(1)}"
              >${fill(w.page.everySeat, { count: archive.meta.participants.length })}</a
            >
          </p>`
        : html`${seats && renderSeatsNavigation(archive.meta.participants.length, seats.from, w)}
          ${renderMoves(selectRows(lanes, seats), archive.meta.topic, w)}`
    }
  </section> `;
}

const selectRows = (lanes: Lanes, seats: ShownSeats | null): Lanes =>
  seats ? { ...lanes, rows: lanes.rows.filter(({ id }) => seats.ids.has(id)) } : lanes;

/** Renders everyone's position in each round, as a picture and a table. */
const renderMoves = (lanes: Lanes, topic: string, w: RenderContext['w']): Html =>
  html`${renderLanesFigure(lanes, topic, w)} ${renderStopsTable(lanes, w)}
    <p class="beside">
      ${listLegendSigns(lanes, w)
        .map(({ sign, meaning }) => `${sign} ${meaning}`)
        .join(' · ')}
    </p>`;

/** Renders a position with its current or final holders; null for "no position" if nobody holds it. */
function renderPositionCard(
  { number, position, isDecided, colour }: Lane,
  rows: readonly LaneRow[],
  { part, archive: { meta } }: PageDocument,
  { w }: RenderContext,
): Html | null {
  const name = (those: readonly LaneRow[]): string =>
    listNames(
      those.map(({ id }) => formatShownName(meta, id)),
      part,
      w,
    );
  const holders = rows.filter(({ end, isRecused }) => end === number && !isRecused);
  const accepting = rows.filter(({ approves }) => number !== '' && approves.includes(number));
  if (number === '' && holders.length === 0) return null;
  return html`<li class="c${colour}">
    ${number !== '' && html`<strong class="number">${number}</strong> `}<bdi>${number === '' ? w.archive.noPosition : position}</bdi>${isDecided && html` <strong>★ ${w.page.decided}</strong>`}
    <p class="beside">${holders.length > 0 ? `${holders.length}: ${name(holders)}` : w.page.heldByNobody}</p>
    ${accepting.length > 0 && html`<p class="beside">${formatLabelledValue(w.page.acceptedBy, name(accepting), { w })}</p>`}
  </li> `;
}

function renderStopsTable({ rounds, lanes, rows, hasEnded }: Lanes, w: RenderContext['w']): Html {
  const byNumber = new Map(lanes.map((lane) => [lane.number, lane]));
  const hasApprovals = rows.some(({ approves }) => approves.length > 0);
  const header = [
    w.archive.participant,
    ...rounds.map(({ phase, tour, isBlind }) =>
      isBlind ? `${translatePhase(phase, w)} (${w.page.blind})` : formatRoundName(phase, tour, w),
    ),
    ...(hasEnded ? [w.page.end] : []),
    ...(hasApprovals ? [w.page.approves] : []),
  ];
  const cells = ({ name, stops, end, approves, isRecused }: LaneRow): (string | Html)[] => [
    isRecused ? `${name} (${w.page.recused})` : name,
    ...stops.map((stop) => renderStopCell(stop, byNumber, w)),
    ...(hasEnded ? [renderNumberCell(end, byNumber, w)] : []),
    ...(hasApprovals ? [approves.length > 0 ? `✓ ${approves.join(', ')}` : ''] : []),
  ];
  return renderTable({ label: w.page.tableCaption, header, rows: rows.map(cells), caption: true }, w);
}

function renderNumberCell(number: string, lanes: ReadonlyMap<string, Lane>, w: RenderContext['w']): Html {
  const lane = lanes.get(number);
  return number === '' || !lane
    ? html`<span class="silent">–<span class="unseen"> ${w.archive.noPosition}</span></span>`
    : html`<span class="c${lane.colour}">${number}</span>`;
}

/** Renders a number with a sign for special moves, and their description for screen readers. */
function renderStopCell(stop: Stop, lanes: ReadonlyMap<string, Lane>, w: RenderContext['w']): Html {
  const number = renderNumberCell(stop.number, lanes, w);
  if (stop.move) {
    const sign = stop.move.explained === null ? '' : stop.move.explained ? ' ●' : ' ○';
    return html`<strong>${number}</strong><span aria-hidden="true">${sign}</span
      ><span class="unseen">, ${describeMove(stop, w)}</span>`;
  }
  if (stop.kind === 'carried')
    return html`${number} <span aria-hidden="true">×</span><span class="unseen">, ${w.page.carried}</span>`;
  if (stop.kind === 'asked') return html`${number} <span class="beside">(${w.page.asked})</span>`;
  return number;
}
