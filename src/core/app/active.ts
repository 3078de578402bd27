// The active councils, without letting an unreadable one hide the others.
import { CouncilError } from '../base/errors.ts';
import { parse } from '../council/document/document.ts';
import type { CouncilState } from '../council/state/state.ts';
import type { Workspace } from './workspace.ts';

/** A council whose document cannot be read; the others can. */
export interface Unreadable {
  name: string;
  error: CouncilError;
}

/** The states of the active councils, or of the named one. One that cannot be read does not hide the others. */
export async function activeStates(
  { store }: Workspace,
  only?: string,
): Promise<{ states: CouncilState[]; unreadable: Unreadable[] }> {
  const states: CouncilState[] = [];
  const unreadable: Unreadable[] = [];
  for (const name of only === undefined ? await store.list('', { look: false }) : [only]) {
    try {
      const stored = await store.read(name);
      // Archived between listing and reading: it is no longer active.
      if (stored) states.push(parse(stored.text, `council "${name}"`).state);
    } catch (error) {
      if (!(error instanceof CouncilError) || only !== undefined) throw error;
      unreadable.push({ name, error });
    }
  }
  return { states, unreadable };
}
