// Folds the space around dashes away, for quotes that write another one: "cost–benefit", "small — forty", "small-forty".
import type { Folded } from './normalize-quote.ts';

/** A folded text without space around its dashes, and where each of its units stands in the other one. */
export interface Loose extends Folded {
  at: Uint32Array;
}

/** In front of a figure a dash may be its sign: there nothing is forgiven. */
const SPACED = / ?-(?! ?\p{N}) ?/gu;

export const withoutSpacedDashes = (text: string): string => text.replace(SPACED, '-');

export function loosened({ text, from, to }: Folded): Loose {
  const kept: number[] = [];
  let last = 0;
  for (const { 0: whole, index } of text.matchAll(SPACED)) {
    for (let k = last; k < index; k++) kept.push(k);
    kept.push(index + whole.indexOf('-'));
    last = index + whole.length;
  }
  for (let k = last; k < text.length; k++) kept.push(k);
  const at = Uint32Array.from(kept);
  return {
    text: withoutSpacedDashes(text),
    from: at.map((k) => from[k]!),
    to: at.map((k) => to[k]!),
    at,
  };
}
