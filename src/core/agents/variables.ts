// The environment variables that an agent can use.
import type { Agent } from './agent.ts';
import { keyNames } from './providers.ts';
import { isPreset } from './runner-kind.ts';
import { presets } from './runners/presets/preset-table.ts';

/** The variables an agent can do something with: those of its file, and those its runner logs in with or is set by. */
export function listAgentVariables(agent: Agent): string[] {
  const preset = isPreset(agent.runner) ? presets[agent.runner] : undefined;
  const keys = agent.runner === 'model' ? keyNames(agent) : [];
  return [...new Set([...agent.env, ...keys, ...(preset?.secrets ?? []), ...(preset?.settings ?? [])])];
}
