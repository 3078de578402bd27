// Finds the agents of a project and of its user, by their folders.
import { join } from 'node:path';
import type { Agent } from '../agents/agent.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import type { Config } from '../base/config.ts';
import { findPackageDir } from '../store/local/project.ts';
import type { Project } from '../store/local/project.ts';
import type { App } from './app.ts';
import { findHome } from '../store/local/system.ts';

/** What a council would add to its project, which is written when it opens: one that is refused leaves nothing behind. */
export interface PlannedFiles {
  /** `isTrusted`: the person who asked for it trusts what it runs, as far as the folder is theirs. */
  agents: { id: string; path: string; text: string; isTrusted: boolean }[];
  /** What to tell when it is written. */
  notes: string[];
  /** Nothing will be written, and no program may be started. */
  isDryRun: boolean;
  /** The COUNCIL.md of a folder that has none yet. */
  rules: string | undefined;
}

/** Where a project's agents are, in the order of precedence. The user's own come after the first two. */
export const AGENT_FOLDERS = [
  ['project', 'agents'],
  ['claude', '.claude/agents'],
  ['opencode', '.opencode/agents'],
  ['opencode', '.opencode/agent'],
] as const;

/**
 * Who exists here, in the order of precedence; `launchTimeout` (ms) holds where an agent's file gives none. A temporary agent
 * exists for its ttl from when its file was written; `alsoOver` finds it after that, too, and `onOver` hears of it.
 */
export async function loadAgents(
  app: Pick<App, 'env'>,
  { project, planned }: { project: Project; planned?: PlannedFiles },
  { launchTimeout }: Partial<Config> = {},
  { alsoOver = false, onOver }: { alsoOver?: boolean; onOver?: (agent: Agent) => void } = {},
): Promise<AgentRegistry> {
  const [{ agentRegistry }, { readMarkdownFiles, measureFileAge }] = await Promise.all([
    import('../agents/registry.ts'),
    import('../store/local/project.ts'),
  ]);
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
