// Resolves partial names, and finds the known name nearest to an unknown one (pure).
import { CouncilError } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** A kind of names known only at run time: its error code, and the end of its refusal. */
interface UnknownNameKind {
  code: ErrorCode;
  /** Maximum characters of the name to repeat. */
  longest: number;
  /** Returns all candidates, or the command that lists them, since there are many archives. */
  end(candidates: string[], near: string[]): string;
}

const KINDS = {
  agent: {
    code: 'unknown_agent',
    longest: 80,
    end: (ids) =>
      ids.length > 0
        ? `Known agents: ${ids.join(', ')}.`
        : 'There are no agents yet: add one with council agents add.',
  },
  mode: {
    code: 'unknown_mode',
    longest: 80,
    end: (names) => `Modes: ${names.join(', ')}. A project adds its own in modes/.`,
  },
  persona: {
    code: 'usage',
    longest: 80,
    end: (names) =>
      `Personas: ${names.join(', ')}. A project adds its own in personas/. See: council agents personas`,
  },
  archive: {
    code: 'unknown_archive',
    longest: 200,
    end: (_ids, near) => (near.length > 0 ? '' : 'See all of them with: council list'),
  },
} as const satisfies Record<string, UnknownNameKind>;

/**
 * Creates the refusal of an unknown name: `why`, the nearest candidate, and the alternatives. `near` and
 * `candidates` are in its details.
 */
export function createUnknownNameError(
  kind: keyof typeof KINDS,
  given: string,
  candidates: string[],
  why = '',
): CouncilError {
  const { code, longest, end }: UnknownNameKind = KINDS[kind];
  const guess = findNearest(given, candidates);
  const near = guess === undefined ? [] : [guess];
  const hints = [why, near.length > 0 ? `Did you mean ${near.join(', ')}?` : '', end(candidates, near)];
  return new CouncilError(code, `There is no ${kind} ${JSON.stringify(given.slice(0, longest))}.`, {
    hint: hints.filter((hint) => hint !== '').join(' '),
    details: kind === 'archive' ? { near } : { [`${kind}s`]: candidates },
  });
}

/**
 * Returns the candidate that `word` is most likely a misspelling of; undefined if none is near: by default a
 * third of the letters may differ.
 */
export function findNearest(
  word: string,
  candidates: readonly string[],
  limit = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let best: { candidate: string; steps: number } | undefined;
  for (const candidate of candidates) {
    // Ids have at most 64 characters: comparing a very long word with them would waste time.
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const steps = computeEditDistance(word.toLowerCase(), candidate);
    if (steps <= limit && (best === undefined || steps < best.steps)) best = { candidate, steps };
  }
  return best?.candidate;
}

/** Edit distance with insertions, deletions, replacements and swaps: "aks" is one step away from "ask". */
function computeEditDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    let left = i;
    const last = row;
    row = last.map((above, j) => {
      if (j > 0) left = Math.min((last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1), above + 1, left + 1);
      const isSwap = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) left = Math.min(left, (before[j - 2] ?? 0) + 1);
      return left;
    });
    before = last;
  }
  return row.at(-1) ?? 0;
}

/** Refers to the newest item wherever a name is accepted. `isId` refuses it, so nothing else has that name. */
export const LAST = 'last';
/** What people type for it. */
export const isNewest = (word: string): boolean =>
  [LAST, 'latest', 'newest', 'head', '@'].includes(word.toLowerCase());

/** A kind of named items, and how errors list several matches. */
interface Named<T> {
  /** `archives`, for "2 archives fit". */
  plural: string;
  code: ErrorCode;
  listNames(one: T): readonly string[];
  show(one: T): string;
}

/**
 * Returns the only candidate with `part` in one of its names; undefined if there is none. Ignores capitals,
 * accents and separators, and matches whole numbers only: plan-1 does not match plan-12. The caller checks
 * for exact names first. Throws `code` with the matches if there are several.
 */
export function findByPart<T>(
  part: string,
  candidates: readonly T[],
  { plural, code, listNames, show }: Named<NoInfer<T>>,
): T | undefined {
  const sought = foldName(part);
  if (sought === '') return undefined;
  const pattern = new RegExp(
    `${/^\d/.test(sought) ? '(?<!\\d)' : ''}${sought}${/\d$/.test(sought) ? '(?!\\d)' : ''}`,
  );
  const fitting = candidates.filter((one) => listNames(one).some((name) => pattern.test(foldName(name))));
  if (fitting.length < 2) return fitting[0];
  const names = fitting.map(show);
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  throw new CouncilError(code, `${fitting.length} ${plural} fit ${JSON.stringify(part.slice(0, 80))}.`, {
    hint: `Say which one: ${names.slice(0, SHOWN).join(', ')}${more}`,
    details: { matching: names },
  });
}

const SHOWN = 10;

/** Returns letters, digits and single hyphens, so that it needs no escape in a pattern. */
const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
