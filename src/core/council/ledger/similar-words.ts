// Finds words that are nearly those of a quote, to be shown beside it: they never verify it.
import { rememberingEach } from '../../base/memoize.ts';
import type { Quote, Source } from './quotes.ts';
import type { Stretch } from './text/text-range.ts';
import type { Word } from './text/words.ts';

/** Fewer words, or fewer letters in them, are near to too much; longer quotes are not compared word by word. */
const [FEWEST_WORDS, FEWEST_LETTERS, MOST_WORDS] = [3, 10, 400];
/** One word of this many may be another, be missing, or be added wherever it stands; in one place every other one may. */
const [ONE_OF, ONE_OF_IN_ONE_PLACE] = [4, 2];

/** The words of a text without its signs. */
const plain = (word: string): string => (/[\p{L}\p{N}]/u.test(word) ? word.toLowerCase() : '');

/** Made once for all quotes that are looked for in a text. */
const splitClaimWords = rememberingEach((source: Source) =>
  source.claims().map(({ start, end }) =>
    source.words
      .slice(start, end)
      .map((word) => ({ ...word, text: plain(word.text) }))
      .filter(({ text }) => text !== ''),
  ),
);

/** The words inside one claim that a quote differs from the least; null where it differs too much. What is left out of a quote makes it far from everything. */
export function findNear({ bare, parts, effort }: Quote, source: Source): Stretch | null {
  const quoted = bare.map(plain).filter((word) => word !== '');
  const isTelling =
    quoted.length >= FEWEST_WORDS && bare.join('').replace(/\P{L}/gu, '').length >= FEWEST_LETTERS;
  if (parts.length > 1 || !isTelling || quoted.length > MOST_WORDS) return null;
  const known = new Set(quoted);
  const fewest = known.size - Math.floor(quoted.length / ONE_OF_IN_ONE_PLACE);
  let best: Nearest | undefined;
  for (const words of splitClaimWords(source)) {
    effort.near -= words.length;
    const shared = new Set(words.flatMap(({ text }) => (known.has(text) ? text : [])));
    if (shared.size < fewest) continue;
    effort.near -= words.length * quoted.length;
    if (effort.near <= 0) break;
    const found = findNearest(quoted, words);
    if (found.changes < (best?.changes ?? Infinity) && isNear(quoted, words, found)) best = found;
  }
  return best ? { start: best.start, end: best.end } : null;
}

interface Nearest extends Stretch {
  changes: number;
}

function isNear(
  quoted: readonly string[],
  words: readonly Word[],
  { start, end, changes }: Nearest,
): boolean {
  if (changes <= Math.floor(quoted.length / ONE_OF)) return true;
  const there = words.filter((word) => word.start >= start && word.end <= end).map(({ text }) => text);
  const shorter = Math.min(there.length, quoted.length);
  let [before, behind] = [0, 0];
  while (before < shorter && there[before] === quoted[before]) before += 1;
  while (before + behind < shorter && there.at(-1 - behind) === quoted.at(-1 - behind)) behind += 1;
  const changed = Math.max(there.length, quoted.length) - before - behind;
  return changed <= Math.floor(quoted.length / ONE_OF_IN_ONE_PLACE);
}

/** Where in `words` the fewest words have to be changed, added or left out to read `quoted` (Sellers). */
function findNearest(quoted: readonly string[], words: readonly Word[]): Nearest {
  const size = quoted.length + 1;
  /** How many changes lead to the words so far, and at which word the comparison that ends here began. */
  let rows = Array.from({ length: size }, (_, changes) => ({ changes, began: 0 }));
  let best: Nearest = { changes: Infinity, start: 0, end: 0 };
  words.forEach((word, row) => {
    const next = [{ changes: 0, began: row + 1 }];
    for (let k = 1; k < size; k++) {
      const [same, added, left] = [rows[k - 1]!, rows[k]!, next[k - 1]!];
      const isSame = quoted[k - 1] === word.text;
      const fewest = Math.min(same.changes + (isSame ? 0 : 1), added.changes + 1, left.changes + 1);
      const from =
        fewest === same.changes + (isSame ? 0 : 1) ? same : fewest === added.changes + 1 ? added : left;
      next.push({ changes: fewest, began: from.began });
    }
    rows = next;
    const { changes, began } = rows[size - 1]!;
    if (changes < best.changes) best = { changes, start: words[Math.min(began, row)]!.start, end: word.end };
  });
  return best;
}
