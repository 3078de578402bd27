// Finds the fields at one place of a text: a key with its value, a sentence, tags.
import { readPair } from './form-lines.ts';
import { EMPTY, ITEM, UNDERLINE, WRAPPER } from './form-patterns.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { findFieldName, findBlockMention, findField } from './form-names.ts';
import type { NamedField } from './form-names.ts';
import { readValue } from './read-form-value.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asItems, asShare, isNumbered } from './form-value-words.ts';
import { findVotes } from './remarks.ts';
import { isQualified } from './support-or-objection.ts';
import type { TextRange } from './text-range.ts';

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
