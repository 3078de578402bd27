// Replaces the folders of a machine in documents by short names.
import { pathToFileURL } from 'node:url';

/** A folder of this machine, and what is shown instead: `[project]`. */
export type Place = [path: string, name: string];

/** Fields that hold a path of council's own making: only its last name is told, or what follows a known folder. */
const PATH_FIELDS = new Set(['path', 'file', 'dir', 'folder', 'root']);
/** Fields in which council itself speaks, also beside the words of people. */
const OWN_FIELDS = new Set(['note', 'notes', 'problem', 'problems', 'absent', 'absences', 'failure']);
/** A folder that is named after a conversation: its id is for those who may know who is who in older councils. */
const CONVERSATION = /(?<=[\\/])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}[\\/]/g;
// Any absolute path in a sentence, as far as it can be told from "and/or", a URL or a date.
const ABSOLUTE =
  /(?<![\p{L}\p{N}_.~:/\\\]-])(?:[A-Za-z]:[\\/]|\/)(?:[^\s"'`<>|;,()[\]{}/\\]+[\\/])*([^\s"'`<>|;,()[\]{}/\\]*)/gu;

/** Takes the folders of a machine out of a document. `isWords`: the document tells what people wrote, which stays to the letter. */
export type Hider = <T>(document: T, isWords?: boolean) => T;

/** The last name of a path, relative or not. */
export const lastName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

/**
 * A function that takes the folders of a machine out of a document, in every field. Of a kept file its last name is left. In
 * an error and where a field holds a path, every absolute path is reduced to its last name, and an error names no folder of
 * a conversation; elsewhere `places` are replaced by their names however they are spelled, and nothing else is touched. What
 * tells the words of people keeps them: a quote is held against what was written.
 */
export function pathHider(places: Place[]): Hider {
  const withNames = namer(places, literal);
  const withoutPaths = (text: string): string => withNames(text).replace(ABSOLUTE, '$1');
  const inError = (text: string): string => withoutPaths(text).replace(CONVERSATION, '');
  const asSaid = (text: string): string => text;

  const hide = (value: unknown, inText: (text: string) => string): unknown => {
    if (typeof value === 'string') return inText(value);
    if (Array.isArray(value)) return value.map((one) => hide(one, inText));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (key === 'kept' && typeof one === 'string') return [key, lastName(one)];
        if (inText === inError || key === 'error') return [withNames(key), hide(one, inError)];
        if (PATH_FIELDS.has(key)) return [withNames(key), hide(one, withoutPaths)];
        return [withNames(key), hide(one, OWN_FIELDS.has(key) ? withNames : inText)];
      }),
    );
  };
  return <T>(document: T, isWords = false): T => hide(document, isWords ? asSaid : withNames) as T;
}

/**
 * A function that takes the folders of a machine out of a page: of its words, and of what it says in attributes. Its own addresses
 * stay, and so does what people said (`SAID`), and what stands in a form: a reader has typed it, and sends it again.
 */
export function pagePathHider(places: Place[]): (html: string) => string {
  const withNames = namer(places, literalInHtml);
  const inTag = (tag: string): string =>
    tag.replace(ATTRIBUTE, (whole, name: string) => (KEPT_ATTRIBUTES.has(name) ? whole : withNames(whole)));
  return (html) =>
    html.replace(PIECE, (piece) =>
      KEPT_PIECE.test(piece) ? piece : piece.startsWith('<') ? inTag(piece) : withNames(piece),
    );
}

/** Stand around what people said, and in no text: there they are escaped, or taken out. */
export const SAID = { begin: '<!--said-->', end: '<!--/said-->' };
const KEPT_PIECE = /^<(?:textarea\b|!--said-->)/;
const PIECE =
  /<textarea\b[\s\S]*?<\/textarea>|<!--said-->[\s\S]*?<!--\/said-->|<(?:[^<>"]|"[^"]*")*>|[^<]+|</g;
const ATTRIBUTE = /([\w-]+)="[^"]*"/g;
const KEPT_ATTRIBUTES = new Set(['href', 'action', 'src', 'value', 'data-words']);

/** Replaces these folders by their names, however they are spelled. */
function namer(places: Place[], written: (path: string) => string): (text: string) => string {
  const names = new Map(places.flatMap(([path, name]) => spellings(path).map((spelled) => [spelled, name])));
  const known = [...names.keys()].sort((a, b) => b.length - a.length);
  if (known.length === 0) return (text) => text;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}_.~-])(?:${known.map((path) => `(${written(path)})`).join('|')})(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])`,
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
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  const url = pathToFileURL(plain);
  return [...new Set([plain, escaped(plain), escaped(escaped(plain)), url.pathname, encodeURI(plain)])];
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The signs that HTML may write in other ways: as names, or by their numbers. */
const literalInHtml = (text: string): string =>
  literal(text).replace(/[&<>"']/g, (sign) => {
    const code = sign.charCodeAt(0);
    const hex = code.toString(16);
    return `(?:${sign}|&${HTML_NAMES[sign]};|&#${code};|&#x(?:${hex}|${hex.toUpperCase()});)`;
  });

const HTML_NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };
