// Wraps styled text, and breaks the lines of a list between words, for the width of a terminal.
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { forTerminal, ownCodes, styleForOutput, forOutput } from '../base/terminal.ts';

export type Style = 'bold' | 'italic' | 'strikethrough' | 'underline' | 'cyan' | 'dim';

/** A piece of text with the styles it is shown in; `breaks` ends the line after it. */
export interface Run {
  text: string;
  styles: Style[];
  breaks?: true;
}

/** A line as it goes to the terminal, with the codes of its styles. */
export interface Line {
  text: string;
  /** How many columns it takes: East Asian characters and emoji take two, combining marks none. */
  columns: number;
}

export interface Layout {
  /** Columns of the terminal. */
  width: number;
  /** Whether styles are written as ANSI codes. */
  color: boolean;
  /** Whether a word that is longer than a line is cut; else it has a line of its own. */
  cut?: boolean;
}

/** Lines of at most `width` columns. Each ends its own styles. */
export function wrap(runs: Run[], { width, color, cut = false }: Layout): Line[] {
  return wrapAnsi(renderJoinedRuns(runs, color), width, { hard: cut })
    .split('\n')
    .map((line) => ({ text: ownCodes(line), columns: stringWidth(line) }));
}

/** The columns of the longest line where nothing is wrapped. */
export const naturalColumns = (runs: Run[]): number =>
  renderJoinedRuns(runs, false)
    .split('\n')
    .reduce((most, line) => Math.max(most, stringWidth(line)), 0);

export const paintText = (text: string, styles: Style[], color: boolean): string =>
  color && styles.length > 0 ? styleForOutput(styles, text, { validateStream: false }) : text;

/** One text with one space between two words. The only escapes in it are those of the styles. */
function renderJoinedRuns(runs: Run[], color: boolean): string {
  let isOpen = false;
  return runs
    .map(({ text, styles, breaks }) => {
      const words = forTerminal(text).replace(/\s+/g, ' ');
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

/** A narrower rest of a line could not be read. */
const LEAST = 16;

/** A command in a line of its own can be copied whole. */
const COMMAND = /^ *(-> )?council /;

/** Lines as they fit so many columns: what goes on stands below its beginning, further in. No word is broken, and no command. */
export function foldLines(text: string, columns: number): string {
  // As it goes out: codes of styles take no room.
  const lines = forOutput(text).split('\n');
  return ownCodes(lines.map((line) => fold(line, columns)).join('\n'));
}

function fold(line: string, columns: number): string {
  if (stringWidth(line) <= columns || COMMAND.test(line)) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const further = indent.length + 2 <= columns - LEAST ? `${indent}  ` : '';
  const rows = wrapAnsi(line.slice(indent.length), columns - further.length).split('\n');
  return rows.map((row, at) => `${at === 0 && further !== '' ? indent : further}${row}`).join('\n');
}

/** A shorter beginning would say nothing. */
const LEAST_ROWS = 12;
/** Its heading and the lines around it. */
const AROUND = 6;

/** As much of a long text as leaves room for what stands below it, and how many lines are left in the words of `rest`. */
export function showFirstScreen(
  text: string,
  { rows, rest }: { rows: number; rest: (lines: number) => string },
): string {
  const lines = text.trimEnd().split('\n');
  const most = Math.max(LEAST_ROWS, rows - AROUND);
  if (lines.length <= most + 1) return text;
  return [...lines.slice(0, most), rest(lines.length - most)].join('\n');
}
