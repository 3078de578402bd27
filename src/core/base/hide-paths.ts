// Replaces folders of this machine in documents by short names.
import { pathToFileURL } from 'node:url';

/** A folder of this machine, and its replacement: `[project]`. */
export type PathAlias = [path: string, name: string];

// All other fields are people's words or contain no path, and stay unchanged: only exceptions are listed.
/** Fields with a path made by council: reduced to its last name, or to the part after a known folder. */
const PATHS = new Set(['path', 'file', 'dir', 'folder', 'root', 'cwd']);
/** Fields with council's own sentences: notes, and records about a program that failed or waits. */
const OWN = new Set([
  ...['note', 'notes', 'problem', 'problems', 'absent', 'absences', 'failure', 'paused', 'waitingForTrust'],
]);
/** Refusals, and reasons of failed launches: every absolute path in them is reduced. */
const ERRORS = new Set(['error', 'unreadable', 'failed']);
/** A program's input, whatever its fields are called. */
const GIVEN = new Set(['input']);
/** The start of an absence whose reason a person gave. */
const GIVEN_REASON = 'excused: ';
/** A folder named after a conversation: in older councils its id reveals who is who. */
const CONVERSATION = /(?<=[\\/])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[\\/]/g;
// Any absolute path in a sentence, if it can be distinguished from "and/or", a URL, a date or a pattern.
const ABSOLUTE =
  /(?<![\p{L}\p{N}_.~:*/\\\]-])(?:[A-Za-z]:[\\/]|\/)(?:[^\s"'`<>|;,()[\]{}/\\]+[\\/])*([^\s"'`<>|;,()[\]{}/\\]*)/gu;

/** Removes folders of this machine from a document. */
export type PathHider = <T>(document: T) => T;

/** Returns the last name of a path, relative or not. */
export const getLastName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/**
 * Returns a function that removes folders of this machine from council's own texts in a document: `places`
 * are replaced by their names in any spelling, absolute paths in errors and path fields are reduced to their
 * last name, and errors name no folder of a conversation. Texts of people and agents stay unchanged: they are
 * quoted, and compared with what was written. With `onlyErrors` only errors, and where something was kept,
 * are changed.
 */
export function createPathHider(places: PathAlias[], { onlyErrors = false } = {}): PathHider {
  const withNames = createPathNamer(places);
  const shortenPaths = (text: string): string => withNames(text).replace(ABSOLUTE, '$1');
  const cleanErrorText = (text: string): string => shortenPaths(text).replace(CONVERSATION, '');
  const cleanOwnText = (text: string): string => (text.startsWith(GIVEN_REASON) ? text : withNames(text));
  const keepText = (text: string): string => text;

  const hideField = (key: string, value: unknown, around: (text: string) => string): unknown => {
    if (typeof value === 'string' && key === 'kept') return getLastName(value);
    if (around === cleanErrorText || ERRORS.has(key)) return hide(value, cleanErrorText);
    if (GIVEN.has(key)) return value;
    if (onlyErrors) return hide(value, around);
    if (typeof value === 'string' && PATHS.has(key)) return shortenPaths(value);
    return hide(value, OWN.has(key) ? cleanOwnText : around);
  };
  const hide = (value: unknown, inText: (text: string) => string): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map((one) => hide(one, inText));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [inText(key), hideField(key, one, inText)]),
    );
  };
  return <T>(document: T): T => hide(document, keepText) as T;
}

/** Returns a function that replaces these folders by their names, in any spelling. */
function createPathNamer(places: PathAlias[]): (text: string) => string {
  const names = new Map(
    places.flatMap(([path, name]) => listPathSpellings(path).map((spelled) => [spelled, name])),
  );
  const known = [...names.keys()].sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_.~-])(?:${known.map((path) => `(${escapePattern(path)})`).join('|')})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`,
    'gu',
  );
  return (text) =>
    text.replace(pattern, (_path, ...found: unknown[]) => {
      const at = found.slice(0, known.length).findIndex((one) => one !== undefined);
      return names.get(known[at] ?? '') ?? '';
    });
}

/** Returns the spellings of a path in a text: plain, in JSON, in JSON in JSON, in a URL; none for a root. */
function listPathSpellings(path: string): string[] {
  const plain = path.replace(/[\\/]+$/, '');
  if (plain === '' || /^[A-Za-z]:$/.test(plain)) return [];
  const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const url = pathToFileURL(plain);
  return [
    ...new Set([plain, escapeJson(plain), escapeJson(escapeJson(plain)), url.pathname, encodeURI(plain)]),
  ];
}

export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
