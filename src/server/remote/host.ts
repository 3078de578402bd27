// What a server needs from its host: performing calls, finding callers, and stopping.
import { setTimeout as delay } from 'node:timers/promises';
import manifest from '../../../package.json' with { type: 'json' };
import { storeAway } from '../../core/store/trouble.ts';
import { overrideApp } from '../../core/app/app.ts';
import type { App } from '../../core/app/app.ts';
import { createJudge, judgeProjectFolder, whileReadable } from '../../core/app/store-trouble.ts';
import type { StoreTrouble } from '../../core/app/store-trouble.ts';
import { createFolderHider } from '../../core/app/hidden-folders.ts';
import { findTurn } from '../../core/app/permissions.ts';
import { toCallerRefusal } from './perform-call.ts';
import type { RemoteCall, Caller, Done } from './perform-call.ts';
import { parse } from '../../core/council/document/document.ts';
import { findTokenHolder } from '../../core/council/use/participant-tokens.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { findWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/** What a server needs from the program that starts it. */
export interface Host {
  version: string;
  /** Like `performCall`. `gone` aborts when the client has left. */
  perform(asked: RemoteCall, gone: AbortSignal): Promise<Done>;
  /** Performs what must not end with the client of this server; without it, the server goes on anyhow. */
  performDetached?(asked: RemoteCall): Promise<Done>;
  /** The same in this process, for what is light: a page that is looked at must not cost the start of a process. */
  here?: Host['perform'];
  /** Whether a call only reads, and little enough not to delay others. */
  isLight?(asked: RemoteCall): Promise<boolean>;
  /** Why the store of the project cannot be used now; see `Keeping`. */
  judge(): Promise<StoreTrouble | undefined>;
  /** Who a participant's token belongs to, over all active councils. */
  holder(token: string): Promise<Caller | undefined>;
  /** A line for the person who started the server. */
  note(line: string): void;
  /** Aborted when the server is to stop. */
  stop: AbortSignal;
}

/** The host of a server, and when the calls it has begun are over (a tick that is stopped gives its leases back). */
export function createHost(
  app: App,
  stop: AbortSignal,
  perform: Host['perform'],
): Host & { idle(): Promise<unknown> } {
  const going = new Set<Promise<Done>>();
  const holder = holderFinder(app);
  const judge = createJudge(app);
  return {
    judge,
    version: manifest.version,
    note: app.note,
    stop,
    idle: () => Promise.allSettled(going),
    perform(asked, gone) {
      const performing = unlessGone(app, asked, () => perform(asked, gone));
      going.add(performing);
      void performing.finally(() => going.delete(performing));
      return performing;
    },
    async holder(token) {
      const found = await whileReadable(judge, holder(token));
      return found && { role: 'participant', ...found, token, ownArchive: found.conversationId };
    },
  };
}

/** Performs a call unless the folder of the project has gone: what stands in its place now is another one, or nothing. */
export async function unlessGone(
  app: App,
  { caller }: RemoteCall,
  perform: () => Promise<Done>,
): Promise<Done> {
  const trouble = await judgeProjectFolder(app);
  return trouble ? toCallerRefusal(app, caller, storeAway(trouble)) : perform();
}

/**
 * Notes go to the user who started the server. With a participant's token, that is the participant,
 * so folders are hidden.
 */
export function hidingNotes(app: App): App {
  if (!app.env.COUNCIL_TOKEN) return app;
  return overrideApp(app, { note: (line) => app.note(createFolderHider(app)({ error: line }).error) });
}

/**
 * The caller of a single-client server: the participant whose token is in the environment, or the
 * user who started it.
 */
export async function callerOfEnv(app: App, host: Host): Promise<Caller> {
  const { COUNCIL_PARTICIPANT: participant, COUNCIL_NAME: council, COUNCIL_TOKEN: token } = app.env;
  if (!token) return { role: 'admin', participant: participant || findTurn(app)?.agent };
  // What the environment says besides must fit the token: the refusal says so at the first call.
  const holder = await host.holder(token);
  return {
    participant: participant || holder?.participant,
    council: council || holder?.council,
    token,
    role: 'participant',
    // One that opens no seat opens no archive either.
    ownArchive: holder?.ownArchive ?? '',
  };
}

// Finds the participant to whom a token belongs, over all active councils.

/** Who a token belongs to. */
interface Holder {
  participant: string;
  council: string;
  conversationId: string;
}

/** Milliseconds between two looks at all councils, however many wrong tokens come meanwhile. */
const PAUSE_MS = 1000;

type States = Map<string, { revision: number; state: CouncilState }>;

/**
 * Finds the holder of a token over all active councils. A server asks at every request: a known holder costs a look at the
 * revision of its own council. Who is unknown waits, a second at the most, for the next look at all of them, together with
 * everybody else who is; those with a new revision are read.
 */
export function holderFinder(app: App): (token: string) => Promise<Holder | undefined> {
  let workspace: Workspace | undefined;
  let states: States = new Map();
  let lookedAt = -Infinity;
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const look = async ({ store }: Workspace): Promise<void> => {
    await delay(Math.max(0, lookedAt + PAUSE_MS - performance.now()));
    // Later requests start a new scan: this one may miss a council made since.
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
    // A look that fails is told to those who wait for it; the next one tries again.
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
    // One that cannot be read has no seats; the others have.
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}
