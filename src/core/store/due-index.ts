// Port: what was noted of councils that wait, so that a pass need not read every one of them; and it in memory.
import type { Clocks } from '../base/clock.ts';

/** A council that only waits: nothing can happen to it before `dueAt` unless a commit changes it. */
export interface Waiting {
  conversationId: string;
  topic: string;
  phase: string;
  tour: number;
  awaited: string[];
  /** Milliseconds since the epoch. */
  dueAt: number;
}

/** What a pass over the councils begins with. */
export interface DueLook {
  /** The names of all councils: asked for only where they may be others than before. */
  list(): Promise<readonly string[]>;
  now: number;
  clocks: Clocks | undefined;
  /** Whether to take what is due: of several passes at once, each takes what no other has. A store of one machine need not. */
  claim?: boolean;
}

/** One pass over the councils. What changed is judged by how they stood when it began. */
export interface DuePass {
  /**
   * Those to be looked at, sorted: they are due, or did not only wait, or something was committed since they were noted. All of
   * them after any doubt.
   */
  due: readonly string[];
  /** How many others there are. */
  resting: number;
  /** When the first of the others is due; undefined where there are none. */
  nextAt: number | undefined;
  /** The others, by name. Ten thousand of them are read only when they are asked for. */
  listWaiting(): Promise<ReadonlyMap<string, Waiting>>;
  end(found: ReadonlyMap<string, Waiting>): Promise<void>;
}

/**
 * A cache that may be lost at any time: then every council is looked at once. Never says that one waits that may be due.
 * One contract suite runs on every implementation.
 */
export interface DueIndex {
  begin(look: DueLook): Promise<DuePass>;
}

/** After so long everything is looked at again: not every change by hand is seen. */
export const SWEEP_MS = 15 * 60_000;
/** Two readings of the clocks further apart than this mean that one was set, or that the machine slept. */
const SLACK_MS = 1000;

/** What an index remembers of the pass that looked at everything. */
interface Swept {
  /** Milliseconds since the epoch. */
  at: number;
  clocks: Clocks | undefined;
}

/** Whether what was noted still counts: not after the clock was set, a restart, a sleep, or a long time. */
function isTrusted({ at, clocks: then }: Swept, now: number, clocks: Clocks | undefined): boolean {
  if (now < at || now - at >= SWEEP_MS) return false;
  if (!then || !clocks) return then === clocks;
  const passed = clocks.uptime - then.uptime;
  return (
    then.bootId === clocks.bootId &&
    Math.abs(clocks.wall - then.wall - passed) <= SLACK_MS &&
    Math.abs(clocks.awake - then.awake - passed) <= SLACK_MS
  );
}

/** Changes with each commit to a council; undefined where it cannot be read. */
type Mark = string | number | undefined;

/** An empty index: the first pass looks at every council. */
export function dueInMemory(findMark: (name: string, now: number) => Promise<Mark>): DueIndex {
  let swept: Swept | undefined;
  let noted = new Map<string, Waiting & { mark: Mark }>();
  return {
    async begin({ list, now, clocks }) {
      const isKnown = swept !== undefined && isTrusted(swept, now, clocks);
      const names = await list();
      // Before a council is read: a commit that comes between changes its mark.
      const marks = new Map<string, Mark>();
      for (const name of names) marks.set(name, await findMark(name, now));
      const waiting = new Map(
        [...noted].filter(
          ([name, { mark, dueAt }]) =>
            isKnown && mark !== undefined && mark === marks.get(name) && now < dueAt,
        ),
      );
      let nextAt: number | undefined;
      for (const { dueAt } of waiting.values()) nextAt = Math.min(nextAt ?? Infinity, dueAt);
      return {
        due: names.filter((name) => !waiting.has(name)),
        resting: waiting.size,
        nextAt,
        listWaiting: async () => waiting,
        async end(found) {
          if (!isKnown) swept = { at: now, clocks };
          noted = new Map(waiting);
          for (const [name, one] of found) noted.set(name, { ...one, mark: marks.get(name) });
        },
      };
    },
  };
}
