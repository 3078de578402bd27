// String search in linear time with a limit on effort.
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
 * Where the needle first stands in `hay` at a place that `accept` takes; -1 for nowhere. Time grows with the lengths added up, for
 * every needle. What that costs is taken from `effort`, a step for a character, and where nothing is left, nothing is found.
 */
export function occurrence(
  needle: Needle,
  hay: string,
  accept: (start: number) => boolean,
  effort: Effort,
): number {
  const { text } = needle;
  if (text === '' || effort.left <= 0) return -1;
  // Most needles are nowhere, and then their ends usually are.
  for (const end of [text.slice(0, PROBE), text.slice(-PROBE)]) {
    effort.left -= STEPS + hay.length / SWIFT;
    if (!hay.includes(end)) return -1;
  }
  let passed = 0;
  for (const start of placesOf(needle, hay)) {
    effort.left -= start + text.length - passed + STEPS;
    passed = start + text.length;
    if (effort.left <= 0) return -1;
    if (accept(start)) return start;
  }
  effort.left -= hay.length - passed;
  return -1;
}

/** Every place of the needle, in order: by its beginning, and where that stands in too many places, by Knuth, Morris and Pratt. */
function* placesOf({ text, borders }: Needle, hay: string): Generator<number> {
  const beginning = text.slice(0, PROBE);
  let left = hay.length;
  let at = hay.indexOf(beginning);
  for (; at !== -1 && left > 0; at = hay.indexOf(beginning, at + 1)) {
    if (hay.startsWith(text, at)) yield at;
    left -= text.length;
  }
  if (at === -1) return;
  let length = 0;
  for (; at < hay.length; at++) {
    const code = hay.charCodeAt(at);
    while (length > 0 && code !== text.charCodeAt(length)) length = borders[length - 1]!;
    if (code === text.charCodeAt(length)) length += 1;
    if (length < text.length) continue;
    yield at + 1 - length;
    length = borders[length - 1]!;
  }
}
