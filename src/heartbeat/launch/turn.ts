import { toldKept } from '../../council/use/refused-texts.ts';
import type { Kept } from '../../council/use/refused-texts.ts';
import { respond } from '../../council/use/respond.ts';
import type { RespondResult } from '../../council/use/respond.ts';
import type { CouncilState, Lease, UsageRecord } from '../../council/state/state.ts';
import { readCouncil } from '../../council/use/update-council.ts';
import { parse } from '../../council/document/document.ts';
import { readToken } from '../../council/use/identity.ts';
import { seat } from '../../council/state/state.ts';
import { viewFor } from '../../council/view/view.ts';
import type { FailureKind, SpeakResult } from '../../agents/runners/speak.ts';
import { briefly } from '../../agents/runners/brief.ts';
import { iso } from '../../base/clock.ts';
import { CouncilError } from '../../base/errors.ts';
import type { Exit } from '../../council/use/spooled.ts';
import type { LaunchPorts } from './ports.ts';
import { rest } from './rest.ts';
import { spoolOf } from './spool.ts';
import { WAITS_FOR_TRUST, waitingForTrust } from './trust.ts';

/** One launch: the state it was decided on, who, and under which lease. */
export interface Launch {
  state: CouncilState;
  participant: string;
  lease: Lease;
}

/** A launch that brought no contribution. */
export interface Failed {
  ok: false;
  kind: FailureKind;
  reason: string;
  /** The class alone, for a blind phase. */
  brief: string;
  stderr: string;
  /** When the provider wants to be asked again, in milliseconds since the epoch; null when it did not say. */
  notBefore: number | null;
  /** Not set when no program was launched. */
  usage?: UsageRecord;
}

export type Spoken = { ok: true; bytes: number; ms: number; note?: string } | Failed;

/** Runs the participant's program once and records its answer. The order matters: group on disk, prompt, output on disk, commit. */
export async function speakOnce(ports: LaunchPorts, turn: Launch, signal: AbortSignal): Promise<Spoken> {
  const { state, participant, lease } = turn;
  const spool = spoolOf(ports.privateFiles, state.conversationId, lease.id);
  let result: SpeakResult;
  try {
    const asked = ports.agents.require(participant);
    const { council } = await readCouncil(ports, state.name);
    const left = Date.parse(council.state.timeoutAt) - ports.clock.now();
    const agent = { ...asked, timeout: Math.min(asked.timeout, wholeSeconds(left)) };
    // These have a place of their own for the persona.
    const hasOwnPlace = agent.runner !== 'command';
    const view = viewFor({
      council,
      participant,
      persona: hasOwnPlace ? '' : agent.persona,
      houseRules: ports.houseRules,
      mode: ports.mode(state.mode),
    });
    const identity = await identityOfTurn(ports, turn);
    const runnerFor = ports.runnerFor ?? (await import('../../agents/runners/runner.ts')).runnerFor;
    const { identityOf } = await import('../../store/local/liveness.ts');
    // The last look, at the very agent that is launched: its owner may have taken the word back meanwhile.
    if (waitingForTrust(ports, agent)) return untrusted();
    result = await runnerFor(agent).speak({
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
  } catch (error) {
    // Bad configuration (no such agent, mode or template) will not mend itself: no second attempt.
    if (!(error instanceof CouncilError) || error.exitCode !== 2) throw error;
    const { message } = error;
    return { ok: false, kind: 'config', reason: message, brief: message, stderr: '', notBefore: null };
  }
  if (await isInterrupted(result, signal)) result = { ...result, cancelled: true, failure: 'cancelled' };
  const exit = exitOf(ports, turn, result);
  await spool.writeOutput(exit, result.output);
  return recordOutput(ports, turn, exit, result.output);
}

/** No failed attempt: the lease is given back as after an interruption. */
const untrusted = (): Failed => {
  const reason = WAITS_FOR_TRUST;
  return { ok: false, kind: 'cancelled', reason, brief: reason, stderr: '', notBefore: null };
};

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

function exitOf({ agents, clock }: LaunchPorts, turn: Launch, result: SpeakResult): Exit {
  const { participant, state } = turn;
  const { model, inputTokens = null, outputTokens = null, costUsd = null } = result.usage ?? {};
  const ms = Math.round(result.durationMs);
  return {
    ok: result.ok,
    reason: result.reason,
    ms,
    brief: briefly(result),
    failure: result.failure,
    retryAfterMs: result.retryAfterMs,
    stderr: result.stderrTail,
    usage: {
      participant,
      phase: state.currentPhase,
      tour: state.tour,
      at: iso(clock.now()),
      model: model ?? agents.find(participant)?.model ?? null,
      inputTokens,
      outputTokens,
      costUsd,
      ms,
      ok: result.ok,
    },
  };
}

/** Commits what a program printed under its lease. A text that is refused is kept by `respond`. */
export async function recordOutput(
  ports: LaunchPorts,
  spoken: Launch,
  exit: Exit,
  bytes: Uint8Array,
): Promise<Spoken> {
  const { state, participant, lease } = spoken;
  const { usage, stderr = '' } = exit;
  const failed = async (kind: FailureKind, reason: string, brief: string): Promise<Spoken> => {
    if (await hasSpoken(ports, spoken))
      return {
        ok: true,
        bytes: bytes.length,
        ms: exit.ms,
        note: `It had responded by itself; then: ${brief}`,
      };
    return { ok: false, kind, reason, brief, stderr, notBefore: askAgainAt(exit), ...(usage && { usage }) };
  };
  if (!exit.ok) {
    const reason = exit.failure === 'cancelled' ? 'interrupted' : (exit.reason ?? 'it failed');
    return failed(exit.failure ?? 'failed', reason, exit.brief ?? 'it failed');
  }
  const turn = { conversationId: state.conversationId, tour: state.tour };
  const said = { ok: true as const, bytes: bytes.length, ms: exit.ms };
  const result = await unlessOver(
    respond(ports, {
      name: state.name,
      participant,
      bytes,
      flags: { agree: false, done: false, block: [] },
      replace: false,
      turn,
      leaseId: lease.id,
      ...(usage && { usage }),
    }),
  );
  if ('over' in result) return { ...said, note: `The council is over. ${toldKept(result.over)}` };
  if (result.accepted || result.reason === 'already_responded') return said;
  const refusal = result.message ?? result.reason ?? 'refused';
  // The participant spoke by another way, or the phase closed while its program ran: nothing to launch again.
  if (
    result.reason === 'different_text' ||
    result.reason === 'stale_lease' ||
    result.reason === 'phase_closed'
  )
    return { ...said, note: `${refusal} ${toldKept(result.kept!)}` };
  // The next launch would cost the same, and its text would lie beside this one.
  if (result.reason === 'too_large') return failed('config', refusal, refusal);
  // Without the path: the reason goes into the state file, where everybody would learn where the private folder is.
  return failed('failed', refusal, refusal);
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

const askAgainAt = ({ usage, retryAfterMs }: Exit): number | null =>
  usage && typeof retryAfterMs === 'number' ? Date.parse(usage.at) + retryAfterMs : null;

/** The council may have been archived while the program ran: then `respond` has kept its text. */
async function unlessOver(responding: Promise<RespondResult>): Promise<RespondResult | { over: Kept }> {
  try {
    return await responding;
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_council') throw error;
    return { over: error.details.kept as Kept };
  }
}
