// Writes an agent file, or plans one for a council that is about to open.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addAgentFile } from '../store/local/agent-files.ts';
import type { Workspace } from './workspace.ts';

/** Like `addAgentFile`; `isTrusted` as in `Planned`. */
export function addAgent(
  { project, planned }: Workspace,
  id: string,
  text: string,
  { isTrusted }: { isTrusted: boolean } = { isTrusted: true },
): string | undefined {
  if (!planned) return addAgentFile(project, id, text);
  const path = join(project.agents, `${id}.md`);
  if (existsSync(path) || planned.agents.some((one) => one.path === path)) return undefined;
  planned.agents.push({ id, path, text, isTrusted });
  return path;
}
