// The formats in which a review is printed, each a pure function of the report.
import type { Words } from '../core/base/words/words.ts';
import type { FormatName } from './input.ts';
import { renderAnnotations, stopCommands } from './output/annotations.ts';
import { renderComment } from './output/markdown.ts';
import { renderSarif } from './output/sarif.ts';
import { renderReview } from './render-review.ts';
import type { Review } from './report.ts';

/** `token`: of `stopCommands`, for GitHub Actions. */
export const FORMATS: Readonly<Record<FormatName, (review: Review, words: Words, token: string) => string>> =
  {
    text: renderReview,
    markdown: renderComment,
    json: (review) => JSON.stringify(review, null, 2),
    sarif: (review, words) => JSON.stringify(renderSarif(review, words), null, 2),
    github: (review, words, token) =>
      renderAnnotations(review, words, { text: renderReview(review, words), token }),
  };

/** What is printed before anything else, so that GitHub Actions obeys nothing that is printed on the way. */
export const renderBeginning = (format: FormatName, token: string): string =>
  format === 'github' ? `${stopCommands(token)}\n` : '';

/** The format that the ending of a file names. */
const ENDINGS: readonly [ending: string, format: FormatName][] = [
  ['.sarif', 'sarif'],
  ['.json', 'json'],
  ['.md', 'markdown'],
];

/** The format in which a review is written to a file: what its ending says, else the one that is printed. */
export const chooseFileFormat = (path: string, printed: FormatName): FormatName =>
  ENDINGS.find(([ending]) => path.endsWith(ending))?.[1] ?? printed;
