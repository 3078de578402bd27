// The use cases `archives` and `store`, by the names of their commands.
import * as archive from '../core/app/input/archive.ts';
import { storeFields } from './input.ts';
import { createUseCase, nameUseCases } from '../core/app/use-cases.ts';

export const postgresUseCases = nameUseCases({
  archives: createUseCase(
    archive.archivesFields,
    async () => (await import('./manage-store.ts')).pullArchives,
  ),
  store: createUseCase(storeFields, async () => (await import('./manage-store.ts')).store),
});
