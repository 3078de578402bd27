// One session while it is played: what all parts of that share.
import type { Queue } from '../task-queue.ts';
import type { Session } from '../store.ts';
import type { Task } from '../task.ts';
import type { TaskChannel, Numbering } from './channel.ts';
import type { Tasking } from './ports.ts';
import type { Staff } from './workers.ts';

/** One session while it is played. */
export interface Playing {
  tasking: Tasking;
  session(): Session;
  numbers: Numbering;
  channel: TaskChannel;
  queue: Queue;
  staff: Staff;
  signal: AbortSignal;
  /** Tasks whose worker is still there, and waits for a part that it has handed on: they take no place. */
  waiting: Set<string>;
  /** Aborted when the launch of this task alone is to end. */
  stopOf(task: Task): AbortSignal;
  stop(task: string): void;
  agentOf(wire: string): string | undefined;
  workerFor(capability: string): string | undefined;
  /** Plays another session until all of it is over, beside this one. */
  playOther(session: string): Promise<void>;
}
