// One launch of a worker: its own agent, its own folder, and what the server says that it is asked.
import { basename } from 'node:path';
import { DEFAULT_REPAIR } from '../../core/heartbeat/launch/repair.ts';
import type { Agent } from '../../core/agents/agent.ts';
import { buildAgentRunnable } from '../../core/agents/runnable-trust.ts';
import type { LineTalk, SpeakRequest, SpeakResult } from '../../core/agents/runners/turn-types.ts';
import { wholeReason, safeReason } from '../../core/agents/runners/failure-classes.ts';
import { NO_RESULT, notLaunched } from '../../core/heartbeat/launch/result.ts';
import { createTrustChecks } from '../../core/app/trust.ts';
import type { AskedAgain } from './follow-up-question.ts';
import type { LentLaunch } from './server-replies.ts';
import type { Worker } from './worker-state.ts';
import { turnRegister } from '../../core/app/turn.ts';
import type { NewTurn } from '../../core/app/turn.ts';

/** How it went, and what was launched. */
export type Here = SpeakResult & { safeReason: string | null; program: string | null };

/** How often this agent may be asked again for missing parts; 0 if the server does not say. */
export function timesAsked({ repair, runner: id }: LentLaunch, agents: readonly Agent[]): number {
  const agent = agents.find((one) => one.id === id);
  return repair === undefined || !agent ? 0 : (agent.repair ?? repair ?? DEFAULT_REPAIR);
}

/** Nothing of what the server sends is run: its id names an agent file of this machine, which its owner has trusted. */
export async function launchHere(
  worker: Worker,
  launch: LentLaunch,
  agents: readonly Agent[],
  again?: AskedAgain,
): Promise<Here> {
  const { participant, name, tour, system } = launch;
  const { prompt, view } = again ?? launch;
  return runHere(worker, agents, {
    runner: launch.runner,
    ms: again?.ms ?? launch.leftMs,
    ...(again && { maxOutput: again.maxOutput }),
    system,
    input: (agent) => (agent.input === 'json' ? JSON.stringify(view) : prompt),
    turn: {
      agent: participant,
      work: { kind: 'council', council: name, conversationId: launch.conversationId, tour },
    },
    extraEnv: { COUNCIL_NAME: name, COUNCIL_PARTICIPANT: participant, COUNCIL_TOUR: String(tour) },
  });
}

/** What a server may say of a launch: whose, with which texts, and how long it may take. */
export interface LocalLaunch {
  /** The id of an agent of this machine. */
  runner: string;
  ms: number;
  maxOutput?: number;
  system: string;
  turn: NewTurn;
  input(agent: Agent): string;
  extraEnv: Record<string, string>;
  /** Ends it before. */
  stop?: AbortSignal;
  talk?(agent: Agent): LineTalk | undefined;
  onOutput?: SpeakRequest['onOutput'];
}

/** Runs an agent of this machine in its folder, if its owner still trusts it. */
export async function runHere(worker: Worker, agents: readonly Agent[], asking: LocalLaunch): Promise<Here> {
  const { app, root, server, signal, heart } = worker;
  const found = agents.find(({ id }) => id === asking.runner);
  const what = found && buildAgentRunnable(found);
  // The last look: its owner may have taken the word back meanwhile.
  if (!found || !what || !createTrustChecks(app, root).mayRun(what))
    return { ...NO_RESULT, ...notLaunched('cancelled', 'not trusted on its machine'), program: null };
  const agent = { ...found, timeout: Math.max(1000, Math.min(found.timeout, asking.ms)) };
  const { createRunner: runnerFor } = await import('../../core/agents/runners/runner.ts');
  const talk = asking.talk?.(agent);
  const told = await runnerFor(agent).speak({
    agent,
    input: asking.input(agent),
    system: agent.runner === 'command' ? '' : asking.system || agent.persona,
    turn: { ...asking.turn, server, register: turnRegister(app, root) },
    toolServers: [],
    cwd: root,
    // A server does not decide what of this machine is read.
    reads: false,
    env: withoutToken(app.env),
    extraEnv: asking.extraEnv,
    signal: AbortSignal.any([signal, heart.inTouch(), ...(asking.stop ? [asking.stop] : [])]),
    maxOutput: Math.min(agent.maxOutput, asking.maxOutput ?? Infinity),
    ...(talk && { talk }),
    ...(asking.onOutput && { onOutput: asking.onOutput }),
    // The guardian of this process ends the group with it.
    onSpawn: () => Promise.resolve(),
  });
  const program = agent.command[0] === undefined ? agent.runner : basename(agent.command[0]);
  return { ...told, reason: wholeReason(told), safeReason: safeReason(told), program };
}

/** The worker's own token opens more than one seat. */
function withoutToken({ COUNCIL_TOKEN: _token, COUNCIL_SERVER: _server, ...env }: NodeJS.ProcessEnv) {
  return env;
}
