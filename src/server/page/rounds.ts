// Which rounds of a council stand on its page in full: all of them, or as many as open at once.
import type { Contribution } from '../../core/council/state/state.ts';

/** UTF-16 units of what was said. Formatting them takes half a second at most, challenges included, so a council of any size opens in one. */
const MOST = 128 * 1024;

/** Which rounds a page shows, by what may be seen on it; null for all. */
export type ChooseRounds = (
  contributions: readonly Pick<Contribution, 'tour' | 'text'>[],
) => ReadonlySet<number> | null;

/**
 * The rounds to show. Of a long council those from the round that is asked for on, or the last ones, at least one, as many as are not
 * too long together.
 */
export function roundsShown(
  contributions: readonly Pick<Contribution, 'tour' | 'text'>[],
  asked?: number,
): ReadonlySet<number> {
  const sizes = new Map<number, number>();
  for (const { tour, text } of contributions) sizes.set(tour, (sizes.get(tour) ?? 0) + text.length);
  const rounds = [...sizes.keys()].sort((a, b) => a - b);
  const isAsked = asked !== undefined && sizes.has(asked);
  const first = isAsked ? rounds.slice(rounds.indexOf(asked)) : rounds.toReversed();
  // What is left of the room goes to those before the one that was asked for.
  const others = isAsked ? rounds.slice(0, rounds.indexOf(asked)).toReversed() : [];
  const shown = new Set<number>();
  let size = 0;
  for (const tour of [...first, ...others]) {
    size += sizes.get(tour) ?? 0;
    if (size > MOST && shown.size > 0) break;
    shown.add(tour);
  }
  return shown;
}
