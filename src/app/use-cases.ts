import type { App, Result } from './app.ts';
import { checkInput } from './check-input.ts';
import type { Given } from './check-input.ts';
import type { Fields, InputOf, Raw } from './fields.ts';
import { exportFields, listFields, searchFields, showFields } from './inputs-archive.ts';
import { respondFields, startFields, statusFields, tickFields, viewFields } from './inputs.ts';

/** A use case for a face that calls many of them alike. */
export interface UseCase {
  fields: Fields;
  /** Checks what was given, then does it. */
  perform(app: App, raw: Raw, given: Omit<Given, 'command'>): Promise<Result>;
}

/** `load` is the only import that a call pays for. */
function useCase<F extends Fields>(
  command: string,
  fields: F,
  load: () => Promise<(app: App, input: InputOf<F>) => Promise<Result>>,
): UseCase {
  return {
    fields,
    async perform(app, raw, given) {
      const input = checkInput(fields, raw, { ...given, command });
      return (await load())(app, input);
    },
  };
}

/** The use cases that a face may offer to callers who sit elsewhere, by the names of their commands. */
export const useCases = {
  list: useCase('list', listFields, async () => (await import('./archives.ts')).list),
  start: useCase('start', startFields, async () => (await import('./start.ts')).start),
  view: useCase('view', viewFields, async () => (await import('./view.ts')).view),
  respond: useCase('respond', respondFields, async () => (await import('./respond.ts')).respond),
  status: useCase('status', statusFields, async () => (await import('./status.ts')).status),
  tick: useCase('tick', tickFields, async () => (await import('./tick.ts')).tick),
  search: useCase('search', searchFields, async () => (await import('./search.ts')).search),
  show: useCase('show', showFields, async () => (await import('./archives.ts')).show),
  export: useCase('export', exportFields, async () => (await import('./archives.ts')).exportCouncil),
};

export type UseCaseName = keyof typeof useCases;
