// What a server needs from its host: performing calls, finding callers, and stopping.
import { setTimeout as delay } from 'node:timers/promises';
import manifest from '../../../package.json' with { type: 'json' };
import { storeAway } from '../../core/store/availability.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { findProjectFolderTrouble } from '../../core/app/project-folder.ts';
import { createTroubleFinder, awaitWhileReadable } from './store-trouble.ts';
import type { StoreTrouble } from '../../core/store/availability.ts';
import { createFolderHider } from '../../core/app/hidden-folders.ts';
import { findTurn } from '../../core/app/permissions.ts';
import { toCallerRefusal } from './perform-call.ts';
import type { RemoteCall, Caller, CallOutcome } from './perform-call.ts';
import { parse } from '../../core/council/document/document.ts';
import { findTokenHolder } from '../../core/council/use/participant-tokens.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { findWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';

export interface Host {
  version: string;
  /** Like `performCall`. `gone` aborts when the client has left. */
  perform(asked: RemoteCall, gone: AbortSignal): Promise<CallOutcome>;
  /** Performs a call that must outlive the client; not set for a server that outlives its clients anyway. */
  performDetached?(asked: RemoteCall): Promise<CallOutcome>;
  /** Performs a light call in this process, so that viewing a page does not start one. */
  here?: Host['perform'];
  /** Returns whether a call only reads, and little enough not to delay others. */
  isLight?(asked: RemoteCall): Promise<boolean>;
  /** Returns why the project's store is unavailable, if so; see `Keeping`. */
  findTrouble(): Promise<StoreTrouble | undefined>;
  /** Finds the owner of a participant's token in all active councils. */
  holder(token: string): Promise<Caller | undefined>;
  /** Shows a line to the person who started the server. */
  note(line: string): void;
  /** Aborted when the server should stop. */
  stop: AbortSignal;
}

/**
 * Creates the host of a server; `idle` resolves when all its calls have ended (a stopped tick releases its
 * leases).
 */
export function createHost(
  app: App,
  stop: AbortSignal,
  perform: Host['perform'],
): Host & { idle(): Promise<unknown> } {
  const going = new Set<Promise<CallOutcome>>();
  const holder = createHolderFinder(app);
  const findTrouble = createTroubleFinder(app);
  return {
    findTrouble,
    version: manifest.version,
    note: app.note,
    stop,
    idle: () => Promise.allSettled(going),
    perform(asked, gone) {
      const performing = performUnlessGone(app, asked, () => perform(asked, gone));
      going.add(performing);
      void performing.finally(() => going.delete(performing));
      return performing;
    },
    async holder(token) {
      const found = await awaitWhileReadable(findTrouble, holder(token));
      return found && { role: 'participant', ...found, token, ownArchive: found.conversationId };
    },
  };
}

/** Performs a call unless the project's folder is gone or was replaced. */
export async function performUnlessGone(
  app: App,
  { caller }: RemoteCall,
  perform: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const trouble = await findProjectFolderTrouble(app);
  return trouble ? toCallerRefusal(app, caller, storeAway(trouble)) : perform();
}

/** Hides folders in notes if there is a participant's token: the participant then reads them. */
export function hideFoldersInNotes(app: App): App {
  if (!app.env.COUNCIL_TOKEN) return app;
  return overrideApp(app, { note: (line) => app.note(createFolderHider(app)({ error: line }).error) });
}

/**
 * Returns the caller of a single-client server: the owner of the token in the environment, or the user who started
 * it.
 */
export async function identifyEnvCaller(app: App, host: Host): Promise<Caller> {
  const { COUNCIL_PARTICIPANT: participant, COUNCIL_NAME: council, COUNCIL_TOKEN: token } = app.env;
  if (!token) return { role: 'admin', participant: participant || findTurn(app)?.agent };
  // Other variables must match the token; a mismatch is refused at the first call.
  const holder = await host.holder(token);
  return {
    participant: participant || holder?.participant,
    council: council || holder?.council,
    token,
    role: 'participant',
    // A token without a seat opens no archive either.
    ownArchive: holder?.ownArchive ?? '',
  };
}

// Finds the participant of a token in all active councils.

interface Holder {
  participant: string;
  council: string;
  conversationId: string;
}

/** Minimum milliseconds between two scans of all councils, however many wrong tokens arrive. */
const PAUSE_MS = 1000;

type States = Map<string, { revision: number; state: CouncilState }>;

/**
 * Finds the holder of a token in all active councils. A server asks for every request: for a known holder, only
 * the revision of its council is checked. Unknown tokens wait up to a second for the next scan, which they share
 * and which reads only councils with a new revision.
 */
export function createHolderFinder(app: App): (token: string) => Promise<Holder | undefined> {
  let workspace: Workspace | undefined;
  let states: States = new Map();
  let lookedAt = -Infinity;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const look = async ({ store }: Workspace): Promise<void> => {
    await delay(Math.max(0, lookedAt + PAUSE_MS - performance.now()));
    // Later requests start a new scan: this one may miss a council created since.
    next = undefined;
    const looked: States = new Map();
    for (const name of await store.list('', { look: false })) {
      const known = await refreshCouncilState(store, name, states.get(name));
      if (known) looked.set(name, known);
    }
    states = looked;
    lookedAt = performance.now();
  };
  return async (token) => {
    // Without a project there are no councils and no seat tokens.
    workspace ??= findWorkspace(app);
    if (!workspace) return undefined;
    const { store } = workspace;
    const name = findSeatTokenHolder(states, token)?.council;
    if (name !== undefined) {
      const known = await refreshCouncilState(store, name, states.get(name));
      if (known) states.set(name, known);
      else states.delete(name);
      const held = known && findSeatTokenHolder(new Map([[name, known]]), token);
      if (held) return held;
    }
    const here = workspace;
    next ??= last.then(() => look(here));
    // A failed scan is reported to its waiters; the next one tries again.
    last = next.catch(() => undefined);
    await next;
    return findSeatTokenHolder(states, token);
  };
}

function findSeatTokenHolder(states: States, token: string): Holder | undefined {
  for (const { state } of states.values()) {
    const participant = findTokenHolder(state, token);
    if (participant !== undefined) {
      const { name: council, conversationId } = state;
      return { participant, council, conversationId };
    }
  }
  return undefined;
}

async function refreshCouncilState(
  store: Workspace['store'],
  name: string,
  known: { revision: number; state: CouncilState } | undefined,
): Promise<{ revision: number; state: CouncilState } | undefined> {
  try {
    if (known && (await store.revision(name)) === known.revision) return known;
    const stored = await store.read(name);
    return stored && { revision: stored.revision, state: parse(stored.text, `council "${name}"`).state };
  } catch (error) {
    // An unreadable council has no seats; others are not affected.
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}
