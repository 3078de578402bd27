// Finds what stands between quotation marks.
import type { Stretch } from './stretch.ts';

const CLOSING = new Map('"" “” „“” «» ‘’'.split(' ').map(([opens, ...closes]) => [opens!, closes]));

/** What stands between quotation marks, with the marks, one after the other. One pass, however many never close. */
export function markedIn(text: string): Stretch[] {
  const next = new Map<string, number>();
  const nextOf = (sign: string, from: number): number => {
    let at = next.get(sign) ?? -1;
    if (at < from) {
      at = text.indexOf(sign, from);
      if (at === -1) at = Infinity;
      next.set(sign, at);
    }
    return at;
  };
  const found: Stretch[] = [];
  for (const { 0: sign, index: start } of text.matchAll(/["“„«‘]/g)) {
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const end = Math.min(...CLOSING.get(sign)!.map((closes) => nextOf(closes, start + 1))) + 1;
    if (end < Infinity && end > start + 2) found.push({ start, end });
  }
  return found;
}
