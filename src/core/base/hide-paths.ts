// Replaces the folders of a machine in documents by short names.
import { pathToFileURL } from 'node:url';

/** A folder of this machine, and what is shown instead: `[project]`. */
export type PathAlias = [path: string, name: string];

// All other fields are people's words or hold no path, and stay unchanged. Only the exceptions are
// listed here.
/** Fields that hold a path of council's own making: only its last name is told, or what follows a known folder. */
const PATHS = new Set(['path', 'file', 'dir', 'folder', 'root', 'cwd']);
/** Fields in which council itself speaks: what it notes, and what it recorded about a program that failed or waits. */
const OWN = new Set([
  ...['note', 'notes', 'problem', 'problems', 'absent', 'absences', 'failure', 'paused', 'waitingForTrust'],
]);
/** Refusals, and why launches failed: every absolute path in them is reduced. */
const ERRORS = new Set(['error', 'unreadable', 'failed']);
/** What a program was given, whatever its fields are called. */
const GIVEN = new Set(['input']);
/** How an absence begins whose reason a person gave. */
const GIVEN_REASON = 'excused: ';
/** A folder that is named after a conversation: its id is for those who may know who is who in older councils. */
const CONVERSATION = /(?<=[\\/])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[\\/]/g;
// Any absolute path in a sentence, as far as it can be told from "and/or", a URL, a date or a pattern.
const ABSOLUTE =
  /(?<![\p{L}\p{N}_.~:*/\\\]-])(?:[A-Za-z]:[\\/]|\/)(?:[^\s"'`<>|;,()[\]{}/\\]+[\\/])*([^\s"'`<>|;,()[\]{}/\\]*)/gu;

/** Takes the folders of a machine out of a document. */
export type Hider = <T>(document: T) => T;

/** The last name of a path, relative or not. */
export const lastName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/**
 * A function that takes the folders of a machine out of what council itself says in a document: `places` are replaced by their names
 * however they are spelled, in an error and where a field holds a path every absolute path is reduced to its last name, and an error
 * names no folder of a conversation. What people and agents wrote is theirs: it is quoted, and held against what was written.
 * With `onlyErrors` everything but errors, and where something is kept, stays as it is.
 */
export function pathHider(places: PathAlias[], { onlyErrors = false } = {}): Hider {
  const withNames = namer(places);
  const inPath = (text: string): string => withNames(text).replace(ABSOLUTE, '$1');
  const inError = (text: string): string => inPath(text).replace(CONVERSATION, '');
  const inOwn = (text: string): string => (text.startsWith(GIVEN_REASON) ? text : withNames(text));
  const asSaid = (text: string): string => text;

  const inField = (key: string, value: unknown, around: (text: string) => string): unknown => {
    if (typeof value === 'string' && key === 'kept') return lastName(value);
    if (around === inError || ERRORS.has(key)) return hide(value, inError);
    if (GIVEN.has(key)) return value;
    if (onlyErrors) return hide(value, around);
    if (typeof value === 'string' && PATHS.has(key)) return inPath(value);
    return hide(value, OWN.has(key) ? inOwn : around);
  };
  const hide = (value: unknown, inText: (text: string) => string): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map((one) => hide(one, inText));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [inText(key), inField(key, one, inText)]),
    );
  };
  return <T>(document: T): T => hide(document, asSaid) as T;
}

/** Replaces these folders by their names, however they are spelled. */
function namer(places: PathAlias[]): (text: string) => string {
  const names = new Map(places.flatMap(([path, name]) => spellings(path).map((spelled) => [spelled, name])));
  const known = [...names.keys()].sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_.~-])(?:${known.map((path) => `(${literal(path)})`).join('|')})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`,
    'gu',
  );
  return (text) =>
    text.replace(pattern, (_path, ...found: unknown[]) => {
      const at = found.slice(0, known.length).findIndex((one) => one !== undefined);
      return names.get(known[at] ?? '') ?? '';
    });
}

/** A path as it may stand in a text: plain, in JSON, in JSON in JSON, in a URL. The root of everything is no place. */
function spellings(path: string): string[] {
  const plain = path.replace(/[\\/]+$/, '');
  if (plain === '' || /^[A-Za-z]:$/.test(plain)) return [];
  const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const url = pathToFileURL(plain);
  return [
    ...new Set([plain, escapeJson(plain), escapeJson(escapeJson(plain)), url.pathname, encodeURI(plain)]),
  ];
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
