// Use case `wait`, and waiting until a council may have changed.
import { setTimeout as delay } from 'node:timers/promises';
import { archiveOfName } from '../archive/read.ts';
import { CouncilError } from '../base/errors.ts';
import { parse } from '../council/document/document.ts';
import { PHASES } from '../council/state/allowed-values.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import { awaited, getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { createSeatOverError } from '../council/use/participant-tokens.ts';
import { readCouncil } from '../council/use/council-access.ts';
import type { Documents, Stored } from '../store/documents.ts';
import { createInterruptedError } from './app.ts';
import type { App, Result } from './app.ts';
import type { WaitInput } from './input/council.ts';
import { resolveCouncilName } from './council-reference.ts';
import { openWorkspace } from './workspace.ts';
import type { Workspace } from './workspace.ts';
import type { Clock } from '../base/clock.ts';
import { storeAway } from '../store/availability.ts';
import { findProjectFolderTrouble } from './project-folder.ts';

export interface WaitDocument {
  name: string;
  conversationId: string;
  for: string;
  /** Null once it is archived. */
  phase: PhaseName | null;
  tour: number | null;
  archived: boolean;
}

/** Whether the awaited event has happened; an `undefined` state means the council is archived. */
interface Goal {
  text: string;
  hasReached(state: CouncilState | undefined): boolean;
  /** What the council has done then, and what it has not done before. */
  done: string;
  notYet: string;
}

/**
 * Waits for an event. Throws `timed_out` (also if the store does not answer in time), `interrupted`, and `failed` if the event
 * can no longer happen.
 */
export async function wait(app: App, input: WaitInput): Promise<Result<WaitDocument>> {
  const workspace = openWorkspace(app);
  const over = new AbortController();
  const signal = AbortSignal.any([app.interruption(), over.signal]);
  const deadline = input.timeout === undefined ? undefined : Date.now() + input.timeout;
  const waiting = waitForGoal(workspace, app, input, { deadline, signal });
  const { timeout } = input;
  const late = timeout === undefined ? [] : [delay(timeout + GRACE_MS, undefined, { signal: over.signal })];
  try {
    const result = await Promise.race([waiting, ...late]);
    if (result) return result;
    // On a command line nothing else needs the connections; in a server, other callers do.
    if (app.via === 'cli') workspace.keeping.release();
    throw createTimeoutError(
      input.name,
      `what keeps ${input.name === undefined ? 'it' : `"${input.name}"`} does not answer`,
    );
  } finally {
    over.abort();
    for (const promise of late) promise.catch(() => undefined);
  }
}

/** The store is also read at the deadline, and must answer within this time. */
const GRACE_MS = 300;

const createTimeoutError = (name: string | undefined, why: string): CouncilError =>
  new CouncilError('timed_out', `Timed out: ${why}.`, {
    hint: name === undefined ? 'See: council doctor' : `See: council status --name ${name}`,
  });

async function waitForGoal(
  workspace: Workspace,
  app: App,
  input: WaitInput,
  { deadline, signal }: { deadline: number | undefined; signal: AbortSignal },
): Promise<Result<WaitDocument>> {
  const { store } = workspace;
  const name = await resolveCouncilName(workspace, input.name);
  // A script may ask only when everything is over. Of a seat, whatever has its name by then is another council.
  const own = app.caller?.ownArchive;
  const isOver =
    own === undefined ? (await store.read(name)) === undefined : !(await isActive(store, name, own));
  const archive =
    isOver && input.for === 'archived' ? await archiveOfName(workspace.ports.archives, name) : undefined;
  if (archive) return toArchivedResult(name, archive.conversationId, input.for);
  if (isOver && own !== undefined) throw createSeatOverError(name);
  const first = (await readCouncil(workspace.ports, name)).council.state;
  const goal = parseWaitGoal(input.for, first);
  const watch = watchCouncil(workspace, name);
  try {
    return await reachGoal(goal, { name, first, watch, deadline, signal });
  } finally {
    watch.stop();
  }
}

interface WaitTarget {
  name: string;
  first: CouncilState;
  watch: CouncilWatch;
  deadline: number | undefined;
  signal: AbortSignal;
}

async function reachGoal(
  goal: Goal,
  { name, first, watch, deadline, signal }: WaitTarget,
): Promise<Result<WaitDocument>> {
  for (;;) {
    const stored = await watch.read();
    const state = stored && parse(stored.text, `council "${name}"`).state;
    const current = state?.conversationId === first.conversationId ? state : undefined;
    if (goal.hasReached(current)) {
      if (!current) return toArchivedResult(name, first.conversationId, goal.text);
      const { conversationId, currentPhase: phase, tour } = current;
      return { document: { name, conversationId, for: goal.text, phase, tour, archived: false } };
    }
    if (!current)
      throw new CouncilError('failed', `"${name}" was archived before it ${goal.done}.`, {
        hint: 'See: council list',
      });
    if (deadline !== undefined && Date.now() >= deadline)
      throw createTimeoutError(name, `"${name}" ${goal.notYet} yet`);
    if (signal.aborted) throw createInterruptedError(`council wait --name ${name} --for ${goal.text}`);
    await watch.untilChange(stored?.revision ?? 0, deadline, signal);
  }
}

async function isActive(store: Documents, name: string, conversationId: string): Promise<boolean> {
  const stored = await store.read(name);
  return (
    stored !== undefined && parse(stored.text, `council "${name}"`).state.conversationId === conversationId
  );
}

const toArchivedResult = (name: string, conversationId: string, wanted: string): Result<WaitDocument> => ({
  document: { name, conversationId, for: wanted, phase: null, tour: null, archived: true },
});

function parseWaitGoal(text: string, state: CouncilState): Goal {
  const [what, which = ''] = text.split(':', 2);
  if (text === 'archived')
    return { text, hasReached: (now) => now === undefined, done: 'was archived', notYet: 'is not archived' };
  if (what === 'turn') {
    getSeat(state, which);
    const hasReached = (now?: CouncilState): boolean => now !== undefined && awaited(now).includes(which);
    return { text, hasReached, done: `waited for ${which}`, notYet: `does not wait for ${which}` };
  }
  const phase = PHASES.find((name) => name === which.toUpperCase());
  if (what === 'phase' && phase)
    return {
      text,
      hasReached: (now) => now?.currentPhase === phase,
      done: `reached ${phase}`,
      notYet: `has not reached ${phase}`,
    };
  throw new CouncilError('usage', `You cannot wait for ${JSON.stringify(text)}.`, {
    hint: `Use turn:AGENT, phase:PHASE (${PHASES.join(', ')}) or archived.`,
  });
}

/** Timers stand still while the machine sleeps, do not see a clock that is set, and nothing is heard from a folder that has gone. */
const LOOK_AGAIN_MS = 10_000;

export interface CouncilWatch {
  /** Reads the council; undefined once it is archived. Throws `store_away` if the project's folder is gone. */
  read(): Promise<Stored | undefined>;
  /** Resolves when the revision differs from `seen`, at `deadline` (ms since the epoch), when `signal` aborts, or after ten seconds. */
  untilChange(seen: number, deadline: number | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** One watch of a council for as long as a process waits for it: to begin one costs a connection where a database keeps it. */
export function watchCouncil(
  { store, project }: Pick<Workspace, 'store' | 'project'>,
  name: string,
  clock: Pick<Clock, 'now'> = { now: Date.now },
): CouncilWatch {
  const look = () => findProjectFolderTrouble(project);
  void look();
  let wake: () => void = () => undefined;
  const stop = store.watch(name, () => wake());
  const wait = (seen: number, deadline: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const ms = Math.min(Math.max(deadline - clock.now(), 0), LOOK_AGAIN_MS);
      const timer = setTimeout(finish, ms);
      function finish(): void {
        wake = () => undefined;
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        resolve();
      }
      // A commit between the caller's read and this watch is not heard, and a hint may come from the commit that was read.
      wake = () => void store.revision(name).then((now) => now !== seen && finish(), reject);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
      else wake();
    });
  return {
    stop,
    async read() {
      const stored = await store.read(name);
      const trouble = stored === undefined ? await look() : undefined;
      if (trouble) throw storeAway(trouble);
      return stored;
    },
    untilChange: (seen, deadline = Infinity, signal) => wait(seen, deadline, signal),
  };
}
