// Rewrites tables, data and nested lists of findings as sections, and parses places in the change.
import { toOneLine, isObject } from '../core/base/text.ts';
import {
  findFindingPart,
  findSeverity,
  LISTS,
  SEVERITY_LINE,
  LIST_ITEM,
  toPlainText,
  readHead,
  readLabel,
} from './finding-words.ts';
import type { FindingPart } from './finding-words.ts';
import { replaceRecords } from './read-records.ts';

type FindingRecord = Partial<Record<FindingPart, string>>;

/** Rewrites the tables, data and lists of findings in an answer as sections; anything uncertain stays unchanged. */
export const writeFindingRecords = (text: string): string =>
  unnestLists(
    replaceRecords(text, (found) =>
      'rows' in found ? writeRecords(found.rows.map(readFields)) : writeData(found.data),
    ),
  );

/** Rewrites a list of findings, an object that contains one, or a single finding. */
function writeData(data: unknown): string | undefined {
  const records = listRecords(data);
  if (!records) return undefined;
  return records.length === 0 ? 'Nothing found.' : writeRecords(records);
}

/**
 * Returns undefined if the data contains anything but findings. `around` has the fields given by the
 * enclosing lists; a finding outside a list needs a file, code or a known severity.
 */
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

const readListName = (name: string): FindingRecord =>
  findSeverity(name) ? { severity: name } : /[./]/.test(name) ? { file: name } : {};

/** Reads the fields; a nested object adds its own fields. */
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

/** Returns undefined without a severity or a text: it is not a complete finding. */
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
  // An unknown severity counts as the worst.
  const named = findSeverity(severity.replaceAll(/[*_`]/g, '')) ?? 'blocker';
  // Line ends in a name are escaped as in the brief: a place is a single line.
  const place = file?.replaceAll(/^`|`$/g, '').replaceAll('\n', '\\n');
  return [
    `### ${[named, category].filter(Boolean).join(', ')}: ${toOneLine(words, 200)}`,
    place && `${place}${lines === undefined ? '' : `:${[lines, end].filter(Boolean).join('-')}`}`,
    quote?.replace(/^`+|`+$/g, '').replace(/^/gm, '> '),
    // Code in the title serves as the quote if there is no other.
    title !== undefined && title.includes('`') && title,
    text,
    fix && `Fix: ${fix}`,
  ]
    .filter(Boolean)
    .join('\n');
}

/** Rewrites items that name a severity, with their nested lists; other lines stay unchanged. */
function unnestLists(text: string): string {
  const items: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^(?:[ \t]|$)/.test(line) && items.length > 0) items.at(-1)!.push(line);
    else items.push([line]);
  }
  return items.flatMap((item) => writeItem(item) ?? item).join('\n');
}

/** Returns undefined unless the item has a nested list and names a severity. */
function writeItem([first = '', ...below]: readonly string[]): string[] | undefined {
  const [, item] = LIST_ITEM.exec(first) ?? [];
  const indent = /^[ \t]+(?=(?:[-*+]|\d+[.)])[ \t])/.exec(
    below.find((line) => line.trim() !== '') ?? '',
  )?.[0];
  if (item === undefined || indent === undefined) return undefined;
  const head = toPlainText(item);
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

/** A file of the change, and a way to write its name. */
export interface KnownName {
  file: string;
  written: string;
}

/** Lists the names of the changed files, longest first. */
export const listKnownNames = (paths: readonly string[]): KnownName[] =>
  paths
    .toSorted((a, b) => b.length - a.length)
    // Also as written in the brief, where quotes and line ends in names are escaped.
    .flatMap((file) =>
      [...new Set([file, JSON.stringify(file).slice(1, -1)])].map((written) => ({ file, written })),
    );

/** First and last line, starting at 1. */
export interface SaidLines {
  start: number;
  end: number;
}

interface SaidPlace {
  file: string;
  /** Null if only the file was named. */
  lines: SaidLines | null;
  side: 'new' | 'old';
  /** The line that names the place. */
  line: string;
}

const NUMBERS =
  /^[`*"'\s]*(?::|#L|,?\s*\(?(?:lines?|lignes?)\s*|\s+L)(\d+)(?:\s*(?:[-–—]|to|à)\s*L?(\d+))?/iu;
const OLD_SIDE = /(?<!\p{L})(?:old|removed|ancien|retirée?)(?!\p{L})/iu;
const UNKNOWN_PLACE = /^[\s*_`"'-]*((?:[\w.@+-]+\/)*[\w.@+-]+)[`"']?:(\d+)(?:\s*[-–—]\s*(\d+))?/u;

/** Finds the place that a line names: a changed file anywhere in it, or something like a file name at its start. */
export function findPlace(line: string, names: readonly KnownName[]): SaidPlace | undefined {
  const known = findKnownPlace(line, names);
  if (known) return known;
  const [, file, start, end] = UNKNOWN_PLACE.exec(line) ?? [];
  return file === undefined ? undefined : { file, side: 'new', line, lines: toRange(start, end) };
}

/** Finds a changed file in a line, with the words that name it and its line numbers. */
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

/** Returns the index of a whole path in a line, or -1. */
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
