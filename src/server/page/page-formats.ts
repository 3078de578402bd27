// Formats names, times, numbers, addresses and refusals for a page.
import type { ArchiveMeta } from '../../core/archive/archive.ts';
import { toOneLine } from '../../core/base/text.ts';
import { fill } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import type { MarkdownText } from './markdown/markdown-text.ts';
import type { PageWords } from './words.ts';

/** The context for rendering the parts of a page. */
export interface RenderContext {
  w: PageWords;
  lang: Language;
  text: (text: MarkdownText) => Html;
}

/** Returns emoji and title of a participant, or an unknown id itself. */
export function formatShownName(meta: ArchiveMeta, id: string): string {
  if (id === meta.coordinator && meta.coordinatorShown) return toOneLine(meta.coordinatorShown);
  const seat = meta.participants.find((one) => one.id === id);
  return toOneLine(seat ? `${seat.emoji} ${seat.title}` : id);
}

/** Returns "22 Nov 2026, 18:02 UTC", in the same time zone for every reader. */
export function formatTime(iso: string, { common }: PageWords): string {
  const [, year = '', month = '', day = '', time = ''] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  const name = common.months.split(' ')[Number(month) - 1];
  return name === undefined ? iso : fill(common.moment, { day: Number(day), month: name, year, time });
}

/** Renders a time, which the script converts to the reader's time zone. */
export const renderTime = (iso: string, w: PageWords): Html =>
  html`<time datetime="${iso}">${formatTime(iso, w)}</time>`;

/** Formats a number in the page's language; null is shown as unknown, never as 0. */
export const formatPageFigure = (
  value: number | null,
  { w, lang }: Pick<RenderContext, 'w' | 'lang'>,
): string => (value === null ? w.archive.unknown : value.toLocaleString(lang, { maximumFractionDigits: 4 }));

export const formatLabelledValue = (label: string, value: string, { w }: Pick<RenderContext, 'w'>): string =>
  fill(w.common.labelled, { label, value });

/** A sortable heading: its name, what is shown, and the current order. */
export interface ColumnHeading {
  name: string;
  shown: Html;
  sorted: 'ascending' | 'descending' | undefined;
}

interface Table {
  label: string;
  header: readonly (string | ColumnHeading)[];
  rows: readonly (readonly (string | Html)[])[];
  /** Shows the label above the table as well. */
  caption?: boolean;
  /** Shows rows as cards on a phone, with the column's name before each cell. */
  cards?: boolean;
}

/**
 * Renders a table with labelled columns, which scrolls separately if too wide, also by keyboard. A column in which
 * every row is empty or unknown is left out.
 */
export function renderTable({ caption = false, cards = false, ...table }: Table, w: PageWords): Html {
  const { label } = table;
  const isTold = (at: number): boolean =>
    at === 0 || table.rows.length === 0 || table.rows.some((row) => !isEmptyCell(row[at] ?? '', w));
  const header = table.header.filter((_, at) => isTold(at));
  const rows = table.rows.map((row) => row.filter((_, at) => isTold(at)));
  const nameCell = (at: number): Html | null =>
    cards ? html`data-of="${formatLabelledValue(nameHeading(header[at + 1] ?? ''), '', { w })}"` : null;
  return html`<div class="wide ${cards && 'rows'}" role="region" aria-label="${label}" tabindex="0">
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

/** Returns an id in which any character other than letters, digits, `_`, `.` and `-` is replaced by its code. */
export const formatAnchor = (...parts: readonly (string | number)[]): string =>
  parts
    .map((part) => String(part).replace(/[^\w.-]/gu, (sign) => `_${sign.codePointAt(0)!.toString(16)}`))
    .join('-');

export const formatRoundQuery = (round: number): string => `?round=${round}`;

/** Returns a permanent link to a contribution, claim or challenge: the server finds the page that contains it. */
export const formatPermanentLink = (part: object | null, id: string): string =>
  `${part ? `?at=${id}` : ''}#${id}`;

/** Returns a phase's or mode's name in the page's language; those of the project's own modes are kept. */
export const translatePhase = (phase: string, { phaseNames }: Pick<PageWords, 'phaseNames'>): string =>
  Object.hasOwn(phaseNames, phase) ? phaseNames[phase]! : phase;
export const translateMode = (mode: string, { modeNames }: Pick<PageWords, 'modeNames'>): string =>
  Object.hasOwn(modeNames, mode) ? modeNames[mode]! : toOneLine(mode, 60);

/** Returns a heading such as "CHALLENGE (round 2)". */
export const formatRoundName = (phase: string, round: number, w: PageWords): string =>
  fill(w.archive.transcriptPhase, { phase: translatePhase(phase, w), tour: round });

export const findProblemWords = (code: string, { problem }: Pick<PageWords, 'problem'>): string =>
  Object.hasOwn(problem, code) ? problem[code as keyof typeof problem] : problem.failed;

const isEmptyCell = (cell: string | Html, { archive }: PageWords): boolean =>
  cell === '' || cell === archive.unknown;

const nameHeading = (one: string | ColumnHeading): string => (typeof one === 'string' ? one : one.name);
