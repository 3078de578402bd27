// The use case `review`, by the name of its command.
import { createUseCase, nameUseCases } from '../core/app/use-cases.ts';
import { reviewFields } from './input.ts';

export const reviewUseCases = nameUseCases({
  review: createUseCase(reviewFields, async () => {
    const { planReview, reviewChange } = await import('./review-change.ts');
    return (app, input) => (input.dryRun ? planReview(app, input) : reviewChange(app, input));
  }),
});
