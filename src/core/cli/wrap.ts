// Wraps styled text, and folds the lines of a list between words, to the width of a terminal.
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { cleanForTerminal, markOwnCodes, styleForOutput, cleanForOutput } from '../base/terminal.ts';

export type Style = 'bold' | 'italic' | 'strikethrough' | 'underline' | 'cyan' | 'dim';

/** A piece of text with its styles; `breaks` ends the line after it. */
export interface Run {
  text: string;
  styles: Style[];
  breaks?: true;
}

/** A line for the terminal, with ANSI codes of its styles. */
export interface Line {
  text: string;
  /** Its width: East Asian characters and emoji take two columns, combining marks none. */
  columns: number;
}

export interface Layout {
  /** Columns of the terminal. */
  width: number;
  /** Whether to write styles as ANSI codes. */
  color: boolean;
  /** Whether to cut words longer than a line; otherwise each gets a line of its own. */
  cut?: boolean;
}

/** Wraps text to at most `width` columns. Each line ends its own styles. */
export function wrapRuns(runs: Run[], { width, color, cut = false }: Layout): Line[] {
  return wrapAnsi(renderJoinedRuns(runs, color), width, { hard: cut })
    .split('\n')
    .map((line) => ({ text: markOwnCodes(line), columns: stringWidth(line) }));
}

/** Returns the width of the longest line without wrapping. */
export const measureNaturalColumns = (runs: Run[]): number =>
  renderJoinedRuns(runs, false)
    .split('\n')
    .reduce((most, line) => Math.max(most, stringWidth(line)), 0);

export const paintText = (text: string, styles: Style[], color: boolean): string =>
  color && styles.length > 0 ? styleForOutput(styles, text, { validateStream: false }) : text;

/** Joins runs with single spaces between words. Its only escapes are those of the styles. */
function renderJoinedRuns(runs: Run[], color: boolean): string {
  let isOpen = false;
  return runs
    .map(({ text, styles, breaks }) => {
      const words = cleanForTerminal(text).replace(/\s+/g, ' ');
      const shown = isOpen ? words : words.trimStart();
      isOpen = shown === '' ? isOpen && !breaks : !shown.endsWith(' ') && !breaks;
      const painted =
        color && shown !== '' && styles.length > 0
          ? styleText(styles, shown, { validateStream: false })
          : shown;
      return breaks ? `${painted}\n` : painted;
    })
    .join('');
}

/** Minimum width of an indented continuation. */
const LEAST = 16;

/** A command on its own line stays whole, so that it can be copied. */
const COMMAND = /^ *(-> )?council /;

/** Folds lines to a number of columns with indented continuations. Never breaks a word or a command. */
export function foldLines(text: string, columns: number): string {
  // As it is output, without style codes in the width.
  const lines = cleanForOutput(text).split('\n');
  return markOwnCodes(lines.map((line) => foldLine(line, columns)).join('\n'));
}

function foldLine(line: string, columns: number): string {
  if (stringWidth(line) <= columns || COMMAND.test(line)) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const further = indent.length + 2 <= columns - LEAST ? `${indent}  ` : '';
  const rows = wrapAnsi(line.slice(indent.length), columns - further.length).split('\n');
  return rows.map((row, at) => `${at === 0 && further !== '' ? indent : further}${row}`).join('\n');
}

/** Minimum lines to show. */
const LEAST_ROWS = 12;
/** Its heading and the lines around it. */
const AROUND = 6;

/** Cuts a long text to leave room for what follows; `rest` says how many lines are left. */
export function showFirstScreen(
  text: string,
  { rows, rest }: { rows: number; rest: (lines: number) => string },
): string {
  const lines = text.trimEnd().split('\n');
  const most = Math.max(LEAST_ROWS, rows - AROUND);
  if (lines.length <= most + 1) return text;
  return [...lines.slice(0, most), rest(lines.length - most)].join('\n');
}
