// The agents that a worker offers to its server: trusted, and with matching labels.
import type { Agent } from '../../core/agents/agent.ts';
import { buildAgentRunnable } from '../../core/agents/runnable-trust.ts';
import type { Project } from '../../core/store/local/project.ts';
import type { App } from '../../core/app/app.ts';
import { loadAgents } from '../../core/app/load-agents.ts';
import { createTrustChecks } from '../../core/app/trust.ts';

/** Reads the files each time. Whom it does not offer it says once, with what would change that. */
export function createAgentOffer(
  app: App,
  project: Project,
  labels: readonly string[],
): () => Promise<Agent[]> {
  const { mayRun } = createTrustChecks(app, project.root);
  const told = new Set<string>();
  const tell = (those: readonly Agent[], sentence: string): void => {
    const line = sentence.replace('{names}', joinAgentIds(those));
    if (those.length > 0 && !told.has(line)) app.note(line);
    told.add(line);
  };
  return async () => {
    const able = (await loadAgents(app, { project })).list().filter((agent) => buildAgentRunnable(agent));
    const isTrusted = (agent: Agent): boolean => mayRun(buildAgentRunnable(agent)!);
    const isAtHome = (agent: Agent): boolean => agent['runs-on'].every((label) => labels.includes(label));
    tell(
      able.filter((agent) => !isTrusted(agent)),
      'Not offered to the server, since nobody has trusted it here: {names}. Look at it with: council trust',
    );
    tell(
      able.filter((agent) => isTrusted(agent) && !isAtHome(agent)),
      'Not offered to the server, since this heartbeat lacks its labels (--labels): {names}.',
    );
    return able.filter((agent) => isTrusted(agent) && isAtHome(agent));
  };
}

/** Those that its owner has written, not those that council brings along. */
export const filterOwnAgents = (agents: readonly Agent[]): Agent[] =>
  agents.filter(({ source }) => source !== 'built-in');

export const joinAgentIds = (agents: readonly Agent[]): string => agents.map(({ id }) => id).join(', ');
