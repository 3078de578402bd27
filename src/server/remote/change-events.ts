// Change events: council, revision, and who has answered; never the text.
import { readState } from '../../core/council/document/document.ts';
import { getSeat } from '../../core/council/state/state.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import type { PhaseName } from '../../core/council/state/allowed-values.ts';
import { CouncilError } from '../../core/base/errors.ts';
import type { App } from '../../core/app/app.ts';
import { openWorkspace } from '../../core/app/workspace.ts';

/** Summary of a council's newest revision. Clients ask for more if they need it. */
export interface ChangeHint {
  name: string;
  revision: number;
  /** Null once it is archived. */
  phase: PhaseName | null;
  /** The participants who have spoken in the open phase. */
  spoken: string[];
}

/** A hint with data for the server only. */
export interface CouncilChange extends ChangeHint {
  /** Null once it is archived. */
  conversationId: string | null;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface ChangeHints {
  /** Returns the newest revision of every active council. */
  heads(): Promise<CouncilChange[]>;
  /** Returns that of one council, or undefined if it is not active. */
  head(name: string): Promise<CouncilChange | undefined>;
  /** Calls `tell` for every change from now on, at least the newest per council; returns a stop function. */
  follow(tell: (change: CouncilChange) => void): () => void;
}

/** Clients that start at the same time share the result; changes meanwhile arrive as events. */
const SAME_MS = 500;

/** Uses one store watch for all followers, and none without followers. */
export function createChangeEvents(app: App): ChangeHints {
  const { store } = openWorkspace(app);
  const followers = new Set<(change: CouncilChange) => void>();
  const changed = new Set<string>();
  let stop: (() => void) | undefined;
  let isReading = false;
  let recent: { at: number; heads: Promise<CouncilChange[]> } | undefined;

  const head = async (name: string): Promise<CouncilChange | undefined> => {
    const stored = await store.read(name);
    return stored && toCouncilChange(readState(stored.text, `council "${name}"`), stored.revision);
  };
  const tryReadHead = async (name: string): Promise<CouncilChange | undefined> => {
    try {
      return await head(name);
    } catch (error) {
      // An unreadable council is reported when a client asks for it.
      if (error instanceof CouncilError) return undefined;
      throw error;
    }
  };
  const read = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    for (const name of changed) {
      changed.delete(name);
      const change = (await tryReadHead(name)) ?? (await describeGone(name));
      for (const tell of followers) tell(change);
    }
    isReading = false;
  };
  const describeGone = async (name: string): Promise<CouncilChange> => ({
    name,
    revision: await store.revision(name),
    phase: null,
    spoken: [],
    conversationId: null,
    at: Date.now(),
  });
  return {
    head,
    async heads() {
      if (recent && performance.now() - recent.at < SAME_MS) return recent.heads;
      const heads = store
        .list('', { look: false })
        .then((names) => Promise.all(names.map(tryReadHead)))
        .then((all) => all.filter((one) => one !== undefined));
      recent = { at: performance.now(), heads };
      heads.catch(() => (recent = undefined));
      return heads;
    },
    follow(tell) {
      followers.add(tell);
      stop ??= store.watch('', (name) => {
        changed.add(name);
        read().catch((error: unknown) => {
          isReading = false;
          app.note(`Events: ${error instanceof Error ? error.message : String(error)}`);
        });
      });
      return () => {
        followers.delete(tell);
        if (followers.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

function toCouncilChange(state: CouncilState, revision: number): CouncilChange {
  const { name, conversationId, currentPhase: phase, updatedAt } = state;
  const ids = [...state.order, ...(state.coordinator && phase === 'SYNTHESIZE' ? [state.coordinator] : [])];
  const spoken = ids.filter((id) => getSeat(state, id).status !== 'WAITING');
  return { name, revision, phase, spoken, conversationId, at: Date.parse(updatedAt) };
}
