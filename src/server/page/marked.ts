// Words that a challenge quotes, as marks in the text where they stand.
import type { QuotedPlace } from '../../core/council/ledger/quoted-places.ts';
import { anchor } from './anchors.ts';
import type { Mark } from './markdown/markdown-text.ts';

export const toPageMark = ({ challenge, start, end }: QuotedPlace): Mark => ({
  challenge,
  start,
  end,
  href: `#${anchor('challenge', challenge)}`,
});

/** The marks in a stretch of a text, counted from its beginning. */
export const shiftMarks = (marks: readonly Mark[], start: number, length: number): Mark[] =>
  marks
    .filter((mark) => mark.start < start + length && start < mark.end)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - start), end: mark.end - start }));
