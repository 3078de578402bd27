// Finds JSON documents in a program's output among lines of noise, but not in strings, quotations or fences.
import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual, stripVTControlCharacters } from 'node:util';
import { parseJsonOrUndefined, toUnknownRecord } from '../../../base/text.ts';

export interface FoundDocuments {
  /** The objects in order; lists are flattened. */
  documents: object[];
  /** For each document with a duplicate key: one copy with the first value, one with the last. */
  unsure: object[];
  /** Whether a line starts like a document, complete or not: then the output is no plain text. */
  isBegun: boolean;
}

const FENCE = /^ {0,3}(?:```|~~~)/;
/** Text before a document on its line must not contain these: the document may be a string, or quoted. */
const QUOTED = /["'`]|^\s*>/;
/** Maximum characters of noise before a document on its line. */
const LONGEST_PREFIX = 1000;
const BEGINNING = /^(?:\{\s*["}]|\[\s*\{)/;
/** Gives up after this many unclosed brackets: scanning each to the end of the text takes quadratic time. */
const MOST_OPEN = 16;
/** Maximum nesting of lists and parts. */
const MOST_DEEP = 8;
/** A string, which ends on its line, or a bracket. */
const TOKEN = /"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|[[\]{}]/g;

/** Invalid UTF-8 spoils the document that contains it. */
export function findDocuments(bytes: Buffer): FoundDocuments {
  // A spinner returns to the start of its line.
  const text = stripVTControlCharacters(bytes.toString('utf8')).replace(/\r\n?/g, '\n');
  const isDamaged = !isUtf8(bytes);
  const found: FoundDocuments = { documents: [], unsure: [], isBegun: false };
  let left = MOST_OPEN;
  let isFenced = false;
  /** The column of an unclosed object: text indented further may be a part of it. */
  let open = Infinity;
  for (let at = 0; at < text.length;) {
    const lineEnd = endOfLine(text, at);
    const isFence = countColumns(text, at) === 0 && FENCE.test(text.slice(at, at + 8));
    if (isFence) isFenced = !isFenced;
    at = (isFence || isFenced ? undefined : readLine(at, lineEnd)) ?? lineEnd + 1;
  }
  return found;

  /** Reads the first document that starts on the line. Returns where to go on; undefined if there is none. */
  function readLine(from: number, lineEnd: number): number | undefined {
    const line = text.slice(from, Math.min(lineEnd, from + LONGEST_PREFIX));
    for (const { index } of line.matchAll(/[[{]/g)) {
      const at = from + index;
      const before = line.slice(0, index);
      if (QUOTED.test(before)) return undefined;
      const isFirst = !/[\p{L}\d]/u.test(before);
      if (isFirst && BEGINNING.test(text.slice(at, at + 200))) found.isBegun = true;
      if (countColumns(text, at) > open) continue;
      const end = endOfValue(text, at, left > 0 ? text.length : lineEnd);
      if (end === undefined) {
        if (--left < 0) return undefined;
        // The elements of a truncated list may be complete.
        if (text[at] === '[' && isFirst) return at + 1;
        open = Math.min(open, countColumns(text, at));
        continue;
      }
      const candidate = text.slice(at, end);
      const taken = parseDocuments(candidate);
      // After words on its line, a document counts only if nothing follows it.
      if (taken.length === 0 || (!isFirst && /\S/.test(text.slice(end, endOfLine(text, end))))) continue;
      found.documents.push(...taken);
      const first = readFirst(candidate);
      if (first && !isDeepStrictEqual(first, taken)) found.unsure.push(...first, ...taken);
      open = Infinity;
      return end;
    }
    return undefined;
  }

  function parseDocuments(candidate: string): object[] {
    if (isDamaged && candidate.includes('\uFFFD')) return [];
    const found: unknown[] = [parseJsonOrUndefined(candidate)];
    return found.flat(MOST_DEEP).filter((one) => typeof one === 'object' && one !== null);
  }
}

/** Returns the end of the value that starts with a bracket; undefined if it is not closed before `limit`. */
function endOfValue(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.slice(start, limit).matchAll(TOKEN)) {
    if (token.length > 1) continue;
    depth += token === '{' || token === '[' ? 1 : -1;
    if (depth === 0) return start + index + 1;
  }
  return undefined;
}

/** A key with its colon, any other string, or a bracket. */
const MEMBER = /"((?:[^"\\\n]|\\[^\n])*)"\s*:|"(?:[^"\\\n]|\\[^\n])*"|[[\]{}]/g;
const REPEATED = '\u0000repeated';

/**
 * Parses JSON with the first value of repeated keys (`JSON.parse` takes the last). Undefined if no key is
 * repeated.
 */
function readFirst(json: string): object[] | undefined {
  const open: Set<string>[] = [];
  const first = json.replace(MEMBER, (token, key: string | undefined) => {
    const keys = open.at(-1);
    if (key !== undefined && keys?.has(key)) return `${JSON.stringify(REPEATED)}:`;
    if (key !== undefined) keys?.add(key);
    else if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    return token;
  });
  if (first === json) return undefined;
  const dropRepeated = (key: string, value: unknown): unknown => (key === REPEATED ? undefined : value);
  return [JSON.parse(first, dropRepeated) as object].flat(MOST_DEEP);
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

const countColumns = (text: string, at: number): number => at - text.lastIndexOf('\n', at - 1) - 1;

/** Returns the value at a path such as "item.text". */
export const getValueByPath = (document: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => toUnknownRecord(value)[key], document);

export const listMembers = (document: unknown, levels = MOST_DEEP): [string, unknown][] =>
  Object.entries(toUnknownRecord(document)).flatMap(([key, value]) => [
    [key, value],
    ...(levels > 0 ? [value].flat(MOST_DEEP).flatMap((part) => listMembers(part, levels - 1)) : []),
  ]);
