// Patterns of paths: which files one stands for, and whether two could stand for the same file (pure).
import picomatch from 'picomatch';
import { CouncilError } from '../../core/base/errors.ts';

const MOST_CHARACTERS = 256;
const MOST_ALTERNATIVES = 64;
/** `[abc]`, `[a-z]`, `[!a]`; every other bracket stands for itself. */
const CLASS = /\[[!^]?[^[\]/{}!^][^[\]/{}]*\]/;
/** A class in which no range can reach the slash. */
const PLAIN_CLASS = /^\[\w(?:-?\w)*\]$/;
const CONTROL = /\p{Cc}|\p{Cf}|[\u2028\u2029]/u;

/**
 * A pattern in its one form, relative to the project with slashes. `*` and `?` stay in one folder, `**` goes through folders,
 * `[abc]` is one character, `{a,b}` a choice; everything else stands for itself. Throws `usage`.
 */
export function requirePattern(given: string): string {
  const pattern = simplifyPattern(given).normalize('NFC');
  const problem = findSpellingProblem(given) ?? findPatternProblem(pattern);
  if (problem) throw createPatternError(given, problem);
  return pattern;
}

/** Without steps that lead nowhere, and without `/**` at the end: what is below a folder belongs to it anyway. */
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

/** Only as a whole part of a path do two stars go through folders. */
const collapseStars = (part: string): string => (part === '**' ? part : part.replace(/\*{2,}/g, '*'));

const BRACES = /(?<!\\)\{([^{},]*(?:,[^{},]*)+)\}/;

/** What the choices in braces stand for; undefined where that is too much. */
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

/** Dots at the beginning are nothing special. */
const OPTIONS = { dot: true, nobrace: true, noextglob: true, nonegate: true } as const;

/** Without regard to case, in the full form: ß is SS, and İ is I. */
const withoutCase = (text: string): string => text.toLowerCase().replaceAll('i\u0307', 'i').toUpperCase();

const toFoldedCharacters = (text: string): string[] => withoutCase(text).split('');

/** The pattern for the library: what stands for itself here and not there is escaped. */
function escapeGlob(pattern: string): string {
  const pieces = pattern.split(new RegExp(`(${CLASS.source})`));
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece.replace('[!', '[^') : piece.replace(/[^\w\s/*?-]/g, '\\$&')))
    .join('');
}

/** A function that says whether a path of the project is meant: by itself, or by a folder around it. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const globs = (expandBraces(pattern) ?? []).map((one) => ({
    parts: globParts(one),
    matches: picomatch(escapeGlob(withoutCase(one)), OPTIONS),
  }));
  const literal = toFoldedCharacters(pattern).join('\n');
  return (given) => {
    const names = given.normalize('NFC').split('/');
    return names.some((_, at) => {
      const path = names.slice(0, at + 1).join('/');
      const chars = charParts(path);
      return (
        toFoldedCharacters(path).join('\n') === literal ||
        // First without a regular expression, which takes for ever to find that many stars do not match.
        globs.some(({ parts, matches }) => meet(chars, parts) && matches(withoutCase(path)))
      );
    });
  };
}

/**
 * A part of a pattern: one character, one that is none of a slash, or any number of them (`many`, with slashes or not).
 * `maybe` says that as many parts after it may be left out.
 */
type PatternPart = { char: string } | { one: true } | { many: 'name' | 'path' } | { maybe: number };

/**
 * Whether some path, existing or not, is meant by both. Where the exact answer would need more (classes of characters), it
 * is yes: a conflict is never overlooked.
 */
export function mayOverlap(a: string, b: string): boolean {
  const [ofA, ofB] = [parsePatternChoices(a), parsePatternChoices(b)];
  return ofA.some((x) => ofB.some((y) => meet(x, y)));
}

/** Everything that a pattern stands for, what is below included: by its choices, and by its own letters. */
function parsePatternChoices(pattern: string): PatternPart[][] {
  const below: PatternPart[] = [{ maybe: 2 }, { char: '/' }, { many: 'path' }];
  const literal = [...charParts(pattern), ...below];
  return [literal, ...(expandBraces(pattern) ?? []).map((one) => [...globParts(one), ...below])];
}

const charParts = (text: string): PatternPart[] => toFoldedCharacters(text).map((char) => ({ char }));

function globParts(pattern: string): PatternPart[] {
  const pieces = pattern.split(new RegExp(`(${CLASS.source}|(?<![^/])\\*\\*/|\\*+|\\?)`));
  return pieces.flatMap((piece, at): PatternPart[] => {
    if (at % 2 === 0) return charParts(piece);
    if (piece === '**/') return [{ maybe: 2 }, { many: 'path' }, { char: '/' }];
    if (piece === '?') return [{ one: true }];
    if (piece === '*') return [{ many: 'name' }];
    return [{ many: PLAIN_CLASS.test(piece) ? 'name' : 'path' }];
  });
}

/** Whether some text goes through the parts of both, from the first to the last. */
function meet(a: readonly PatternPart[], b: readonly PatternPart[]): boolean {
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

/** How many parts can be passed without a character. */
function without(part: PatternPart | undefined): number[] {
  if (part && 'maybe' in part) return [1, 1 + part.maybe];
  return part && 'many' in part ? [1] : [];
}

const countConsumedParts = (part: PatternPart): number => ('many' in part ? 0 : 1);

/** Whether one character fits both. */
function isCommon(x: PatternPart, y: PatternPart): boolean {
  if ('maybe' in x || 'maybe' in y) return false;
  if ('char' in x && 'char' in y) return x.char === y.char;
  return takes(x, y) && takes(y, x);
}

/** Whether a part can take what another one is, where that is a slash and nothing else. */
const takes = (part: PatternPart, other: PatternPart): boolean =>
  !('char' in other && other.char === '/') || 'char' in part || ('many' in part && part.many === 'path');
