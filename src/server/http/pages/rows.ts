// Long lists: sorted by a heading, 50 rows a page.
import { fill } from '../../../core/base/words/words.ts';
import type { Words } from '../../../core/base/words/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import type { Heading } from '../../page/show.ts';
import type { Ctx } from '../context.ts';

const A_PAGE = 50;

/** What a row is sorted by. */
export type Column<T> = (row: T) => string | number;
type Columns<T> = Readonly<Record<string, Column<T>>>;

/** By which column, and which way; as the address of the page has it. */
export interface Order {
  sort: string;
  /** `down`: the greatest first. */
  way: string;
}

export function readOrder(c: Ctx, columns: Columns<never>, usual: string, usualWay = 'up'): Order {
  const sort = c.req.query('sort') ?? '';
  if (!Object.hasOwn(columns, sort)) return { sort: usual, way: usualWay };
  return { sort, way: c.req.query('way') === 'down' ? 'down' : 'up' };
}

export interface Cut<T> {
  rows: T[];
  page: number;
  pages: number;
}

/** The page of the rows that is asked for, in that order. */
export function cutRows<T>(c: Ctx, rows: readonly T[], columns: Columns<T>, { sort, way }: Order): Cut<T> {
  const key = columns[sort]!;
  const sign = way === 'down' ? -1 : 1;
  const sorted = rows
    .map((row) => ({ row, by: key(row) }))
    .sort((one, other) => (one.by < other.by ? -sign : one.by > other.by ? sign : 0));
  const pages = Math.max(1, Math.ceil(rows.length / A_PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1));
  return { rows: sorted.slice((page - 1) * A_PAGE, page * A_PAGE).map(({ row }) => row), page, pages };
}

const address = (path: string, asked: Record<string, string>): string =>
  `${path}?${new URLSearchParams(asked).toString()}`;

/** Headings that sort: a second press turns the order round. */
export const sortHeadings = (
  path: string,
  asked: Record<string, string>,
  { sort, way }: Order,
  columns: object,
  { site }: Words,
): Heading[] =>
  Object.keys(columns).map((key) => {
    const name = String(site[key as keyof Words['site']]);
    const isSorted = key === sort;
    const to = address(path, { ...asked, sort: key, way: isSorted && way === 'up' ? 'down' : 'up' });
    return {
      name,
      sorted: isSorted ? (way === 'up' ? 'ascending' : 'descending') : undefined,
      shown: html`<a href="${to}" title="${fill(site.sortBy, { column: name })}"
        >${name}${isSorted && (way === 'up' ? ' ▲' : ' ▼')}</a
      >`,
    };
  });

/** The ways to the neighbours of a page; nothing where all is on one. */
export function pagesNavigation(
  path: string,
  asked: Record<string, string>,
  { page, pages }: Cut<unknown>,
  { site }: Words,
): Html | null {
  if (pages < 2) return null;
  const to = (other: number, name: string): Html | null =>
    other < 1 || other > pages
      ? null
      : html`<li><a href="${address(path, { ...asked, page: String(other) })}">${name}</a></li>`;
  return html`<nav aria-label="${fill(site.page, { page, pages })}">
    <ul>
      ${to(page - 1, site.newer)}
      <li>${fill(site.page, { page, pages })}</li>
      ${to(page + 1, site.older)}
    </ul>
  </nav>`;
}
