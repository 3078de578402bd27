// What the agents of a project have kept: one database, which is made when the first of them keeps something.
import { join } from 'node:path';
import type { Memory } from '../../store/agent-memory.ts';
import type { Memories } from '../../store/file/agent-memory.ts';
import { kindAt } from '../../store/local/project.ts';
import type { Project } from '../../store/local/project.ts';

/** Memories that a prompt brings along, the newest. */
const MOST_RECALLED = 10;

const pathIn = ({ shared }: Pick<Project, 'shared'>): string =>
  join(shared, '.versions', '.memory', 'agents.sqlite');

/** To be closed by the caller. */
export async function openMemories(project: Pick<Project, 'root' | 'shared'>): Promise<Memories> {
  const { agentMemories } = await import('../../store/file/agent-memory.ts');
  return agentMemories({ path: pathIn(project), root: project.root });
}

/** What an agent has kept last, the newest first. */
export async function recallNewest(
  project: Pick<Project, 'root' | 'shared'>,
  agent: string,
): Promise<Memory[]> {
  if (kindAt(pathIn(project)) === undefined) return [];
  const memories = await openMemories(project);
  try {
    return await memories.of(agent).list({ limit: MOST_RECALLED });
  } finally {
    memories.close();
  }
}
