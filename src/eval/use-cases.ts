// The use case `eval`, by the name of its command.
import { createUseCase, nameUseCases } from '../core/app/use-cases.ts';
import { evalFields } from './input.ts';

export const evalUseCases = nameUseCases({
  eval: createUseCase(evalFields, async () => (await import('./run-eval.ts')).runEval),
});
