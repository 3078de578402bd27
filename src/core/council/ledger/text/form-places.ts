// Finds the fields at one place of a text (a key with its value, a sentence, tags), and reads their values, which
// may continue below: a list, indented lines, the paragraph under a heading.
import { readPair, findRows, splitCells } from './form-lines.ts';
import { EMPTY, ITEM, UNDERLINE, WRAPPER, GOES_ON, NO_VALUE, SCALAR, FENCE, RULER } from './form-patterns.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { findFieldName, findBlockMention, findField, isAsked } from './form-names.ts';
import type { NamedField } from './form-names.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asItems, asShare, isNumbered, unquoteScalar } from './form-value-words.ts';
import { findVotes } from './remarks.ts';
import { isQualified } from './support-or-objection.ts';
import type { TextRange } from './limits.ts';
import { beginsCondition, beginsReason } from './answer-words.ts';

/** An empty line, or a tag around the whole answer. */
export const isBetween = ({ text }: FormLine): boolean => EMPTY.test(text) || WRAPPER.test(text);

/** One field as written: its words or list items, and the range of its lines, cell or JSON object. */
export interface Field extends TextRange {
  name: FieldName;
  value: string | string[];
  /** It is an object member; its range is the object's. */
  isMember?: true;
  /** The line may be ordinary text, or the key only partly matches a name. */
  isDoubtful?: true;
  /** A vote in a sentence or under an unknown key. It is only used to contradict a certain one. */
  isAside?: true;
  /** Nearby words that may name its author: the line above, or the value of an unknown key. */
  beside?: string[];
}

/** Adjacent fields, and the first line after them. */
export interface FieldGroup extends TextRange {
  fields: Field[];
  first: number;
  next: number;
  isObject?: true;
  /** A heading with its value on the same line; any document may contain one. */
  isHeading?: true;
}

/** Reads the fields of a line with a known key, including a value below it; undefined for other lines. */
export function readKey(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const line = lines[at]!;
  const pair = readPair(line) ?? readLabel(lines, at);
  const named = pair && findField(pair.key);
  // In a sentence, a dash may follow such a word.
  const found = named && !(pair.isDashed && named.isDoubtful) && readValue(lines, at, named.name, pair);
  if (!found || !isMeant(named, found.value)) return readBlockMention(lines, at) ?? readAside(lines, at);
  const { value, next } = found;
  const [start, end] = [line.start, lines[next - 1]!.next];
  const isSentence = pair.isDashed && !isNumbered(value) && asShare([value].flat().join(' ')) === undefined;
  const isDoubtful = isSentence || (pair.isRefused && named.name !== 'blocking');
  const field = { ...named, value, start, end, ...(isDoubtful && { isDoubtful }) };
  const isHeading = pair.style === 'heading' && next === at + 1;
  return { fields: splitFields(field, line), start, end, first: at, next, ...(isHeading && { isHeading }) };
}

/** Reads a line that states a blocking issue without a key; the line itself is the value. */
function readBlockMention(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const { start, end, next, text } = lines[at]!;
  const value = findBlockMention(text);
  if (value === undefined || asItems(value).length === 0) return undefined;
  const field = { name: 'blocking', value, start, end, isDoubtful: true } as const;
  return { fields: [field], start, end: next, first: at, next: at + 1 };
}

/** Reads a line with only a name for blocking issues, and a list or an underline below, as a heading. */
function readLabel(lines: readonly FormLine[], at: number): Pair | undefined {
  const key = lines[at]!.text.trim();
  const below = lines.slice(at + 1, at + 3).find(({ text }) => !EMPTY.test(text))?.text ?? '';
  if (!ITEM.test(below) && !UNDERLINE.test(below)) return undefined;
  return findField(key)?.name === 'blocking' ? { key, value: '', style: 'bold' } : undefined;
}

/** Returns the nearest line above with content. */
function findLineAbove(lines: readonly FormLine[], at: number): string {
  let above = at - 1;
  while (above >= 0 && isBetween(lines[above]!)) above -= 1;
  return lines[above]?.text ?? '';
}

/** Reads a vote that a sentence casts or withdraws: "I vote for P3", "Correction: P3", "I withdraw my vote". */
function readAside(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const { start, end, next, text } = lines[at]!;
  // Below a challenge, the line is an answer to it.
  const isAlone =
    [lines[at - 1], lines[at + 1]].every((one) => !one || isBetween(one)) &&
    !/^ {0,3}>|\bc\d/i.test(findLineAbove(lines, at));
  const traits = { isDoubtful: true, isAside: true } as const;
  const fields = findVotes(text, isAlone).map((value): Field => ({
    name: 'vote',
    value,
    start,
    end,
    ...traits,
  }));
  return fields.length === 0 ? undefined : { fields, start, end: next, first: at, next: at + 1 };
}

/** A partly matching key may precede any words; it only counts with a ballot number, or for blocking issues. */
export const isMeant = ({ name, isDoubtful }: NamedField, value: string | string[]): boolean =>
  name === 'holds'
    ? !isQualified([value].flat().join(' '))
    : !isDoubtful || name === 'blocking' || isNumbered(value);

/** A second field on the same line: "position: x | confidence: 0.8". */
const BESIDE = /[ \t]*([|;·•]|[.,](?=[ \t]))[ \t]*([^|;·•:：=.,\n]{2,40}?)[ \u00A0]?[:：=][*_`"]{0,3}[ \t]*/g;

/** Splits two fields on one line if the second is certain: after a separator, or with a share, yes or no. */
function splitFields(field: Field, line: FormLine): Field[] {
  if (Array.isArray(field.value) || field.value.length > 1000) return [field];
  for (const { 0: whole, 1: sign = '', 2: key = '', index } of field.value.matchAll(BESIDE)) {
    const name = findFieldName(key);
    if (name === undefined || name === 'because') continue;
    const value = field.value.slice(index + whole.length);
    const isValue = name === 'confidence' ? asShare(value) !== undefined : asBoolean(value) !== undefined;
    if (!isValue && name !== 'blocking' && !/[|;·•]/.test(sign)) continue;
    const at = line.text.lastIndexOf(whole + value);
    const start = at === -1 ? line.start : line.end - (line.text.length - at);
    const first = { ...field, value: field.value.slice(0, index).replace(/[*_`"]+$/, ''), end: start };
    return [first, ...splitFields({ name, value, start, end: line.end }, line)];
  }
  return [field];
}

/** Makes a group from a line to a text offset. */
export function makePlace(lines: readonly FormLine[], at: number, end: number, fields: Field[]): FieldGroup {
  let next = at + 1;
  while (lines[next] && lines[next]!.start < end) next += 1;
  return { fields, start: lines[at]!.start, end: Math.max(end, lines[next - 1]!.next), first: at, next };
}

const TAG = /<(\p{L}[^<>/]{0,40})>/gu;

/** Reads `<position>…</position>`; allows several per line, and values over several lines. */
export function readTags(
  text: string,
  lines: readonly FormLine[],
  at: number,
  find: (pattern: string, from: number) => number,
): FieldGroup | undefined {
  if (!/^[ \t]*</.test(lines[at]!.text)) return undefined;
  const fields: Field[] = [];
  let { end } = lines[at]!;
  TAG.lastIndex = lines[at]!.start;
  for (let tag = TAG.exec(text); tag !== null && tag.index < end; tag = TAG.exec(text)) {
    const named = findField(tag[1]!);
    const from = TAG.lastIndex;
    // A closing tag does not repeat the attributes.
    const closing = tag[1]!.replace(/\s.*=.*$/s, '').replace(/[^\p{L}\p{N}]/gu, '\\$&');
    const found = named ? find(`</${closing}>`, from) : Infinity;
    const close = found === Infinity && named?.name === 'blocking' ? end : found;
    if (!named || close === Infinity) continue;
    const inner = text.slice(from, close).replace(/<\/?[\p{L}][^<>]*>/gu, '\n');
    const parts = inner.split(/\s*\n\s*/).filter((part) => part.trim() !== '');
    TAG.lastIndex = close;
    end = Math.max(end, TAG.lastIndex);
    const value = named.name === 'blocking' ? parts : parts.join(' ').trim();
    if (isMeant(named, value)) fields.push({ ...named, value, start: tag.index, end: TAG.lastIndex });
  }
  return fields.length === 0 ? undefined : makePlace(lines, at, end, fields);
}

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
function readValue(
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
