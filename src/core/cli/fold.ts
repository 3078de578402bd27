// Breaks lines between words where the terminal is too narrow for them.
import { sep } from 'node:path';
import type { App } from '../app/app.ts';
import { isTerminal } from './stdout.ts';

/** Lines for people, as they fit the terminal that they go to (stdout or stderr); as they are where there is none. */
export async function foldForTerminal(text: string, out: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  const isShown = out === 'stdout' ? isTerminal() : process.stderr.isTTY;
  const columns = isShown ? process[out].columns : 0;
  const isNarrow = columns > 0 && text.split('\n').some(({ length }) => length > columns / 2);
  return isNarrow ? (await import('./wrap.ts')).foldLines(text, columns) : text;
}

/** Notes as people read them: paths from the folder where they are, and on a terminal no word broken. */
export async function fitNotes({ note, cwd }: Pick<App, 'note' | 'cwd'>): Promise<App['note']> {
  const { columns, isTTY } = process.stderr;
  const fold = isTTY && columns > 0 ? (await import('./wrap.ts')).foldLines : (line: string) => line;
  return (line) => note(fold(line.replaceAll(`${cwd}${sep}`, ''), process.stderr.columns));
}
