// The program that answers for an agent: its own, or one that was named on the command line.
import type { Agent } from '../../../core/agents/agent.ts';
import { parseAgent } from '../../../core/agents/agent.ts';
import { buildAgentRunnable } from '../../../core/agents/runnable-trust.ts';
import { CouncilError } from '../../../core/base/errors.ts';
import type { App } from '../../../core/app/app.ts';
import type { WatchChannelInput } from '../../input/messages.ts';
import { createTrustChecks } from '../../../core/app/trust.ts';
import { loadAgents } from '../../../core/app/workspace.ts';
import type { Workspace } from '../../../core/app/workspace.ts';

/**
 * Selects the program to launch. A command typed by a person needs no trust, one of the project
 * does. Throws `forbidden` within a turn, `untrusted`, `unknown_agent`, and `usage` for a person.
 */
export async function watcherProgram(
  app: App,
  workspace: Workspace,
  { agent: id, command, timeout }: WatchChannelInput,
): Promise<Agent> {
  const registry = await loadAgents(app, workspace);
  const given = (found: Agent): Agent => (timeout === undefined ? found : { ...found, timeout });
  if (command.length > 0) {
    const plain = parseAgent(`---\nname: ${id}\n---\n`, 'the command line', 'user');
    const { persona = '', title = id, env = [] } = registry.find(id) ?? {};
    return given({ ...plain, persona, title, env, runner: 'command', command });
  }
  const agent = registry.require(id);
  const runnable = buildAgentRunnable(agent);
  if (!runnable)
    throw new CouncilError('usage', `${id} is a person: no program answers for them.`, {
      hint: `Name one: council watch-channel ${id} -- COMMAND. Or read the messages: council inbox ${id}`,
    });
  requireWord(app, workspace, agent);
  return given(agent);
}

/** Asked before each launch: its owner may have taken the word back meanwhile. Throws `untrusted`. */
export function requireWord(app: App, { project }: Workspace, agent: Agent): void {
  const runnable = agent.path === 'the command line' ? undefined : buildAgentRunnable(agent);
  if (!runnable || createTrustChecks(app, project.root).mayRun(runnable)) return;
  throw new CouncilError('untrusted', `Nobody has trusted what would run for ${agent.id}: ${runnable.runs}`, {
    hint: 'Look at it first. Then: council trust',
  });
}
