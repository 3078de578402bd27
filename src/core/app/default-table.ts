// Chooses the participants when none are named.
import type { Agent } from '../agents/agent.ts';
import { PRESETS } from '../agents/runner-kind.ts';
import type { Config } from '../base/config.ts';
import type { App } from './app.ts';
import type { StartInput } from './input/council.ts';
import { seatPersonas } from './personas.ts';
import { seatDetected, seatingLines } from './seat-detected.ts';
import type { Workspace } from './workspace.ts';
import { loadAgents } from './workspace.ts';

/**
 * Seats the default table if no agents are named: those of agents/; else the agent programs on
 * PATH, for which files are written; else the offline panel. Also writes files for named agent
 * programs that have none. A single agent program sits as several personas. Reports the choice, and
 * returns input and settings with it.
 */
export async function withDefaultTable(
  app: App,
  workspace: Workspace,
  input: StartInput,
  config: Config,
): Promise<{ input: StartInput; config: Config }> {
  const asked = { input, config };
  if (input.panel !== undefined) return asked;
  if (config.agents !== null) {
    await seatNamed(app, workspace, config.agents);
    return asked;
  }
  let own = await ownAgents(app, workspace);
  if (own.length === 0) {
    const seating = await seatDetected(app, workspace);
    for (const line of seatingLines(seating)) app.note(line);
    if (seating.written.length > 0) own = await ownAgents(app, workspace);
  }
  if (own.length === 0) return { input: { ...input, panel: 'offline' }, config };
  const personas = seatPersonas(app, workspace, own);
  if (!personas) return asked;
  return { input, config: { ...config, agents: personas } };
}

/** Writes files for named agent programs that have none. */
async function seatNamed(app: App, workspace: Workspace, named: readonly string[]): Promise<void> {
  const registry = await loadAgents(app, workspace);
  const missing = named.filter((id) => PRESETS.some((preset) => preset === id) && !registry.find(id));
  if (missing.length === 0) return;
  for (const line of seatingLines(await seatDetected(app, workspace, missing))) app.note(line);
}

async function ownAgents(app: App, workspace: Workspace): Promise<Agent[]> {
  const registry = await loadAgents(app, workspace);
  return registry.own().filter(({ source }) => source === 'project');
}
