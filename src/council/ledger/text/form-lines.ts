// The lines of a form: pairs, lists below a key, and rows of tables.
import { onFirstUse } from '../../../base/remember.ts';
import type { Stretch } from './stretch.ts';
import { fieldCalled, fieldNamed } from './form-names.ts';
import type { FieldName } from './form-names.ts';
import { asBoolean, asShare } from './form-values.ts';

/** One field as it was written: its words, or the items of a list; and where its lines, its cell or its JSON stand. */
export interface Field extends Stretch {
  name: FieldName;
  value: string | string[];
}

export const EMPTY = /^[ \t]*$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]+(.*)$/s;
const EMOJI = '(?:\\p{Extended_Pictographic}\\uFE0F?[ ]?)?';
/** The letters of all spellings of fields (`form-names.ts`): an expression that knows every letter takes 5 ms to make. */
const LETTER = 'A-Za-zÀ-ÖØ-öø-ÿ';
const KEY = `([${LETTER}][${LETTER}'’ ]{2,27}?)`;
const BULLET = '(?:(?:[-*+]|\\d{1,2}[.)])[ \\t]+)?';
const PAIR = onFirstUse(
  () =>
    new RegExp(
      `^ {0,3}${BULLET}${EMOJI}(["'*_\`]{0,3})${KEY}(?:[ ]\\([^()]{1,30}\\))?["'*_\`]{0,3}[ \\u00A0\\u202F]?[:：]([*_]{0,3})(?:[ \\t\\u00A0\\u202F]+(.*)|)$`,
      'su',
    ),
);
/** "**Position** – x", where the emphasis sets the key off, and "POSITION = x". */
const DASHED = onFirstUse(
  () =>
    new RegExp(
      `^ {0,3}${BULLET}${EMOJI}(?:([*_]{1,3})${KEY}\\1[ \\u00A0\\u202F]?(?:[—–-]|=|→)|${KEY}[ ]?=)[ \\u00A0\\u202F]+(.+)$`,
      'su',
    ),
);
const TAGGED = onFirstUse(() => /^[ \t]*<([\p{L}][\p{L} _-]{2,19})>([^<>]*)<\/\1>[ \t]*$/iu);

export interface Line extends Stretch {
  text: string;
  /** Where the next line begins. */
  next: number;
}

/** The lines of a text, without its byte order mark. */
export function firstLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  for (const match of text.matchAll(/\r\n|\r|\n/g)) {
    const next = match.index + match[0].length;
    lines.push({ start, end: match.index, next, text: text.slice(start, match.index) });
    start = next;
  }
  return start < text.length
    ? [...lines, { start, end: text.length, next: text.length, text: text.slice(start) }]
    : lines;
}

/** Whether lines are a form and not the beginning of a text: "Done: we moved" alone says nothing about a turn. */
export function isForm(fields: readonly Field[]): boolean {
  const telling = fields.filter(
    ({ name, value }) => !['agreed', 'done'].includes(name) || asBoolean(value) !== undefined,
  );
  return (
    telling.some(({ name }) => name === 'position' || name === 'vote') ||
    new Set(telling.map(({ name }) => name)).size >= 2
  );
}

/** A table with a field in each row, or with one row under the names of the fields. */
export function tableAt(lines: readonly Line[], at: number): (Stretch & { fields: Field[] }) | undefined {
  if (!lines[at + 1] || !isDelimiter(lines[at + 1]!.text)) return undefined;
  const rows = lines.slice(at + 2);
  const count = rows.findIndex((line) => !line.text.includes('|'));
  const body = rows.slice(0, count === -1 ? rows.length : count);
  const head = cellsOf(lines[at]!);
  const named = head.map(fieldNamed);
  const fields =
    body.length === 1 && named.length > 0 && named.every((name) => name !== undefined)
      ? placesOf(body[0]!).flatMap(({ words, start, end }, column): Field[] =>
          named[column] ? [{ name: named[column], value: words, start, end }] : [],
        )
      : [lines[at]!, ...body].flatMap((line): Field[] => {
          const [key = '', value = ''] = cellsOf(line);
          const name = fieldNamed(key);
          return name ? [{ name, value, start: line.start, end: line.next }] : [];
        });
  if (!isForm(fields)) return undefined;
  return { start: lines[at]!.start, end: (body.at(-1) ?? lines[at + 1]!).next, fields };
}

/** The cells of a row without the space around them, and where each stands in its line. */
function placesOf({ start, text }: Line): (Stretch & { words: string })[] {
  const row = text.trimEnd();
  let from = text.length - text.trimStart().length;
  if (row[from] === '|') from += 1;
  const places: (Stretch & { words: string })[] = [];
  for (const cell of row.slice(from, row.endsWith('|') ? -1 : undefined).split('|')) {
    const words = cell.trim();
    const at = start + from + (cell.length - cell.trimStart().length);
    places.push({ words, start: at, end: at + words.length });
    from += cell.length + 1;
  }
  return places;
}

const cellsOf = (line: Line): string[] => placesOf(line).map(({ words }) => words);

const isDelimiter = (text: string): boolean =>
  text.includes('-') && cellsOf({ start: 0, end: 0, next: 0, text }).every((cell) => /^:?-+:?$/.test(cell));

export interface Run {
  fields: Field[];
  /** The index of the first line that is no part of it. */
  next: number;
}

/**
 * `key: value` lines from line `from` on, with empty lines between them and the items of a list below a key. With
 * `isBlock`, lines that say anything else are passed over: the block has an end of its own.
 */
export function runOf(lines: readonly Line[], from: number, isBlock: boolean): Run {
  const fields: Field[] = [];
  let next = from;
  /** All pairs of a form stand in one column; what stands further in belongs to another one. */
  let column: number | undefined = isBlock ? 0 : undefined;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!;
    const last = fields.at(-1);
    const found = isBlock && line.text.startsWith('-') ? undefined : pairOf(line);
    const indent = line.text.length - line.text.trimStart().length;
    if (found) column ??= indent;
    const pair = indent === column ? found : undefined;
    const item = ITEM.exec(line.text);
    if (pair) fields.push(...parted(pair, line));
    else if (last && item && (last.value === '' || Array.isArray(last.value)) && next === at) {
      if (Array.isArray(last.value)) last.value.push(item[1]!);
      else last.value = [item[1]!];
      last.end = line.next;
    } else if (last?.value === '' && next === at && /^[ \t]+[^\s:][^:]*$/.test(line.text)) {
      last.value = line.text.trim();
      last.end = line.next;
    } else if (EMPTY.test(line.text) && (isBlock || fields.length > 0)) continue;
    else if (isBlock) {
      if (last && /^[ \t]/.test(line.text)) last.end = line.next;
      continue;
    } else break;
    next = at + 1;
  }
  return { fields, next: isBlock ? lines.length : next };
}

export function pairOf(line: Line): Field | undefined {
  const { text, start, next } = line;
  const found = /[:：]/.test(text) ? PAIR().exec(text) : null;
  if (!found) return setOff(line);
  const name = fieldCalled(found[2]!);
  if (!name) return undefined;
  // "**Position**: x" and "**Position:** x" have closed what they opened; "**Position: x**" has not.
  const value = (found[4] ?? '').trim();
  const isOpen = found[1]!.includes('*') && found[3] === '' && value.endsWith('**');
  return { name, value: isOpen ? value.slice(0, -2).trim() : value, start, end: next };
}

/** What may stand behind a value in its line: "position: x | confidence: 0.8". */
const BESIDE = onFirstUse(
  () =>
    /[ \t]*(?:[|;·•]|[.,](?=[ \t]))[ \t]*[*_`"]{0,3}(\p{L}[\p{L} ]{2,27}?)[*_`"]{0,3}[ \u00A0]?[:：=][*_`"]{0,3}[ \t]*/gu,
);

/** Two fields of one line, where it is certain that the second is one: its value is a share, or yes or no. */
function parted(field: Field, line: Line): Field[] {
  if (Array.isArray(field.value) || field.value.length > 1000) return [field];
  for (const { 0: whole, 1: key = '', index } of field.value.matchAll(BESIDE())) {
    const name = fieldNamed(key);
    const value = field.value.slice(index + whole.length);
    const isValue = name === 'confidence' ? asShare(value) !== undefined : asBoolean(value) !== undefined;
    if (!isValue || !(name === 'confidence' || name === 'agreed' || name === 'done')) continue;
    const start = line.end - (line.text.length - line.text.lastIndexOf(whole + value));
    return [
      { ...field, value: field.value.slice(0, index).replace(/[*_`"]+$/, ''), end: start },
      { name, value, start, end: line.end },
    ];
  }
  return [field];
}

/** A pair without a colon: the key in emphasis or in tags, or before an equals sign. */
function setOff({ text, start, next }: Line): Field | undefined {
  // Most lines hold none of it, and these expressions are slow to make.
  const [, , emphasised, plain, behind] = (/[*_=]/.test(text) && DASHED().exec(text)) || [];
  const [, tag, inside] = (text.includes('<') && TAGGED().exec(text)) || [];
  const name = fieldNamed(emphasised ?? plain ?? tag ?? '');
  const value = behind ?? inside;
  return name && value !== undefined ? { name, value: value.trim(), start, end: next } : undefined;
}
