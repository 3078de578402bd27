// The use case of the review of a change, by the name of its command.
import { useCase } from '../core/app/use-cases.ts';
import { reviewFields } from './input.ts';

export const reviewUseCases = {
  review: useCase(
    'review',
    reviewFields,
    async () => async (app, input) =>
      input.dryRun
        ? (await import('./plan-review.ts')).planReview(app, input)
        : (await import('./review-change.ts')).reviewChange(app, input),
  ),
};
