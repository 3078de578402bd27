// Makes space of the marks that a quote may set otherwise: dashes, hyphens, commas and quotation marks.
import type { Folded } from './normalize-quote.ts';

/** A folded text without such marks, and where each of its units stands in the other one. */
export interface Loose extends Folded {
  at: Uint32Array;
}

/** Beside a figure a mark belongs to it: "1,000", "5-10", "- 5". An apostrophe belongs to its word. JSON writes `\"`. */
const MARK = String.raw`(?<!\p{N})(?:\\?["',](?<![\p{L}\p{N}]'(?=[\p{L}\p{N}]))|-(?! ?\p{N}))(?!\p{N})`;
const MARKS = new RegExp(` ?(?:${MARK} ?)+`, 'gu');

export const withoutMarks = (text: string): string => text.replace(MARKS, ' ').trim();

export function loosenMarks({ text, from, to }: Folded): Loose {
  const kept: number[] = [];
  let last = 0;
  for (const { 0: whole, index } of text.matchAll(MARKS)) {
    for (let k = last; k <= index; k++) kept.push(k);
    last = index + whole.length;
  }
  for (let k = last; k < text.length; k++) kept.push(k);
  const at = Uint32Array.from(kept);
  return { text: text.replace(MARKS, ' '), from: at.map((k) => from[k]!), to: at.map((k) => to[k]!), at };
}
