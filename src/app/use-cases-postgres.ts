// The use cases of a project in a database, by the name of their command.
import * as archive from './input/archive.ts';
import { storeFields } from './input/store.ts';
import { useCase } from './use-case.ts';

export const postgresUseCases = {
  archives: useCase(
    'archives',
    archive.archivesFields,
    async () => (await import('./pull-archives.ts')).pullArchives,
  ),
  store: useCase('store', storeFields, async () => (await import('./store.ts')).store),
};
