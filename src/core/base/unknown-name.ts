// Names that are meant: what a part of a name stands for, and which known name an unknown one is near to (pure).
import { CouncilError } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** What a name can stand for that exists only at run time: its error, and what its refusal ends with. */
interface UnknownNameKind {
  code: ErrorCode;
  /** Characters of the name that are repeated. */
  longest: number;
  /** All that there are, or the command that lists them; an archive is one of many. */
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
 * The refusal of a name that nothing has: `why`, the nearest candidate, and what there is instead. `near` and `candidates` are
 * among its details.
 */
export function unknown(
  kind: keyof typeof KINDS,
  given: string,
  candidates: string[],
  why = '',
): CouncilError {
  const { code, longest, end }: UnknownNameKind = KINDS[kind];
  const guess = nearest(given, candidates);
  const near = guess === undefined ? [] : [guess];
  const hints = [why, near.length > 0 ? `Did you mean ${near.join(', ')}?` : '', end(candidates, near)];
  return new CouncilError(code, `There is no ${kind} ${JSON.stringify(given.slice(0, longest))}.`, {
    hint: hints.filter((hint) => hint !== '').join(' '),
    details: kind === 'archive' ? { near } : { [`${kind}s`]: candidates },
  });
}

/** The candidate that `word` is most likely a misspelling of; undefined when none is near: by default a third of the letters may differ. */
export function nearest(
  word: string,
  candidates: readonly string[],
  limit = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let best: { candidate: string; steps: number } | undefined;
  for (const candidate of candidates) {
    // Ids have at most 64 characters: comparing a very long word with them would waste time.
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const steps = distance(word.toLowerCase(), candidate);
    if (steps <= limit && (best === undefined || steps < best.steps)) best = { candidate, steps };
  }
  return best?.candidate;
}

/** Insertions, deletions, replacements and swaps of two neighbours that lead from `a` to `b`: "aks" is one slip away from "ask". */
function distance(a: string, b: string): number {
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

/** Names the newest one, wherever a name is taken. `isId` refuses this word, so nothing can have it as its name. */
export const LAST = 'last';

/** What can be named, and how an error tells of several that fit. */
interface Named<T> {
  /** `archives`, for "2 archives fit". */
  plural: string;
  code: ErrorCode;
  listNames(one: T): readonly string[];
  show(one: T): string;
}

/**
 * The only candidate that has `part` in one of its names; undefined where none has. Capitals, accents and what stands between
 * words make no difference, and no number is cut: plan-1 is no part of plan-12. Exact names are for the caller to find first.
 * Throws `code` with those that fit where several do.
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

/** Letters, digits and single hyphens, so that it needs no escape in a pattern. */
const foldName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
