// The structured text that DATA may contain: pairs, lists, parameters of a call, and references.
import type { DataValue } from '../message.ts';

/** A key of a pair. Names that could reach into a prototype are not keys: their text counts as plain text. */
const KEY = /^(?!__proto__$|constructor$|prototype$)[A-Za-z_][\w.-]*$/;

/**
 * Parses the pairs of a DATA text: `k=v;k=v`, lists by comma, `params=` as `key:value` by comma with `"…"`
 * around values that contain separators. Words without a `=` are values of the empty key. Returns undefined
 * without any pair, or for a text in another form.
 */
export function parseDataPairs(text: string): Record<string, DataValue> | undefined {
  if (!text.includes('=')) return undefined;
  const found: [string, DataValue][] = [];
  const words: string[] = [];
  const seen = new Set<string>();
  const parts = text.includes('"') ? splitOutsideQuotes(text, ';') : text.split(';');
  if (parts.at(-1) === '') parts.pop();
  for (const part of parts) {
    const at = part.indexOf('=');
    if (at === -1) {
      if (part === '') return undefined;
      words.push(part);
      continue;
    }
    const key = part.slice(0, at);
    if (!KEY.test(key) || seen.has(key)) return undefined;
    seen.add(key);
    found.push([key, parseDataValue(key, part.slice(at + 1))]);
  }
  if (words.length > 0) found.unshift(['', words]);
  return Object.fromEntries(found);
}

export const getPairValue = (
  data: Record<string, DataValue> | undefined,
  key: string,
): string | undefined => {
  const value = data && Object.hasOwn(data, key) ? data[key] : undefined;
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(',') : JSON.stringify(value);
};

function parseDataValue(key: string, text: string): DataValue {
  if (key === 'params') return parseCallParams(text) ?? text;
  return text.includes(',') ? text.split(',') : text;
}

function parseCallParams(text: string): Record<string, string> | undefined {
  const found: [string, string][] = [];
  for (const part of splitOutsideQuotes(text, ',')) {
    const at = part.indexOf(':');
    const key = part.slice(0, Math.max(at, 0));
    if (!KEY.test(key)) return undefined;
    const value = part.slice(at + 1);
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    found.push([key, isQuoted ? value.slice(1, -1) : value]);
  }
  return Object.fromEntries(found);
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === separator && !isQuoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  // An unclosed quote is an ordinary character.
  if (isQuoted) return text.split(separator);
  parts.push(text.slice(from));
  return parts;
}

/** Writes pairs as DATA; undefined if they would not be read back the same. */
export function writeData(data: Record<string, DataValue>): string | undefined {
  const { '': words = [], ...pairs } = data;
  const written = Object.entries(pairs).map(([key, value]) => `${key}=${writeValue(value)}`);
  const text = [...[words].flat(), ...written].join(';');
  return hasSamePairs(parseDataPairs(text), data) ? text : undefined;
}

function writeValue(value: DataValue): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.join(',');
  return Object.entries(value)
    .map(([key, text]) => `${key}:${/[,;:]/.test(text) ? `"${text}"` : text}`)
    .join(',');
}

function hasSamePairs(one: Record<string, DataValue> | undefined, other: Record<string, DataValue>): boolean {
  const sortPairs = (data: Record<string, DataValue>): string =>
    JSON.stringify(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
  return one !== undefined && sortPairs(one) === sortPairs(other);
}

/** The target of a reference in DATA: a field of a task or a page of its result, a value of the session, a message. */
type Reference =
  | { to: 'task'; task: string; field?: string; page?: number }
  | { to: 'context'; key: string }
  | { to: 'message'; id: string };

const REFERENCE =
  /#(?:REF:([A-Za-z0-9_-]+)(?::([A-Za-z0-9_-]+))?(?:;page=(\d{1,4})(?!\d))?|CTX:([A-Za-z0-9_.-]+)|MSG:(M\d{1,4}))/g;

/** Returns the references in a text, in order. */
export const parseReferences = (text: string): Reference[] =>
  !text.includes('#')
    ? []
    : [...text.matchAll(REFERENCE)].map(([, task, field, page, key, id]) => {
        if (id !== undefined) return { to: 'message', id };
        if (key !== undefined) return { to: 'context', key };
        return {
          to: 'task',
          task: task!,
          ...(field !== undefined && { field }),
          ...(page !== undefined && { page: Number(page) }),
        };
      });
