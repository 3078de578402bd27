// Splits a text into lines as used in forms: key-value pairs and table rows.
import { CODES, DASHED, DASHED_PLAIN, LEAD, SEPARATOR } from './form-patterns.ts';
import { REJECTING_MARKS } from './form-words.ts';
import type { TextRange } from './limits.ts';

export interface FormLine extends TextRange {
  /** Its text without terminal color codes. */
  text: string;
  /** Start of the next line. */
  next: number;
  /** Indentation, in characters. */
  indent: number;
}

/**
 * Splits a text into lines, without its byte order mark. `<br>` also ends a line. Text blanked at the start
 * of a line does not count as indentation.
 */
export function readLines(text: string, written: string): FormLine[] {
  const lines: FormLine[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  const add = (end: number, next: number) => {
    const room = /^[ \t]*/.exec(text.slice(start, end))![0].length;
    if (/\S/.test(written.slice(start, start + room))) start += room;
    const words = text.slice(start, end).replace(CODES, '');
    lines.push({
      start,
      end,
      next,
      text: words,
      indent: /^[ \t]*/.exec(words)![0].replaceAll('\t', '    ').length,
    });
    start = next;
  };
  for (const { 0: mark, index } of text.matchAll(/\r\n|\r|\n|<br[ ]*\/?>/gi)) add(index, index + mark.length);
  if (start < text.length) add(text.length, text.length);
  return lines;
}

/** A key with its value on the same line. */
export interface Pair {
  key: string;
  value: string;
  /** Layout of the line: a heading, bold, or plain. */
  style: 'heading' | 'bold' | 'plain';
  /** The separator is a dash, which any sentence may contain. */
  isDashed?: true;
  /** An empty checkbox or a refusing symbol precedes it. */
  isRefused?: true;
}

const LONGEST_KEY = 60;

/** Returns the key and value of a line; a heading or bold line alone is a key without a value. */
export function readPair({ text }: Pick<FormLine, 'text'>): Pair | undefined {
  const [lead, hashes] = LEAD.exec(text)!;
  const pair = splitPair(text.slice(lead.length).trimEnd(), hashes !== undefined);
  const isRefused = /\[ \]/.test(lead) || [...REJECTING_MARKS].some((sign) => lead.includes(sign));
  return pair && isRefused ? { ...pair, isRefused } : pair;
}

function splitPair(line: string, isHeading: boolean): Pair | undefined {
  // Removes Markdown's line break, and the closing marks of a heading.
  const words = line.replace(/\\$/, '').replace(isHeading ? /[ \t]#+$/ : /$^/, '');
  const mark = /^[*_`]*/.exec(words)![0];
  const style = isHeading ? 'heading' : /^(?:\*\*|__)/.test(mark) ? 'bold' : 'plain';
  const [, , emphasised, behind] = (mark !== '' && DASHED.exec(words)) || [];
  if (emphasised !== undefined) return { key: emphasised, value: behind!.trim(), style };
  const { 0: separator = '', index: at = -1 } = SEPARATOR.exec(words.slice(0, LONGEST_KEY)) ?? {};
  const dashed = at === -1 ? DASHED_PLAIN.exec(words) : null;
  if (dashed) return { key: unescapeFormKey(dashed[1]!), value: dashed[2]!, style, isDashed: true };
  if (at === -1) {
    const isLabel = style !== 'plain' && words.length <= LONGEST_KEY && (isHeading || words.endsWith(mark));
    return isLabel ? { key: unescapeFormKey(words), value: '', style } : undefined;
  }
  const key = words.slice(0, at);
  if ((key.match(/"/g)?.length ?? 0) % 2 === 1 || /[“«「„]/.test(key)) return undefined;
  const isOpen = mark !== '' && !key.trimEnd().endsWith(mark.at(-1)!);
  const value = words.slice(at + separator.length).trim();
  return { key: unescapeFormKey(key), value: isOpen ? removeMark(value, mark) : value, style };
}

/** "**Position:** x" closes its mark before the value, "**Position: x**" after it. */
function removeMark(value: string, mark: string): string {
  if (value.startsWith(mark)) return value.slice(mark.length).trim();
  return value.endsWith(mark) ? value.slice(0, -mark.length).trim() : value;
}

/** Keys in YAML or JSON may contain escapes. */
const unescapeFormKey = (key: string): string =>
  key.includes('\\')
    ? key.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi, (_, two?: string, four?: string) =>
        String.fromCharCode(parseInt(two ?? four ?? '', 16)),
      )
    : key;

export interface Cell extends TextRange {
  words: string;
}

/** Returns the trimmed cells of a row, with their offsets in the text. */
export function splitCells({ start, text }: Pick<FormLine, 'start' | 'text'>): Cell[] {
  const row = text.trimEnd();
  let from = text.length - text.trimStart().length;
  if (row[from] === '|') from += 1;
  const cells: Cell[] = [];
  for (const cell of row.slice(from, row.endsWith('|') ? -1 : undefined).split('|')) {
    const words = cell.trim();
    const at = start + from + (cell.length - cell.trimStart().length);
    cells.push({ words, start: at, end: at + words.length });
    from += cell.length + 1;
  }
  return cells;
}

/** Returns the rows of the table whose header is line `at`: the header first, without the delimiter row. */
export function findRows(lines: readonly FormLine[], at: number): FormLine[] | undefined {
  const ruler = lines[at + 1]?.text ?? '';
  if (
    !lines[at]!.text.includes('|') ||
    !ruler.includes('-') ||
    !splitCells({ start: 0, text: ruler }).every(({ words }) => /^:?-+:?$/.test(words))
  )
    return undefined;
  let end = at + 2;
  while (lines[end]?.text.includes('|')) end += 1;
  return [lines[at]!, ...lines.slice(at + 2, end)];
}
