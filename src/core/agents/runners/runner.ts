// Chooses the runner that makes an agent speak.
import { runInSpan } from '../../base/trace.ts';
import { identifyProcess } from '../../store/local/liveness.ts';
import type { Agent } from '../agent.ts';
import { isPreset } from '../runner-kind.ts';
import { acpRunner } from './acp.ts';
import { commandRunner } from './command.ts';
import { modelRunner } from './model.ts';
import { presetRunner } from './preset-runner.ts';
import { presets } from './presets/preset-table.ts';
import type { Runner, SpeakRequest, SpeakResult } from './turn-types.ts';
import { CouncilError } from '../../base/errors.ts';

export type { Runner, SpeakRequest, SpeakResult } from './turn-types.ts';

/** The runner for this agent. Throws `usage` for a human: humans are waited for. */
export function createRunner(agent: Agent): Runner {
  const runner = selectRunner(agent);
  const attributes = { 'council.agent': agent.id, 'council.runner': agent.runner };
  return {
    speak: (request) =>
      runInSpan('council.launch', attributes, async (tell) => {
        const result = await speakInTurn(runner, request);
        tell({ 'council.ok': result.ok, 'council.output_bytes': result.output.length });
        return result;
      }),
  };
}

/** Writes the turn down before the program is launched, and ends it when nothing of its group is left. */
async function speakInTurn(runner: Runner, request: SpeakRequest): Promise<SpeakResult> {
  if (!request.turn) return runner.speak(request);
  const { register, ...about } = request.turn;
  const turn = register.begin(about);
  const secret = { COUNCIL_TURN: turn.secret };
  try {
    return await runner.speak({
      ...request,
      extraEnv: { ...request.extraEnv, ...secret },
      toolServers: request.toolServers.map((server) => ({ ...server, env: { ...server.env, ...secret } })),
      onSpawn: async (pid) => {
        turn.setGroup(identifyProcess(pid));
        await request.onSpawn(pid);
      },
    });
  } finally {
    turn.end();
  }
}

function selectRunner(agent: Agent): Runner {
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

// Refuses to launch a human, who is waited for instead.

/** Throws `usage` with how a person answers: people are never launched. */
function refuseHuman(agent: Agent): never {
  throw new CouncilError('usage', `${agent.id} is a human and cannot be launched: humans are waited for.`, {
    hint: `To speak as ${agent.id}: council respond ${agent.id} --file answer.md. To launch a program instead, set council.runner and council.command in ${agent.path}.`,
  });
}
