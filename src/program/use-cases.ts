// All use cases that return a document, by the name of their command.
import { callableUseCases } from '../server/remote/calls.ts';
import { postgresUseCases } from '../postgres/use-cases.ts';
import { evalUseCases } from '../eval/use-cases.ts';
import { reviewUseCases } from '../review/use-cases.ts';

export const useCases = { ...callableUseCases, ...postgresUseCases, ...reviewUseCases, ...evalUseCases };
