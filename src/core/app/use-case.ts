// A use case as data: its fields, and how it is called.
import type { App, Result } from './app.ts';
import { checkInput } from './input/check-input.ts';
import type { Given } from './input/check-input.ts';
import type { Fields, InputOf, Raw } from './input/fields.ts';

/** A use case for a face that calls many of them alike. */
export interface UseCase {
  fields: Fields;
  /** Checks what was given, then does it. */
  perform(app: App, raw: Raw, given: Omit<Given, 'command'>): Promise<Result>;
}

/** `load` is the only import that a call pays for. */
export function useCase<F extends Fields>(
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
