// String search in linear time with a limit on effort (Knuth, Morris and Pratt).
import { MAX_EFFORT } from './limits.ts';

/** How much longer the quotes of one text are looked for, in steps of about a character. */
export interface Effort {
  left: number;
}

export const newEffort = (): Effort => ({ left: MAX_EFFORT });

/** A text to look for, prepared once for many places. */
export interface Needle {
  text: string;
  /** For every prefix, the length of its longest proper suffix that is a prefix as well. */
  borders: Int32Array;
}

/** What a question costs in any case, and a place that has to be looked at. */
const STEPS = 64;
/** Characters that `includes` passes in the time of one step. */
const SWIFT = 8;
/** Long enough to be rare, short enough that `indexOf` is quick for every text. */
const PROBE = 32;

export function needle(text: string): Needle {
  const borders = new Int32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1]!;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return { text, borders };
}

/**
 * Where the needle first stands in `hay` at a place that `accept` takes; -1 for nowhere.
 * Knuth, Morris and Pratt: time grows with the lengths added up, for every needle. `indexOf` can take their product.
 * What that costs is taken from `effort`, and where nothing is left, nothing is found.
 */
export function occurrence(
  { text, borders }: Needle,
  hay: string,
  accept: (start: number) => boolean,
  effort: Effort,
): number {
  if (text === '' || effort.left <= 0) return -1;
  // Most needles are nowhere, and then their ends usually are.
  for (const end of [text.slice(0, PROBE), text.slice(-PROBE)]) {
    effort.left -= STEPS + hay.length / SWIFT;
    if (!hay.includes(end)) return -1;
  }
  let length = 0;
  for (let at = 0; at < hay.length; at++) {
    effort.left -= 1;
    const code = hay.charCodeAt(at);
    while (length > 0 && code !== text.charCodeAt(length)) length = borders[length - 1]!;
    if (code === text.charCodeAt(length)) length += 1;
    if (length < text.length) continue;
    const start = at + 1 - length;
    effort.left -= STEPS;
    if (effort.left <= 0) return -1;
    if (accept(start)) return start;
    length = borders[length - 1]!;
  }
  return -1;
}
