// Breaks the lines of a list between words: its own file, because what measures them is large.
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { forOutput, ownCodes } from '../base/terminal.ts';

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
