// Finds words that are nearly those of a quote, to be shown beside it: they never verify it.
import { rememberingEach } from '../../base/remember.ts';
import type { Quote, Source } from './quotes.ts';
import type { Effort } from './text/occurrence.ts';
import type { Stretch } from './text/stretch.ts';

/** Fewer words are near to too much. */
const FEWEST_WORDS = 5;
/** Longer quotes are not compared word by word. */
const MOST_WORDS = 400;
/** One word of this many may be another, be missing, or be added. */
const ONE_OF = 4;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_'-]*/gu;

/** The words of a claim by their numbers, and where each stands. */
interface Words extends Stretch {
  numbers: number[];
  starts: number[];
  ends: number[];
}

/** The words of all claims of a text, each with a number. */
interface Index {
  numberOf: ReadonlyMap<string, number>;
  claims: readonly Words[];
}

/** Made once for all quotes that are looked for in a text: taking it apart takes longer than all else. */
const indexOf = rememberingEach((source: Source): Index => {
  const numberOf = new Map<string, number>();
  const claims = source.claims().all.map(({ start, end }): Words => {
    const found: Words = { start, end, numbers: [], starts: [], ends: [] };
    for (const { 0: word, index } of source.text.slice(start, end).matchAll(WORD)) {
      const text = word.toLowerCase();
      const number = numberOf.get(text) ?? numberOf.size;
      numberOf.set(text, number);
      found.numbers.push(number);
      found.starts.push(start + index);
      found.ends.push(start + index + word.length);
    }
    return found;
  });
  return { numberOf, claims };
});

/** The words inside one claim that a quote differs from the least, in a quarter of its words at the most; else null. What is left out of a quote makes it far from everything. */
export function findNear({ bare, parts }: Quote, source: Source, effort: Effort): Stretch | null {
  const quoted = bare.match(WORD)?.map((word) => word.toLowerCase()) ?? [];
  if (parts.length > 1) return null;
  if (quoted.length < FEWEST_WORDS || quoted.length > MOST_WORDS) return null;
  const limit = Math.floor(quoted.length / ONE_OF);
  const { numberOf, claims } = indexOf(source);
  const fewest = new Set(quoted).size - limit;
  const numbers = quoted.map((word) => numberOf.get(word) ?? -1);
  const shares = sharing(numbers, numberOf.size);
  let best: { changes: number; at: Stretch } | undefined;
  for (const words of claims) {
    effort.left -= words.end - words.start;
    if (effort.left <= 0) break;
    if (shares.known < fewest || shares.in(words) < fewest) continue;
    effort.left -= words.numbers.length * quoted.length;
    if (effort.left <= 0) break;
    const found = nearest(numbers, words);
    if (found && found.changes <= limit && found.changes < (best?.changes ?? Infinity)) best = found;
  }
  return best ? { start: source.from[best.at.start]!, end: source.to[best.at.end - 1]! } : null;
}

/** How many of these words stand anywhere in a text, and how many in one claim; each counts once. */
function sharing(numbers: readonly number[], size: number): { known: number; in(words: Words): number } {
  const known = new Set(numbers.filter((number) => number >= 0));
  /** 0 for every other word; else the count of claims in which it was looked for when it was last found, and one. */
  const seen = new Uint32Array(known.size === 0 ? 0 : size);
  for (const number of known) seen[number] = 1;
  let at = 1;
  return {
    known: known.size,
    in(words) {
      at += 1;
      let shared = 0;
      for (const number of words.numbers) {
        const before = seen[number]!;
        if (before === 0 || before === at) continue;
        seen[number] = at;
        shared += 1;
      }
      return shared;
    },
  };
}

/** Where in `words` the fewest words have to be changed, added or left out to read `quoted` (Sellers). */
function nearest(
  quoted: readonly number[],
  { numbers, starts, ends }: Words,
): { changes: number; at: Stretch } | undefined {
  const size = quoted.length + 1;
  let above = Uint16Array.from({ length: size }, (_, index) => index);
  let changes = new Uint16Array(size);
  /** At which word the comparison that ends here began. */
  let began = new Uint32Array(size);
  let from = new Uint32Array(size);
  let best: { changes: number; at: Stretch } | undefined;
  for (let row = 0; row < numbers.length; row++) {
    from[0] = row + 1;
    for (let k = 1; k < size; k++) {
      const same = above[k - 1]! + (quoted[k - 1] === numbers[row] ? 0 : 1);
      const added = above[k]! + 1;
      const left = changes[k - 1]! + 1;
      changes[k] = Math.min(same, added, left);
      from[k] = same <= added && same <= left ? began[k - 1]! : added <= left ? began[k]! : from[k - 1]!;
    }
    if (changes[size - 1]! < (best?.changes ?? Infinity)) {
      const first = Math.min(from[size - 1]!, row);
      best = { changes: changes[size - 1]!, at: { start: starts[first]!, end: ends[row]! } };
    }
    [above, changes] = [changes, above];
    [began, from] = [from, began];
  }
  return best;
}
