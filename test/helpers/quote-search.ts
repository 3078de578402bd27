// How quotes are looked for, in the plainest way: what the quick search finds is compared with it.
import type { Effort } from '../../src/council/ledger/text/occurrence.ts';

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
