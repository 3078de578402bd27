// Temporary agents: made for one task, without a file of their own or with one, and removed when their time is over.
import { relative } from 'node:path';
import type { Agent } from '../../../core/agents/agent.ts';
import { removeAgentFile } from '../../../core/store/local/agent-files.ts';
import { measureFileAge } from '../../../core/store/local/project.ts';
import type { Project } from '../../../core/store/local/project.ts';
import type { Tasking } from './ports.ts';
import type { Task } from '../task.ts';
import { markTaskCancelled, isOver } from '../transitions.ts';
import { findTask } from './find.ts';
import type { Playing } from './session.ts';

/** Deletes the file of a temporary agent of the project itself, and says so; what a person keeps elsewhere is left alone. */
export function dismiss(
  { project, note }: { project: Project; note(message: string): void },
  { id, source, lifecycle, path }: Agent,
  why: string,
): void {
  if (source !== 'project' || lifecycle !== 'temporary') return;
  removeAgentFile(project, path);
  note(`${id} was temporary and ${why}: ${relative(project.root, path)} is removed.`);
}

/** Done before tasks are played. Each step is one of its own: what a process that died has left is done by the next one. */
export async function dismissThoseOver(
  tasking: Pick<Tasking, 'over' | 'project' | 'note' | 'registry' | 'clock'>,
): Promise<void> {
  for (const agent of tasking.over.splice(0))
    // A change of the file meanwhile began its time anew.
    if (measureFileAge(agent.path) >= (agent.ttl ?? Infinity)) dismiss(tasking, agent, 'its time is over');
  const now = tasking.clock.now();
  const isOver = ({ lifecycle, until }: { lifecycle: string; until: number | null }): boolean =>
    lifecycle === 'temporary' && until !== null && now >= until;
  if (!(await tasking.registry.read()).members.some(isOver)) return;
  await tasking.registry.change((registry) => ({
    registry: { ...registry, members: registry.members.filter((one) => !isOver(one)) },
    result: undefined,
  }));
}

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
