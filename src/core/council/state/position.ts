// Compares positions and options by what they say: two spellings of one sentence are the same.

/** Marks that end a sentence without being part of a position. A question is not the position that it asks about. */
const FINAL = new Set(' .,;:!。、');

/**
 * The form in which positions are compared: NFKC, lower case, white space folded, final punctuation dropped.
 * A position of punctuation alone stays as it is, so that only blank text becomes the empty string.
 */
export function normalisePosition(text: string): string {
  const folded = text.normalize('NFKC').toLowerCase().normalize('NFKC').replace(/\s+/g, ' ').trim();
  let end = folded.length;
  while (end > 0 && FINAL.has(folded[end - 1]!)) end--;
  return end === 0 ? folded : folded.slice(0, end);
}

/** The declared option that `position` means, in its declared spelling; undefined when it means none of them. */
export function sameOption(position: string, options: readonly string[]): string | undefined {
  const wanted = normalisePosition(position);
  return options.find((option) => normalisePosition(option) === wanted);
}
