// Finds words that are nearly those of a quote, to be shown beside it: they never verify it.
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

interface Word extends Stretch {
  text: string;
}

const wordsOf = (text: string, from = 0): Word[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: from + index,
    end: from + index + word.length,
  }));

/** The words inside one claim that a quote differs from the least, in a quarter of its words at the most; else null. What is left out of a quote makes it far from everything. */
export function findNear({ bare, parts }: Quote, source: Source, effort: Effort): Stretch | null {
  const quoted = wordsOf(bare).map(({ text }) => text);
  if (parts.length > 1) return null;
  if (quoted.length < FEWEST_WORDS || quoted.length > MOST_WORDS) return null;
  const limit = Math.floor(quoted.length / ONE_OF);
  const known = new Set(quoted);
  let best: { changes: number; at: Stretch } | undefined;
  for (const { start, end } of source.claims().all) {
    effort.left -= end - start;
    if (effort.left <= 0) break;
    const words = wordsOf(source.text.slice(start, end), start);
    const shared = new Set(words.map(({ text }) => text).filter((text) => known.has(text)));
    if (shared.size < known.size - limit) continue;
    effort.left -= words.length * quoted.length;
    if (effort.left <= 0) break;
    const found = nearest(quoted, words);
    if (found && found.changes <= limit && found.changes < (best?.changes ?? Infinity)) best = found;
  }
  return best ? { start: source.from[best.at.start]!, end: source.to[best.at.end - 1]! } : null;
}

/** Where in `words` the fewest words have to be changed, added or left out to read `quoted` (Sellers). */
function nearest(
  quoted: readonly string[],
  words: readonly Word[],
): { changes: number; at: Stretch } | undefined {
  const size = quoted.length + 1;
  let above = Uint16Array.from({ length: size }, (_, index) => index);
  /** At which word the comparison that ends here began. */
  let began = new Uint32Array(size);
  let best: { changes: number; at: Stretch } | undefined;
  words.forEach((word, row) => {
    const changes = new Uint16Array(size);
    const from = new Uint32Array(size);
    from[0] = row + 1;
    for (let k = 1; k < size; k++) {
      const same = above[k - 1]! + (quoted[k - 1] === word.text ? 0 : 1);
      const added = above[k]! + 1;
      const left = changes[k - 1]! + 1;
      changes[k] = Math.min(same, added, left);
      from[k] = same <= added && same <= left ? began[k - 1]! : added <= left ? began[k]! : from[k - 1]!;
    }
    if (changes[size - 1]! < (best?.changes ?? Infinity)) {
      const first = words[Math.min(from[size - 1]!, row)]!;
      best = { changes: changes[size - 1]!, at: { start: first.start, end: word.end } };
    }
    [above, began] = [changes, from];
  });
  return best;
}
