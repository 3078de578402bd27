// The formats in which a review is printed, each a pure function of the report.
import { renderReview } from './render-review.ts';
import type { Review } from './report.ts';

export const FORMAT_NAMES = ['text', 'json'] as const;

export const FORMATS: Readonly<Record<(typeof FORMAT_NAMES)[number], (review: Review) => string>> = {
  text: renderReview,
  json: (review) => JSON.stringify(review, null, 2),
};
