// Writes an agent file, or keeps in a dry run what would be written.
import { join } from 'node:path';
import { addAgentFile } from '../store/local/agent-files.ts';
import type { Workspace } from './workspace.ts';

/** Like `addAgentFile`. */
export function addAgent({ project, planned }: Workspace, id: string, text: string): string | undefined {
  if (!planned) return addAgentFile(project, id, text);
  const path = join(project.agents, `${id}.md`);
  if (planned.agents.some((one) => one.path === path)) return undefined;
  planned.agents.push({ path, text });
  return path;
}
