// Use case `watch`: shows councils again whenever they change.
import type { CouncilState } from '../council/state/state.ts';
import { activeStates } from './active.ts';
import type { Unreadable } from './active.ts';
import type { App } from './app.ts';
import type { StatusInput } from './input/council.ts';
import { stateDocument } from './state-document.ts';
import type { StateDocument } from './state-document.ts';
import { openWorkspace } from './workspace.ts';

/** What there is to see of the councils that are watched. */
export interface Seen {
  states: CouncilState[];
  unreadable: Unreadable[];
  documents(): Promise<StateDocument[]>;
}

/** Shows a council, or all that are active, again and again until it is interrupted. It has no document. */
export async function watch(
  app: App,
  { name: only }: StatusInput,
  show: (seen: Seen, isFirst: boolean) => void | Promise<void>,
): Promise<void> {
  const workspace = openWorkspace(app);
  const look = async (isFirst: boolean): Promise<void> => {
    const { states, unreadable } = await activeStates(workspace, only);
    const documents = () => Promise.all(states.map((state) => stateDocument(workspace, state)));
    await show({ states, unreadable, documents }, isFirst);
  };
  const signal = app.interruption();
  await look(true);
  await new Promise<void>((done, fail) => {
    // One at a time, and one more for what happened meanwhile.
    let looking = Promise.resolve();
    const again = (): void => void (looking = looking.then(() => look(false)).catch(fail));
    const stop = workspace.store.watch(only ?? '', again);
    const leave = () => {
      stop();
      done();
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
}
