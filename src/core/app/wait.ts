// Use case `wait`, and waiting until a council may have changed.
import { setTimeout as delay } from 'node:timers/promises';
import { archiveOfName } from '../archive/read.ts';
import { CouncilError, ignoreCodes } from '../base/errors.ts';
import { parse } from '../council/document/document.ts';
import { PHASES } from '../council/state/allowed-values.ts';
import type { PhaseName } from '../council/state/allowed-values.ts';
import { awaited, getSeat } from '../council/state/state.ts';
import type { CouncilState } from '../council/state/state.ts';
import { createSeatOverError } from '../council/use/participant-tokens.ts';
import { readCouncil } from '../council/use/council-access.ts';
import type { Stored } from '../store/documents.ts';
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

/** An awaited event. */
interface Goal {
  text: string;
  /** Whether it has happened; an `undefined` state means the council is archived. */
  hasReached(state: CouncilState | undefined): boolean;
  /** What the council has done then, and what it has not done before. */
  reachedText: string;
  pendingText: string;
}

/**
 * Waits for an event. Throws `timed_out` (also if the store does not answer in time), `interrupted`, and `failed` if the event
 * can no longer happen.
 */
export async function wait(app: App, input: WaitInput): Promise<Result<WaitDocument>> {
  const workspace = openWorkspace(app);
  const { name, timeout } = input;
  const finished = new AbortController();
  const signal = AbortSignal.any([app.interruption(), finished.signal]);
  const deadline = timeout === undefined ? undefined : Date.now() + timeout;
  const waiting = waitForGoal(workspace, app, input, { deadline, signal });
  const late =
    timeout === undefined
      ? []
      : [delay(timeout + GRACE_MS, undefined, { signal: finished.signal }).catch(() => undefined)];
  try {
    const result = await Promise.race([waiting, ...late]);
    if (result) return result;
    // On a command line nothing else needs the connections; in a server, other callers do.
    if (app.via === 'cli') workspace.keeping.release();
    throw createTimeoutError(name, `the store${name === undefined ? '' : ` of "${name}"`} does not answer`);
  } finally {
    finished.abort();
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
  const { ports } = workspace;
  const name = await resolveCouncilName(workspace, input.name);
  const active = await readCouncil(ports, name).catch(ignoreCodes('unknown_council'));
  // A script may call this only after the council has ended. For a seat, an active council with that name is another
  // one.
  const own = app.caller?.ownArchive;
  const isOver = !active || (own !== undefined && active.council.state.conversationId !== own);
  const archive = isOver && input.for === 'archived' ? await archiveOfName(ports.archives, name) : undefined;
  if (archive) return toArchivedResult(name, archive.conversationId, input.for);
  if (isOver && own !== undefined) throw createSeatOverError(name);
  // Throws if there is none.
  const first = (active ?? (await readCouncil(ports, name))).council.state;
  const goal = parseWaitGoal(input.for, first);
  const watch = watchCouncil(workspace, name);
  try {
    return await waitUntilReached(goal, { name, first, watch, deadline, signal });
  } finally {
    watch.stop();
  }
}

interface WaitContext {
  name: string;
  first: CouncilState;
  watch: CouncilWatch;
  deadline: number | undefined;
  signal: AbortSignal;
}

async function waitUntilReached(
  goal: Goal,
  { name, first, watch, deadline, signal }: WaitContext,
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
      throw new CouncilError('failed', `"${name}" was archived before it ${goal.reachedText}.`, {
        hint: 'See: council list',
      });
    if (deadline !== undefined && Date.now() >= deadline)
      throw createTimeoutError(name, `"${name}" ${goal.pendingText} yet`);
    if (signal.aborted) throw createInterruptedError(`council wait --name ${name} --for ${goal.text}`);
    await watch.untilChange(stored?.revision ?? 0, deadline, signal);
  }
}

const toArchivedResult = (name: string, conversationId: string, wanted: string): Result<WaitDocument> => ({
  document: { name, conversationId, for: wanted, phase: null, tour: null, archived: true },
});

function parseWaitGoal(text: string, state: CouncilState): Goal {
  const [what, which = ''] = text.split(':', 2);
  if (text === 'archived')
    return {
      text,
      hasReached: (now) => now === undefined,
      reachedText: 'was archived',
      pendingText: 'is not archived',
    };
  if (what === 'turn') {
    getSeat(state, which);
    const hasReached = (now?: CouncilState): boolean => now !== undefined && awaited(now).includes(which);
    return {
      text,
      hasReached,
      reachedText: `waited for ${which}`,
      pendingText: `does not wait for ${which}`,
    };
  }
  const phase = PHASES.find((name) => name === which.toUpperCase());
  if (what === 'phase' && phase)
    return {
      text,
      hasReached: (now) => now?.currentPhase === phase,
      reachedText: `reached ${phase}`,
      pendingText: `has not reached ${phase}`,
    };
  throw new CouncilError('usage', `You cannot wait for ${JSON.stringify(text)}.`, {
    hint: `Use turn:AGENT, phase:PHASE (${PHASES.join(', ')}) or archived.`,
  });
}

/**
 * Looks again at least this often: timers stop while the machine sleeps and ignore clock changes, and a deleted
 * folder sends no events.
 */
const LOOK_AGAIN_MS = 10_000;

export interface CouncilWatch {
  /** Reads the council; undefined once it is archived. Throws `store_away` if the project's folder is gone. */
  read(): Promise<Stored | undefined>;
  /** Resolves when the revision differs from `seen`, at `deadline` (ms since the epoch), when `signal` aborts, or after ten seconds. */
  untilChange(seen: number, deadline: number | undefined, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/**
 * Watches a council for as long as a process waits: opening a watch costs a connection if a database keeps the
 * council.
 */
export function watchCouncil(
  { store, project }: Pick<Workspace, 'store' | 'project'>,
  name: string,
  clock: Pick<Clock, 'now'> = { now: Date.now },
): CouncilWatch {
  const findTrouble = () => findProjectFolderTrouble(project);
  // The first call remembers the folder, so that another one in its place is noticed.
  void findTrouble();
  let wake: () => void = () => undefined;
  const stop = store.watch(name, () => wake());
  return {
    stop,
    async read() {
      const stored = await store.read(name);
      const trouble = stored === undefined ? await findTrouble() : undefined;
      if (trouble) throw storeAway(trouble);
      return stored;
    },
    async untilChange(seen, deadline = Infinity, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(Math.max(deadline - clock.now(), 0), LOOK_AGAIN_MS));
      const finish = (): void => resolve();
      signal.addEventListener('abort', finish, { once: true });
      // A commit between the caller's read and this call sends no notification, and a notification may be about the
      // commit that was read.
      wake = () => void store.revision(name).then((now) => now !== seen && resolve(), reject);
      if (signal.aborted) finish();
      else wake();
      try {
        await promise;
      } finally {
        wake = () => undefined;
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
      }
    },
  };
}
