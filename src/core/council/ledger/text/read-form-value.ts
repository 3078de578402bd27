// Reads the value of a key with what belongs to it below: a list, a line further in, the paragraph under a heading.
import { beginsCondition, beginsReason } from './answer-words.ts';
import { readPair, findRows, splitCells } from './form-lines.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { fieldNamed, findBlockMention, isAsked } from './form-names.ts';
import { EMPTY, GOES_ON, ITEM, NO_VALUE, SCALAR, FENCE, RULER, UNDERLINE } from './form-patterns.ts';
import { isNumbered, unquoteScalar, asBoolean, asItems, asShare } from './form-value-words.ts';
import type { FieldName } from './form-words.ts';

/** A longer paragraph under a heading argues, in characters. */
const LONGEST = 300;

/** The value of a key and of the lines below it, and the index of the line after them; undefined for a heading without any. */
export function readValue(
  lines: readonly FormLine[],
  at: number,
  name: FieldName,
  pair: Pair,
): { value: string | string[]; next: number } | undefined {
  if (name === 'blocking') return readBlocking(lines, at, pair);
  const { value, style } = pair;
  const isScalar = SCALAR.test(value);
  const isLabel = style !== 'plain' && value === '';
  const given = isScalar ? '' : unquoteScalar(value);
  const isContinued = style === 'plain' || isNumbered(given);
  const kind = { isLabel, isScalar, isFilled: given !== '', isContinued, isAsked: isAsked(name) };
  const { below, next } = findLines(lines, at, kind);
  if (below.length === 0) return isLabel ? undefined : { value: given, next: at + 1 };
  const words = below.map(({ text }) => unquoteScalar(text));
  const [first] = words;
  if (below.every(({ isItem }) => isItem))
    return { value: words.length === 1 && isNumbered(first!) ? first! : words, next };
  const whole = [given, ...words].filter((part) => part !== '').join(' ');
  // A mapping is no line of text.
  const isMapping = !isLabel && !isScalar && words.some((line) => /^[^\s:]+:(?: |$)/.test(line));
  if (isLabel && whole.length > LONGEST) return undefined;
  return { value: isMapping ? [whole] : whole, next };
}

interface ValueTraits {
  isLabel: boolean;
  isScalar: boolean;
  /** Something stands in the key's own line. */
  isFilled: boolean;
  /** Then a line further in goes on with it. */
  isContinued: boolean;
  /** Whether the next line may take the value back. */
  isAsked: boolean;
}

/** The lines below a key that belong to it, those of one item as one: what is further in, a list, a line alone, the paragraph under a label. */
function findLines(
  lines: readonly FormLine[],
  at: number,
  { isLabel, isScalar, isFilled, isContinued, isAsked }: ValueTraits,
): { below: { text: string; isItem: boolean }[]; next: number } {
  const key = lines[at]!;
  const isOwnItem = ITEM.test(key.text);
  const below: { text: string; isItem: boolean; indent: number }[] = [];
  let next = at + 1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    const last = below.at(-1);
    if (EMPTY.test(line.text)) {
      if (isScalar || (isLabel && (!last || last.isItem))) continue;
      break;
    }
    const isDeeper = line.indent > key.indent;
    const item = isScalar ? undefined : ITEM.exec(line.text)?.[1];
    const isListed = !isFilled && (isDeeper || (!isOwnItem && line.indent === key.indent));
    const isAlone = !last && index === next && !isOwnItem && standsAlone(lines, index);
    const isWords = !isFilled && !last?.isItem && (isLabel ? isParagraph(line) : isAlone);
    const isOwn = isFilled && isAsked ? goesOn(line) : isWords;
    const belongs = item !== undefined ? isListed : isDeeper ? !isFilled || isContinued : isOwn;
    if (!belongs || (!isScalar && isKey({ text: item ?? (isDeeper ? line.text : '') }))) break;
    if (item !== undefined && (!last || last.isItem))
      below.push({ text: item.trim(), isItem: true, indent: line.indent });
    else if (last?.isItem && line.indent > last.indent) last.text += ` ${line.text.trim()}`;
    else below.push({ text: line.text.trim(), isItem: false, indent: line.indent });
    next = index + 1;
  }
  return { below, next };
}

/** A line that begins another field, or any heading or bold line where `orLabel` says so. */
function isKey(line: Pick<FormLine, 'text'>, orLabel = false): boolean {
  const pair = readPair(line);
  if (!pair) return false;
  const isLabel = orLabel && pair.style !== 'plain' && pair.value === '' && !isNumbered(pair.key);
  return isLabel || fieldNamed(pair.key) !== undefined;
}

const isParagraph = (line: FormLine): boolean => !NO_VALUE.test(line.text) && !isKey(line, true);

/** A line that goes on with the sentence above it, and gives no reason. */
const goesOn = (line: FormLine): boolean =>
  !readPair(line) &&
  findBlockMention(line.text) === undefined &&
  (GOES_ON.test(line.text) || beginsCondition(line.text)) &&
  !beginsReason(line.text);

/** One line of words between a key and a blank line, the end, or another key. */
function standsAlone(lines: readonly FormLine[], at: number): boolean {
  const [line, after] = [lines[at]!, lines[at + 1]];
  if (NO_VALUE.test(line.text) || readPair(line) !== undefined || ITEM.test(line.text)) return false;
  return after === undefined || EMPTY.test(after.text) || isKey(after);
}

// Reads the lines below a key for blocking issues. Each line that may belong to the key counts, for it can only make a verdict stricter.

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
function readBlocking(
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
    const isUnderline = issues.length === 0 && UNDERLINE.test(line.text);
    if (isUnderline || EMPTY.test(line.text)) isApart = true;
    else if (FENCE.test(line.text) && issues.length > 0) index = findFenceEnd(lines, index);
    else {
      const last = issues.at(-1);
      const rows = given === '' && (above.depth > 0 || !last) ? findRows(lines, index) : undefined;
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
  let end = at + 1;
  while (lines[end] && !lines[end]!.text.trim().startsWith(mark)) end += 1;
  return end;
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
  if (isDeeper)
    return (
      !isApart || (!isFilled && !last) || SCALAR.test(readPair(key)?.value ?? '') || last?.isItem === true
    );
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
