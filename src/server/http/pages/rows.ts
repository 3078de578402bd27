// Long lists, sortable by column, with 50 rows per page.
import { fill } from '../../../core/base/words/words.ts';
import type { PageWords } from '../../page/words.ts';
import { html } from '../../page/html.ts';
import type { Html } from '../../page/html.ts';
import { renderTable } from '../../page/page-formats.ts';
import type { ColumnHeading } from '../../page/page-formats.ts';
import type { Ctx } from '../context.ts';

const A_PAGE = 50;

/** Returns a row's sort key. */
export type SortKey<T> = (row: T) => string | number;
type SortKeys<T> = Readonly<Record<string, SortKey<T>>>;

/** Sort column and direction, as in the page's address. */
export interface RowOrder {
  sort: string;
  /** `down`: descending. */
  way: string;
}

/** Reads the order from the address; `usual` if it names no column. */
export function readOrder(c: Ctx, sortKeys: SortKeys<never>, usual: string, usualWay = 'up'): RowOrder {
  const sort = c.req.query('sort') ?? '';
  if (!Object.hasOwn(sortKeys, sort)) return { sort: usual, way: usualWay };
  return { sort, way: c.req.query('way') === 'down' ? 'down' : 'up' };
}

/** A list: its rows, sortable columns, and rendered cells. */
export interface RowList<T> {
  label: string;
  /** The path of the page, and its other query parameters. */
  path: string;
  asked?: Record<string, string>;
  rows: readonly T[];
  /** By the key of their names in `site`. */
  sortKeys: SortKeys<T>;
  order: RowOrder;
  /** Headings of further columns that are not sortable. */
  extraHeadings?: readonly string[];
  /** Renders the cells of the visible rows. */
  render(rows: readonly T[]): Promise<(string | Html)[][]> | (string | Html)[][];
}

/** Renders the requested page of a sorted list, with links to its neighbours. */
export async function renderList<T>(c: Ctx, list: RowList<T>, w: PageWords): Promise<Html> {
  const { label, path, asked = {}, rows, sortKeys, order, extraHeadings = [] } = list;
  const pages = Math.max(1, Math.ceil(rows.length / A_PAGE));
  const page = Math.min(pages, Math.max(1, Number.parseInt(c.req.query('page') ?? '1', 10) || 1));
  const shown = sortRows(rows, sortKeys, order).slice((page - 1) * A_PAGE, page * A_PAGE);
  const headings = [...sortHeadings({ path, asked, sortKeys, order }, w), ...extraHeadings];
  return html`${renderTable({ label, header: headings, rows: await list.render(shown), cards: true }, w)}
  ${pages > 1 && renderPagesNavigation(path, { ...asked, ...order }, { page, pages }, w)}`;
}

function sortRows<T>(rows: readonly T[], sortKeys: SortKeys<T>, { sort, way }: RowOrder): T[] {
  const key = sortKeys[sort]!;
  const sign = way === 'down' ? -1 : 1;
  return rows
    .map((row) => ({ row, by: key(row) }))
    .sort((one, other) => (one.by < other.by ? -sign : one.by > other.by ? sign : 0))
    .map(({ row }) => row);
}

const formatRowsAddress = (path: string, asked: Record<string, string>): string =>
  `${path}?${new URLSearchParams(asked).toString()}`;

/** Returns headings with sort links; clicking twice reverses the order. */
const sortHeadings = (
  {
    path,
    asked,
    sortKeys,
    order,
  }: { path: string; asked: Record<string, string>; sortKeys: object; order: RowOrder },
  { site }: PageWords,
): ColumnHeading[] =>
  Object.keys(sortKeys).map((key) => {
    const name = site[key as keyof PageWords['site']];
    const isSorted = key === order.sort;
    const isUp = order.way === 'up';
    const to = formatRowsAddress(path, { ...asked, sort: key, way: isSorted && isUp ? 'down' : 'up' });
    return {
      name,
      sorted: isSorted ? (isUp ? 'ascending' : 'descending') : undefined,
      shown: html`<a href="${to}" title="${fill(site.sortBy, { column: name })}"
        >${name}${isSorted && (isUp ? ' ▲' : ' ▼')}</a
      >`,
    };
  });

function renderPagesNavigation(
  path: string,
  asked: Record<string, string>,
  { page, pages }: { page: number; pages: number },
  { site }: PageWords,
): Html {
  const to = (other: number, name: string): Html | null =>
    other < 1 || other > pages
      ? null
      : html`<li><a href="${formatRowsAddress(path, { ...asked, page: String(other) })}">${name}</a></li>`;
  return html`<nav aria-label="${fill(site.page, { page, pages })}">
    <ul>
      ${to(page - 1, site.newer)}
      <li>${fill(site.page, { page, pages })}</li>
      ${to(page + 1, site.older)}
    </ul>
  </nav>`;
}
