// Which task is next, and which worker gets it: by what it can do, its load, and how long it has had nothing to do.
import { PRIORITIES } from '../messages/message.ts';
import type { Task } from './task.ts';
import { isOver } from './transitions.ts';

type Queued = Pick<
  Task,
  'id' | 'state' | 'priority' | 'after' | 'waitsFor' | 'question' | 'approval' | 'notBefore' | 'lease'
> & { paused?: boolean };

export interface Queue<T extends Queued = Task> {
  /** A task that is new or has changed. */
  put(task: T): void;
  find(id: string): T | undefined;
  all(): T[];
  /** The first task that could be worked on at `now` (ms) and that `is` takes. It stays until it is put again. */
  next(now: number, is?: (task: T) => boolean): T | undefined;
  /** When something can be worked on that cannot yet, in milliseconds; undefined for nothing. */
  nextTime(): number | undefined;
}

/** A queue of these tasks. */
export function createTaskQueue<T extends Queued>(tasks: Iterable<T>): Queue<T> {
  const known = new Map([...tasks].map((task) => [task.id, task]));
  return {
    put: (task) => void known.set(task.id, task),
    find: (id) => known.get(id),
    all: () => [...known.values()],
    next(now, is = () => true) {
      const ready = [...known.values()].filter((task) => isReady(task, known) && getReadyTime(task) <= now);
      const byPriority = PRIORITIES.flatMap((priority) => ready.filter((task) => task.priority === priority));
      return byPriority.find(is);
    },
    nextTime() {
      const times = [...known.values()].flatMap((task) =>
        isOver(task) || task.lease ? [] : [task.notBefore ?? [], task.question?.until ?? []].flat(),
      );
      return times.length === 0 ? undefined : Math.min(...times.map((time) => Date.parse(time)));
    },
  };
}

const getReadyTime = ({ notBefore }: Queued): number => (notBefore === null ? 0 : Date.parse(notBefore));

/**
 * Whether a task can start: no lease, question or approval is open, and its dependencies are done.
 */
const isReady = (task: Queued, known: ReadonlyMap<string, Queued>): boolean =>
  !isOver(task) &&
  task.lease === null &&
  !task.paused &&
  task.question === null &&
  task.approval === null &&
  task.after.every((id) => known.get(id)?.state === 'D') &&
  (task.waitsFor === null || isOver(known.get(task.waitsFor) ?? { state: 'N' }));

/** The tasks that can never be done, because one that they depend on was not; with that one. */
export function findBlockedTasks(tasks: readonly Queued[]): Map<string, string> {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const found = new Map<string, string>();
  const why = (task: Queued, above: ReadonlySet<string>): string | undefined => {
    const before = found.get(task.id);
    if (before !== undefined) return before;
    for (const id of task.after) {
      const one = known.get(id);
      const isLost = !one || one.state === 'F' || one.state === 'X' || above.has(id);
      const lost = isLost ? id : one.state === 'D' ? undefined : why(one, new Set(above).add(task.id));
      if (lost !== undefined) {
        found.set(task.id, lost);
        return lost;
      }
    }
    return undefined;
  };
  for (const task of tasks) if (!isOver(task)) why(task, new Set());
  return found;
}

/** A worker as the choice sees it. */
export interface Worker {
  /** The agent's id. */
  id: string;
  /** Its id on the wire: `W1`. */
  wire: string;
  capabilities: readonly string[];
  /** Tasks that it works on, and how many it may. */
  running: number;
  concurrency: number;
  /** How busy it says that it is: 1 is all that it can do. It may be worked for by others too. */
  told?: number;
  /** When it was launched last, in milliseconds; null for never. */
  lastUsed: number | null;
  /** Why it cannot be had now; null when it can. */
  unavailable: string | null;
}

/** One row of the table that explains a choice. */
export interface Candidate {
  worker: Worker;
  matched: string[];
  /** Matched over required, 1 where nothing is required. */
  score: number;
  /** Running tasks over what it may do at once, or what it says of itself, if that is more. */
  load: number;
  /** Why it was not chosen from; null for those that were. */
  out: string | null;
}

/** The least part of what a task needs that a worker must be able to do. */
export const THRESHOLD = 0.5;

/** All workers for a task, the one to be taken first; those that are out come last. */
export function rank(workers: readonly Worker[], needs: readonly string[]): Candidate[] {
  return workers.map((worker) => candidate(worker, needs)).sort(inOrder);
}

/** How well capabilities fit needs: `score` from 0 to 1, 1 where nothing is needed. */
export function fit(
  capabilities: readonly string[],
  needs: readonly string[],
): Pick<Candidate, 'matched' | 'score'> & { lacks: string[] } {
  const required = [...new Set(needs)];
  const matched = required.filter((need) => capabilities.includes(need));
  return {
    matched,
    lacks: required.filter((need) => !matched.includes(need)),
    score: required.length === 0 ? 1 : matched.length / required.length,
  };
}

function candidate(worker: Worker, needs: readonly string[]): Candidate {
  const { matched, score, lacks } = fit(worker.capabilities, needs);
  const busy = worker.running / worker.concurrency;
  const load = Math.max(busy, worker.told ?? 0);
  const out =
    score < THRESHOLD
      ? `lacks ${lacks.join(', ')}`
      : (worker.unavailable ?? (busy >= 1 ? 'has no free place' : null));
  return { worker, matched, score, load, out };
}

/** Score downwards, load upwards, the least recently used first, then the name. */
function inOrder(a: Candidate, b: Candidate): number {
  return (
    Number(a.out !== null) - Number(b.out !== null) ||
    b.score - a.score ||
    a.load - b.load ||
    (a.worker.lastUsed ?? -Infinity) - (b.worker.lastUsed ?? -Infinity) ||
    (a.worker.id < b.worker.id ? -1 : 1)
  );
}

/** The chosen worker; undefined if none is available. */
export function choose(candidates: readonly Candidate[]): Worker | undefined {
  const [first] = candidates;
  return first?.out === null ? first.worker : undefined;
}
