// Pages of the agents: their trust, health, cost and track records. Trust cannot be granted here.
import { fill } from '../../../core/base/words/words.ts';
import type { OriginRecord, TrackRecord } from '../../../core/app/track-records.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatPageFigure, renderTable, formatTime } from '../../page/page-formats.ts';
import { respondWithPage, respondWithProblem } from './layout.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { readOrder, renderList } from './rows.ts';
import type { SortKey } from './rows.ts';
import type { Seatable } from '../../page/use/page-data.ts';

export function addRecords(site: Site): void {
  site.get('/records', async (c, visitor) => {
    const denied = visitor.may('metrics');
    if (denied) return respondWithProblem(c, visitor, denied);
    const { records, origins } = await site.data.records();
    const { title, none } = visitor.w.records;
    return respondWithPage(c, visitor, {
      title,
      at: 'agents',
      main: html`<h1>${title}</h1>
        ${records.length === 0 ? html`<p>${none}</p>` : renderRecords(records, visitor)}
        ${origins.length > 0 && renderOrigins(origins, visitor)}`,
    });
  });
}

function renderRecords(records: readonly TrackRecord[], visitor: Visitor): Html {
  const { w } = visitor;
  const { records: words } = w;
  const share = (count: number, total: number): string =>
    total === 0 ? '' : fill(w.archive.ofTotal, { count, total });
  const rows = records.map((one) => [
    one.id,
    String(one.councils),
    share(one.outcomes.right, one.outcomes.judged),
    one.brier === null ? '' : one.brier.toFixed(2),
    share(one.quotes.verified, one.quotes.total),
    share(one.challenges.conceded, one.challenges.total),
    share(one.moves.unexplained, one.moves.unexplained + one.moves.explained),
    formatPageFigure(one.costPerCouncil, visitor),
  ]);
  const drawn = records.filter(({ calibration }) => calibration !== null);
  const header = [w.site.participant, ...Object.values(w.recordColumn)];
  return html`${renderTable({ label: words.title, header, rows, cards: true }, w)}
    <p class="beside">${words.howTo}</p>
    ${drawn.map((one) => drawCalibration(one, visitor))}`;
}

/** Side length of the plot, and the margin for labels. */
const SIDE = 240;
const EDGE = 40;

/** Plots stated confidence (x) against the share that was right (y); on the diagonal they are equal. */
function drawCalibration({ id, calibration }: TrackRecord, { w }: Visitor): Html {
  const { records: words } = w;
  const scaleShare = (share: number): number => Math.round(share * SIDE);
  const percent = (share: number): string => fill(w.common.percent, { value: Math.round(share * 100) });
  const points = (calibration ?? []).map((bin) => ({
    ...bin,
    says: fill(words.point, { stated: percent(bin.stated), right: percent(bin.right), count: bin.count }),
  }));
  const label = fill(words.calibration, { id });
  return html`<figure class="picture" tabindex="0" role="group" aria-label="${label}">
    <svg
      viewBox="0 0 ${SIDE + 2 * EDGE} ${SIDE + 2 * EDGE}"
      width="${SIDE + 2 * EDGE}"
      height="${SIDE + 2 * EDGE}"
      role="img"
    >
      <title>${label}</title>
      <desc>${points.map(({ says }) => says).join(' ')}</desc>
      <rect x="${EDGE}" y="${EDGE}" width="${SIDE}" height="${SIDE}" class="bracket" />
      <path d="M${EDGE} ${EDGE + SIDE}L${EDGE + SIDE} ${EDGE}" class="c0 way dashed" />
      ${points.map(
        ({ stated, right, count, says }) =>
          html`<circle
            cx="${EDGE + scaleShare(stated)}"
            cy="${EDGE + SIDE - scaleShare(right)}"
            r="${4 + Math.min(8, Math.round(Math.sqrt(count)))}"
            class="c1 filled"
          >
            <title>${says}</title>
          </circle>`,
      )}
      <text x="${EDGE}" y="${EDGE - 12}" class="small">${words.up}</text>
      <text x="${EDGE + SIDE}" y="${SIDE + EDGE + 24}" class="small before">${words.across}</text>
    </svg>
    <figcaption>
      <strong>${id}</strong>
      ${points.map(({ says }) => says).join(' ')}
    </figcaption>
  </figure> `;
}

const renderOrigins = (origins: readonly OriginRecord[], { w }: Visitor): Html =>
  html`<h2>${w.records.decisions}</h2>
    ${renderTable(
      {
        label: w.records.decisions,
        header: [w.records.how, w.records.right, w.records.wrong, w.records.undecided],
        rows: origins.map(({ how, right, wrong, undecided }) => [
          w.originName[how],
          ...[right, wrong, undecided].map(String),
        ]),
        cards: true,
      },
      w,
    )}`;

type SeatableAgent = Seatable['agents'][number];

const SORT_KEYS: Record<string, SortKey<SeatableAgent>> = {
  agent: ({ id }) => id,
  program: ({ program }) => program,
  trusted: ({ isTrusted }) => Number(isTrusted),
  health: ({ health }) => health?.failures ?? 0,
  costOfLaunch: ({ costUsd }) => costUsd ?? -1,
};

export function addAgents(site: Site): void {
  site.get('/agents', async (c, visitor) => {
    const { w, lang } = visitor;
    const denied = visitor.may('cost');
    if (denied) return respondWithProblem(c, visitor, denied);
    const { agents } = await site.data.seatable();
    const list = {
      label: w.site.agents,
      path: '/agents',
      sortKeys: SORT_KEYS,
      rows: agents.filter(({ isBuiltIn }) => !isBuiltIn),
      order: readOrder(c, SORT_KEYS, 'agent'),
      render: (rows: readonly SeatableAgent[]) =>
        rows.map((one) => [
          toOneLine(`${one.emoji} ${one.title}`, 80),
          one.isPerson ? w.site.aPerson : toOneLine(one.program, 80),
          one.isTrusted ? w.site.yes : html`${w.site.notYet} <code>council trust ${one.id}</code>`,
          describeHealth(one, visitor),
          one.isPerson ? '' : formatPageFigure(one.costUsd, { w, lang }),
        ]),
    };
    return respondWithPage(c, visitor, {
      title: w.site.agents,
      at: 'agents',
      main: html`<h1>${w.site.agents}</h1>
        ${list.rows.length === 0 ? html`<p>${w.site.noAgents}</p>` : await renderList(c, list, w)}
        <p><a href="/records">${w.records.title}</a> · <a href="/cost">${w.site.cost}</a></p>`,
    });
  });
}

/** Describes its last launches, and the command that helps. */
function describeHealth({ id, health, isPerson }: SeatableAgent, { w }: Visitor) {
  if (isPerson) return '';
  if (!health) return w.site.well;
  const { failures, reason, until } = health;
  return html`${fill(w.site.failures, { count: failures, reason: toOneLine(reason, 200) })}
    ${until !== null && fill(w.site.pausedUntil, { time: formatTime(until, w) })}
    <code>council agents check ${id}</code>`;
}
