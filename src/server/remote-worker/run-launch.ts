// A worker's launch: runs its own agent in its own folder with the server's prompt, and uploads the result.

import { basename } from 'node:path';
import { DEFAULT_REPAIR } from '../../core/heartbeat/launch/repair.ts';
import type { Agent } from '../../core/agents/agent.ts';
import { buildAgentRunnable } from '../../core/agents/runnable-trust.ts';
import type { LineConversation, SpeakRequest, SpeakResult } from '../../core/agents/runners/turn-types.ts';
import { findFullReason, findSafeReason } from '../../core/agents/runners/failure-classes.ts';
import { NO_RESULT, createNotLaunchedResult } from '../../core/heartbeat/launch/result.ts';
import { createTrustChecks } from '../../core/app/trust.ts';
import type { FollowUpQuestion } from './follow-up-question.ts';
import type { LentLaunch } from './server-replies.ts';
import { deliver, keepUntilTaken, describeKeptFile } from './server-contact.ts';
import type { RemoteWorker, Payload } from './server-contact.ts';
import { turnRegister } from '../../core/app/permissions.ts';
import type { NewTurn } from '../../core/app/permissions.ts';
import fs from 'node:fs';
import { formatIso } from '../../core/base/clock.ts';
import { ignoreRefusal } from '../../core/base/errors.ts';
import { decodeText } from '../../core/base/text.ts';
import type { ReturnedLaunch } from './lend-launch.ts';
import { systemClock } from '../../core/store/local/system.ts';

/** The result, and what was launched. */
export type LaunchReport = SpeakResult & { safeReason: string | null; program: string | null };

/** How often this agent may be asked again for missing parts. */
export function getRepairLimit({ repair, runner: id }: LentLaunch, agents: readonly Agent[]): number {
  const agent = agents.find((one) => one.id === id);
  return agent ? (agent.repair ?? repair ?? DEFAULT_REPAIR) : 0;
}

/** Runs nothing sent by the server: its id names a local agent file that the owner has trusted. */
export async function launchLocally(
  worker: RemoteWorker,
  launch: LentLaunch,
  agents: readonly Agent[],
  again?: FollowUpQuestion,
): Promise<LaunchReport> {
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

/** What a server may determine about a launch: identity, texts and timeout. */
interface LocalLaunch {
  /** The id of a local agent. */
  runner: string;
  ms: number;
  maxOutput?: number;
  system: string;
  turn: NewTurn;
  input(agent: Agent): string;
  extraEnv: Record<string, string>;
  /** Ends it early. */
  stop?: AbortSignal;
  talk?(agent: Agent): LineConversation | undefined;
  onOutput?: SpeakRequest['onOutput'];
}

/** Runs a local agent in its folder, if its owner still trusts it. */
export async function runHere(
  worker: RemoteWorker,
  agents: readonly Agent[],
  asking: LocalLaunch,
): Promise<LaunchReport> {
  const { app, root, server, signal, heart } = worker;
  const found = agents.find(({ id }) => id === asking.runner);
  const what = found && buildAgentRunnable(found);
  // A last check: the owner may have revoked the trust meanwhile.
  if (!found || !what || !createTrustChecks(app, root).mayRun(what))
    return {
      ...NO_RESULT,
      ...createNotLaunchedResult('cancelled', 'not trusted on its machine'),
      program: null,
    };
  const agent = { ...found, timeout: Math.max(1000, Math.min(found.timeout, asking.ms)) };
  const { createRunner } = await import('../../core/agents/runners/runner.ts');
  const talk = asking.talk?.(agent);
  const told = await createRunner(agent).speak({
    agent,
    input: asking.input(agent),
    system: agent.runner === 'command' ? '' : asking.system || agent.persona,
    turn: { ...asking.turn, server, register: turnRegister(app, root) },
    toolServers: [],
    cwd: root,
    // A server does not decide what is read on this machine.
    reads: false,
    env: withoutToken(app.env),
    extraEnv: asking.extraEnv,
    signal: AbortSignal.any([signal, heart.inTouch(), ...(asking.stop ? [asking.stop] : [])]),
    maxOutput: Math.min(agent.maxOutput, asking.maxOutput ?? Infinity),
    ...(talk && { talk }),
    ...(asking.onOutput && { onOutput: asking.onOutput }),
    // This process's guardian ends the process group with it.
    onSpawn: () => Promise.resolve(),
  });
  const program = agent.command[0] === undefined ? agent.runner : basename(agent.command[0]);
  return { ...told, reason: findFullReason(told), safeReason: findSafeReason(told), program };
}

/** The worker's own token opens more than one seat. */
function withoutToken({ COUNCIL_TOKEN: _token, COUNCIL_SERVER: _server, ...env }: NodeJS.ProcessEnv) {
  return env;
}

const SOON_MS = 1000;

/** The number of a part, and whether the agent may be asked for another one. */
interface AnswerPart {
  part: number;
  asks: boolean;
}

/**
 * Uploads a result until the server accepts or rejects it. If rejected, the local copy stays and its path is
 * shown. Resolves to the follow-up question for the agent, if any.
 */
export async function uploadLaunchResult(
  worker: RemoteWorker,
  launch: LentLaunch,
  result: LaunchReport,
  which: AnswerPart,
): Promise<FollowUpQuestion | undefined> {
  const { app, server } = worker;
  const { participant, name, lease } = launch;
  const { asks } = which;
  const payload = buildLaunchPayload(launch, result, which);
  const text = { name: which.part === 1 ? lease : `${lease}-${which.part}`, who: participant };
  const kept = result.ok ? await keepUntilTaken(worker, { ...text, output: result.output }) : undefined;
  const otherwise = (file: string): string =>
    `Whoever has a token for that seat hands it in: council respond ${participant} --name ${name} --file ${file} --server ${server}`;
  const taken = await deliver(worker, { who: participant, payload, kept, otherwise });
  if (!taken) return undefined;
  const where = describeKeptFile(kept);
  if (taken.became === 'lost') return void app.note(formatLostLine(launch, taken, where));
  // The local agent file sets the limit, so that no server can ask endlessly.
  if (taken.became === 'asked' && !asks)
    return void app.note(`${participant}: the server wants it asked once more than it may be.${where}`);
  // Output that is not UTF-8 is reported as a failure: keep the only copy.
  if (payload.name === 'fail') noteUndecodableAnswer(app.note, participant, where);
  else if (kept !== undefined) fs.rmSync(kept, { force: true });
  if (taken.became === 'asked') return tellAsked(worker, launch, taken.again);
  return void tell(worker, launch, result, taken.became, taken.note);
}

/** In a blind phase the server does not say what is missing, so nothing is reported. */
function tellAsked(
  { app }: RemoteWorker,
  { name: council, participant }: LentLaunch,
  again: FollowUpQuestion,
): FollowUpQuestion {
  const { missing } = again;
  if (missing) app.progress({ type: 'asked_again', council, participant, missing });
  return again;
}

function noteUndecodableAnswer(note: (line: string) => void, participant: string, where: string): void {
  if (where !== '') note(`${participant}: what it printed is no text.${where}`);
}

/** The council continued without it: the answer stays here. */
const formatLostLine = ({ participant }: LentLaunch, { note }: ReturnedLaunch, where: string): string =>
  `${participant}: the council no longer waits for this launch.${note === undefined ? '' : ` ${note}`}${where}`;

function buildLaunchPayload(launch: LentLaunch, result: LaunchReport, { part, asks }: AnswerPart): Payload {
  const { lease, name, conversationId, tour, participant } = launch;
  const common = { lease, name, conversationId, tour, participant, ...toUsageFields(result), part };
  const text = result.ok ? ignoreRefusal(() => decodeText(result.output, 'The answer')) : undefined;
  if (text !== undefined) return { name: 'record', input: { ...common, asks, text } };
  const reason = result.ok ? 'its answer is no UTF-8 text' : (result.reason ?? 'it failed');
  const brief = result.ok ? reason : (result.safeReason ?? 'it failed');
  return { name: 'fail', input: { ...common, ...toFailureFields(result, reason), brief } };
}

export function toUsageFields({ program, usage, durationMs }: LaunchReport): Record<string, unknown> {
  const used = { program, ...usage };
  const known = Object.entries(used).filter(([, value]) => value !== null && value !== undefined);
  return { ms: Math.round(durationMs), ...Object.fromEntries(known) };
}

/** Returns the failure in the server's format. */
export const toFailureFields = (
  { failure, stderrTail, retryAfterMs }: LaunchReport,
  reason: string,
): Record<string, unknown> => ({
  failure: failure ?? 'failed',
  reason,
  ...(stderrTail !== '' && { stderr: stderrTail }),
  ...(retryAfterMs !== null && { retryAfterMs: Math.round(retryAfterMs) }),
});

function tell(
  { app }: RemoteWorker,
  { name: council, participant, attempt }: LentLaunch,
  result: LaunchReport,
  became: Exclude<ReturnedLaunch['became'], 'lost'>,
  note: string | undefined,
): void {
  if (became === 'recorded')
    return app.progress({
      type: 'recorded',
      council,
      participant,
      bytes: null,
      ms: Math.round(result.durationMs),
      ...(note !== undefined && { note }),
    });
  const reason = result.safeReason ?? 'it failed';
  // The server decides which machine retries, at the earliest when this one asks again.
  const until = became === 'again' ? { until: formatIso(systemClock.now() + SOON_MS) } : {};
  app.progress({
    type: 'attempt_failed',
    council,
    participant,
    attempt,
    reason,
    next: became,
    ...until,
  });
}
