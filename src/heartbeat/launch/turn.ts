// One launch of a participant's program, up to the commit of its answer.
import { toldKept } from '../../council/state/kept.ts';
import type { Kept } from '../../council/state/kept.ts';
import { respond } from '../../council/use/respond.ts';
import type { RespondInput, RespondResult } from '../../council/use/respond.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { parse } from '../../council/document/document.ts';
import { readToken } from '../../council/use/identity.ts';
import { seat } from '../../council/state/state.ts';
import type { SpeakResult } from '../../agents/runners/speak.ts';
import { CouncilError } from '../../base/errors.ts';
import type { LaunchPorts } from './ports.ts';
import { rest } from './rest.ts';
import { launchResult, notLaunched, runnerOf } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';
import { spoolOf } from './spool.ts';
import type { Spool } from './spool.ts';
import { WAITS_FOR_TRUST, waitingForTrust } from './trust.ts';

/** Runs the participant's program once and records its answer. The order matters: group on disk, prompt, output on disk, commit. */
export async function speakOnce(
  ports: LaunchPorts,
  launch: Launch,
  signal: AbortSignal,
): Promise<LaunchResult> {
  const spool = spoolOf(ports.privateFiles, launch.state.conversationId, launch.lease.id);
  let told: SpeakResult | 'untrusted';
  try {
    told = await speak(ports, launch, { spool, signal });
  } catch (error) {
    // A wrong configuration (no such agent, mode or template) stays wrong: no second attempt.
    if (!(error instanceof CouncilError) || error.exitCode !== 2) throw error;
    return notLaunched('config', error.message);
  }
  // No failed attempt: the lease is given back as after an interruption.
  if (told === 'untrusted') return notLaunched('cancelled', WAITS_FOR_TRUST);
  if (await isInterrupted(told, signal)) told = { ...told, cancelled: true, failure: 'cancelled' };
  const result = launchResult(ports, launch, told);
  await spool.write(result);
  return recordOutput(ports, launch, result);
}

/** Shows the participant its view, and lets its runner answer. */
async function speak(
  ports: LaunchPorts,
  launch: Launch,
  { spool, signal }: { spool: Spool; signal: AbortSignal },
): Promise<SpeakResult | 'untrusted'> {
  const { state, participant, lease } = launch;
  const own = ports.agents.require(runnerOf(launch));
  // Only the runner is borrowed: the persona stays with whose it is.
  const asked = lease.lender === undefined ? own : { ...own, persona: '' };
  const { council } = await readCouncil(ports, state.name);
  const left = Date.parse(council.state.timeoutAt) - ports.clock.now();
  const agent = { ...asked, timeout: Math.min(asked.timeout, wholeSeconds(left)) };
  // These have a place of their own for the persona.
  const hasOwnPlace = agent.runner !== 'command';
  const persona = hasOwnPlace ? '' : agent.persona;
  const { houseRules } = ports;
  // It brings the Markdown parser, which a tick that launches nobody does without.
  const { viewFor } = await import('../../council/view/view.ts');
  const view = viewFor({ council, participant, persona, houseRules, mode: ports.mode(state.mode) });
  const identity = await identityOfTurn(ports, launch);
  const runnerFor = ports.runnerFor ?? (await import('../../agents/runners/runner.ts')).runnerFor;
  const { identityOf } = await import('../../store/local/liveness.ts');
  // The last look, at the very agent that is launched: its owner may have taken the word back meanwhile.
  if (waitingForTrust(ports, agent)) return 'untrusted';
  return runnerFor(agent).speak({
    agent,
    input: agent.input === 'json' ? JSON.stringify(view) : view.prompt,
    system: hasOwnPlace ? agent.persona : '',
    toolServers: ports.toolServers.map((server) => ({ ...server, env: { ...server.env, ...identity } })),
    cwd: ports.root,
    env: ports.env,
    extraEnv: identity,
    signal,
    maxOutput: agent.maxOutput,
    onSpawn: async (pid) => spool.writeGroup(identityOf(pid)),
  });
}

/** Whoever shuts a machine or a service down sends SIGTERM to everybody: to the program, and a moment later to its owner. */
const SAME_SHUTDOWN_MS = 200;

/** Whether a program failed because its owner is being ended: that says nothing about the program. */
async function isInterrupted({ ok, signal: endedBy }: SpeakResult, signal: AbortSignal): Promise<boolean> {
  if (ok) return false;
  if (endedBy !== null && !signal.aborted) await rest(SAME_SHUTDOWN_MS, signal);
  return signal.aborted;
}

/** For a process that leaves at once: the lease stays, but whoever finds it knows that it counts for nothing. */
export const noteInterruption = (ports: LaunchPorts, { state, lease }: Launch): void =>
  spoolOf(ports.privateFiles, state.conversationId, lease.id).noteInterruption();

/** Rounded up: what the deadline ends is then over at the deadline, and reads well. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000)) * 1000;

/** Whose turn it is, for what the agent starts: `council respond` and council's tool server. The token is this agent's own. */
async function identityOfTurn(
  ports: LaunchPorts,
  { state, participant }: Launch,
): Promise<Record<string, string>> {
  const token = await readToken(ports.privateFiles, state, participant);
  return {
    COUNCIL_ROOT: ports.root,
    COUNCIL_NAME: state.name,
    COUNCIL_PARTICIPANT: participant,
    COUNCIL_TOUR: String(state.tour),
    ...(token !== undefined && { COUNCIL_TOKEN: token }),
  };
}

/** Commits what a program printed under its lease: what became of that is the result. A text that is refused is kept by `respond`. */
export async function recordOutput(
  ports: LaunchPorts,
  launch: Launch,
  result: LaunchResult,
): Promise<LaunchResult> {
  if (!result.ok) {
    const reason = result.failure === 'cancelled' ? 'interrupted' : result.reason;
    return unlessSpoken(ports, launch, { ...result, reason });
  }
  const done = await unlessOver(respond(ports, contributionOf(launch, result)));
  if ('over' in done) return { ...result, note: `The council is over. ${toldKept(done.over)}` };
  if (done.accepted || done.reason === 'already_responded') return result;
  const refusal = done.message ?? done.reason ?? 'refused';
  // The participant spoke by another way, or the phase closed while its program ran: nothing to launch again.
  if (done.reason === 'different_text' || done.reason === 'stale_lease' || done.reason === 'phase_closed')
    return { ...result, note: `${refusal} ${toldKept(done.kept!)}` };
  // The next launch would cost the same, and its text would lie beside this one.
  const failure = done.reason === 'too_large' ? 'config' : 'failed';
  // Without the path: the reason goes into the state file, where everybody would learn where the private folder is.
  return unlessSpoken(ports, launch, { ...result, ok: false, failure, reason: refusal, safeReason: refusal });
}

const contributionOf = (
  { state, participant, lease }: Launch,
  { output, record }: LaunchResult,
): RespondInput => ({
  name: state.name,
  participant,
  bytes: output,
  flags: { agree: false, done: false, block: [] },
  replace: false,
  turn: { conversationId: state.conversationId, tour: state.tour },
  leaseId: lease.id,
  ...(record && { usage: record }),
});

/** A failure, unless the participant has spoken all the same. */
async function unlessSpoken(ports: LaunchPorts, launch: Launch, failed: LaunchResult): Promise<LaunchResult> {
  if (!(await hasSpoken(ports, launch))) return failed;
  return {
    ...failed,
    ok: true,
    failure: null,
    note: `It had responded by itself; then: ${failed.safeReason}`,
  };
}

/** True when the participant's turn is over: it used `council respond` or the tool server while its program ran. */
async function hasSpoken(ports: LaunchPorts, { state, participant }: Launch): Promise<boolean> {
  const stored = await ports.store.read(state.name);
  if (!stored) return false;
  const { state: now, contributions } = parse(stored.text, `council "${state.name}"`);
  if (now.conversationId !== state.conversationId) return false;
  return now.tour === state.tour
    ? seat(now, participant).status !== 'WAITING'
    : contributions.some((c) => c.by === participant && c.tour === state.tour);
}

/** The council may have been archived while the program ran: then `respond` has kept its text. */
async function unlessOver(responding: Promise<RespondResult>): Promise<RespondResult | { over: Kept }> {
  try {
    return await responding;
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_council') throw error;
    return { over: error.details.kept as Kept };
  }
}
