// Use case `watch`: shows councils again whenever they change.
import { findArchive } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import type { CouncilStatus } from '../council/state/allowed-values.ts';
import type { CouncilState } from '../council/state/state.ts';
import { readActiveStates, resolveCouncilName } from './council-reference.ts';
import type { Unreadable } from './council-reference.ts';
import type { App } from './app.ts';
import type { StatusInput } from './input/council.ts';
import { describeDecisionOutcome, buildStateDocument } from './state-document.ts';
import type { StateDocument } from './state-document.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';

/** What there is to see of the councils that are watched. */
export interface WatchedCouncils {
  states: CouncilState[];
  unreadable: Unreadable[];
  documents(): Promise<StateDocument[]>;
  /** Those that were seen before and have been archived since, all of them so far. */
  ended: EndedCouncil[];
}

/** A council that ended while it was watched. */
export interface EndedCouncil {
  name: string;
  topic: string;
  status: CouncilStatus;
  /** Why it was cancelled; null where it was not. */
  why: string | null;
  /** The sentence about the outcome; undefined where nothing was put to a decision. */
  outcome: string | undefined;
  id: string;
  /** The path of its archive. */
  archive: string;
}

/**
 * Shows a council, or all that are active, again and again until those that were seen have ended, or it is interrupted. It
 * has no document.
 */
export async function watch(
  app: App,
  { name: given }: StatusInput,
  show: (seen: WatchedCouncils, isFirst: boolean) => void | Promise<void>,
): Promise<void> {
  const workspace = openWorkspace(app);
  const only = given === undefined ? undefined : await resolveCouncilName(workspace, given);
  const known = new Set<string>();
  const ended: EndedCouncil[] = [];
  /** True when nothing is left to be watched. */
  const look = async (isFirst: boolean): Promise<boolean> => {
    const { states, unreadable } = await readActiveStates(workspace, only);
    const active = new Set(states.map(({ conversationId }) => conversationId));
    for (const id of known) {
      const end = active.has(id) ? undefined : await findCouncilEnd(workspace, id);
      if (end && known.delete(id)) ended.push(end);
    }
    for (const id of active) known.add(id);
    const documents = () => Promise.all(states.map((state) => buildStateDocument(workspace, state)));
    await show({ states, unreadable, documents, ended }, isFirst);
    return ended.length > 0 && known.size === 0 && unreadable.length === 0;
  };
  const signal = app.interruption();
  await look(true);
  await new Promise<void>((done, fail) => {
    // One at a time, and one more for what happened meanwhile.
    let looking = Promise.resolve();
    const lookSoon = (): void => void (looking = looking.then(lookAgain).catch(fail));
    const stop = workspace.store.watch(only ?? '', lookSoon);
    const leave = () => {
      stop();
      done();
    };
    let isOver = false;
    const lookAgain = async (): Promise<void> => {
      if (isOver || !(await look(false))) return;
      isOver = true;
      leave();
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
  });
}

/** Undefined for one that is gone without an archive: it may come back. */
async function findCouncilEnd(
  { ports }: Workspace,
  conversationId: string,
): Promise<EndedCouncil | undefined> {
  try {
    const { path, archive } = await findArchive(ports.archives, conversationId);
    const { name, topic, status, why, id } = archive.meta;
    return { name, topic, status, why, outcome: describeDecisionOutcome(archive.meta), id, archive: path };
  } catch (error) {
    if (error instanceof CouncilError && error.code === 'unknown_archive') return undefined;
    throw error;
  }
}
