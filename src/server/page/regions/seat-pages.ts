// Pagination of tables with a row per participant: 50 per page.
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { A_PAGE } from '../parts.ts';
import type { RenderContext } from '../page-formats.ts';

/** Returns the address of the page that starts at a participant. */
export const linkToSeats = (from: number): string => `?seats=${from}`;

/** Returns the first participant on the page that contains the given one; both from 1. */
export const findFirstSeat = (asked: number, count: number): number =>
  A_PAGE * Math.floor((Math.min(Math.max(1, asked), count) - 1) / A_PAGE) + 1;

/** Links to all pages; null if one is enough. */
export function renderSeatsNavigation(
  count: number,
  from: number | null,
  { page }: RenderContext['w'],
): Html | null {
  if (count <= A_PAGE) return null;
  const pages = Array.from({ length: Math.ceil(count / A_PAGE) }, (_, at) => at * A_PAGE + 1);
  return html`<nav aria-label="${fill(page.everySeat, { count })}">
    <ul>
      ${pages.map((first) => {
        const name = `${first}–${Math.min(count, first + A_PAGE - 1)}`;
        return html`<li>
          ${first === from ? html`<strong>${name}</strong>` : html`<a href="${linkToSeats(first)}">${name}</a>`}
        </li> `;
      })}
    </ul>
  </nav>`;
}
