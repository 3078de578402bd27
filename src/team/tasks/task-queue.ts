// Which task is next: dependencies first, then priority, then the order in which they came. No step costs more in a long queue.
import { PRIORITIES } from '../messages/message.ts';
import type { Task } from './task.ts';
import { isOver } from './transitions.ts';

/** What the queue looks at. */
export type Queued = Pick<
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
  const known = new Map<string, T>();
  const waiting = new Map<string, Set<string>>();
  const ready = new Map(PRIORITIES.map((priority) => [priority, new Map<string, T>()]));

  const place = (task: T): void => {
    for (const bucket of ready.values()) bucket.delete(task.id);
    if (isReady(task, known)) ready.get(task.priority)?.set(task.id, task);
  };
  const put = (task: T): void => {
    if (!known.has(task.id))
      for (const one of task.after) waiting.set(one, (waiting.get(one) ?? new Set()).add(task.id));
    if (task.waitsFor !== null)
      waiting.set(task.waitsFor, (waiting.get(task.waitsFor) ?? new Set()).add(task.id));
    known.set(task.id, task);
    place(task);
    if (!isOver(task)) return;
    for (const id of waiting.get(task.id) ?? []) {
      const one = known.get(id);
      if (one) place(one);
    }
  };
  for (const task of tasks) known.set(task.id, task);
  const given = [...known.values()];
  known.clear();
  for (const task of given) put(task);

  return {
    put,
    find: (id) => known.get(id),
    all: () => [...known.values()],
    next(now, is = () => true) {
      for (const bucket of ready.values())
        for (const task of bucket.values()) if (getReadyTime(task) <= now && is(task)) return task;
      return undefined;
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
