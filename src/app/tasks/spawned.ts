// Temporary agents that an orchestrator makes for one task each: they are there as long as that task, and no file says so.
import type { Agent } from '../../agents/agent.ts';
import type { Task } from '../../tasks/task.ts';
import { cancelled, isOver } from '../../tasks/transitions.ts';
import { findTask } from './find.ts';
import type { Playing } from './session.ts';

/** No other agent of the project ever has this id. */
export const nameSpawned = ({ session, spawned }: Pick<Task, 'session' | 'spawned'>): string =>
  `${spawned?.by ?? ''}-${session.toLowerCase()}`;

/** The agent that does a task: its owner, or a worker with its owner's program and a prompt of its own. */
export function spawnedAgent(task: Task, owner: Agent): Agent {
  if (!task.spawned) return owner;
  const id = nameSpawned(task);
  return { ...owner, id, title: id, persona: task.spawned.prompt, role: 'worker', capabilities: [] };
}

/** Ends a task whose temporary agent has outlived the task of its parent. */
export async function hasLostParent({ tasking, queue }: Playing, task: Task): Promise<boolean> {
  if (!task.spawned || task.givenBy === null) return false;
  const parent = await findTask(tasking.tasks, task.givenBy);
  if (!isOver(parent)) return false;
  const after = await tasking.tasks.change(task.session, task.id, (now) =>
    now && !isOver(now)
      ? cancelled(now, `the task of its orchestrator is over`, tasking.clock.now())
      : undefined,
  );
  if (after) queue.put(after);
  return true;
}
