// Temporary agents whose time is over, or who have left, vanish: their files, and what they said when they joined.
import { relative } from 'node:path';
import type { Agent } from '../../../core/agents/agent.ts';
import { removeAgentFile } from '../../../core/store/local/agent-files.ts';
import { measureFileAge } from '../../../core/store/local/project.ts';
import type { Project } from '../../../core/store/local/project.ts';
import type { Tasking } from './ports.ts';

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
