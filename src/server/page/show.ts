// How names, times, figures, addresses and refusals stand on a page.
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { oneLine } from '../../core/base/text.ts';
import { fill } from '../../core/base/words/words.ts';
import type { Language, Words } from '../../core/base/words/words.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { MarkdownText } from './markdown/markdown-text.ts';

/** What the parts of a page are written with. */
export interface Show {
  w: Words;
  lang: Language;
  /** The formatted text. */
  text: (text: MarkdownText) => Html;
}

/** Emoji and title of a participant; an id that is not known stays an id. */
export function formatShownName(meta: ArchiveMeta, id: string): string {
  if (id === meta.coordinator && meta.coordinatorShown) return oneLine(meta.coordinatorShown);
  const seat = meta.participants.find((one) => one.id === id);
  return oneLine(seat ? `${seat.emoji} ${seat.title}` : id);
}

/** "22 Nov 2026, 18:02 UTC": the same wherever the page is read. */
export function timeText(iso: string, { common }: Words): string {
  const [, year = '', month = '', day = '', time = ''] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  const name = common.months.split(' ')[Number(month) - 1];
  return name === undefined ? iso : fill(common.moment, { day: Number(day), month: name, year, time });
}

/** A moment. A page with a script words it as its reader's clock has it. */
export const time = (iso: string, w: Words): Html => html`<time datetime="${iso}">${timeText(iso, w)}</time>`;

/** A figure in the language of the page; what is not known is said to be unknown, never 0. */
export const figure = (value: number | null, { w, lang }: Pick<Show, 'w' | 'lang'>): string =>
  value === null ? w.archive.unknown : value.toLocaleString(lang, { maximumFractionDigits: 4 });

export const formatLabelledValue = (label: string, value: string, { w }: Pick<Show, 'w'>): string =>
  fill(w.common.labelled, { label, value });

/** A heading that sorts: its name, what is shown of it, and whether the rows stand in its order. */
export interface Heading {
  name: string;
  shown: Html;
  sorted: 'ascending' | 'descending' | undefined;
}

/**
 * A table with its columns named; it scrolls by itself where it is too wide, by keyboard as well. `w`: for one whose rows stand as
 * cards on a phone, where each cell has the name of its column before it.
 */
export function table(
  label: string,
  header: readonly (string | Heading)[],
  rows: readonly (readonly (string | Html)[])[],
  caption = true,
  w: Words | null = null,
): Html {
  const nameCell = (at: number): Html | null =>
    w && html`data-of="${formatLabelledValue(nameHeading(header[at + 1] ?? ''), '', { w })}"`;
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0">
    <table>
      ${
        caption &&
        html`<caption>
          ${label}
        </caption>`
      }
      <thead>
        <tr>
          ${header.map((one) =>
            typeof one === 'string'
              ? html`<th scope="col">${one}</th>`
              : html`<th scope="col" ${one.sorted && html`aria-sort="${one.sorted}"`}>${one.shown}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = '', ...cells]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${cells.map((cell, at) => html`<td ${cell !== '' && nameCell(at)}>${cell}</td> `)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}

/** An id that no text can make: whatever is no letter, digit or sign of an id is written as its number. */
export const anchor = (...parts: readonly (string | number)[]): string =>
  parts
    .map((part) => String(part).replace(/[^\w.-]/gu, (sign) => `_${sign.codePointAt(0)!.toString(16)}`))
    .join('-');

/** The page of the same council on which that round begins. */
export const roundPage = (tour: number): string => `?round=${tour}`;

/** An address that leads to a contribution, a claim or a challenge from everywhere: the server finds the page that has it. */
export const permanentLink = (part: object | null, id: string): string => `${part ? `?at=${id}` : ''}#${id}`;

/** The words for a refusal, by its code. */
export const findProblemWords = (code: string, { problem }: Pick<Words, 'problem'>): string =>
  Object.hasOwn(problem, code) ? problem[code as keyof typeof problem] : problem.failed;

const nameHeading = (one: string | Heading): string => (typeof one === 'string' ? one : one.name);
