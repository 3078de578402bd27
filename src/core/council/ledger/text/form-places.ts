// Finds the fields of one place of a text: a key with its value, objects, tags.
import { beginsCondition, isConditional, readAnswer } from './answer-words.ts';
import { readPair } from './form-lines.ts';
import { ITEM, SET_OFF } from './form-patterns.ts';
import type { FormLine, Pair } from './form-lines.ts';
import {
  fieldNamed,
  findField,
  findVoteSentences,
  isAsked,
  isWrapping,
  speaksOfAnother,
} from './form-names.ts';
import type { NamedField } from './form-names.ts';
import { readValue } from './read-form-value.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asItems, asShare, isNumbered } from './form-value-words.ts';
import { readLooseJson } from './loose-json.ts';
import type { Stretch } from './text-range.ts';

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
  const pair = readPair(line);
  const named = pair && findField(pair.key);
  // A sentence may have a dash behind such a word.
  const found = named && !(pair.isDashed && named.isDoubtful) && readValue(lines, at, named.name, pair);
  if (!found || !isMeant(named, found.value)) return readSetOff(lines, at) ?? readAside(lines, at);
  const { value, next } = found;
  const [start, end] = [line.start, lines[next - 1]!.next];
  const isDoubtful = pair.isDashed || (pair.isRefused && named.name !== 'blocking');
  const field = { ...named, value, start, end, ...(isDoubtful && { isDoubtful }) };
  const isHeading = pair.style === 'heading' && next === at + 1;
  return { fields: splitFields(field, line), start, end, first: at, next, ...(isHeading && { isHeading }) };
}

/** A line that is marked as blocking with no key in front of it: "[BLOCKING] no backup", "Severity: blocking". It counts as it stands. */
function readSetOff(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const { start, end, next, text } = lines[at]!;
  const { groups = {} } = SET_OFF.exec(text) ?? {};
  const pair = readPair({ text });
  const severity = pair?.isDashed ? undefined : pair?.value.split(/ [—–-] /)[0];
  const marks = [groups.before, groups.behind, severity];
  if (!marks.some((mark) => mark !== undefined && fieldNamed(mark) === 'blocking')) return undefined;
  const field = { name: 'blocking', value: groups.words ?? groups.said ?? text.trim() } as const;
  return { fields: [{ ...field, start, end, isDoubtful: true }], start, end: next, first: at, next: at + 1 };
}

/** "I vote for P3" in a sentence, a short line such as "Correction: P3": its author may have changed the vote. */
function readAside(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const { start, end, next, text } = lines[at]!;
  const [, last] = (isShort(text) && !ITEM.test(text) && LAST_NUMBER.exec(text)) || [];
  const fields = (last === undefined ? findVoteSentences(text) : [last]).map((value): Field => ({
    name: 'vote',
    value,
    start,
    end,
    isDoubtful: true,
    isAside: true,
  }));
  return fields.length === 0 ? undefined : { fields, start, end: next, first: at, next: at + 1 };
}

const LAST_NUMBER = /(?:^|[^\p{L}\p{N}])(P ?\d{1,4})[*_`"'.!。)}\]]*$/iu;
/** A longer line argues, in characters. */
export const isShort = (line: string): boolean => line.trim().length <= 80;

/** Behind a key that is only in part a name, any words may stand: a number of the ballot, or what blocks, is asked about. */
export const isMeant = ({ name, isDoubtful }: NamedField, value: string | string[]): boolean =>
  !isDoubtful || name === 'blocking' || isNumbered(value);

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
    if (!isValue && !/[|;·•]/.test(sign)) continue;
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
    const inner = text
      .slice(from, close)
      .replace(/<[^<]*$/, '')
      .replace(/<\/?[\p{L}][^<>]*>/gu, '\n');
    const parts = inner.split(/\s*\n\s*/).filter((part) => part.trim() !== '');
    TAG.lastIndex = close;
    end = Math.max(end, TAG.lastIndex);
    const value = named.name === 'blocking' ? parts : parts.join(' ').trim();
    if (isMeant(named, value)) fields.push({ ...named, value, start: tag.index, end: TAG.lastIndex });
  }
  return fields.length === 0 ? undefined : makePlace(lines, at, end, fields);
}

/** How far behind an object the next one is looked for, in characters. */
const NEXT_OBJECT = 8;

/** The fields of the JSON objects that begin in a line, and of what is put around them; undefined where they cannot be read. */
export function readObjects(text: string, lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const line = lines[at]!;
  const fields: Field[] = [];
  let end: number | undefined;
  // One object may follow the other in a line.
  for (let from = text.indexOf(line.text.trimStart()[0]!, line.start); from !== -1;) {
    const found = readLooseJson(text, from);
    if (!found) break;
    const place = { start: from, end: found.end, isMember: true as const };
    fields.push(...readMembers(found.data, found.twice).map((field) => ({ ...field, ...place })));
    ({ end } = found);
    from = /^[ \t,]*\{/.test(text.slice(end, end + NEXT_OBJECT)) ? text.indexOf('{', end) : -1;
  }
  return end === undefined ? undefined : { ...makePlace(lines, at, end, fields), isObject: true };
}

type FieldReading = Pick<Field, 'name' | 'value' | 'isDoubtful' | 'isAside' | 'beside'>;

/** A value of an unknown key is at most so long where it says whose an object is, in characters; and so many are looked at. */
const [LONGEST_NOTE, MOST_NOTES] = [60, 20];

function readMembers(data: unknown, twice: readonly string[]): FieldReading[] {
  if (typeof data !== 'object' || data === null) return [];
  // A list of several, and any other key, speak of others: only what blocks there may be the author's.
  if (Array.isArray(data) && data.length === 1) return readMembers(data[0], twice);
  const beside: string[] = [];
  let isDoubtful = false;
  const said = Object.entries(data).flatMap(([key, value]: [string, unknown]): FieldReading[] => {
    const named = Array.isArray(data) ? undefined : findField(key);
    if (isWrapping(key) && typeof value === 'object') return readMembers(value, twice);
    if (!named) {
      const isNote = typeof value === 'string' && value.length <= LONGEST_NOTE && beside.length < MOST_NOTES;
      if (isNote) beside.push(`${key} ${value}`);
      // "withdrawn": true, "condition": "only if …"
      if (typeof value === 'boolean' || takesBack({ key, value: asWords(value) })) isDoubtful = true;
      if (isNote && LAST_NUMBER.test(value))
        return [{ name: 'vote', value, isDoubtful: true, isAside: true }];
      const isSeverity = typeof value === 'string' && fieldNamed(value) === 'blocking';
      return isSeverity
        ? [{ name: 'blocking', value: asWords(data), isDoubtful: true }]
        : doubtBlocking(readMembers(value, twice));
    }
    if (value === null) return [];
    const { name } = named;
    // A key that stands there twice says nothing certain, but what blocks stays.
    const isTwice = twice.includes(key) && name !== 'blocking';
    const words = isTwice ? [asWords(value)] : asValue(name, value);
    return isMeant(named, words) ? [{ ...named, value: words }] : [];
  });
  return said.map((one) => ({
    ...one,
    beside: [...beside, ...(one.beside ?? [])],
    ...(isDoubtful && isAsked(one.name) && { isDoubtful }),
  }));
}

/** Whether an unknown key says on what a form depends, or that it does not stand: "Only if: …", "Caveat: only if …", "Status: withdrawn". */
export function takesBack({ key, value }: Pick<Pair, 'key' | 'value'>): boolean {
  const isClause = key.trim().split(/\s+/).length > 2;
  if (!isClause && beginsCondition(key)) return value === '' || asItems(value).length > 0;
  if (limits(value)) return true;
  const isVerdict = readAnswer(value)?.length === value.length || speaksOfAnother(value);
  return isVerdict && !/\s.*\s|\d/.test(value) && !/\d/.test(key);
}

/** Whether words are no more than a condition: "only if ops agrees", "But not before May". In a longer sentence, a reason may begin so. */
export const limits = (words: string): boolean =>
  isShort(words) && isConditional(words) && !/^(?:\S+\s+){2,}\S*,|^[^，、]{5,}[，、]/.test(words.trim());

const doubtBlocking = (said: readonly FieldReading[]): FieldReading[] =>
  said.flatMap((one) => (one.name === 'blocking' ? [{ ...one, isDoubtful: true as const }] : []));

/** The words of a value; a value that is no text, and may block, is taken as it stands. */
function asValue(name: FieldName, value: unknown): string | string[] {
  if (Array.isArray(value))
    return value.filter((item) => name === 'blocking' || typeof item !== 'object').map(asWords);
  const isText =
    typeof value === 'string' || (name !== 'position' && name !== 'new' && typeof value !== 'object');
  return isText ? asWords(value) : [asWords(value)];
}

const asWords = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(asWords).join(': ') : String(value);
