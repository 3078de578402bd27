// Use case `watch`: shows councils whenever they change.
import { findArchive } from '../archive/read.ts';
import { ignoreCodes } from '../base/errors.ts';
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

/** The current view of the watched councils. */
export interface WatchedCouncils {
  states: CouncilState[];
  unreadable: Unreadable[];
  documents(): Promise<StateDocument[]>;
  /** All councils archived since they were first shown. */
  ended: EndedCouncil[];
}

/** A council that ended while it was watched. */
export interface EndedCouncil {
  name: string;
  topic: string;
  status: CouncilStatus;
  /** The reason if it was cancelled; otherwise null. */
  why: string | null;
  /** The sentence about the outcome; undefined without a decision. */
  outcome: string | undefined;
  id: string;
  /** The path of its archive. */
  archive: string;
}

/**
 * Shows a council, or all active ones, after every change until those shown have ended, or until interrupted. Returns no
 * document.
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
  /** True if nothing is left to watch. */
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
    // One update at a time, and one more for changes meanwhile.
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

/** Undefined for a council that vanished without an archive: it may come back. */
async function findCouncilEnd(
  { ports }: Workspace,
  conversationId: string,
): Promise<EndedCouncil | undefined> {
  const found = await findArchive(ports.archives, conversationId).catch(ignoreCodes('unknown_archive'));
  if (!found) return undefined;
  const { name, topic, status, why, id } = found.archive.meta;
  const outcome = describeDecisionOutcome(found.archive.meta);
  return { name, topic, status, why, outcome, id, archive: found.path };
}
