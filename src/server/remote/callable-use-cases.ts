// The use cases that a server performs, by the name of their command.
import { coreUseCases } from '../../core/app/use-cases.ts';
import { serverUseCases } from '../use-cases.ts';
import { teamUseCases } from '../../team/use-cases.ts';

export const useCases = { ...coreUseCases, ...teamUseCases, ...serverUseCases };

export type UseCaseName = keyof typeof useCases;
