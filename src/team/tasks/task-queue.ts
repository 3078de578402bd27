// Chooses the next task and its worker: by capabilities, load, and time since the last use.
import { PRIORITIES } from '../messages/message.ts';
import type { Task } from './task.ts';
import { isOver } from './transitions.ts';

type QueuedTask = Pick<
  Task,
  'id' | 'state' | 'priority' | 'after' | 'waitsFor' | 'question' | 'approval' | 'notBefore' | 'lease'
> & { paused?: boolean };

export type Queue = ReturnType<typeof createTaskQueue<Task>>;

/** A queue of these tasks. */
export function createTaskQueue<T extends QueuedTask>(tasks: Iterable<T>) {
  const known = new Map([...tasks].map((task) => [task.id, task]));
  return {
    /** Adds or replaces a task. */
    put: (task: T) => void known.set(task.id, task),
    find: (id: string) => known.get(id),
    all: () => [...known.values()],
    /** Returns the first task ready at `now` (ms) that `is` accepts. It stays in the queue until it is replaced. */
    next(now: number, is: (task: T) => boolean = () => true): T | undefined {
      const ready = [...known.values()].filter((task) => isReady(task, known) && getReadyTime(task) <= now);
      const byPriority = PRIORITIES.flatMap((priority) => ready.filter((task) => task.priority === priority));
      return byPriority.find(is);
    },
    /** The time when a waiting task becomes ready, in milliseconds; undefined for none. */
    nextTime(): number | undefined {
      const times = [...known.values()].flatMap((task) =>
        isOver(task) || task.lease ? [] : [task.notBefore ?? [], task.question?.until ?? []].flat(),
      );
      return times.length === 0 ? undefined : Math.min(...times.map((time) => Date.parse(time)));
    },
  };
}

const getReadyTime = ({ notBefore }: QueuedTask): number => (notBefore === null ? 0 : Date.parse(notBefore));

/** True if a task can start: no lease, question or approval is open, and its dependencies are done. */
const isReady = (task: QueuedTask, known: ReadonlyMap<string, QueuedTask>): boolean =>
  !isOver(task) &&
  task.lease === null &&
  !task.paused &&
  task.question === null &&
  task.approval === null &&
  task.after.every((id) => known.get(id)?.state === 'D') &&
  (task.waitsFor === null || isOver(known.get(task.waitsFor) ?? { state: 'N' }));

/** Returns the tasks that can never start, each with the failed, cancelled or missing task behind it. */
export function findBlockedTasks(tasks: readonly QueuedTask[]): Map<string, string> {
  const known = new Map(tasks.map((task) => [task.id, task]));
  const found = new Map<string, string>();
  const findLostTask = (task: QueuedTask, above: ReadonlySet<string>): string | undefined => {
    const before = found.get(task.id);
    if (before !== undefined) return before;
    for (const id of task.after) {
      const one = known.get(id);
      const isLost = !one || one.state === 'F' || one.state === 'X' || above.has(id);
      const lost = isLost
        ? id
        : one.state === 'D'
          ? undefined
          : findLostTask(one, new Set(above).add(task.id));
      if (lost !== undefined) {
        found.set(task.id, lost);
        return lost;
      }
    }
    return undefined;
  };
  for (const task of tasks) if (!isOver(task)) findLostTask(task, new Set());
  return found;
}

/** A worker's data for the choice. */
export interface Worker {
  id: string;
  /** Its wire id: `W1`. */
  wire: string;
  capabilities: readonly string[];
  /** Running tasks, and their maximum. */
  running: number;
  concurrency: number;
  /** Its own report of its load, where 1 is full: others may use it, too. */
  told?: number;
  /** When it was last launched, in milliseconds; null for never. */
  lastUsed: number | null;
  /** Why it is not available now; null if it is. */
  unavailable: string | null;
}

/** One row of the table that explains a choice. */
export interface WorkerCandidate {
  worker: Worker;
  matched: string[];
  /** Matched over required capabilities, 1 if none is required. */
  score: number;
  /** Running tasks over their maximum, or its own report if higher. */
  load: number;
  /** Why it was excluded; null if it was not. */
  out: string | null;
}

/** Minimum share of the required capabilities that a worker must have. */
export const THRESHOLD = 0.5;

/** Ranks all workers for a task, best first; excluded ones come last. */
export function rankCandidates(workers: readonly Worker[], needs: readonly string[]): WorkerCandidate[] {
  return workers.map((worker) => assessCandidate(worker, needs)).sort(compareCandidates);
}

/** Returns how well capabilities fit needs: `score` from 0 to 1, 1 without needs. */
export function matchCapabilities(
  capabilities: readonly string[],
  needs: readonly string[],
): Pick<WorkerCandidate, 'matched' | 'score'> & { lacks: string[] } {
  const required = [...new Set(needs)];
  const matched = required.filter((need) => capabilities.includes(need));
  return {
    matched,
    lacks: required.filter((need) => !matched.includes(need)),
    score: required.length === 0 ? 1 : matched.length / required.length,
  };
}

function assessCandidate(worker: Worker, needs: readonly string[]): WorkerCandidate {
  const { matched, score, lacks } = matchCapabilities(worker.capabilities, needs);
  const busy = worker.running / worker.concurrency;
  const load = Math.max(busy, worker.told ?? 0);
  const out =
    score < THRESHOLD
      ? `lacks ${lacks.join(', ')}`
      : (worker.unavailable ?? (busy >= 1 ? 'has no free place' : null));
  return { worker, matched, score, load, out };
}

/** Sorts by score (descending), load, last use (oldest first), then name. */
function compareCandidates(a: WorkerCandidate, b: WorkerCandidate): number {
  return (
    Number(a.out !== null) - Number(b.out !== null) ||
    b.score - a.score ||
    a.load - b.load ||
    (a.worker.lastUsed ?? -Infinity) - (b.worker.lastUsed ?? -Infinity) ||
    (a.worker.id < b.worker.id ? -1 : 1)
  );
}

/** The chosen worker; undefined if none is available. */
export function choose(candidates: readonly WorkerCandidate[]): Worker | undefined {
  const [first] = candidates;
  return first?.out === null ? first.worker : undefined;
}
