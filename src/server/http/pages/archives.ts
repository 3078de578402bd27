// Pages of the archives: a searchable and filtered list, and a single archive.
import type { ArchiveHeading } from '../../page/use/page-data.ts';
import type { CallOutcome } from '../../remote/perform-call.ts';
import type { SearchDocument } from '../../../core/app/search.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { formatPageFigure, renderTable, renderTime, translateMode } from '../../page/page-formats.ts';
import type { Ctx } from '../context.ts';
import { toProblem } from '../context.ts';
import { respondWithProblem, redirectToPage, respondWithPage } from './layout.ts';
import { readAskedPart } from './council.ts';
import { readOrder, renderList } from './rows.ts';
import type { SortKey } from './rows.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

/** Maximum number of search results. */
const MAX_HITS = 50;
const FIELDS = ['q', 'mode', 'status', 'participant', 'since', 'until'] as const;
/** The search words and the filter. */
type ArchiveQuery = Record<(typeof FIELDS)[number], string>;

type FoundArchive = ArchiveHeading & { excerpt?: string };

export function addArchives(site: Site): void {
  site.get('/archives', async (c, visitor) => {
    const denied = visitor.may('list') ?? visitor.may('search');
    if (denied) return respondWithProblem(c, visitor, denied);
    const query = readArchiveQuery(c);
    const filtered = await site.data.archives(query, visitor.caller);
    const isSearch = query.q.trim() !== '';
    const rows = isSearch ? await searchArchiveRows(visitor, query.q, filtered) : filtered;
    const respond = (status: 200 | 422, list: Html) =>
      respondWithPage(c, visitor, {
        title: visitor.w.site.archives,
        at: 'archives',
        status,
        main: html`<h1>${visitor.w.site.archives}</h1>
          ${renderArchivesForm(query, visitor)} ${list}`,
      });
    if (Array.isArray(rows)) {
      const list = isSearch ? renderHits(site, rows, visitor) : renderListPage(site, c, rows, query, visitor);
      return respond(200, await list);
    }
    if (toProblem(rows).code !== 'usage') return respondWithProblem(c, visitor, rows);
    // An invalid search is reported next to the form, which keeps it.
    return respond(422, html`<p class="bad" role="alert">${visitor.w.site.notWords}</p>`);
  });
  site.get('/archives/:id', async (c, visitor) => {
    const found = await findShownArchive(site, c, visitor);
    if (found instanceof Response) return found;
    const { heading, main, title, lang } = await site.data.render(found, readAskedPart(c));
    const links = renderDownloadLinks(found.archive.meta.id, visitor);
    return respondWithPage(c, visitor, {
      title,
      lang,
      at: 'archives',
      main: html`${heading} ${links} ${main}`,
    });
  });
  site.get('/archives/:id/save/:format', async (c, visitor) => {
    const format = c.req.param('format') ?? '';
    if (!isDownloadFormat(format)) return c.notFound();
    const found = await findShownArchive(site, c, visitor);
    if (found instanceof Response) return found;
    const { id } = found.archive.meta;
    const { type, extension } = DOWNLOAD_FORMATS[format];
    return c.body(await site.data.exportText(id, format, visitor.caller), 200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${id.replace(/[^\w.-]/g, '-')}${extension}"`,
    });
  });
}

/** Finds the requested archive, or returns what to respond instead: a refusal, or the way to the active council. */
async function findShownArchive(site: Site, c: Ctx, visitor: Visitor) {
  const denied = visitor.may('show');
  if (denied) return respondWithProblem(c, visitor, denied);
  const found = await site.data.find(c.req.param('id') ?? '', visitor.caller);
  return 'council' in found ? redirectToPage(c, `/councils/${found.council.state.name}`) : found;
}

/** Media types and file extensions of the download formats. */
const DOWNLOAD_FORMATS = {
  md: { type: 'text/markdown', extension: '.md' },
  adr: { type: 'text/markdown', extension: '.decision.md' },
  html: { type: 'text/html', extension: '.html' },
  json: { type: 'application/json', extension: '.json' },
};
const isDownloadFormat = (format: string): format is keyof typeof DOWNLOAD_FORMATS =>
  Object.hasOwn(DOWNLOAD_FORMATS, format);

/** Renders the download links, and a copy button that the script shows if it can copy. */
function renderDownloadLinks(id: string, { w: { site } }: Visitor): Html {
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

function readArchiveQuery(c: Ctx): ArchiveQuery {
  const readParameter = (name: string): string => (c.req.query(name) ?? '').slice(0, 500);
  return Object.fromEntries(FIELDS.map((name) => [name, readParameter(name)])) as ArchiveQuery;
}

/** Returns the search results among the filtered archives, best first; a refused search as it is. */
async function searchArchiveRows(
  visitor: Visitor,
  query: string,
  filtered: FoundArchive[],
): Promise<FoundArchive[] | CallOutcome> {
  const done = await visitor.ask('search', { query, limit: 1000 });
  if (done.failed) return done;
  const { results } = done.document as SearchDocument;
  const known = new Map(filtered.map((one) => [one.id, one]));
  return results
    .flatMap(({ kind, id, excerpt }): FoundArchive[] => {
      const one = kind === 'council' ? known.get(id) : undefined;
      return one ? [{ ...one, excerpt }] : [];
    })
    .slice(0, MAX_HITS);
}

function renderArchivesForm(query: ArchiveQuery, { w }: Visitor): Html {
  const { site, councilStatus } = w;
  const input = (name: keyof ArchiveQuery, label: string, type: string): Html =>
    html`<div>
      <label for="${name}">${label}</label>
      <input id="${name}" name="${name}" type="${type}" value="${query[name]}" />
    </div>`;
  const isFiltered = FIELDS.some((name) => name !== 'q' && query[name] !== '');
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
            ${statuses.map(([status, name]) => html`<option value="${status}" ${status === query.status && 'selected'}>${name}</option>`)}
          </select>
        </div>
        ${input('participant', site.participant, 'text')} ${input('since', site.from, 'date')}
        ${input('until', site.to, 'date')}
      </div>
    </details>
  </form>`;
}

const SORT_KEYS: Record<string, SortKey<FoundArchive>> = {
  question: ({ topic }) => topic.toLowerCase(),
  mode: ({ mode }) => mode,
  outcome: ({ status }) => status,
  ended: ({ endedAt }) => endedAt,
};

/** Renders a page of the list with links to its neighbours. */
async function renderListPage(
  site: Site,
  c: Ctx,
  rows: FoundArchive[],
  query: ArchiveQuery,
  visitor: Visitor,
): Promise<Html> {
  const { w, caller } = visitor;
  const none = caller?.ownArchive === undefined ? w.site.noneArchived : w.site.noneOfYours;
  const isAsked = FIELDS.some((name) => query[name].trim() !== '');
  if (rows.length === 0) return html`<p>${isAsked ? w.site.noArchives : none}</p>`;
  const list = {
    label: w.site.archives,
    path: '/archives',
    asked: { ...query },
    rows,
    sortKeys: SORT_KEYS,
    order: readOrder(c, SORT_KEYS, 'ended', 'down'),
    extraHeadings: [w.site.seated, w.site.costOf],
    render: (shown: readonly FoundArchive[]) => renderArchiveCells(site, shown, visitor),
  };
  return html`<p>${fill(w.site.countOf, { count: rows.length })}</p>
    ${await renderList(c, list, w)}`;
}

async function renderHits(site: Site, rows: FoundArchive[], visitor: Visitor): Promise<Html> {
  const { w } = visitor;
  if (rows.length === 0) return html`<p>${w.site.noArchives}</p>`;
  const label = fill(w.site.bestFirst, { count: rows.length });
  const { question, mode, outcome, ended, seated, costOf } = w.site;
  const header = [question, mode, outcome, ended, seated, costOf];
  const shown = await renderArchiveCells(site, rows, visitor);
  return renderTable({ label, header, rows: shown, cards: true }, w);
}

async function renderArchiveCells(
  { data }: Site,
  rows: readonly FoundArchive[],
  { w, lang }: Visitor,
): Promise<(string | Html)[][]> {
  const endings = await data.endings(rows, w);
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
