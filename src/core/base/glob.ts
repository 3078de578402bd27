// Matches paths against globs.
import picomatch from 'picomatch';
import { CouncilError } from './errors.ts';

const MOST_CHARACTERS = 256;
/** Each further star multiplies the time for a name that does not match by the name's length. */
const MOST_STARS = 6;
const MAGIC = /(?<!\\)[*?[{]/;
const OPTIONS = { noextglob: true, nonegate: true } as const;

export interface Glob {
  /** The folder before the first part with a wildcard. */
  base: string;
  /** Whether a path below that folder, with slashes, matches. */
  matches: (below: string) => boolean;
}

/**
 * Parses `*` and `?` (within a name), `**` (across folders), `[a-z]`, `[!a]` and `{a,b}`; a backslash escapes
 * the next character, and a leading dot must be written explicitly. Returns undefined for a pattern without
 * wildcards. Throws `usage` for one that is too long.
 */
export function parseGlob(pattern: string): Glob | undefined {
  const parts = pattern.split('/');
  // Alternatives may contain slashes.
  const start = parts.findIndex((part) => MAGIC.test(part));
  if (start < 0) return undefined;
  const rest = parts.slice(start).join('/');
  if (rest.length > MOST_CHARACTERS)
    throw createTooLongError(pattern, `it has more than ${MOST_CHARACTERS} characters`);
  if ((rest.match(/\*+/g)?.length ?? 0) > MOST_STARS)
    throw createTooLongError(pattern, `it has more than ${MOST_STARS} stars`);
  // "app/(shop)/*.tsx": parentheses are literal.
  const isMeant = picomatch(rest.replace(/(?<!\\)[()+|]/g, '\\$&').replaceAll('[!', '[^'), OPTIONS);
  const before = parts.slice(0, start).join('/');
  return {
    base: `${before === '' && start > 0 ? '/' : before || '.'}`.replace(/\\(.)/g, '$1'),
    matches: (below) => isMeant(below),
  };
}

const createTooLongError = (pattern: string, why: string): CouncilError =>
  new CouncilError('usage', `${JSON.stringify(pattern.slice(0, 80))} is too long a pattern: ${why}.`, {
    hint: 'Give several shorter ones, or a folder.',
  });
