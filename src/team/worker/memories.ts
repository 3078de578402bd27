// The memories of a project's agents, in one database that is created with the first memory.
import { join } from 'node:path';
import type { Memory } from '../../core/store/agent-memory.ts';
import type { Memories } from '../../core/store/file/agent-memory.ts';
import { findPathKind } from '../../core/store/local/project.ts';
import type { Project } from '../../core/store/local/project.ts';

/** How many memories a prompt shows. */
const MOST_RECALLED = 10;

const getMemoryPath = ({ shared }: Pick<Project, 'shared'>): string =>
  join(shared, '.versions', '.memory', 'agents.sqlite');

/** Opens the memories of a project. The caller closes them. */
export async function openMemories(project: Pick<Project, 'root' | 'shared'>): Promise<Memories> {
  const { agentMemories } = await import('../../core/store/file/agent-memory.ts');
  return agentMemories({ path: getMemoryPath(project), root: project.root });
}

/** The newest memories of an agent, the newest first. */
export async function recallNewest(
  project: Pick<Project, 'root' | 'shared'>,
  agent: string,
): Promise<Memory[]> {
  if (findPathKind(getMemoryPath(project)) === undefined) return [];
  const memories = await openMemories(project);
  try {
    return await memories.of(agent).list({ limit: MOST_RECALLED });
  } finally {
    memories.close();
  }
}
