// Scans a text once for all places with form fields, also in tables and JSON objects, and the marks around them.
import { readLines, readPair, findRows, splitCells } from './form-lines.ts';
import type { FormLine, Cell } from './form-lines.ts';
import { findFieldName, findField, isWrapping, isNearlyNamed, isAsked } from './form-names.ts';
import { isBetween, readKey, makePlace, readTags, isMeant } from './form-places.ts';
import type { Field, FieldGroup } from './form-places.ts';
import {
  BARE_KEY,
  BEGINS_ANEW,
  BLANK_LINE,
  EMPTY,
  FENCE,
  FORM_CODE,
  ITEM,
  OF_A_MAPPING,
  QUOTE,
  RULER,
  TAGS,
} from './form-patterns.ts';
import { findMarked } from './marks.ts';
import { makeFinder } from './reasoning.ts';
import type { TextRange } from './limits.ts';
import type { NamedField } from './form-names.ts';
import { asBoolean } from './form-value-words.ts';
import type { FieldName } from './form-words.ts';
import { readLooseJson } from './loose-json.ts';
import { findVotes, withdrawsForm } from './remarks.ts';

/** Everything in a text that may be a declaration, and everything that is not the author's. */
export interface Scan {
  lines: FormLine[];
  places: FieldGroup[];
  /** Votes in sentences outside the forms. */
  asides: Field[];
  /** Quotations, and code that is not a form. */
  notOwn: TextRange[];
  unknown: string[];
  /** Lines that open or close a form: rulers and fences. */
  marks: Set<number>;
  /** Lines in a longer quotation, or in tags that do not wrap an answer: possibly someone else's, or a draft. */
  doubtful: Set<number>;
}

/** Stop trying to parse objects after this many failures. */
const MOST_BROKEN = 5;

/** Finds every place with fields in one pass. The reasoning is blanked in `text`; `written` is the original. */
export function scanForm(text: string, written: string): Scan {
  const lines = readLines(text, written);
  const { quoted, doubtful } = findQuoted(text, lines);
  const scan: Scan = { lines, places: [], asides: [], notOwn: [], unknown: [], marks: new Set(), doubtful };
  const front = findFront(lines);
  const find = makeFinder(text);
  const hasWords = ({ text: words }: FormLine) => !EMPTY.test(words);
  const [firstWords, lastWords] = [lines.findIndex(hasWords), lines.findLastIndex(hasWords)];
  /** The closing line of the latest fence by marker; fences nested inside close there, too. */
  const closes = new Map<string, number>();
  let broken = 0;
  /** Indentation of the item or key that the following lines belong to. */
  let parent = { indent: Infinity, isText: false };
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const fence = FENCE.exec(line.text);
    if (!EMPTY.test(line.text) && line.indent <= parent.indent) parent = { indent: Infinity, isText: false };
    if (QUOTE.test(line.text)) scan.notOwn.push({ start: line.start, end: line.end });
    if (RULER.test(line.text)) scan.marks.add(at);
    const isBeside = isBetween(line) || scan.marks.has(at);
    const isNested = parent.indent !== Infinity || (line.indent > 3 && !ITEM.test(line.text));
    const isPassed = isBeside || quoted.has(at) || parent.isText;
    const place = isPassed
      ? undefined
      : isNested
        ? readNested(at)
        : fence
          ? readFence(at, fence)
          : readPlace(at);
    if (!place && !isPassed && !isNested && isParent(line))
      parent = { indent: line.indent, isText: /[|>][+-]?\d?$/.test(line.text) };
    // Front matter is a form as a whole, whatever its keys.
    if (place && isAside(place) && at >= front) scan.asides.push(...place.fields);
    else if (place?.fields.length || (at < front && !isBeside))
      scan.places.push(place ?? makePlace(lines, at, line.end, []));
    at = place?.next ?? at + 1;
  }
  return scan;

  /** A field inside an item or under another key may describe that; only blocking issues count. */
  function readNested(at: number): FieldGroup | undefined {
    const place = readKey(lines, at);
    const fields = place?.fields.filter(({ name }) => name === 'blocking') ?? [];
    return fields.length === 0
      ? undefined
      : { ...place!, fields: fields.map((field) => ({ ...field, isDoubtful: true as const })) };
  }

  function readPlace(at: number): FieldGroup | undefined {
    const line = lines[at]!;
    if (broken < MOST_BROKEN && /^\s*(?:\{|\[\s*(?:\{|$))/.test(line.text)) {
      const object = readObjects(text, lines, at);
      if (object) return object;
      broken += 1;
    }
    const found = readTable(lines, at) ?? readTags(text, lines, at, find) ?? readKey(lines, at);
    const pair = found ? undefined : readPair(line);
    const isUnknown = pair && pair.value !== '' && findFieldName(pair.key) === undefined;
    if (isUnknown && (isNearlyNamed(pair.key) || (at < front && line.indent === 0)))
      scan.unknown.push(pair.key.trim());
    return found;
  }

  /** Reads a fence if it starts with a form or contains the whole answer. Any other fence is code. */
  function readFence(at: number, [, marker = '', language = '']: RegExpExecArray): FieldGroup {
    const isClose = (words: string) => words.startsWith(marker) && /^(?:`+|~+)$/.test(words);
    let close = closes.get(marker) ?? 0;
    if (close <= at) for (close = at + 1; lines[close] && !isClose(lines[close]!.text.trim());) close += 1;
    closes.set(marker, close);
    let inner = at + 1;
    while (inner < close && (isBetween(lines[inner]!) || RULER.test(lines[inner]!.text))) inner += 1;
    const isAll = at <= firstWords && lastWords <= close;
    const isRead = FORM_CODE.has(language.toLowerCase()) && inner < close;
    if (isRead && (isAll || (readPlace(inner)?.fields.length ?? 0) > 0)) {
      scan.marks.add(at).add(close);
      return makePlace(lines, at, lines[at]!.end, []);
    }
    const code = makePlace(lines, at, lines[close]?.end ?? text.length, []);
    scan.notOwn.push(code);
    return code;
  }
}

/** A sentence with a vote is still shown to others, unlike form lines. */
const isAside = ({ fields, isObject }: FieldGroup): boolean =>
  !isObject && fields.every((one) => one.isAside);

/** Returns the line that ends the front matter: mapping lines between two rulers at the start of the text. */
function findFront(lines: readonly FormLine[]): number {
  const open = lines.findIndex((line) => !isBetween(line));
  if (!lines[open] || !RULER.test(lines[open].text)) return -1;
  const close = lines.findIndex(({ text }, at) => at > open && RULER.test(text));
  return lines.slice(open + 1, close).every(({ text }) => OF_A_MAPPING.test(text)) ? close : -1;
}

/** A list item, or a YAML key without a value: indented lines below belong to it. */
function isParent({ text }: FormLine): boolean {
  const key = BARE_KEY.exec(text)?.[1];
  return key === undefined ? ITEM.test(text) : !isWrapping(key);
}

/**
 * Returns lines inside quotation marks or block quotes, and lines where that is uncertain, such as a
 * continuation of a quote without its mark.
 */
function findQuoted(
  text: string,
  lines: readonly FormLine[],
): { quoted: Set<number>; doubtful: Set<number> } {
  const quoted = new Set<number>();
  const doubtful = new Set<number>();
  lines.forEach(({ text: words }, at) => {
    const isAbove = quoted.has(at - 1) || doubtful.has(at - 1);
    if (QUOTE.test(words)) quoted.add(at);
    else if (isAbove && !EMPTY.test(words) && !BEGINS_ANEW.test(words)) doubtful.add(at);
  });
  // Across lines, an apostrophe or a mark that usually closes does not open a quotation.
  const marked = findMarked(text, "'”»").map(({ start, end }) => ({ start: start + 1, end }));
  const isShort = ({ start, end }: TextRange) => !BLANK_LINE.test(text.slice(start, end));
  addLines(quoted, lines, marked.filter(isShort));
  addLines(doubtful, lines, marked);
  addLines(doubtful, lines, findTagged(text));
  return { quoted, doubtful };
}

function addLines(to: Set<number>, lines: readonly FormLine[], stretches: readonly TextRange[]): void {
  let at = 0;
  for (const { start, end } of stretches) {
    while (lines[at] && lines[at]!.start < start) at += 1;
    for (; lines[at] && lines[at]!.start < end; at += 1) to.add(at);
  }
}

/** Returns tags that neither name a field nor wrap a whole answer: an example, a draft, someone else's words. */
function findTagged(text: string): TextRange[] {
  const open = new Map<string, number>();
  const found: TextRange[] = [];
  for (const { 0: tag, 1: slash, 2: name = '', 3: attributes, index } of text.matchAll(TAGS)) {
    const start = open.get(name);
    const isOwn = findField(name) !== undefined || (isWrapping(name) && attributes === '');
    if (slash === '' && start === undefined && !isOwn) open.set(name, index);
    if (slash === '' || start === undefined) continue;
    open.delete(name);
    while (found.length > 0 && found.at(-1)!.start >= start) found.pop();
    found.push({ start, end: index + tag.length });
  }
  return found;
}

/**
 * Reads a table with one field per row, or one row below a header of field names. A row with two values is
 * uncertain. If only the header contains field names, its columns are the fields. Rows and columns for
 * blocking issues always count.
 */
function readTable(lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const rows = findRows(lines, at);
  if (!rows) return undefined;
  const [head, ...body] = rows.map((line) => ({ line, cells: splitCells(line) })) as [
    FormTableRow,
    ...FormTableRow[],
  ];
  const named = head.cells.map(({ words }) => findField(words));
  const isPlain = named.every((one) => one !== undefined);
  const blocks = named.findIndex((one) => one?.name === 'blocking');
  const hasKeys = body.length === 0 || body.some(({ cells }) => findField(cells[0]?.words ?? ''));
  let fields: Field[];
  if (isPlain && (body.length === 1 || (body.length > 0 && blocks !== -1)))
    fields = body.flatMap((row) => readAcross(row, named));
  else if (blocks !== -1 && !hasKeys) fields = body.flatMap((row) => readColumn(row, blocks));
  else {
    let key: NamedField | undefined;
    fields = [head, ...body].flatMap((row) => {
      key = findField(row.cells[0]?.words ?? '') ?? (row.cells[0]?.words === '' ? key : undefined);
      return readRow(row, key, row === head && !hasKeys);
    });
  }
  const next = at + rows.length + 1;
  const meant = fields.filter((field) => isMeant(field, field.value));
  return { fields: meant, start: lines[at]!.start, end: lines[next - 1]!.next, first: at, next };
}

interface FormTableRow {
  line: FormLine;
  cells: Cell[];
}

const readAcross = ({ cells }: FormTableRow, named: readonly (NamedField | undefined)[]): Field[] =>
  cells.flatMap(({ words, ...place }, column) =>
    words === '' || !named[column] ? [] : [{ ...named[column], value: words, ...place }],
  );

/** One column may say whether a row is blocking, while the issue is in another cell. */
function readColumn(row: FormTableRow, column: number): Field[] {
  const words = row.cells[column]?.words ?? '';
  const value = asBoolean(words) === true ? row.line.text.trim() : words;
  return words === '' ? [] : [{ name: 'blocking', value, ...toRowRange(row), isDoubtful: true }];
}

function readRow(row: FormTableRow, key: NamedField | undefined, isDoubtful: boolean): Field[] {
  const [, ...cells] = row.cells.map(({ words }) => words);
  const isSeverity = !key && cells.some((words) => findFieldName(words) === 'blocking');
  if (isSeverity)
    return [{ name: 'blocking', value: row.line.text.trim(), ...toRowRange(row), isDoubtful: true }];
  const values = cells.filter((words) => words !== '');
  const value = values.length > 1 ? values : (values[0] ?? '');
  return key ? [{ ...key, value, ...toRowRange(row), ...(isDoubtful && { isDoubtful }) }] : [];
}

const toRowRange = ({ line }: FormTableRow): TextRange => ({ start: line.start, end: line.next });

/** How far after an object to look for the next one, in characters. */
const NEXT_OBJECT = 8;

/** Reads the fields of the JSON objects that start on a line; undefined if they cannot be parsed. */
function readObjects(text: string, lines: readonly FormLine[], at: number): FieldGroup | undefined {
  const line = lines[at]!;
  const fields: Field[] = [];
  let end: number | undefined;
  // Several objects may follow each other on one line.
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

/** Unknown keys whose values may name an object's author: maximum length, in characters, and number. */
const [LONGEST_NOTE, MOST_NOTES] = [60, 20];

function readMembers(data: unknown, twice: readonly string[]): FieldReading[] {
  if (typeof data !== 'object' || data === null) return [];
  // Lists of objects and unknown keys are about others; only blocking issues in them may be the author's.
  if (Array.isArray(data) && data.length === 1) return readMembers(data[0], twice);
  const beside: string[] = [];
  let isDoubtful = false;
  const said = Object.entries(data).flatMap(([key, value]: [string, unknown]): FieldReading[] => {
    const named = findField(key);
    if (isWrapping(key) && typeof value === 'object') return readMembers(value, twice);
    if (!named) {
      const isNote = typeof value === 'string' && value.length <= LONGEST_NOTE && beside.length < MOST_NOTES;
      if (isNote) beside.push(`${key} ${value}`);
      // "withdrawn": true, "condition": "only if …"
      if (typeof value === 'boolean' || withdrawsForm({ key, value: asWords(value) })) isDoubtful = true;
      const [vote] = isNote ? findVotes(`${key}: ${value}`, false) : [];
      if (vote !== undefined) return [{ name: 'vote', value: vote, isDoubtful: true, isAside: true }];
      const isSeverity = typeof value === 'string' && findFieldName(value) === 'blocking';
      return isSeverity
        ? [{ name: 'blocking', value: asWords(data), isDoubtful: true }]
        : markBlockingDoubtful(readMembers(value, twice));
    }
    if (value === null) return [];
    const { name } = named;
    // A duplicate key is uncertain, but its blocking issues still count.
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

const markBlockingDoubtful = (said: readonly FieldReading[]): FieldReading[] =>
  said.flatMap((one) => (one.name === 'blocking' ? [{ ...one, isDoubtful: true as const }] : []));

/** Returns a value's text. A value that is not a text, but may be blocking, is kept as it is. */
function asValue(name: FieldName, value: unknown): string | string[] {
  if (Array.isArray(value)) return value.map(asWords);
  const isText =
    typeof value === 'string' || (name !== 'position' && name !== 'new' && typeof value !== 'object');
  return isText ? asWords(value) : [asWords(value)];
}

const asWords = (value: unknown): string =>
  typeof value === 'object' && value !== null ? Object.values(value).map(asWords).join(': ') : String(value);
