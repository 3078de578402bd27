// String search with a limit on effort.
import { MAX_EFFORT } from './limits.ts';

/** How much longer the quotes of one text are looked for, in steps of about a character. */
export interface Effort {
  left: number;
}

export const newEffort = (): Effort => ({ left: MAX_EFFORT });

/** What a question costs in any case, and a place that has to be looked at. */
const STEPS = 64;
/** Characters that `includes` passes in the time of one step. */
const SWIFT = 8;
/** Long enough to be rare, short enough that `indexOf` is quick for every text. */
const PROBE = 32;

/**
 * Where `text` first stands in `hay` at a place that `accept` takes; -1 for nowhere. What it costs is taken from `effort`, the
 * whole length for every place that begins alike: where nothing is left, nothing is found, and no text takes long.
 */
export function findOccurrence(
  text: string,
  hay: string,
  accept: (start: number) => boolean,
  effort: Effort,
): number {
  const [beginning, end] = [text.slice(0, PROBE), text.slice(-PROBE)];
  // Most quotes are nowhere, and then their ends usually are.
  effort.left -= 2 * (STEPS + hay.length / SWIFT);
  if (text === '' || effort.left <= 0 || !hay.includes(end)) return -1;
  let at = hay.indexOf(beginning);
  for (; at !== -1 && effort.left > 0; at = hay.indexOf(beginning, at + 1)) {
    effort.left -= text.length + STEPS;
    if (hay.startsWith(text, at) && accept(at)) return at;
  }
  return -1;
}
