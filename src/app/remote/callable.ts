// The use cases that a server performs, by the name of their command.
import { coreUseCases } from '../use-cases-core.ts';
import { serverUseCases } from '../use-cases-server.ts';
import { teamUseCases } from '../use-cases-team.ts';

export const useCases = { ...coreUseCases, ...teamUseCases, ...serverUseCases };

export type UseCaseName = keyof typeof useCases;
