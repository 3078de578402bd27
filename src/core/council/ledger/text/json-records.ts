// Finds the objects of JSON in a text by their pairs of texts, and where each stands: contributions come in JSON as well.
import type { Stretch } from './text-range.ts';

export interface JsonRecord extends Stretch {
  /** The values without their quotation marks. */
  pairs: { key: string; value: Stretch }[];
}

const OBJECT = /\{[^{}]*\}/g;
const PAIR = /"((?:\\.|[^"\\\n]){1,100})"\s*:\s*"((?:\\[^]|[^"\\])*)"/g;

/** The innermost objects of a stretch that hold a pair of texts. Those with a brace inside a text are passed over. */
export function findRecords(text: string, { start: from, end: to }: Stretch): JsonRecord[] {
  return [...text.slice(from, to).matchAll(OBJECT)].flatMap(({ 0: object, index }) => {
    const start = from + index;
    const pairs = [...object.matchAll(PAIR)].map(({ 0: pair, 1: key = '', 2: value = '', index: at }) => {
      const end = start + at + pair.length - 1;
      return { key, value: { start: end - value.length, end } };
    });
    return pairs.length === 0 ? [] : [{ start, end: start + object.length, pairs }];
  });
}
