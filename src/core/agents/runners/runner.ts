// Selects the runner of an agent, and runs the known agent programs.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runInSpan } from '../../base/trace.ts';
import { identifyProcess } from '../../store/local/liveness.ts';
import type { Agent } from '../agent.ts';
import { isPreset } from '../runner-kind.ts';
import { createAcpRunner } from './acp.ts';
import { createCommandRunner, launchProgram } from './command.ts';
import { createModelRunner } from './model.ts';
import { presets } from './presets/preset-table.ts';
import type { Runner, SpeakRequest, SpeakResult } from './turn-types.ts';
import { CouncilError } from '../../base/errors.ts';
import { MAX_CONTRIBUTION_BYTES } from '../../base/text.ts';
import { buildChildEnvironment, expandPlaceholders } from './find-command.ts';
import { NOTHING } from './finished-turn.ts';
import { isLate } from './classify-failure.ts';
import { buildTurnResult } from './turn-result.ts';
import type { Plan, Preset } from './presets/preset.ts';
import { readReport } from './presets/read-report.ts';

export type { Runner, SpeakRequest, SpeakResult } from './turn-types.ts';

/** Creates the runner for this agent. Throws `usage` for a human: humans are waited for. */
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

/** Registers the turn before the program is launched, and ends it when nothing of its group is left. */
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
  if (isPreset(agent.runner)) return createPresetRunner(presets[agent.runner]);
  switch (agent.runner) {
    case 'command':
      return createCommandRunner();
    case 'acp':
      return createAcpRunner();
    case 'model':
      return createModelRunner();
    case 'human':
      return refuseHuman(agent);
  }
}

/** Throws `usage` with how a person answers: people are never launched. */
function refuseHuman(agent: Agent): never {
  throw new CouncilError('usage', `${agent.id} is a human and cannot be launched: humans are waited for.`, {
    hint: `To speak as ${agent.id}: council respond ${agent.id} --file answer.md. To launch a program instead, set council.runner and council.command in ${agent.path}.`,
  });
}

/**
 * JSON escapes take up to six characters per character, and some programs print an answer twice besides the
 * report of the turn.
 */
const RAW_MULTIPLE = 16;
const LEAST_RAW = 4 * 1024 * 1024;

/**
 * Runs a known agent program: the preset builds its command line and environment, and reads the answer from
 * its output. Persona and settings of one launch are in a temporary folder (0700, files 0600) that is removed
 * after it.
 */
export function createPresetRunner(preset: Preset): Runner {
  return {
    speak: async (request) => {
      const folder = await mkdtemp(join(tmpdir(), 'council-agent-'));
      try {
        return await runPreset(request, preset, folder);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function runPreset(request: SpeakRequest, preset: Preset, folder: string): ReturnType<Runner['speak']> {
  const {
    agent,
    system,
    input,
    env,
    reads = false,
    readable,
    session,
    writes = false,
    maxOutput = MAX_CONTRIBUTION_BYTES,
  } = request;
  const { secrets } = preset;
  const maxRaw = Math.max(LEAST_RAW, RAW_MULTIPLE * maxOutput);
  const plan = preset.plan({
    ...{ agent, system, input, env, reads, readable, session, writes, folder },
    exists: existsSync,
  });
  if (plan.problem !== undefined) {
    const broken = { kind: 'config' as const, reason: plan.problem };
    return buildTurnResult(request, { ...NOTHING, broken });
  }
  for (const [name, text] of Object.entries(plan.files ?? {})) {
    await writeFile(join(folder, name), text, { mode: 0o600, flag: 'wx' });
  }
  const ended = await launchProgram(request, {
    argv: buildPresetArgv(request, preset, plan),
    input: plan.input,
    env: buildChildEnvironment(env, [...agent.env, ...secrets, ...preset.settings], {
      ...plan.env,
      ...request.extraEnv,
    }),
    maxOutput: maxRaw,
    isReportComplete: (stdout) => readReport(preset.shape, { stdout, stderr: '', exitCode: null }).isOver,
  });
  const { stdout, exitCode } = ended;
  const stderr = stripVTControlCharacters(ended.stderr.toString('utf8'));
  const { isOver, ...reading } = readReport(preset.shape, { ...request, stdout, stderr, exitCode });
  // A complete report stays valid, even if the program did not exit in time.
  const isWhole = isOver && isLate(ended.stoppedFor);
  const whole = isWhole ? { stoppedFor: null, signal: null, exitCode: 0 } : {};
  return buildTurnResult(request, { ...ended, ...reading, ...whole }, { secrets, maxRaw, ways: preset });
}

/** The agent's own command replaces the program, and may bring arguments of its own. */
function buildPresetArgv({ agent }: SpeakRequest, preset: Preset, plan: Plan): string[] {
  const [program = preset.program, ...before] = agent.command.map(expandPlaceholders);
  return [program, ...before, ...plan.args];
}
