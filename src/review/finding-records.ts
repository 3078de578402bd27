// What findings are read from: tables, data and lists in lists, and the place in the change that a line names.
import { oneLine, isObject } from '../core/base/text.ts';
import {
  findFindingPart,
  findSeverity,
  LISTS,
  SEVERITY_LINE,
  LIST_ITEM,
  plainText,
  readHead,
  readLabel,
} from './finding-words.ts';
import type { FindingPart } from './finding-words.ts';
import { replaceRecords } from './read-records.ts';

type FindingRecord = Partial<Record<FindingPart, string>>;

/** The same answer, its tables, data and lists of findings as sections. What is not certain to be findings, each of it, stays as it was. */
export const writeFindingRecords = (text: string): string =>
  unnestLists(
    replaceRecords(text, (found) =>
      'rows' in found ? writeRecords(found.rows.map(readFields)) : writeData(found.data),
    ),
  );

/** A list of findings, an object that has one, or one finding alone. */
function writeData(data: unknown): string | undefined {
  const records = listRecords(data);
  if (!records) return undefined;
  return records.length === 0 ? 'Nothing found.' : writeRecords(records);
}

/** Undefined where something in it is no finding. `around` is what the lists around it say; a finding in none has a file, code or a known severity. */
function listRecords(data: unknown, around?: FindingRecord): FindingRecord[] | undefined {
  if (Array.isArray(data)) return joinLists(data.map((one) => listRecords(one, around ?? {})));
  if (!isObject(data)) return undefined;
  const entries = Object.entries(data);
  const named = entries.find(([name, value]) => LISTS.includes(name.toLowerCase()) && Array.isArray(value));
  const record = { ...around, ...readFields(entries) };
  const isFinding = record.severity !== undefined && (record.title ?? record.text) !== undefined;
  const { severity = '', quote } = record;
  if (!named && isFinding)
    return (around ?? record.file ?? quote ?? findSeverity(severity)) === undefined ? undefined : [record];
  const lists = named ? [named] : entries.filter(([, value]) => isObject(value) || hasLists(value));
  const { file } = { ...around, ...readFields(entries.filter(([, value]) => typeof value === 'string')) };
  const of = { ...around, ...(file !== undefined && { file }) };
  return lists.length === 0
    ? undefined
    : joinLists(lists.map(([name, list]) => listRecords(list, { ...of, ...readListName(name) })));
}

const hasLists = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => isObject(one) || Array.isArray(one));

const joinLists = (lists: readonly (FindingRecord[] | undefined)[]): FindingRecord[] | undefined =>
  lists.every((one) => one !== undefined) ? lists.flat() : undefined;

/** What the name of a list says of the findings in it: their severity or their file. */
const readListName = (name: string): FindingRecord =>
  findSeverity(name) ? { severity: name } : /[./]/.test(name) ? { file: name } : {};

/** What stands under each name; of an object, its own names. */
const readFields = (entries: readonly [string, unknown][]): FindingRecord =>
  Object.assign(
    {},
    ...entries.map(([name, value]): FindingRecord => {
      if (isObject(value)) return readFields(Object.entries(value));
      const part = findFindingPart(name);
      const words = Array.isArray(value) ? value.join(part === 'lines' ? '-' : '\n') : String(value ?? '');
      return part === undefined || words.trim() === '' ? {} : { [part]: words.trim() };
    }),
  ) as FindingRecord;

function writeRecords(records: readonly FindingRecord[]): string | undefined {
  const sections = records.map(writeSection);
  return sections.every((one) => one !== undefined) ? sections.join('\n\n') : undefined;
}

/** Undefined where no severity or no words are given: it is no finding, or not all of one. */
function writeSection({
  severity,
  category,
  title,
  file,
  lines,
  end,
  quote,
  text,
  fix,
}: FindingRecord): string | undefined {
  const words = title ?? text;
  if (severity === undefined || words === undefined) return undefined;
  // What cannot be told counts as the worst.
  const named = findSeverity(severity.replaceAll(/[*_`]/g, '')) ?? 'blocker';
  // A name with a line end as the brief writes it: a place is one line.
  const place = file?.replaceAll(/^`|`$/g, '').replaceAll('\n', '\\n');
  return [
    `### ${[named, category].filter(Boolean).join(', ')}: ${oneLine(words, 200)}`,
    place && `${place}${lines === undefined ? '' : `:${[lines, end].filter(Boolean).join('-')}`}`,
    quote?.replace(/^`+|`+$/g, '').replace(/^/gm, '> '),
    // Code in a sentence is a quote where there is no other.
    title !== undefined && title.includes('`') && title,
    text,
    fix && `Fix: ${fix}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** An item that says a severity, with the lines below it, or a line as it is. */
function unnestLists(text: string): string {
  const items: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^(?:[ \t]|$)/.test(line) && items.length > 0) items.at(-1)!.push(line);
    else items.push([line]);
  }
  return items.flatMap((item) => writeItem(item) ?? item).join('\n');
}

/** Undefined for what is no item with a list of its own, and where nothing says a severity. */
function writeItem([first = '', ...below]: readonly string[]): string[] | undefined {
  const [, item] = LIST_ITEM.exec(first) ?? [];
  const indent = /^[ \t]+(?=(?:[-*+]|\d+[.)])[ \t])/.exec(
    below.find((line) => line.trim() !== '') ?? '',
  )?.[0];
  if (item === undefined || indent === undefined) return undefined;
  const head = plainText(item);
  const body = below.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const isSeverity = SEVERITY_LINE.test(head);
  if (isSeverity) body.unshift(head);
  const { severity, title: behind } = readHead(head);
  const isSaid = severity === undefined ? readLabel(head) !== undefined : behind !== '';
  if (!isSaid && !body.some((line) => SEVERITY_LINE.test(line))) return undefined;
  const title = body
    .map((line) => FIELD.exec(line))
    .find((field) => findFindingPart(field?.[1] ?? '') === 'title')?.[2];
  return [`### ${isSeverity && title !== undefined ? title : head}`, ...body];
}

const FIELD = /^[-*+ \t]*\**(\p{L}[\p{L} ]*)\**[:：]\**[ \t]*(.+)$/u;

/** A file of the change, and how it may be written. */
export interface KnownName {
  file: string;
  written: string;
}

/** The names of the files of a change, the longest first. */
export const listKnownNames = (paths: readonly string[]): KnownName[] =>
  paths
    .toSorted((a, b) => b.length - a.length)
    // Also as the brief writes it, where a name has quotes or line ends.
    .flatMap((file) =>
      [...new Set([file, JSON.stringify(file).slice(1, -1)])].map((written) => ({ file, written })),
    );

/** The first and the last line, from 1. */
export interface SaidLines {
  start: number;
  end: number;
}

interface SaidPlace {
  file: string;
  /** Null where only the file was said. */
  lines: SaidLines | null;
  side: 'new' | 'old';
  /** The line that says it. */
  line: string;
}

const NUMBERS =
  /^[`*"'\s]*(?::|#L|,?\s*\(?(?:lines?|lignes?)\s*|\s+L)(\d+)(?:\s*(?:[-–—]|to|à)\s*L?(\d+))?/iu;
const OLD_SIDE = /(?<!\p{L})(?:old|removed|ancien|retirée?)(?!\p{L})/iu;
const UNKNOWN_PLACE = /^[\s*_`"'-]*((?:[\w.@+-]+\/)*[\w.@+-]+)[`"']?:(\d+)(?:\s*[-–—]\s*(\d+))?/u;

/** The place that a line names: a file of the change anywhere in it, or what looks like a file at its beginning. */
export function findPlace(line: string, names: readonly KnownName[]): SaidPlace | undefined {
  const known = findKnownPlace(line, names);
  if (known) return known;
  const [, file, start, end] = UNKNOWN_PLACE.exec(line) ?? [];
  return file === undefined ? undefined : { file, side: 'new', line, lines: toRange(start, end) };
}

/** A file of the change, with the words that name it and its lines. */
export function findKnownPlace(
  line: string,
  names: readonly KnownName[],
): (SaidPlace & { words: string }) | undefined {
  for (const { file, written } of names) {
    const at = findPath(line, written);
    if (at === -1) continue;
    const behind = line.slice(at + written.length);
    const numbers = NUMBERS.exec(behind);
    const side = OLD_SIDE.test(behind) ? 'old' : 'new';
    const words = line.slice(at, at + written.length + (numbers?.[0].length ?? 0));
    return { file, side, line, words, lines: numbers && toRange(numbers[1], numbers[2]) };
  }
  return undefined;
}

/** Where a path stands in a line as a whole path; -1 where it does not. */
function findPath(line: string, path: string): number {
  for (let at = line.indexOf(path); at !== -1; at = line.indexOf(path, at + 1)) {
    const before = line.slice(0, at);
    const after = line[at + path.length] ?? '';
    if ((before === '' || /[\s`"'(*[]$|(?:^|[\s`"'(*[])(?:[ab]|\.)\/$/.test(before)) && !/[\w/]/.test(after))
      return at;
  }
  return -1;
}

function toRange(first: string | undefined, second: string | undefined): SaidLines {
  const [a, b] = [Number(first), Number(second ?? first)];
  return { start: Math.min(a, b), end: Math.max(a, b) };
}
