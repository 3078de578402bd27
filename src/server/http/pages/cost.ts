// Page of launch costs by agent, model, council, month or day, with a bar and figures in each row.
import type { CostReport } from '../../../core/app/ledger.ts';
import { costFields } from '../../../core/app/input/archive.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatPageFigure, renderTable } from '../../page/page-formats.ts';
import { respondWithPage, respondWithProblem } from './layout.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

export function addCost(site: Site): void {
  site.get('/cost', async (c, visitor) => {
    const { w } = visitor;
    const by = costFields.by.choices.find((key) => key === c.req.query('by')) ?? 'agent';
    const done = await visitor.ask('cost', { by });
    const report = done.document as Partial<CostReport>;
    if (!isReport(report)) return respondWithProblem(c, visitor, done);
    return respondWithPage(c, visitor, {
      title: w.site.cost,
      at: 'agents',
      main: html`<h1>${w.site.cost}</h1>
        <nav aria-label="${w.site.sumBy}">
          <ul>
            ${costFields.by.choices.map((key) => html`<li><a href="/cost?by=${key}" ${key === by && html`aria-current="page"`}>${w.site[`${key}Sums`]}</a></li> `)}
          </ul>
        </nav>
        ${report.rows.length === 0 ? html`<p>${w.archive.noLaunches}</p>` : renderSums(report, visitor)}`,
    });
  });
}

/** With an unreadable council, the call fails but still reports the others. */
const isReport = (report: Partial<CostReport>): report is CostReport => report.rows !== undefined;

function renderSums({ by, rows, total }: CostReport, visitor: Visitor): Html {
  const { w } = visitor;
  const most = Math.max(...rows.map(({ costUsd }) => costUsd ?? 0));
  const cells = (spent: CostReport['total']): string[] => [
    formatPageFigure(spent.costUsd, visitor),
    String(spent.launches),
    ...[spent.inputTokens, spent.cachedTokens, spent.outputTokens].map((count) =>
      formatPageFigure(count, visitor),
    ),
  ];
  const name = (key: string | null): string | Html =>
    key === null
      ? w.archive.unknown
      : by === 'council'
        ? html`<a href="/councils/${encodeURIComponent(key)}">${key}</a>`
        : toOneLine(key, 80);
  const { archive, site } = w;
  const header = [
    site[`${by}Sums`],
    site.costShare,
    site.costOf,
    ...[archive.launches, archive.inputTokens, archive.cachedTokens, archive.outputTokens],
  ];
  const sums = [
    ...rows.map((row) => [name(row.key), most > 0 ? renderBar(row.costUsd ?? 0, most) : '', ...cells(row)]),
    [site.sumOfAll, '', ...cells(total)],
  ];
  const { unknownTokens: tokens, unknownCost: cost } = total;
  return html`${renderTable({ label: site.cost, header, rows: sums, cards: true }, w)}
  ${tokens + cost > 0 && html`<p class="beside">${fill(archive.untold, { tokens, cost })}</p>`}`;
}

const BAR_WIDTH = 200;

/** A bar with the length of the value's share of the greatest. */
const renderBar = (value: number, most: number): Html =>
  html`<svg viewBox="0 0 ${BAR_WIDTH} 12" width="${BAR_WIDTH}" height="12" aria-hidden="true" class="c1">
    <rect width="${Math.round((BAR_WIDTH * value) / most)}" height="12" class="filled" />
  </svg>`;
