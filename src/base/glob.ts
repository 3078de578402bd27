// Matches paths against globs, in a time that no pattern can stretch (pure).
import { CouncilError } from './errors.ts';

const MOST_CHARACTERS = 256;
/** Of all that the choices in braces stand for. */
const MOST_EXPANDED = 512;
/** For all names together: within a second, whatever the pattern; 50,000 paths take a tenth of that. */
const MOST_STEPS = 30_000_000;
const MAGIC = /(?<!\\)[*?[{]/;
const BRACES = /(?<!\\)\{([^{},]*(?:,[^{},]*)+)\}/;

/** Any number of them: characters in a name, or folders in a path. */
const MANY = Symbol('many');
type Many = typeof MANY;
/** One character: itself, or one of several. */
type Char = string | ((char: string) => boolean);

export interface Glob {
  /** The folder before the first part that stands for several names. */
  base: string;
  /** Whether a path below that folder, with slashes, is meant. */
  matches: (below: string) => boolean;
}

/**
 * Reads `*` and `?` (in one name), `**` (through folders), `[a-z]`, `[!a]` and `{a,b}`; a backslash takes what follows as it
 * is, and a dot at the beginning of a name has to be written. Undefined for what stands for itself alone. Throws `usage` for
 * one that is too long.
 */
export function globOf(pattern: string): Glob | undefined {
  const parts = pattern.split('/');
  // A choice may have slashes in it.
  const start = parts.findIndex((part) => MAGIC.test(part));
  if (start < 0) return undefined;
  const rest = parts.slice(start).join('/');
  if (rest.length > MOST_CHARACTERS) throw tooLong(pattern, `it has more than ${MOST_CHARACTERS} characters`);
  const choices = writtenOut(rest, MOST_EXPANDED);
  if (!choices || choices.join('').length > MOST_EXPANDED)
    throw tooLong(pattern, `its braces stand for more than ${MOST_EXPANDED} characters when written out`);
  const taken = { steps: 0 };
  const readers = choices.map((choice) => readerOf(choice, taken));
  const before = parts.slice(0, start).join('/');
  return {
    base: `${before === '' && start > 0 ? '/' : before || '.'}`.replace(/\\(.)/g, '$1'),
    matches: (below) => {
      const names = below.split('/');
      const isMeant = readers.some((reads) => reads(names));
      if (taken.steps > MOST_STEPS) throw tooLong(pattern, 'comparing names with it would take for ever');
      return isMeant;
    },
  };
}

const tooLong = (pattern: string, why: string): CouncilError =>
  new CouncilError('usage', `${JSON.stringify(pattern.slice(0, 80))} is too long a pattern: ${why}.`, {
    hint: 'Give several shorter ones, or a folder.',
  });

/** What the choices in braces stand for; undefined for more than `most`. */
export function writtenOut(pattern: string, most: number): string[] | undefined {
  const done: string[] = [];
  const todo = [pattern];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const found = BRACES.exec(next);
    if (!found) done.push(next);
    else {
      const [before, after] = [next.slice(0, found.index), next.slice(found.index + found[0].length)];
      todo.push(...(found[1] ?? '').split(',').map((choice) => before + choice + after));
    }
    if (done.length + todo.length > most) return undefined;
  }
  return done;
}

function readerOf(pattern: string, taken: Steps): (names: string[]) => boolean {
  const parts = pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) => (part === '**' ? MANY : charsOf(part)));
  const nameFits = (chars: (Char | Many)[], name: string): boolean =>
    (!name.startsWith('.') || chars[0] === '.') && fitsAll(chars, name, charFits, () => true, taken);
  return (names) => fitsAll(parts, names, nameFits, (name) => !name.startsWith('.'), taken);
}

const charFits = (wanted: Char, char: string): boolean =>
  typeof wanted === 'string' ? wanted === char : wanted(char);

interface Steps {
  steps: number;
}

/**
 * Whether the items are what the pattern says, one after the other. Only the last "any number" is ever tried again, which is
 * enough: at most as many steps as there are items times parts. A regular expression would try all of them in every way.
 */
function fitsAll<P, T>(
  pattern: readonly (P | Many)[],
  items: ArrayLike<T>,
  fits: (part: P, item: T) => boolean,
  mayPass: (item: T) => boolean,
  taken: Steps,
): boolean {
  let part = 0;
  let last = -1;
  let from = 0;
  for (let at = 0; at < items.length; taken.steps++) {
    const wanted = pattern[part];
    if (wanted === MANY) {
      last = part++;
      from = at;
    } else if (wanted !== undefined && fits(wanted, items[at]!)) {
      part++;
      at++;
    } else if (last >= 0 && mayPass(items[from]!)) {
      part = last + 1;
      at = ++from;
    } else return false;
  }
  return pattern.slice(part).every((left) => left === MANY);
}

function charsOf(part: string): (Char | Many)[] {
  const pieces = part.match(/\\[^]|\[[!^]?\]?[^\]]*\]|[^]/g) ?? [];
  return pieces.map((piece) => {
    if (piece === '*') return MANY;
    if (piece === '?') return () => true;
    if (piece.length > 1 && piece.startsWith('[')) return classOf(piece.slice(1, -1));
    return piece.at(-1)!;
  });
}

/** `a-z_` or `!a`: a function that says whether a character is one of them. */
function classOf(inside: string): (char: string) => boolean {
  const isNot = /^[!^]/.test(inside);
  const ranges = inside.slice(isNot ? 1 : 0).match(/[^]-[^]|[^]/g) ?? [];
  return (char) => ranges.some((range) => char >= range[0]! && char <= range.at(-1)!) !== isNot;
}
