// Patterns of paths: which files they match, and whether two could match the same file (pure).
import picomatch from 'picomatch';
import { CouncilError } from '../../core/base/errors.ts';

const MOST_CHARACTERS = 256;
const MOST_ALTERNATIVES = 64;
/** `[abc]`, `[a-z]`, `[!a]`; any other bracket is literal. */
const CLASS = /\[[!^]?[^[\]/{}!^][^[\]/{}]*\]/;
/** A class whose ranges cannot include the slash. */
const PLAIN_CLASS = /^\[\w(?:-?\w)*\]$/;
const CONTROL = /\p{Cc}|\p{Cf}|[\u2028\u2029]/u;

/**
 * Normalizes a pattern, relative to the project, with slashes. `*` and `?` stay in one folder, `**` crosses
 * folders, `[abc]` is one character, `{a,b}` a choice; everything else is literal. Throws `usage`.
 */
export function requirePattern(given: string): string {
  const pattern = simplifyPattern(given).normalize('NFC');
  const problem = findSpellingProblem(given) ?? findPatternProblem(pattern);
  if (problem) throw createPatternError(given, problem);
  return pattern;
}

/** Drops empty and `.` parts, and `/**` at the end: a folder includes its contents anyway. */
function simplifyPattern(pattern: string): string {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
  while (parts.length > 1 && parts.at(-1) === '**') parts.pop();
  return parts.join('/');
}

function findPatternProblem(pattern: string): string | undefined {
  if (pattern === '') return 'it stands for the whole project, which is written **';
  const choices = expandBraces(pattern);
  if (!choices) return `its braces stand for more than ${MOST_ALTERNATIVES} patterns`;
  const leadsOut = choices.some((one) => one.split('/').includes('..'));
  return leadsOut ? 'it leads outside of the project with ..' : undefined;
}

function findSpellingProblem(given: string): string | undefined {
  if (given.trim() === '') return 'it is empty';
  if (CONTROL.test(given)) return 'it has a control character';
  if (given.length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`;
  if (given.includes('\\')) return 'it has a backslash; between folders stands /';
  if (/^(?:\/|~|[a-z]:)/i.test(given)) return 'it is no path relative to the project';
  if (given.startsWith('!')) return 'it says what is not meant';
  if (/\{[^{},]*\.\.[^{},]*\}/.test(given)) return 'it has a range in braces; write the choices out';
  return given.includes('[:') ? 'it has a class by name; write the characters out' : undefined;
}

const createPatternError = (given: string, why: string): CouncilError =>
  new CouncilError('usage', `${JSON.stringify(given.slice(0, 80))} cannot be reserved: ${why}.`, {
    hint: 'Patterns are relative to the project folder: council reserve src/queue.ts "test/**/*.ts" docs --as AGENT',
  });

/** Two stars cross folders only as a whole part of a path. */
const collapseStars = (part: string): string => (part === '**' ? part : part.replace(/\*{2,}/g, '*'));

const BRACES = /(?<!\\)\{([^{},]*(?:,[^{},]*)+)\}/;

/** Expands the choices in braces; undefined if there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  const done: string[] = [];
  const todo = [pattern];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const found = BRACES.exec(next);
    if (!found) done.push(next);
    else {
      const [before, after] = [next.slice(0, found.index), next.slice(found.index + found[0].length)];
      todo.push(...(found[1] ?? '').split(',').map((choice) => before + choice + after));
    }
    if (done.length + todo.length > MOST_ALTERNATIVES) return undefined;
  }
  return done
    .map((one) => simplifyPattern(one).split('/').map(collapseStars).join('/'))
    .filter((one) => one !== '');
}

/** Leading dots are not special. */
const OPTIONS = { dot: true, nobrace: true, noextglob: true, nonegate: true } as const;

/** Folds case with full mappings: ß is SS, and İ is I. */
const withoutCase = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i').toUpperCase();

const toFoldedCharacters = (text: string): string[] => withoutCase(text).split('');

/** Escapes what is literal here, but special in the library. */
function escapeGlob(pattern: string): string {
  const pieces = pattern.split(new RegExp(`(${CLASS.source})`));
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece.replace('[!', '[^') : piece.replace(/[^\w\s/*?-]/g, '\\$&')))
    .join('');
}

/** Returns a function that tests if a path of the project matches: by itself, or by a folder that contains it. */
export function createPathMatcher(pattern: string): (path: string) => boolean {
  const globs = (expandBraces(pattern) ?? []).map((one) => ({
    parts: parseGlobParts(one),
    matches: picomatch(escapeGlob(withoutCase(one)), OPTIONS),
  }));
  const literal = toFoldedCharacters(pattern).join('\n');
  return (given) => {
    const names = given.normalize('NFC').split('/');
    return names.some((_, at) => {
      const path = names.slice(0, at + 1).join('/');
      const chars = toCharParts(path);
      return (
        toFoldedCharacters(path).join('\n') === literal ||
        // Checked first: with many stars, a regular expression can take for ever to fail.
        globs.some(({ parts, matches }) => canMeet(chars, parts) && matches(withoutCase(path)))
      );
    });
  };
}

/**
 * A part of a pattern: one character, any character but a slash, or any number of characters (`many`, with or
 * without slashes). After `maybe`, that number of parts is optional.
 */
type PatternPart = { char: string } | { one: true } | { many: 'name' | 'path' } | { maybe: number };

/** True if both could match some path, existing or not. Errs on the side of a conflict for character classes. */
export function mayOverlap(a: string, b: string): boolean {
  const [ofA, ofB] = [parsePatternChoices(a), parsePatternChoices(b)];
  return ofA.some((x) => ofB.some((y) => canMeet(x, y)));
}

/** Parses a pattern with all its choices, and taken literally; each includes the contents of folders. */
function parsePatternChoices(pattern: string): PatternPart[][] {
  const below: PatternPart[] = [{ maybe: 2 }, { char: '/' }, { many: 'path' }];
  const literal = [...toCharParts(pattern), ...below];
  return [literal, ...(expandBraces(pattern) ?? []).map((one) => [...parseGlobParts(one), ...below])];
}

const toCharParts = (text: string): PatternPart[] => toFoldedCharacters(text).map((char) => ({ char }));

function parseGlobParts(pattern: string): PatternPart[] {
  const pieces = pattern.split(new RegExp(`(${CLASS.source}|(?<![^/])\\*\\*/|\\*+|\\?)`));
  return pieces.flatMap((piece, at): PatternPart[] => {
    if (at % 2 === 0) return toCharParts(piece);
    if (piece === '**/') return [{ maybe: 2 }, { many: 'path' }, { char: '/' }];
    if (piece === '?') return [{ one: true }];
    if (piece === '*') return [{ many: 'name' }];
    return [{ many: PLAIN_CLASS.test(piece) ? 'name' : 'path' }];
  });
}

/** True if some text matches both. */
function canMeet(a: readonly PatternPart[], b: readonly PatternPart[]): boolean {
  const seen = new Set<number>();
  const todo: [number, number][] = [[0, 0]];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const [i, j] = next;
    const key = i * (b.length + 1) + j;
    if (seen.has(key)) continue;
    seen.add(key);
    const [x, y] = [a[i], b[j]];
    if (!x && !y) return true;
    todo.push(...without(x).map((n): [number, number] => [i + n, j]));
    todo.push(...without(y).map((n): [number, number] => [i, j + n]));
    if (x && y && isCommon(x, y)) todo.push([i + countConsumedParts(x), j + countConsumedParts(y)]);
  }
  return false;
}

/** Returns the numbers of parts that can be skipped without consuming a character. */
function without(part: PatternPart | undefined): number[] {
  if (part && 'maybe' in part) return [1, 1 + part.maybe];
  return part && 'many' in part ? [1] : [];
}

const countConsumedParts = (part: PatternPart): number => ('many' in part ? 0 : 1);

/** True if one character can match both. */
function isCommon(x: PatternPart, y: PatternPart): boolean {
  if ('maybe' in x || 'maybe' in y) return false;
  if ('char' in x && 'char' in y) return x.char === y.char;
  return canTake(x, y) && canTake(y, x);
}

/** True if a part can match a slash, provided that the other part is only that. */
const canTake = (part: PatternPart, other: PatternPart): boolean =>
  !('char' in other && other.char === '/') || 'char' in part || ('many' in part && part.many === 'path');
