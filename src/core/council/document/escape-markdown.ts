// Makes human text safe for the state file's page, and writes Markdown tables.
import { onFirstUse } from '../../base/memoize.ts';
import { escapeComments, oneLine } from '../../base/text.ts';
import { seat } from '../state/state.ts';
import type { CouncilState } from '../state/state.ts';

/** A participant as headings show it: emoji and title. */
export function renderSeatName(state: CouncilState, id: string): string {
  const { emoji, title } = seat(state, id);
  return safe(`${emoji} ${title}`);
}

/** Signs that Markdown could pair with others of the same paragraph, or take for the beginning of something. */
const INLINE = onFirstUse(() => /[\\`*[\]<~|$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu);
/** Most words have none of them, and what knows every letter takes 1 ms to be made. */
const SIGN = /[\\`*[\]<~|$_]/;
const AT_START = /^(?:[#>+=-]|\d+(?=[.)]))/;

/**
 * Human text in the engine's own lines: one line that shows as it was written. It cannot open a comment, end a table's
 * cell, or be HTML, a link or emphasis together with what stands beside it.
 */
export const safe = (text: string): string => safeBeginning(text, 200);

/** The same of the first `max` characters. */
export function safeBeginning(text: string, max: number): string {
  const line = oneLine(text, max)
    .split(' ')
    // GitHub takes a backslash for a part of an address, and obeys the sign behind it.
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

/** The one writer of Markdown tables: state files, archives and the terminal. The cells are safe already. */
export function table(header: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

/** Items of one line each as a list. */
export const renderList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');
