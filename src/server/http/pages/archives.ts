// Pages of the archives: a searchable and filtered list, and a single archive.
import type { ArchiveHeading } from '../../page/use/page-looks.ts';
import type { Done } from '../../remote/perform-call.ts';
import type { SearchDocument } from '../../../core/app/search.ts';
import { oneLine } from '../../../core/base/text.ts';
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { figure, table, time } from '../../page/show.ts';
import type { Ctx } from '../context.ts';
import { toProblem } from '../context.ts';
import { problemPage, seeOther, layout } from './layout.ts';
import { readAskedPart } from './council.ts';
import { readOrder, renderList } from './rows.ts';
import type { Column } from './rows.ts';
import type { Site } from './site.ts';
import type { Visitor } from './visitor.ts';

const BEST = 50;
const FIELDS = ['q', 'mode', 'status', 'participant', 'since', 'until'] as const;
type Asked = Record<(typeof FIELDS)[number], string>;

type Row = ArchiveHeading & { excerpt?: string };

export function addArchives(site: Site): void {
  site.get('/archives', async (c, visitor) => {
    const denied = visitor.may('list') ?? visitor.may('search');
    if (denied) return problemPage(c, visitor, denied);
    const asked = readArchiveFilters(c);
    const left = await site.looks.archives(asked, visitor.caller);
    const rows = asked.q.trim() === '' ? left : await searchArchiveRows(visitor, asked.q, left);
    // An invalid search is reported next to the form, which keeps it.
    const isNoSearch = !Array.isArray(rows) && toProblem(rows).code === 'usage';
    if (!Array.isArray(rows) && !isNoSearch) return problemPage(c, visitor, rows);
    return layout(c, visitor, {
      title: visitor.w.site.archives,
      at: 'archives',
      status: isNoSearch ? 422 : 200,
      main: html`<h1>${visitor.w.site.archives}</h1>
        ${form(asked, visitor)} ${await renderArchiveRows(site, c, rows, asked, visitor)}`,
    });
  });
  site.get('/archives/:id', async (c, visitor) => {
    const denied = visitor.may('show');
    if (denied) return problemPage(c, visitor, denied);
    const found = await site.looks.find(c.req.param('id') ?? '', visitor.caller);
    if ('council' in found) return seeOther(c, `/councils/${found.council.state.name}`);
    const { heading, main, title, lang } = await site.looks.draw(found, readAskedPart(c));
    return layout(c, visitor, {
      ...{ title, lang, at: 'archives' },
      main: html`${heading} ${renderSavingLinks(found.archive.meta.id, visitor)} ${main}`,
    });
  });
  site.get('/archives/:id/save/:format', async (c, visitor) => {
    const format = c.req.param('format') ?? '';
    const denied = visitor.may('show');
    if (denied) return problemPage(c, visitor, denied);
    if (!isSavedFormat(format)) return c.notFound();
    const found = await site.looks.find(c.req.param('id') ?? '', visitor.caller);
    if ('council' in found) return seeOther(c, `/councils/${found.council.state.name}`);
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

function readArchiveFilters(c: Ctx): Asked {
  const of = (name: string): string => (c.req.query(name) ?? '').slice(0, 500);
  return Object.fromEntries(FIELDS.map((name) => [name, of(name)])) as Asked;
}

/** Returns the search results among the filtered archives, best first. */
async function searchArchiveRows(visitor: Visitor, query: string, left: Row[]) {
  const done = await visitor.ask('search', { query, limit: 1000 });
  if (done.failed) return done;
  const { results } = done.document as SearchDocument;
  const known = new Map(left.map((one) => [one.id, one]));
  return results
    .flatMap(({ kind, id, excerpt }): Row[] => {
      const one = kind === 'council' ? known.get(id) : undefined;
      return one ? [{ ...one, excerpt }] : [];
    })
    .slice(0, BEST);
}

function form(asked: Asked, { w }: Visitor): Html {
  const { site, councilStatus } = w;
  const input = (name: keyof Asked, label: string, type: string): Html =>
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
function renderArchiveRows(site: Site, c: Ctx, rows: Row[] | Done, asked: Asked, visitor: Visitor) {
  if (!Array.isArray(rows)) return html`<p class="bad" role="alert">${visitor.w.site.notWords}</p>`;
  return asked.q.trim() === '' ? renderArchivePage(site, c, rows, asked, visitor) : best(site, rows, visitor);
}

const COLUMNS: Record<string, Column<Row>> = {
  question: ({ topic }) => topic.toLowerCase(),
  mode: ({ mode }) => mode,
  outcome: ({ status }) => status,
  ended: ({ endedAt }) => endedAt,
};

/** Renders a page of the list with links to its neighbours. */
async function renderArchivePage(
  site: Site,
  c: Ctx,
  rows: Row[],
  asked: Asked,
  visitor: Visitor,
): Promise<Html> {
  const { w } = visitor;
  const isAsked = FIELDS.some((name) => asked[name].trim() !== '');
  if (rows.length === 0) return html`<p>${isAsked ? w.site.noArchives : w.site.noneArchived}</p>`;
  const list = {
    ...{ label: w.site.archives, path: '/archives', asked: { ...asked }, rows, columns: COLUMNS },
    order: readOrder(c, COLUMNS, 'ended', 'down'),
    beside: [w.site.seated, w.site.costOf],
    render: (shown: readonly Row[]) => describeArchives(site, shown, visitor),
  };
  return html`<p>${fill(w.site.countOf, { count: rows.length })}</p>
    ${await renderList(c, list, w)}`;
}

async function best(site: Site, rows: Row[], visitor: Visitor): Promise<Html> {
  const { w } = visitor;
  if (rows.length === 0) return html`<p>${w.site.noArchives}</p>`;
  const label = fill(w.site.bestFirst, { count: rows.length });
  const { question, mode, outcome, ended, seated, costOf } = w.site;
  const headings = [question, mode, outcome, ended, seated, costOf];
  return html`<div class="rows">
    ${table(label, headings, await describeArchives(site, rows, visitor), false, w)}
  </div>`;
}

async function describeArchives(
  { looks }: Site,
  rows: readonly Row[],
  { w, lang }: Visitor,
): Promise<(string | Html)[][]> {
  const endings = await looks.endings(rows, w);
  return rows.map(({ id, topic, mode, status, endedAt, excerpt }) => {
    const { end = '', ending = '', seated = '', costUsd = null } = endings.get(id) ?? {};
    return [
      html`<a href="/archives/${encodeURIComponent(id)}" dir="auto">${oneLine(topic, 300)}</a><br /><span
          class="ending"
          >${ending}</span
        >${excerpt !== undefined && html`<br /><span class="beside" dir="auto">${markExcerptHits(excerpt)}</span>`}`,
      oneLine(mode, 60),
      end || (w.councilStatus[status] ?? oneLine(status, 40)),
      time(endedAt, w),
      oneLine(seated, 200),
      costUsd === null ? '' : figure(costUsd, { w, lang }),
    ];
  });
}

/** Hits in an excerpt are enclosed in `**`. */
const markExcerptHits = (excerpt: string): (string | Html)[] =>
  excerpt.split('**').map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : part));
