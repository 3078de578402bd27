// Chooses the runner that makes an agent speak.
import { traced } from '../../base/trace.ts';
import type { Agent } from '../agent.ts';
import { isPreset } from '../runner-kind.ts';
import { acpRunner } from './acp.ts';
import { commandRunner } from './command.ts';
import { refuseHuman } from './human.ts';
import { modelRunner } from './model.ts';
import { presetRunner } from './preset-runner.ts';
import { presets } from './presets/table.ts';
import type { Runner } from './speak.ts';

export type { Runner, SpeakRequest, SpeakResult } from './speak.ts';

/** The runner for this agent. Throws `usage` for a human: humans are waited for. */
export function runnerFor(agent: Agent): Runner {
  const runner = chosen(agent);
  const attributes = { 'council.agent': agent.id, 'council.runner': agent.runner };
  return {
    speak: (request) =>
      traced('council.launch', attributes, async (tell) => {
        const result = await runner.speak(request);
        tell({ 'council.ok': result.ok, 'council.output_bytes': result.output.length });
        return result;
      }),
  };
}

function chosen(agent: Agent): Runner {
  if (isPreset(agent.runner)) return presetRunner(presets[agent.runner]);
  switch (agent.runner) {
    case 'command':
      return commandRunner();
    case 'acp':
      return acpRunner();
    case 'model':
      return modelRunner();
    case 'human':
      return refuseHuman(agent);
  }
}
