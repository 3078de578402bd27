// Recognizes a contribution that is its author's earlier one pasted again.
import { blankForm } from './text/spoken-words.ts';
import { cutWords } from './text/words.ts';
import type { Contribution } from '../state/state.ts';

/** "I hold my position." may be said twice. */
const FEWEST_WORDS = 5;

/** What a contribution says below its form, however it is set. */
const readBody = (text: string): string[] => cutWords(blankForm(text)).map((word) => word.text);

/** The tour in which its author said the same before, whatever the form declares; undefined where it is new. */
export function findRepeated(
  { by, tour, text }: Pick<Contribution, 'by' | 'tour' | 'text'>,
  contributions: readonly Contribution[],
): number | undefined {
  const earlier = contributions.filter((c) => c.by === by && c.tour < tour);
  if (earlier.length === 0) return undefined;
  const body = readBody(text);
  if (body.filter((word) => /[\p{L}\p{N}]/u.test(word)).length < FEWEST_WORDS) return undefined;
  return earlier.find((c) => readBody(c.text).join(' ') === body.join(' '))?.tour;
}
