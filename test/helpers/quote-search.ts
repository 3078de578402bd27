// How quotes are looked for, in the plainest way: what the quick search finds is compared with it.
import type { Quote, Source } from '../../src/council/ledger/quotes.ts';
import type { Effort } from '../../src/council/ledger/text/occurrence.ts';
import type { Stretch } from '../../src/council/ledger/text/stretch.ts';

/** Where `text` first stands at a place that is taken, and what the search costs beyond its first look. */
export function occurrencePlainly(
  text: string,
  hay: string,
  accept: (start: number) => boolean,
  effort: Effort,
): number {
  if (text === '' || effort.left <= 0) return -1;
  for (const end of [text.slice(0, 32), text.slice(-32)]) {
    effort.left -= 64 + hay.length / 8;
    if (!hay.includes(end)) return -1;
  }
  for (let at = 0; at < hay.length; at++) {
    effort.left -= 1;
    const start = at + 1 - text.length;
    if (start < 0 || hay.slice(start, at + 1) !== text) continue;
    effort.left -= 64;
    if (effort.left <= 0) return -1;
    if (accept(start)) return start;
  }
  return -1;
}

const wordsOf = (text: string, from = 0) =>
  [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_'-]*/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: from + index,
    end: from + index + word.length,
  }));

/** The words inside one claim that a quote differs from the least. */
export function nearPlainly({ bare, parts }: Quote, source: Source, effort: Effort): Stretch | null {
  const quoted = wordsOf(bare).map(({ text }) => text);
  if (parts.length > 1 || quoted.length < 5 || quoted.length > 400) return null;
  const limit = Math.floor(quoted.length / 4);
  const known = new Set(quoted);
  let best: { changes: number; start: number; end: number } | undefined;
  for (const { start, end } of source.claims().all) {
    effort.left -= end - start;
    if (effort.left <= 0) break;
    const words = wordsOf(source.text.slice(start, end), start);
    const shared = new Set(words.map(({ text }) => text).filter((text) => known.has(text)));
    if (shared.size < known.size - limit) continue;
    effort.left -= words.length * quoted.length;
    if (effort.left <= 0) break;
    // One row a word: how many changes lead from the quote's first words to these, and where that began.
    let rows = quoted.concat('').map((_, k) => ({ changes: k, began: 0 }));
    words.forEach((word, row) => {
      const next = [{ changes: 0, began: row + 1 }];
      for (let k = 1; k <= quoted.length; k++) {
        const same = {
          ...rows[k - 1]!,
          changes: rows[k - 1]!.changes + (quoted[k - 1] === word.text ? 0 : 1),
        };
        const added = { ...rows[k]!, changes: rows[k]!.changes + 1 };
        const left = { ...next[k - 1]!, changes: next[k - 1]!.changes + 1 };
        const least = Math.min(same.changes, added.changes, left.changes);
        next.push([same, added, left].find(({ changes }) => changes === least)!);
      }
      rows = next;
      const { changes, began } = rows.at(-1)!;
      if (changes > limit || changes >= (best?.changes ?? Infinity)) return;
      best = { changes, start: words[Math.min(began, row)]!.start, end: word.end };
    });
  }
  return best ? { start: source.from[best.start]!, end: source.to[best.end - 1]! } : null;
}
