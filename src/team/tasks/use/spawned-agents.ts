// Temporary agents: an orchestrator makes one for one task. They have no file and end with their task.
import type { Agent } from '../../../core/agents/agent.ts';
import type { Task } from '../task.ts';
import { markTaskCancelled, isOver } from '../transitions.ts';
import { findTask } from './find.ts';
import type { Playing } from './session.ts';

/** The id of a temporary agent. It is unique in the project. */
export const nameSpawned = ({ session, spawned }: Pick<Task, 'session' | 'spawned'>): string =>
  `${spawned?.by ?? ''}-${session.toLowerCase()}`;

/** The agent that runs a task: `owner`, or for a spawned task a worker with the owner's program and a prompt of its own. */
export function makeSpawnedAgent(task: Task, owner: Agent): Agent {
  if (!task.spawned) return owner;
  const id = nameSpawned(task);
  return { ...owner, id, title: id, persona: task.spawned.prompt, role: 'worker', capabilities: [] };
}

/** Cancels the task of a temporary agent whose parent's task is over. Returns whether it did. */
export async function endWithParent({ tasking, queue }: Playing, task: Task): Promise<boolean> {
  if (!task.spawned || task.givenBy === null) return false;
  const parent = await findTask(tasking.tasks, task.givenBy);
  if (!isOver(parent)) return false;
  const after = await tasking.tasks.change(task.session, task.id, (now) =>
    now && !isOver(now)
      ? markTaskCancelled(now, 'the task of its orchestrator is over', tasking.clock.now())
      : undefined,
  );
  if (after) queue.put(after);
  return true;
}
