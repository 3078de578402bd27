// Matches paths against globs.
import picomatch from 'picomatch';
import { CouncilError } from './errors.ts';

const MOST_CHARACTERS = 256;
/** Each further star multiplies the time that a name without a match takes by the length of the name. */
const MOST_STARS = 6;
const MAGIC = /(?<!\\)[*?[{]/;
const OPTIONS = { noextglob: true, nonegate: true } as const;

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
export function parseGlob(pattern: string): Glob | undefined {
  const parts = pattern.split('/');
  // A choice may have slashes in it.
  const start = parts.findIndex((part) => MAGIC.test(part));
  if (start < 0) return undefined;
  const rest = parts.slice(start).join('/');
  if (rest.length > MOST_CHARACTERS) throw tooLong(pattern, `it has more than ${MOST_CHARACTERS} characters`);
  if ((rest.match(/\*+/g)?.length ?? 0) > MOST_STARS)
    throw tooLong(pattern, `it has more than ${MOST_STARS} stars`);
  // "app/(shop)/*.tsx": a bracket in a name stands for itself.
  const isMeant = picomatch(rest.replace(/(?<!\\)[()+|]/g, '\\$&').replaceAll('[!', '[^'), OPTIONS);
  const before = parts.slice(0, start).join('/');
  return {
    base: `${before === '' && start > 0 ? '/' : before || '.'}`.replace(/\\(.)/g, '$1'),
    matches: (below) => isMeant(below),
  };
}

const tooLong = (pattern: string, why: string): CouncilError =>
  new CouncilError('usage', `${JSON.stringify(pattern.slice(0, 80))} is too long a pattern: ${why}.`, {
    hint: 'Give several shorter ones, or a folder.',
  });
