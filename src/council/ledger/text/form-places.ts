// Finds the fields of one place of a text: a key with its value, a table, objects, tags.
import { splitCells, readPair, findRows } from './form-lines.ts';
import type { Line } from './form-lines.ts';
import { fieldNamed, findField, isWrapping } from './form-names.ts';
import type { NamedField } from './form-names.ts';
import { isNumbered, readValue } from './form-value.ts';
import type { FieldName } from './form-words.ts';
import { asBoolean, asShare } from './form-values.ts';
import { readLooseJson } from './loose-json.ts';
import type { Stretch } from './stretch.ts';

/** One field as it was written: its words, or the items of a list; and where its lines, its cell or its JSON stand. */
export interface Field extends Stretch {
  name: FieldName;
  value: string | string[];
  /** It is a member of an object: its place is that of the object. */
  isMember?: true;
  /** Any text may have such a line, or its key says only in part what it is. */
  isDoubtful?: true;
}

/** Fields that stand together, and the first line behind them. */
export interface Place extends Stretch {
  fields: Field[];
  first: number;
  next: number;
  isObject?: true;
  /** A heading with its value in the same line: any document may have one. */
  isHeading?: true;
}

/** The fields of a line with a key of ours, its value below it included; undefined for any other line. */
export function readKey(lines: readonly Line[], at: number): Place | undefined {
  const line = lines[at]!;
  const pair = readPair(line);
  const named = pair && findField(pair.key);
  // A sentence may have a dash behind such a word.
  if (pair?.isDashed && named?.isDoubtful) return undefined;
  const found = named && readValue(lines, at, named.name, pair);
  if (!found || !isMeant(named, found.value)) return undefined;
  const { value, next } = found;
  const [start, end] = [line.start, lines[next - 1]!.next];
  const field = { ...named, value, start, end, ...(pair.isDashed && { isDoubtful: true as const }) };
  const isHeading = pair.style === 'heading' && next === at + 1;
  return { fields: splitFields(field, line), start, end, first: at, next, ...(isHeading && { isHeading }) };
}

/** Behind a key that is only in part a name, any words may stand: a number of the ballot, or what blocks, is asked about. */
const isMeant = ({ name, isDoubtful }: NamedField, value: string | string[]): boolean =>
  !isDoubtful || name === 'blocking' || isNumbered(value);

/** What may stand behind a value in its line: "position: x | confidence: 0.8". */
const BESIDE = /[ \t]*([|;·•]|[.,](?=[ \t]))[ \t]*([^|;·•:：=.,\n]{2,40}?)[ \u00A0]?[:：=][*_`"]{0,3}[ \t]*/g;

/** Two fields of one line, where it is certain that the second is one: a bar parts them, or its value is a share, or yes or no. */
function splitFields(field: Field, line: Line): Field[] {
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

/** A table with a field in each row, or with one row under the names of the fields. Two values in a row are none that is certain. */
export function readTable(lines: readonly Line[], at: number): Place | undefined {
  const rows = lines[at]!.text.includes('|') ? findRows(lines, at) : undefined;
  if (!rows) return undefined;
  const [head, ...body] = rows as [Line, ...Line[]];
  const named = splitCells(head).map(({ words }) => findField(words));
  const isAcross =
    named.every((one) => one !== undefined) &&
    (body.length === 1 || named.some(({ name }) => name === 'blocking'));
  const fields = (
    isAcross
      ? body.flatMap((row) =>
          splitCells(row).flatMap(({ words, ...place }, column): Field[] =>
            words === '' || !named[column] ? [] : [{ ...named[column], value: words, ...place }],
          ),
        )
      : rows.flatMap((line): Field[] => {
          const [key, ...cells] = splitCells(line);
          const one = findField(key?.words ?? '');
          const values = cells.map(({ words }) => words).filter((words) => words !== '');
          const value = values.length > 1 ? values : (values[0] ?? '');
          return one ? [{ ...one, value, start: line.start, end: line.next }] : [];
        })
  ).filter((field) => isMeant(field, field.value));
  const next = at + rows.length + 1;
  return { fields, start: head.start, end: lines[next - 1]!.next, first: at, next };
}

/** A place from a line to one of the text. */
export function makePlace(lines: readonly Line[], at: number, end: number, fields: Field[]): Place {
  let next = at + 1;
  while (lines[next] && lines[next]!.start < end) next += 1;
  return { fields, start: lines[at]!.start, end: Math.max(end, lines[next - 1]!.next), first: at, next };
}

const TAG = /<(\p{L}[^<>/]{0,40})>/gu;

/** `<position>…</position>`, also several of them in a line, and over several lines. */
export function readTags(
  text: string,
  lines: readonly Line[],
  at: number,
  find: (pattern: string, from: number) => number,
): Place | undefined {
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
export function readObjects(text: string, lines: readonly Line[], at: number): Place | undefined {
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

type Said = Pick<Field, 'name' | 'value' | 'isDoubtful'>;

function readMembers(data: unknown, twice: readonly string[]): Said[] {
  if (typeof data !== 'object' || data === null) return [];
  // A list of several, and any other key, speak of others: only what blocks there may be the author's.
  if (Array.isArray(data) && data.length === 1) return readMembers(data[0], []);
  return Object.entries(data).flatMap(([key, value]: [string, unknown]): Said[] => {
    const named = Array.isArray(data) ? undefined : findField(key);
    if (isWrapping(key)) return readMembers(value, []);
    if (!named) return doubtBlocking(readMembers(value, []));
    if (value === null) return [];
    const { name } = named;
    // A key that stands there twice says nothing certain, but what blocks stays.
    const isTwice = twice.includes(key) && name !== 'blocking';
    const words = isTwice ? [asWords(value)] : asValue(name, value);
    return isMeant(named, words) ? [{ ...named, value: words }] : [];
  });
}

const doubtBlocking = (said: readonly Said[]): Said[] =>
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
