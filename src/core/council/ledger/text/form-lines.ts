// The lines of a text as a form may have them: a key with its value, the rows of a table.
import { CODES, DASHED, DASHED_PLAIN, LEAD, SEPARATOR } from './form-patterns.ts';
import { REJECTING_MARKS } from './form-words.ts';
import type { Stretch } from './text-range.ts';

export interface FormLine extends Stretch {
  /** Its words, without the codes by which a terminal colours them. */
  text: string;
  /** Where the next line begins. */
  next: number;
  /** How far in it begins, in characters. */
  indent: number;
}

/** The lines of a text, without its byte order mark. `<br>` ends one too. What was blanked in front of the words of a line is no room. */
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

/** A key with what stands behind it in its line. */
export interface Pair {
  key: string;
  value: string;
  /** How the line begins: as a heading, set off in bold, or as any line. */
  style: 'heading' | 'bold' | 'plain';
  /** A dash stands between the two, as it may in any sentence. */
  isDashed?: true;
  /** An empty checkbox or a mark of refusal stands in front of it. */
  isRefused?: true;
}

const LONGEST_KEY = 60;

/** The key and the value of a line; a heading or a bold line alone is a key without a value. */
export function readPair({ text }: Pick<FormLine, 'text'>): Pair | undefined {
  const [lead, hashes] = LEAD.exec(text)!;
  const pair = splitPair(text.slice(lead.length).trimEnd(), hashes !== undefined);
  const isRefused = /\[ \]/.test(lead) || [...REJECTING_MARKS].some((sign) => lead.includes(sign));
  return pair && isRefused ? { ...pair, isRefused } : pair;
}

function splitPair(line: string, isHeading: boolean): Pair | undefined {
  // Markdown's line break, and the marks that close a heading.
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
  return { key: unescapeFormKey(key), value: isOpen ? withoutMark(value, mark) : value, style };
}

/** "**Position:** x" closes its mark before the value, "**Position: x**" behind it. */
function withoutMark(value: string, mark: string): string {
  if (value.startsWith(mark)) return value.slice(mark.length).trim();
  return value.endsWith(mark) ? value.slice(0, -mark.length).trim() : value;
}

/** A key of YAML or JSON may have its letters in escapes. */
const unescapeFormKey = (key: string): string =>
  key.includes('\\')
    ? key.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4}))/gi, (_, two?: string, four?: string) =>
        String.fromCharCode(parseInt(two ?? four ?? '', 16)),
      )
    : key;

export interface Cell extends Stretch {
  words: string;
}

/** The cells of a row without the space around them, and where each stands in its text. */
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

/** The rows of the table whose head is line `at`: the head first, without the ruler below it. */
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
