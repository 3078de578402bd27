// Reads the lines below a key for blocking issues. Each line that may belong to the key counts, for it can only make a verdict stricter.
import { findRows, readPair, splitCells } from './form-lines.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { fieldNamed } from './form-names.ts';
import { EMPTY, FENCE, GOES_ON, ITEM, RULER, SCALAR } from './form-patterns.ts';
import { asBoolean, asItems, asShare, isNumbered, unquoteScalar } from './form-value-words.ts';

/** The lines above one that may continue the key. */
interface Above {
  key: FormLine;
  /** How deep the key's heading is; 0 for none. */
  depth: number;
  /** The key is a heading or a bold line with no value in its line. */
  isLabel: boolean;
  isFilled: boolean;
  /** A list in brackets is open. */
  isOpen: boolean;
  last: { text: string; isItem: boolean } | undefined;
  /** An empty line stands between the two. */
  isApart: boolean;
}

/** The issues of a key and of the lines below it, and the index of the line after them; undefined for a heading without any. */
export function readBlocking(
  lines: readonly FormLine[],
  at: number,
  { value, style }: Pair,
): { value: string | string[]; next: number } | undefined {
  const key = lines[at]!;
  const given = SCALAR.test(value) ? '' : unquoteScalar(value);
  const isOpen = /^\[[^\]]*$/.test(given);
  if (given !== '' && !isOpen && asItems(given).length === 0) return { value: given, next: at + 1 };
  const isLabel = style !== 'plain' && value === '';
  const issues: { text: string; isItem: boolean }[] = [];
  const above = { key, depth: measureDepth(key), isLabel, isFilled: given !== '', isOpen };
  let [next, isApart] = [at + 1, false];
  for (let index = at + 1; lines[index]; index += 1) {
    const line = lines[index]!;
    if (EMPTY.test(line.text)) isApart = true;
    else if (FENCE.test(line.text) && issues.length > 0) index = findFenceEnd(lines, index);
    else {
      const last = issues.at(-1);
      const rows = isLabel && (above.depth > 0 || !last) ? findRows(lines, index) : undefined;
      const isBroken = !isApart && lines[index - 1]!.next - lines[index - 1]!.end > 2;
      const belongs = rows !== undefined || isBroken || continuesBlock(line, { ...above, last, isApart });
      if (!belongs || beginsField(line, key)) break;
      const isItem = ITEM.test(line.text) || measureDepth(line) > 0;
      const goesOn = last && !isItem && (last.isItem ? !isBroken : isLabel && !isApart);
      if (rows) issues.push(...rows.slice(1).map((row) => ({ text: joinCells(row), isItem: true })));
      else if (goesOn) last.text += ` ${readWords(line)}`;
      else issues.push({ text: readWords(line), isItem });
      if (rows) index += rows.length;
      next = index + 1;
      isApart = false;
      const isNone = isLabel && issues.length === 1 && asItems(issues[0]!.text).length === 0;
      if (isNone || (isOpen && line.text.includes(']'))) break;
    }
  }
  if (issues.length === 0) return isLabel ? undefined : { value: given, next };
  const below = issues.map(({ text }) => unquoteScalar(text));
  if (isOpen) return { value: [given, ...below].join(' '), next };
  return { value: given === '' ? below : [given, ...below], next };
}

function findFenceEnd(lines: readonly FormLine[], at: number): number {
  const mark = FENCE.exec(lines[at]!.text)![1]!;
  const end = lines.findIndex(({ text }, index) => index > at && text.trim().startsWith(mark));
  return end === -1 ? lines.length : end;
}

const joinCells = (row: FormLine): string =>
  splitCells(row)
    .map(({ words }) => words)
    .join(': ');

/** How deep a heading is; 0 for any other line. */
const measureDepth = ({ text }: FormLine): number => /^ {0,3}(#{1,6})[ \t]/.exec(text)?.[1]!.length ?? 0;

const readWords = ({ text }: FormLine): string =>
  (ITEM.exec(text)?.[1] ?? text).trim().replace(/^(?:#{1,6}[ \t]+|>[ \t]*)+(?:\d{1,2}[.)][ \t]*)?/, '');

function continuesBlock(
  line: FormLine,
  { key, depth, isLabel, isFilled, isOpen, last, isApart }: Above,
): boolean {
  const isDeeper = line.indent > key.indent;
  const heading = measureDepth(line);
  if (heading > 0 || RULER.test(line.text)) return depth > 0 && heading > depth;
  // Everything below a heading belongs to it, unless the heading itself holds the issue.
  if (depth > 0 && !isFilled) return true;
  if (ITEM.test(line.text)) {
    const isBelow = isDeeper || (!ITEM.test(key.text) && line.indent === key.indent);
    return isBelow && (!isApart || (!isFilled && (!last || last.isItem)));
  }
  if (isDeeper) return !isApart || SCALAR.test(readPair(key)?.value ?? '') || last?.isItem === true;
  if (isOpen) return true;
  if (isFilled || last?.isItem)
    return !isApart && GOES_ON.test(line.text) && (last?.isItem === true || !readPair(line));
  if (isLabel) return !last || !isApart || /^[*_]{2}\d/.test(line.text);
  return !isApart && !ITEM.test(key.text) && !/^[ \t]*[>|<]/.test(line.text) && !readPair(line);
}

/** Whether another field begins here. An item begins one only with a value of that field: any issue may start with such a word. */
function beginsField(line: FormLine, key: FormLine): boolean {
  const item = ITEM.exec(line.text)?.[1];
  const pair = readPair({ text: item ?? line.text });
  const name = pair && fieldNamed(pair.key);
  if (!pair || name === undefined) return false;
  const isSibling = (ITEM.test(key.text) && line.indent <= key.indent) || /^[*_`]/.test(item ?? '');
  if (item === undefined || name === 'blocking' || isSibling) return true;
  if (name === 'confidence') return asShare(pair.value) !== undefined;
  return isNumbered(pair.value) || asBoolean(pair.value) !== undefined;
}
