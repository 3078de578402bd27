// The use case `eval`, by the name of its command.
import { createUseCase } from '../core/app/use-cases.ts';
import { evalFields } from './input.ts';

export const evalUseCases = {
  eval: createUseCase('eval', evalFields, async () => (await import('./run-eval.ts')).runEval),
};
