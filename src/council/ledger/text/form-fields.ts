// Finds the fields of one place of a text: a key in a line, a table, an object, tags.
import { cellsOf, pairIn, rowsAt } from './form-lines.ts';
import type { Line } from './form-lines.ts';
import { fieldNamed, isAround } from './form-names.ts';
import type { FieldName } from './form-names.ts';
import { valueOf } from './form-value.ts';
import type { At } from './form-value.ts';
import { asBoolean, asShare } from './form-values.ts';
import { looseData } from './loose-json.ts';
import type { Stretch } from './stretch.ts';

/** One field as it was written: its words, or the items of a list; and where its lines, its cell or its JSON stand. */
export interface Field extends Stretch {
  name: FieldName;
  value: string | string[];
  /** It is a member of an object: its place is that of the object. */
  isMember?: true;
}

/** Fields that stand together, and the first line behind them. */
export interface Found extends Stretch {
  fields: Field[];
  next: number;
  /** A heading with its value in the same line: any document may have one. */
  isHeading?: boolean;
}

/** The fields of a line with a key of ours, its value below it included; undefined for any other line. */
export function pairAt(where: At): Found | undefined {
  const { lines, at } = where;
  const line = lines[at]!;
  const pair = pairIn(line);
  const name = pair && fieldNamed(pair.key);
  if (name === undefined) return undefined;
  const found = valueOf(where, name, pair!);
  if (!found) return undefined;
  const { value, next } = found;
  const [start, end] = [line.start, lines[next - 1]!.next];
  const fields = parted({ name, value, start, end }, line);
  return { fields, start, end, next, isHeading: pair!.style === 'heading' && next === at + 1 };
}

/** What may stand behind a value in its line: "position: x | confidence: 0.8". */
const BESIDE = /[ \t]*([|;·•]|[.,](?=[ \t]))[ \t]*([^|;·•:：=.,\n]{2,40}?)[ \u00A0]?[:：=][*_`"]{0,3}[ \t]*/g;

/** Two fields of one line, where it is certain that the second is one: a bar parts them, or its value is a share, or yes or no. */
function parted(field: Field, line: Line): Field[] {
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
    return [first, ...parted({ name, value, start, end: line.end }, line)];
  }
  return [field];
}

/** A table with a field in each row, or with one row under the names of the fields. */
export function tableAt(lines: readonly Line[], at: number): Found | undefined {
  const rows = lines[at]!.text.includes('|') ? rowsAt(lines, at) : undefined;
  if (!rows) return undefined;
  const [head, ...body] = rows as [Line, ...Line[]];
  const named = cellsOf(head).map(({ words }) => fieldNamed(words));
  const isAcross = body.length === 1 && named.every((name) => name !== undefined);
  const fields = isAcross
    ? cellsOf(body[0]!).flatMap(({ words, ...place }, column): Field[] =>
        named[column] ? [{ name: named[column], value: words, ...place }] : [],
      )
    : rows.flatMap((line): Field[] => {
        const [key, value] = cellsOf(line);
        const name = fieldNamed(key?.words ?? '');
        return name ? [{ name, value: value?.words ?? '', start: line.start, end: line.next }] : [];
      });
  const next = at + rows.length + 1;
  return { fields, start: head.start, end: lines[next - 1]!.next, next };
}

/** Where a tag is closed behind a place; what is closed nowhere is not looked for again. */
export type Closes = Map<string, number>;

function closeOf(text: string, close: string, from: number, closes: Closes): number {
  const known = closes.get(close) ?? -1;
  if (known >= from) return known;
  const found = text.indexOf(close, from);
  closes.set(close, found === -1 ? Infinity : found);
  return closes.get(close)!;
}

/** `<position>…</position>`, also several of them in a line, and over several lines. */
export function tagsAt(text: string, lines: readonly Line[], at: number, closes: Closes): Found | undefined {
  const line = lines[at]!;
  const tags = /<(\p{L}[^<>/]{0,40})>/gu;
  const fields: Field[] = [];
  tags.lastIndex = line.start;
  let { end } = line;
  for (let tag = tags.exec(text); tag !== null && tag.index < end; tag = tags.exec(text)) {
    const name = fieldNamed(tag[1]!);
    const close = `</${tag[1]!}>`;
    const from = tags.lastIndex;
    const until = name === undefined ? Infinity : closeOf(text, close, from, closes);
    if (name === undefined || until === Infinity) continue;
    const inner = text.slice(from, until).replace(/<\/?[\p{L}][^<>]*>/gu, '\n');
    const parts = inner.split(/\s*\n\s*/).filter((part) => part.trim() !== '');
    tags.lastIndex = until + close.length;
    end = Math.max(end, tags.lastIndex);
    const value = name === 'blocking' ? parts : parts.join(' ').trim();
    fields.push({ name, value, start: tag.index, end: tags.lastIndex });
  }
  let next = at + 1;
  while (lines[next] && lines[next]!.start < end) next += 1;
  return fields.length === 0
    ? undefined
    : { fields, start: line.start, end: Math.max(end, lines[next - 1]!.next), next };
}

/** How far behind an object the next one is looked for, in characters. */
const NEXT_OBJECT = 8;

/** The fields of the JSON objects in one line, and of what is put around them; and where the last one ends. */
export function objectAt(text: string, lines: readonly Line[], at: number, limit: number): Found | undefined {
  const line = lines[at]!;
  const start = text.indexOf(line.text.trimStart()[0] ?? '', line.start);
  if (!/^\s*(?:\{|\[\s*(?:\{|$))/.test(line.text)) return undefined;
  const fields: Field[] = [];
  let end: number | undefined;
  // One object may follow the other in a line.
  for (let from = start; from !== -1;) {
    const found = looseData(text, from, limit);
    if (!found) break;
    const place = { start: from, end: found.end, isMember: true as const };
    fields.push(...fieldsInside(found.data, found.twice).map((field) => ({ ...field, ...place })));
    ({ end } = found);
    from = /^[ \t,]*\{/.test(text.slice(end, end + NEXT_OBJECT)) ? text.indexOf('{', end) : -1;
  }
  if (end === undefined) return undefined;
  let next = at + 1;
  while (lines[next] && lines[next]!.start < end) next += 1;
  return { fields, start, end, next };
}

type Said = Omit<Field, keyof Stretch>;

function fieldsInside(data: unknown, twice: readonly string[]): Said[] {
  if (typeof data !== 'object' || data === null) return [];
  const members: [string, unknown][] = Array.isArray(data) ? [] : Object.entries(data);
  const own = members.flatMap(([key, value]): Said[] => {
    const name = fieldNamed(key);
    if (name === undefined || value === null) return [];
    // A key that stands there twice says nothing certain, but what blocks stays.
    const isTwice = twice.includes(key) && name !== 'blocking';
    return [{ name, value: isTwice ? [asWords(value)] : wordsOf(name, value) }];
  });
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  // A list of several, and any other key, speak of others.
  const around = [
    ...(items.length === 1 ? items : []),
    ...members.flatMap(([key, value]): unknown[] => (isAround(key) ? [value] : [])),
  ];
  return [...own, ...around.flatMap((value) => fieldsInside(value, []))];
}

/** The words of a value; what is no words and may block somebody is taken as it stands. */
function wordsOf(name: FieldName, value: unknown): string | string[] {
  const items: unknown[] | undefined = Array.isArray(value) ? value : undefined;
  if (items) return items.filter((item) => name === 'blocking' || typeof item !== 'object').map(asWords);
  const isText =
    typeof value === 'string' || (name !== 'position' && name !== 'new' && typeof value !== 'object');
  return isText ? asWords(value) : [asWords(value)];
}

const asWords = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(asWords).join(': ') : String(value);
