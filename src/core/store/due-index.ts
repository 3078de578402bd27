// Port: an index of waiting councils, so that a pass need not read all of them; and it in memory.
import type { Clocks } from '../base/clock.ts';

/** A council that only waits: nothing can happen to it before `dueAt` unless a commit changes it. */
export interface WaitingCouncil {
  conversationId: string;
  topic: string;
  phase: string;
  tour: number;
  awaited: string[];
  /** Milliseconds since the epoch. */
  dueAt: number;
}

/** Input of a pass over the councils. */
export interface DueQuery {
  /** Lists all councils: called only if they may have changed. */
  list(): Promise<readonly string[]>;
  now: number;
  clocks: Clocks | undefined;
  /** Whether to claim what is due: concurrent passes get different councils. Not needed on one machine. */
  claim?: boolean;
}

/** One pass over the councils. Changes are judged by their state when it began. */
export interface DuePass {
  /** Councils to look at, sorted: due, not only waiting, or changed since noted; all of them if in doubt. */
  due: readonly string[];
  /** How many others there are. */
  resting: number;
  /** When the first of the others is due; undefined if there are none. */
  nextAt: number | undefined;
  /** The others, by name. Loaded only on demand, as there may be ten thousand. */
  listWaiting(): Promise<ReadonlyMap<string, WaitingCouncil>>;
  end(found: ReadonlyMap<string, WaitingCouncil>): Promise<void>;
}

/**
 * A cache that may be lost at any time: then every council is looked at once. Never reports a council as
 * waiting that may be due. One contract suite runs on every implementation.
 */
export interface DueIndex {
  begin(look: DueQuery): Promise<DuePass>;
}

/** After this time everything is looked at again, since not every change by hand is noticed. */
export const SWEEP_MS = 15 * 60_000;
/** If two readings of the clocks differ by more than this, one was set, or the machine slept. */
const SLACK_MS = 1000;

/** What an index remembers of the last full pass. */
interface LastSweep {
  /** Milliseconds since the epoch. */
  at: number;
  clocks: Clocks | undefined;
}

/** Whether the notes still count: not after the clock was set, a restart, a sleep, or a long time. */
function isTrusted({ at, clocks: then }: LastSweep, now: number, clocks: Clocks | undefined): boolean {
  if (now < at || now - at >= SWEEP_MS) return false;
  if (!then || !clocks) return then === clocks;
  const passed = clocks.uptime - then.uptime;
  return (
    then.bootId === clocks.bootId &&
    Math.abs(clocks.wall - then.wall - passed) <= SLACK_MS &&
    Math.abs(clocks.awake - then.awake - passed) <= SLACK_MS
  );
}

/** Changes with each commit to a council; undefined if it cannot be read. */
type CommitMark = string | number | undefined;

/** Creates an empty index: the first pass looks at every council. */
export function createMemoryDueIndex(findMark: (name: string, now: number) => Promise<CommitMark>): DueIndex {
  let swept: LastSweep | undefined;
  let noted = new Map<string, WaitingCouncil & { mark: CommitMark }>();
  return {
    async begin({ list, now, clocks }) {
      const isKnown = swept !== undefined && isTrusted(swept, now, clocks);
      const names = await list();
      // Taken before a council is read: a commit in between changes its mark.
      const marks = new Map<string, CommitMark>();
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
