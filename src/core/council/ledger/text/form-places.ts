// Finds the fields of one place of a text: a key with its value, a sentence, tags.
import { readPair } from './form-lines.ts';
import { EMPTY, ITEM, UNDERLINE, WRAPPER } from './form-patterns.ts';
import type { FormLine, Pair } from './form-lines.ts';
import { fieldNamed, findBlockMention, findField } from './form-names.ts';
import type { NamedField } from './form-names.ts';
import { readValue } from './read-form-value.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asItems, asShare, isNumbered } from './form-value-words.ts';
import { findVotes } from './remarks.ts';
import { isQualified } from './support-or-objection.ts';
import type { Stretch } from './text-range.ts';

/** Nothing stands in such a line, or a tag around the whole. */
export const isBetween = ({ text }: FormLine): boolean => EMPTY.test(text) || WRAPPER.test(text);

/** One field as it was written: its words, or the items of a list; and where its lines, its cell or its JSON stand. */
export interface Field extends Stretch {
  name: FieldName;
  value: string | string[];
  /** It is a member of an object: its place is that of the object. */
  isMember?: true;
  /** Any text may have such a line, or its key says only in part what it is. */
  isDoubtful?: true;
  /** A vote that a sentence or an unknown key says: it counts only against one that is certain. */
  isAside?: true;
  /** Words beside it that may say whose it is: the line above, or what an unknown key says. */
  beside?: string[];
}

/** Fields that stand together, and the first line behind them. */
export interface FieldGroup extends Stretch {
  fields: Field[];
  first: number;
  next: number;
  isObject?: true;
  /** A heading with its value in the same line: any document may have one. */
  isHeading?: true;
}

/** The fields of a line with a key of ours, its value below it included; undefined for any other line. */
export function readKey(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const line = lines[at]!;
  const pair = readPair(line) ?? readLabel(lines, at);
  const named = pair && findField(pair.key);
  // A sentence may have a dash behind such a word.
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

/** A line that says of itself that something blocks, with no key in front of it. It counts as it stands. */
function readBlockMention(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const { start, end, next, text } = lines[at]!;
  const value = findBlockMention(text);
  if (value === undefined || asItems(value).length === 0) return undefined;
  const field = { name: 'blocking', value, start, end, isDoubtful: true } as const;
  return { fields: [field], start, end: next, first: at, next: at + 1 };
}

/** A line of nothing but what blocking issues are called, with a list or an underline below it: as good as a heading. */
function readLabel(lines: readonly FormLine[], at: number): Pair | undefined {
  const key = lines[at]!.text.trim();
  const below = lines.slice(at + 1, at + 3).find(({ text }) => !EMPTY.test(text))?.text ?? '';
  if (!ITEM.test(below) && !UNDERLINE.test(below)) return undefined;
  return findField(key)?.name === 'blocking' ? { key, value: '', style: 'bold' } : undefined;
}

/** The last line above one that says something. */
function findLineAbove(lines: readonly FormLine[], at: number): string {
  let above = at - 1;
  while (above >= 0 && isBetween(lines[above]!)) above -= 1;
  return lines[above]?.text ?? '';
}

/** A vote that a line says in a sentence, or takes back: "I vote for P3", "Correction: P3", "I withdraw my vote". */
function readAside(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const { start, end, next, text } = lines[at]!;
  // Below a challenge, it is the answer to that.
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

/** Behind a key that is only in part a name, any words may stand: a number of the ballot, or what blocks, is asked about. */
export const isMeant = ({ name, isDoubtful }: NamedField, value: string | string[]): boolean =>
  name === 'holds'
    ? !isQualified([value].flat().join(' '))
    : !isDoubtful || name === 'blocking' || isNumbered(value);

/** What may stand behind a value in its line: "position: x | confidence: 0.8". */
const BESIDE = /[ \t]*([|;·•]|[.,](?=[ \t]))[ \t]*([^|;·•:：=.,\n]{2,40}?)[ \u00A0]?[:：=][*_`"]{0,3}[ \t]*/g;

/** Two fields of one line, where it is certain that the second is one: a bar parts them, or its value is a share, or yes or no. */
function splitFields(field: Field, line: FormLine): Field[] {
  if (Array.isArray(field.value) || field.value.length > 1000) return [field];
  for (const { 0: whole, 1: sign = '', 2: key = '', index } of field.value.matchAll(BESIDE)) {
    const name = fieldNamed(key);
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

/** A place from a line to one of the text. */
export function makePlace(lines: readonly FormLine[], at: number, end: number, fields: Field[]): FieldGroup {
  let next = at + 1;
  while (lines[next] && lines[next]!.start < end) next += 1;
  return { fields, start: lines[at]!.start, end: Math.max(end, lines[next - 1]!.next), first: at, next };
}

const TAG = /<(\p{L}[^<>/]{0,40})>/gu;

/** `<position>…</position>`, also several of them in a line, and over several lines. */
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
    // Attributes are not said again.
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
