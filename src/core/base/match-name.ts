// Finds what a part of a name means: one rule for councils, archives, tasks and messages (pure).
import { CouncilError } from './errors.ts';
import type { ErrorCode } from './errors.ts';

/** Names the newest one, wherever one is named: `isId` refuses it, so that nothing can be called so. */
export const LAST = 'last';

/** What can be named, and how an error tells of several that fit. */
interface Named<T> {
  /** `archives`, for "2 archives fit". */
  plural: string;
  code: ErrorCode;
  listNames(one: T): readonly string[];
  /** The name to choose it by. */
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
