// How names, times and figures stand on a page.
import type { ArchiveMeta } from '../archive/archive.ts';
import { oneLine } from '../base/text.ts';
import { fill } from '../base/words/words.ts';
import type { Language, Words } from '../base/words/words.ts';
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

/** Emoji and title of somebody; an id that is not known stays an id. */
export function nameOf(meta: ArchiveMeta, id: string): string {
  if (id === meta.coordinator && meta.coordinatorShown) return oneLine(meta.coordinatorShown);
  const seat = meta.participants.find((one) => one.id === id);
  return oneLine(seat ? `${seat.emoji} ${seat.title}` : id);
}

/** "2026-11-22 18:02 UTC": the same wherever the page is read. */
export const timeText = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(iso) ? `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC` : iso;

export const time = (iso: string): Html => html`<time datetime="${iso}">${timeText(iso)}</time>`;

/** A figure in the language of the page; what is not known is said to be unknown, never 0. */
export const figure = (value: number | null, { w, lang }: Pick<Show, 'w' | 'lang'>): string =>
  value === null ? w.archive.unknown : value.toLocaleString(lang, { maximumFractionDigits: 4 });

export const labelled = (label: string, value: string, { w }: Pick<Show, 'w'>): string =>
  fill(w.common.labelled, { label, value });

/** A table with its columns named; it scrolls by itself where it is too wide, by keyboard as well. */
export function table(
  label: string,
  header: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
  caption = true,
): Html {
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
          ${header.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([first = '', ...cells]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div> `;
}
