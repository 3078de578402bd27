// Escapes people's text for the state file's page, and writes Markdown tables.
import { onFirstUse } from '../../base/memoize.ts';
import { escapeComments, oneLine } from '../../base/text.ts';
import { seat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';

/** Returns a participant's emoji and title for headings. */
export function renderSeatName(state: CouncilState, id: string): string {
  const { emoji, title } = seat(state, id);
  return safe(`${emoji} ${title}`);
}

/** Characters that Markdown could pair with others in the paragraph, or take as the start of a construct. */
const INLINE = onFirstUse(() => /[\\`*[\]<~|$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu);
/** Quick check: most words contain none of them, and compiling the Unicode pattern takes 1 ms. */
const SIGN = /[\\`*[\]<~|$_]/;
const AT_START = /^(?:[#>+=-]|\d+(?=[.)]))/;

/**
 * Escapes people's text for the engine's own lines: one line that renders as written. It cannot open a comment,
 * end a table cell, or become HTML, a link or emphasis together with the text around it.
 */
export const safe = (text: string): string => safeBeginning(text, 200);

/** Escapes the first `max` characters. */
export function safeBeginning(text: string, max: number): string {
  const line = oneLine(text, max)
    .split(' ')
    // GitHub takes a backslash as part of a URL, and interprets the character after it.
    .map((word) =>
      SIGN.test(word)
        ? word.replace(INLINE(), (sign) =>
            /:\/\/|www\./i.test(word) ? `&#${sign.charCodeAt(0)};` : `\\${sign}`,
          )
        : word,
    )
    .join(' ');
  return escapeComments(line.replace(AT_START, (sign) => (/\d/.test(sign) ? `${sign}\\` : `\\${sign}`)));
}

/** Renders all Markdown tables: state files, archives and the terminal. Cells must be escaped already. */
export function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/** Renders one-line items as a list. */
export const renderList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
