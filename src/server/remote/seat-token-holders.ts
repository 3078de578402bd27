// Finds the participant to whom a token belongs, over all active councils.
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from '../../core/council/document/document.ts';
import { findTokenHolder } from '../../core/council/use/identity.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { App } from '../../core/app/app.ts';
import { findWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';

/** Who a token belongs to. */
export interface Holder {
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
