// Detects a contribution that is a copy of its author's earlier one.
import { blankForm } from './text/spoken-words.ts';
import { cutWords } from './text/words.ts';
import type { Contribution } from '../state/state.ts';

/** Short statements such as "I hold my position." may be repeated. */
const FEWEST_WORDS = 5;

/** The words of a contribution without its form fields and formatting. */
const readBody = (text: string): string[] => cutWords(blankForm(text)).map((word) => word.text);

/** Returns the round of the author's identical earlier text, ignoring form fields; undefined if it is new. */
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
