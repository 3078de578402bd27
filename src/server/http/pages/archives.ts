// Pages of the archives: a searchable and filtered list, and a single archive.
import type { ArchiveHeading } from '../../page/use/page-looks.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import type { SearchDocument } from '../../../core/app/search.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatPageFigure, renderTable, renderTime, translateMode } from '../../page/page-formats.ts';
import type { Ctx } from '../context.ts';
import { toProblem } from '../context.ts';
import { respondWithProblem, redirectAfterPost, respondWithPage } from './layout.ts';
import { readAskedPart } from './council.ts';
import { readOrder, renderList } from './rows.ts';
import type { Column } from './rows.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

const BEST = 50;
const FIELDS = ['q', 'mode', 'status', 'participant', 'since', 'until'] as const;
type ArchiveQuery = Record<(typeof FIELDS)[number], string>;

type FoundArchive = ArchiveHeading & { excerpt?: string };

export function addArchives(site: Site): void {
  site.get('/archives', async (c, visitor) => {
    const denied = visitor.may('list') ?? visitor.may('search');
    if (denied) return respondWithProblem(c, visitor, denied);
    const asked = readArchiveFilters(c);
    const left = await site.looks.archives(asked, visitor.caller);
    const rows = asked.q.trim() === '' ? left : await searchArchiveRows(visitor, asked.q, left);
    // An invalid search is reported next to the form, which keeps it.
    const isNoSearch = !Array.isArray(rows) && toProblem(rows).code === 'usage';
    if (!Array.isArray(rows) && !isNoSearch) return respondWithProblem(c, visitor, rows);
    return respondWithPage(c, visitor, {
      title: visitor.w.site.archives,
      at: 'archives',
      status: isNoSearch ? 422 : 200,
      main: html`<h1>${visitor.w.site.archives}</h1>
        ${renderArchivesForm(asked, visitor)} ${await renderArchiveRows(site, c, rows, asked, visitor)}`,
    });
  });
  site.get('/archives/:id', async (c, visitor) => {
    const denied = visitor.may('show');
    if (denied) return respondWithProblem(c, visitor, denied);
    const found = await site.looks.find(c.req.param('id') ?? '', visitor.caller);
    if ('council' in found) return redirectAfterPost(c, `/councils/${found.council.state.name}`);
    const { heading, main, title, lang } = await site.looks.draw(found, readAskedPart(c));
    return respondWithPage(c, visitor, {
      ...{ title, lang, at: 'archives' },
      main: html`${heading} ${renderSavingLinks(found.archive.meta.id, visitor)} ${main}`,
    });
  });
  site.get('/archives/:id/save/:format', async (c, visitor) => {
    const format = c.req.param('format') ?? '';
    const denied = visitor.may('show');
    if (denied) return respondWithProblem(c, visitor, denied);
    if (!isSavedFormat(format)) return c.notFound();
    const found = await site.looks.find(c.req.param('id') ?? '', visitor.caller);
    if ('council' in found) return redirectAfterPost(c, `/councils/${found.council.state.name}`);
    const { id } = found.archive.meta;
    return c.body(await site.looks.exportText(id, format, visitor.caller), 200, {
      'Content-Type': `${SAVED_AS[format].type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${id.replace(/[^\w.-]/g, '-')}${SAVED_AS[format].end}"`,
    });
  });
}

/** Media types and file extensions of the download formats. */
const SAVED_AS = {
  md: { type: 'text/markdown', end: '.md' },
  adr: { type: 'text/markdown', end: '.decision.md' },
  html: { type: 'text/html', end: '.html' },
  json: { type: 'application/json', end: '.json' },
};
const isSavedFormat = (format: string): format is keyof typeof SAVED_AS => Object.hasOwn(SAVED_AS, format);

/** Renders the download links, and a copy button that the script shows if it can copy. */
function renderSavingLinks(id: string, { w: { site } }: Visitor): Html {
  const names = { md: 'Markdown', adr: site.decisionRecord, html: 'HTML', json: 'JSON' };
  const to = (format: string): string => `/archives/${encodeURIComponent(id)}/save/${format}`;
  return html`<p class="saving">
    ${site.saveAs}
    ${Object.entries(names).map(([format, name]) => html`<a href="${to(format)}" download>${name}</a> `)}
    <button class="quiet" data-copy="${to('md')}" data-copied="${site.copied}" hidden>
      ${site.copyMarkdown}
    </button>
  </p>`;
}

function readArchiveFilters(c: Ctx): ArchiveQuery {
  const readParameter = (name: string): string => (c.req.query(name) ?? '').slice(0, 500);
  return Object.fromEntries(FIELDS.map((name) => [name, readParameter(name)])) as ArchiveQuery;
}

/** Returns the search results among the filtered archives, best first. */
async function searchArchiveRows(visitor: Visitor, query: string, left: FoundArchive[]) {
  const done = await visitor.ask('search', { query, limit: 1000 });
  if (done.failed) return done;
  const { results } = done.document as SearchDocument;
  const known = new Map(left.map((one) => [one.id, one]));
  return results
    .flatMap(({ kind, id, excerpt }): FoundArchive[] => {
      const one = kind === 'council' ? known.get(id) : undefined;
      return one ? [{ ...one, excerpt }] : [];
    })
    .slice(0, BEST);
}

function renderArchivesForm(asked: ArchiveQuery, { w }: Visitor): Html {
  const { site, councilStatus } = w;
  const input = (name: keyof ArchiveQuery, label: string, type: string): Html =>
    html`<div>
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="${type}" value="${asked[name]}" />
    </div>`;
  const isFiltered = FIELDS.some((name) => name !== 'q' && asked[name] !== '');
  const statuses = Object.entries({ ...councilStatus, COMPLETED: site.allPhases }).filter(
    ([status]) => status !== 'ACTIVE',
  );
  return html`<form method="get" action="/archives" role="search" aria-label="${site.archives}" class="row">
    ${input('q', site.words, 'search')}
    <button>${site.search}</button>
    <details class="filters" ${isFiltered && html`open`}>
      <summary>${site.filters}</summary>
      <div class="row">
        ${input('mode', site.mode, 'text')}
        <div>
          <label for="status">${site.outcome}</label>
          <select id="status" name="status">
            <option value="">${site.any}</option>
            ${statuses.map(([status, name]) => html`<option value="${status}" ${status === asked.status && 'selected'}>${name}</option>`)}
          </select>
        </div>
        ${input('participant', site.participant, 'text')} ${input('since', site.from, 'date')}
        ${input('until', site.to, 'date')}
      </div>
    </details>
  </form>`;
}

/** Renders the filtered rows, or the message that the query is invalid. */
function renderArchiveRows(
  site: Site,
  c: Ctx,
  rows: FoundArchive[] | CallOutcome,
  asked: ArchiveQuery,
  visitor: Visitor,
) {
  if (!Array.isArray(rows)) return html`<p class="bad" role="alert">${visitor.w.site.notWords}</p>`;
  return asked.q.trim() === ''
    ? renderArchivePage(site, c, rows, asked, visitor)
    : renderBestRows(site, rows, visitor);
}

const COLUMNS: Record<string, Column<FoundArchive>> = {
  question: ({ topic }) => topic.toLowerCase(),
  mode: ({ mode }) => mode,
  outcome: ({ status }) => status,
  ended: ({ endedAt }) => endedAt,
};

/** Renders a page of the list with links to its neighbours. */
async function renderArchivePage(
  site: Site,
  c: Ctx,
  rows: FoundArchive[],
  asked: ArchiveQuery,
  visitor: Visitor,
): Promise<Html> {
  const { w, caller } = visitor;
  const none = caller?.ownArchive === undefined ? w.site.noneArchived : w.site.noneOfYours;
  const isAsked = FIELDS.some((name) => asked[name].trim() !== '');
  if (rows.length === 0) return html`<p>${isAsked ? w.site.noArchives : none}</p>`;
  const list = {
    ...{ label: w.site.archives, path: '/archives', asked: { ...asked }, rows, columns: COLUMNS },
    order: readOrder(c, COLUMNS, 'ended', 'down'),
    beside: [w.site.seated, w.site.costOf],
    render: (shown: readonly FoundArchive[]) => describeArchives(site, shown, visitor),
  };
  return html`<p>${fill(w.site.countOf, { count: rows.length })}</p>
    ${await renderList(c, list, w)}`;
}

async function renderBestRows(site: Site, rows: FoundArchive[], visitor: Visitor): Promise<Html> {
  const { w } = visitor;
  if (rows.length === 0) return html`<p>${w.site.noArchives}</p>`;
  const label = fill(w.site.bestFirst, { count: rows.length });
  const { question, mode, outcome, ended, seated, costOf } = w.site;
  const header = [question, mode, outcome, ended, seated, costOf];
  const shown = await describeArchives(site, rows, visitor);
  return renderTable({ label, header, rows: shown, cards: true }, w);
}

async function describeArchives(
  { looks }: Site,
  rows: readonly FoundArchive[],
  { w, lang }: Visitor,
): Promise<(string | Html)[][]> {
  const endings = await looks.endings(rows, w);
  return rows.map(({ id, topic, mode, status, endedAt, excerpt }) => {
    const { end = '', ending = '', seated = '', costUsd = null } = endings.get(id) ?? {};
    return [
      html`<a href="/archives/${encodeURIComponent(id)}" dir="auto">${toOneLine(topic, 300)}</a><br /><span
          class="ending"
          >${ending}</span
        >${excerpt !== undefined && excerpt.replaceAll('**', '') !== topic && html`<br /><span class="beside" dir="auto">${markExcerptHits(excerpt)}</span>`}`,
      translateMode(mode, w),
      end || (w.councilStatus[status] ?? toOneLine(status, 40)),
      renderTime(endedAt, w),
      toOneLine(seated, 200),
      costUsd === null ? '' : formatPageFigure(costUsd, { w, lang }),
    ];
  });
}

/** Hits in an excerpt are enclosed in `**`. */
const markExcerptHits = (excerpt: string): (string | Html)[] =>
  excerpt.split('**').map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part));
