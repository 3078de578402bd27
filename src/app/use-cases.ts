// Every use case that ends with a document, by the name of its command.
import { useCases as callable } from './remote/callable.ts';
import { postgresUseCases } from './use-cases-postgres.ts';

export const useCases = { ...callable, ...postgresUseCases };
