// How those who sat in councils did: against what turned out, in the debate, and what they cost.
import { fill } from '../../../core/base/words/words.ts';
import type { OriginRecord, TrackRecord } from '../../../core/app/track-records.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { figure, table } from '../../page/show.ts';
import { layout, problemPage } from './layout.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

export function addRecords(site: Site): void {
  site.get('/records', async (c, visitor) => {
    const denied = visitor.may('metrics');
    if (denied) return problemPage(c, visitor, denied);
    const { records, origins } = await site.looks.records();
    const { title, none } = visitor.w.records;
    return layout(c, visitor, {
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
    total === 0 ? '–' : fill(w.archive.ofTotal, { count, total });
  const rows = records.map((one) => [
    one.id,
    String(one.councils),
    share(one.outcomes.right, one.outcomes.judged),
    one.brier === null ? '–' : one.brier.toFixed(2),
    share(one.quotes.verified, one.quotes.total),
    share(one.challenges.conceded, one.challenges.total),
    share(one.moves.unexplained, one.moves.unexplained + one.moves.explained),
    figure(one.costPerCouncil, visitor),
  ]);
  const drawn = records.filter(({ calibration }) => calibration !== null);
  return html`${table(words.title, [w.site.participant, ...Object.values(w.recordColumn)], rows, false, w)}
    <p class="beside">${words.howTo}</p>
    ${drawn.map((one) => drawCalibration(one, visitor))}`;
}

/** Which side of the plot there are so many points on, and what is around it for its words. */
const SIDE = 240;
const EDGE = 40;

/** Stated confidence across, the share that was right upwards; on the line both are the same. */
function drawCalibration({ id, calibration }: TrackRecord, { w }: Visitor): Html {
  const { records: words } = w;
  const at = (share: number): number => Math.round(share * SIDE);
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
            cx="${EDGE + at(stated)}"
            cy="${EDGE + SIDE - at(right)}"
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
    ${table(
      w.records.decisions,
      [w.records.how, w.records.right, w.records.wrong, w.records.undecided],
      origins.map(({ how, right, wrong, undecided }) => [
        w.originName[how],
        ...[right, wrong, undecided].map(String),
      ]),
      false,
      w,
    )}`;
