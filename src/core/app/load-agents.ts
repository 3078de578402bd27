// Finds the agents of a project and of its user, by their folders.
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import type { Config } from '../base/config.ts';
import { findPackageDir, readMarkdownFiles, measureFileAge } from '../store/local/project.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';
import { findHome } from '../store/local/system.ts';

/** Files that a new council adds to its project, written only when it opens: a refused one leaves nothing behind. */
export interface PlannedFiles {
  /** `isTrusted`: the person who requested it trusts its program, if the folder is their own. */
  agents: { id: string; path: string; text: string; isTrusted: boolean }[];
  /** Notes to print when it is written. */
  notes: string[];
  /** Write nothing, and start no program. */
  isDryRun: boolean;
  /** The text of COUNCIL.md, if the folder has none yet. */
  rules: string | undefined;
}

/** The folders of a project's agents, by precedence. The user's own come after the first two. */
export const AGENT_FOLDERS = [
  ['project', 'agents'],
  ['claude', '.claude/agents'],
  ['opencode', '.opencode/agents'],
  ['opencode', '.opencode/agent'],
] as const;

/**
 * Finds all agents, by precedence. `launchTimeout` (ms) is the default for agent files without one. A temporary agent exists
 * for its ttl after its file was written; `alsoOver` includes expired ones, and `onOver` is called for them.
 */
export async function loadAgents(
  app: Pick<App, 'env'>,
  { project, planned }: { project: Project; planned?: PlannedFiles },
  { launchTimeout }: Partial<Config> = {},
  { alsoOver = false, onOver }: { alsoOver?: boolean; onOver?: (agent: Agent) => void } = {},
): Promise<AgentRegistry> {
  const { agentRegistry } = await import('../agents/registry.ts');
  const from = (source: Parameters<typeof agentRegistry>[0][number]['source'], dir: string) => ({
    source,
    files: () => readMarkdownFiles(dir),
  });
  const own = AGENT_FOLDERS.map(([source, folder]) => from(source, join(project.root, folder)));
  if (planned) own.unshift({ source: 'project', files: () => planned.agents });
  const home = findHome(app.env);
  const folders = [
    ...own.slice(0, planned ? 3 : 2),
    ...(home === undefined ? [] : [from('user', join(home, '.claude', 'agents'))]),
    ...own.slice(planned ? 3 : 2),
    from('built-in', join(findPackageDir(), 'templates', 'agents')),
  ];
  const isOver = (agent: Agent): boolean => {
    const { lifecycle, ttl, path } = agent;
    const found = lifecycle === 'temporary' && ttl !== null && measureFileAge(path) >= ttl;
    if (found) onOver?.(agent);
    return found;
  };
  return agentRegistry(folders, {
    launchTimeout: launchTimeout ?? undefined,
    ...(!alsoOver && { isOver }),
  });
}
