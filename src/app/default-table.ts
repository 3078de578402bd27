// Chooses the participants when none are named.
import type { Agent } from '../agents/agent.ts';
import type { Config } from '../base/config.ts';
import { isPreset } from '../agents/runner-kind.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';
import { OFFLINE } from './offline.ts';
import { seatDetected, seatingLines } from './seat-detected.ts';
import type { Workspace } from './workspace.ts';
import { loadAgents } from './workspace.ts';

/**
 * Who sits when nobody is named: the agents of agents/; where there are none, the agent programs on PATH, for which
 * files are written; else the offline panel. The panel also sits beside a single agent program, which would have nobody
 * to challenge it. Says what it chose, and returns input and settings with that choice.
 */
export async function withDefaultTable(
  app: App,
  workspace: Workspace,
  input: StartInput,
  config: Config,
): Promise<{ input: StartInput; config: Config }> {
  const asked = { input, config };
  if (input.panel !== undefined || config.agents !== null) return asked;
  let own = await ownAgents(app, workspace);
  if (own.length === 0) {
    const seating = await seatDetected(app, workspace);
    for (const line of seatingLines(seating)) app.note(line);
    if (seating.written.length > 0) own = await ownAgents(app, workspace);
  }
  if (own.length === 0) {
    app.note(
      'No agent in agents/ and none on PATH: using the offline panel (four reviewers that follow fixed rules, no model). It judges how the text is written; it does not answer the question.',
    );
    return { input: { ...input, panel: 'offline' }, config };
  }
  const [only] = own;
  if (own.length > 1 || !only || !isPreset(only.runner)) return asked;
  app.note(
    `Only ${only.id} is available, and it cannot challenge itself: adding the offline panel (four reviewers of how the text is written, no model). Add other agents with: council agents add ID, or choose with --agents.`,
  );
  return {
    input,
    config: { ...config, agents: [only.id, ...OFFLINE.agents] },
  };
}

async function ownAgents(app: App, workspace: Workspace): Promise<Agent[]> {
  const registry = await loadAgents(app, workspace);
  return registry.list().filter(({ source }) => source === 'project');
}
