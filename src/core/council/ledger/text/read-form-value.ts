// Reads the value of a key, including lines below it: a list, indented lines, the paragraph under a heading.
import { beginsCondition, beginsReason } from './answer-words.ts';
import { readPair, findRows, splitCells } from './form-lines.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { findFieldName, findBlockMention, isAsked } from './form-names.ts';
import { EMPTY, GOES_ON, ITEM, NO_VALUE, SCALAR, FENCE, RULER, UNDERLINE } from './form-patterns.ts';
import { isNumbered, unquoteScalar, asBoolean, asItems, asShare } from './form-value-words.ts';
import type { FieldName } from './form-words.ts';

/** A longer paragraph under a heading is an argument, in characters. */
const LONGEST = 300;

/** A key whose value is being read. */
interface OpenValue {
  name: FieldName;
  key: FormLine;
  /** The key's heading level; 0 if it is not a heading. */
  depth: number;
  /** The key is a heading or a bold line without a value. */
  isLabel: boolean;
  isScalar: boolean;
  /** The key's line has a value. `isContinued`: an indented line may continue it. */
  isFilled: boolean;
  isContinued: boolean;
  /** Inside an unclosed list in brackets. */
  isOpen: boolean;
  parts: { text: string; isItem: boolean }[];
  /** A blank line precedes the next line. */
  isApart: boolean;
}

/**
 * Returns the value of a key, including the lines below it, and the index of the next line; undefined for a
 * heading without a value. For blocking issues, every line that may belong to the key counts, since they can
 * only make a verdict stricter.
 */
export function readValue(
  lines: readonly FormLine[],
  at: number,
  name: FieldName,
  { value, style }: Pair,
): { value: string | string[]; next: number } | undefined {
  const key = lines[at]!;
  const blocks = name === 'blocking';
  const isScalar = SCALAR.test(value);
  const given = isScalar ? '' : unquoteScalar(value);
  const isOpen = blocks && /^\[[^\]]*$/.test(given);
  if (blocks && given !== '' && !isOpen && asItems(given).length === 0) return { value: given, next: at + 1 };
  const isLabel = style !== 'plain' && value === '';
  const isContinued = blocks || style === 'plain' || isNumbered(given);
  const parts: OpenValue['parts'] = [];
  const traits = { isLabel, isScalar, isFilled: given !== '', isContinued, isOpen };
  const open: OpenValue = { name, key, depth: measureDepth(key), ...traits, parts, isApart: false };
  let next = at + 1;
  for (let index = next; lines[index]; index += 1) {
    const line = lines[index]!;
    const last = parts.at(-1);
    if (EMPTY.test(line.text) || (blocks && !last && UNDERLINE.test(line.text))) {
      open.isApart = true;
      continue;
    }
    if (blocks && last && FENCE.test(line.text)) {
      index = findFenceEnd(lines, index);
      continue;
    }
    const rows =
      blocks && given === '' && (open.depth > 0 || !last) ? findRows(lines, index)?.slice(1) : undefined;
    // "no backup<br>no rollback"
    const isBroken = blocks && lines[index - 1]!.next - lines[index - 1]!.end > 2;
    if (!rows && !isBroken && !belongsToValue(lines, index, open)) break;
    if (!isScalar && beginsField(line, key)) break;
    const isItem = !isScalar && (ITEM.test(line.text) || measureDepth(line) > 0);
    const goesOn = last && !isItem && (last.isItem ? !isBroken : isLabel && !open.isApart);
    if (rows) parts.push(...rows.map((row) => ({ text: joinCells(row), isItem: true })));
    else if (goesOn) last.text += ` ${readWords(line)}`;
    else parts.push({ text: readWords(line), isItem });
    if (rows) index += rows.length + 1;
    next = index + 1;
    open.isApart = false;
    const isNone = blocks && isLabel && parts.length === 1 && asItems(parts[0]!.text).length === 0;
    if (isNone || (isOpen && line.text.includes(']'))) break;
  }
  if (parts.length === 0) return isLabel ? undefined : { value: given, next: at + 1 };
  const words = parts.map(({ text }) => unquoteScalar(text));
  const whole = [given, ...words].filter((part) => part !== '').join(' ');
  if (blocks) return { value: isOpen ? whole : [given, ...words].filter((part) => part !== ''), next };
  if (parts.every(({ isItem }) => isItem))
    return { value: isNumbered(whole) && !words[1] ? whole : words, next };
  // A nested mapping is not plain text.
  const isMapping = !isLabel && !isScalar && words.some((line) => /^[^\s:]+:(?: |$)/.test(line));
  if (isLabel && whole.length > LONGEST) return undefined;
  return { value: isMapping ? [whole] : whole, next };
}

/** Whether a line belongs to the value above: indented, a list, a single line, the paragraph under a label. */
function belongsToValue(lines: readonly FormLine[], at: number, open: OpenValue): boolean {
  const { name, key, depth, isLabel, isScalar, isFilled, isContinued, isOpen, parts, isApart } = open;
  const line = lines[at]!;
  const last = parts.at(-1);
  const blocks = name === 'blocking';
  const isDeeper = line.indent > key.indent;
  const heading = measureDepth(line);
  if (blocks && (heading > 0 || RULER.test(line.text))) return depth > 0 && heading > depth;
  // Everything below a heading belongs to it, unless the issue is in the heading itself.
  if (blocks && depth > 0 && !isFilled) return true;
  const isNear = !isApart || isScalar || (!isFilled && (last ? last.isItem : isLabel || blocks));
  if (!isScalar && ITEM.test(line.text)) {
    const isBelow = isDeeper || (!ITEM.test(key.text) && line.indent === key.indent);
    return isBelow && (isFilled ? blocks && !isApart : isNear);
  }
  if (isDeeper) return isContinued || !isFilled ? isNear || (blocks && last?.isItem === true) : false;
  if (isOpen) return true;
  if (last?.isItem) return blocks && !isApart && GOES_ON.test(line.text);
  if (isFilled) return !isApart && isAsked(name) && continuesSentence(line);
  if (isLabel && blocks) return !last || !isApart || /^[*_]{2}\d/.test(line.text);
  if (isLabel) return isNear && !NO_VALUE.test(line.text) && !isLabelOrKey(line);
  const isWords = !isApart && !ITEM.test(key.text) && !NO_VALUE.test(line.text) && !readPair(line);
  return isWords && (blocks || (!last && standsAlone(lines[at + 1])));
}

/** A line that starts another field, or a heading or bold line. */
function isLabelOrKey(line: FormLine): boolean {
  const pair = readPair(line);
  const isLabel = pair && pair.style !== 'plain' && pair.value === '' && !isNumbered(pair.key);
  return isLabel === true || (pair !== undefined && findFieldName(pair.key) !== undefined);
}

/** A line that continues the sentence above it, and is not a reason. */
const continuesSentence = (line: FormLine): boolean =>
  !readPair(line) &&
  findBlockMention(line.text) === undefined &&
  (GOES_ON.test(line.text) || beginsCondition(line.text)) &&
  !beginsReason(line.text);

/** Whether a line of text is followed by a blank line, the end, or another key. */
const standsAlone = (after: FormLine | undefined): boolean =>
  !after || EMPTY.test(after.text) || isLabelOrKey(after);

function findFenceEnd(lines: readonly FormLine[], at: number): number {
  const mark = FENCE.exec(lines[at]!.text)![1]!;
  const end = lines.findIndex(({ text }, index) => index > at && text.trim().startsWith(mark));
  return end === -1 ? lines.length : end;
}

const joinCells = (row: FormLine): string =>
  splitCells(row)
    .map(({ words }) => words)
    .join(': ');

/** Returns a heading's level; 0 for other lines. */
const measureDepth = ({ text }: FormLine): number => /^ {0,3}(#{1,6})[ \t]/.exec(text)?.[1]!.length ?? 0;

const readWords = ({ text }: FormLine): string =>
  (ITEM.exec(text)?.[1] ?? text).trim().replace(/^(?:#{1,6}[ \t]+|>[ \t]*)+(?:\d{1,2}[.)][ \t]*)?/, '');

/** Whether another field starts here; in a list only with a valid value, since any issue may start like this. */
function beginsField(line: FormLine, key: FormLine): boolean {
  const item = ITEM.exec(line.text)?.[1];
  const pair = readPair({ text: item ?? line.text });
  const name = pair && findFieldName(pair.key);
  if (!pair || name === undefined) return false;
  const isSibling = (ITEM.test(key.text) && line.indent <= key.indent) || /^[*_`]/.test(item ?? '');
  if (item === undefined || name === 'blocking' || isSibling) return true;
  if (name === 'confidence') return asShare(pair.value) !== undefined;
  return isNumbered(pair.value) || asBoolean(pair.value) !== undefined;
}
