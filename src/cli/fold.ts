// Breaks the lines of a list between words where the terminal is too narrow for them.
import { isTerminal } from './stdout.ts';

/** Lines for people, as they fit the terminal; as they are where there is none. */
export async function folded(text: string): Promise<string> {
  const columns = isTerminal() ? process.stdout.columns : 0;
  const isNarrow = columns > 0 && text.split('\n').some(({ length }) => length > columns / 2);
  return isNarrow ? (await import('./fold-lines.ts')).foldLines(text, columns) : text;
}
