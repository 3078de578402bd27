import { isTooNested } from '../../../base/nesting.ts';

/** The part of a text that is parsed: two hundred claims fit, and a Markdown parser takes a second for ten times as much. */
const MAX_LENGTH = 64 * 1024;
/** A parser takes the square of the number of lists and quotes that it closes, and a line can close one. */
const MAX_LINES = 2000;
/** Lines in a row without a blank one that are parsed: in a quote they cost the square of their number. */
const MAX_RUN = 400;
const FENCE = /^[ \t>]*(?:```|~~~)/;

/**
 * A text of the same offsets that can be parsed in bounded time: the end of a very long text is left out, and lines
 * that would cost too much are blanked.
 */
export function parsable(text: string): string {
  let run = 0;
  const lines = beginning(text).split(/(?<=\n|\r(?!\n))/);
  const kept = lines.slice(0, MAX_LINES).map((line) => {
    const words = line.trimEnd();
    run = words === '' ? 0 : run + 1;
    const isBlanked = (run > MAX_RUN && !FENCE.test(words.slice(0, 80))) || isTooNested(words);
    return isBlanked ? ' '.repeat(words.length) + line.slice(words.length) : line;
  });
  // A parser drops a byte order mark and then counts one too few.
  return kept.join('').replace(/^\uFEFF/, ' ');
}

function beginning(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const lineEnd = text.lastIndexOf('\n', MAX_LENGTH - 1) + 1;
  // A very long line is cut itself, or its paragraph would be lost.
  return text.slice(0, lineEnd > MAX_LENGTH / 2 ? lineEnd : MAX_LENGTH);
}
