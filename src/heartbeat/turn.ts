import { respond } from '../council/respond.ts';
import type { RespondResult } from '../council/respond.ts';
import type { CouncilState, Lease } from '../council/state.ts';
import { readCouncil } from '../council/amend.ts';
import { parse } from '../council/document.ts';
import { readToken } from '../council/identity.ts';
import { seat } from '../council/state.ts';
import { viewFor } from '../council/view.ts';
import type { FailureKind, SpeakResult } from '../agents/runners/speak.ts';
import { briefly } from '../agents/runners/brief.ts';
import { iso } from '../base/clock.ts';
import { CouncilError } from '../base/errors.ts';
import type { Exit } from '../council/spooled.ts';
import type { UsageRecord } from '../council/usage.ts';
import type { HeartbeatPorts } from './ports.ts';
import { spoolOf } from './spool.ts';

/** One launch: the state it was decided on, who, and under which lease. */
export interface Turn {
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
export async function speakOnce(ports: HeartbeatPorts, turn: Turn, signal: AbortSignal): Promise<Spoken> {
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
    const identity = identityOfTurn(ports, turn);
    const runnerFor = ports.runnerFor ?? (await import('../agents/runners/runner.ts')).runnerFor;
    const { identityOf } = await import('../store/liveness.ts');
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
  const exit = exitOf(ports, turn, result);
  spool.writeOutput(exit, result.output);
  return recordOutput(ports, turn, exit, result.output);
}

/** Rounded up: what the deadline ends is then over at the deadline, and reads well. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000)) * 1000;

/** Whose turn it is, for what the agent starts: `council respond` and council's tool server. The token is this agent's own. */
function identityOfTurn(ports: HeartbeatPorts, { state, participant }: Turn): Record<string, string> {
  const token = readToken(ports.privateFiles, state, participant);
  return {
    COUNCIL_ROOT: ports.root,
    COUNCIL_NAME: state.name,
    COUNCIL_PARTICIPANT: participant,
    COUNCIL_TOUR: String(state.tour),
    ...(token !== undefined && { COUNCIL_TOKEN: token }),
  };
}

function exitOf({ agents, clock }: HeartbeatPorts, turn: Turn, result: SpeakResult): Exit {
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
  ports: HeartbeatPorts,
  spoken: Turn,
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
  if ('over' in result) return { ...said, note: `The council is over. Kept as ${result.over}.` };
  if (result.accepted || result.reason === 'already_responded') return said;
  const refusal = result.message ?? result.reason ?? 'refused';
  // The participant spoke by another way, or the phase closed while its program ran: nothing to launch again.
  if (
    result.reason === 'different_text' ||
    result.reason === 'stale_lease' ||
    result.reason === 'phase_closed'
  )
    return { ...said, note: `${refusal} Kept as ${result.kept}.` };
  // Without the path: the reason goes into the state file, where everybody would learn where the private folder is.
  return failed('failed', refusal, refusal);
}

/** True when the participant's turn is over: it used `council respond` or the tool server while its program ran. */
async function hasSpoken(ports: HeartbeatPorts, { state, participant }: Turn): Promise<boolean> {
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
async function unlessOver(responding: Promise<RespondResult>): Promise<RespondResult | { over: string }> {
  try {
    return await responding;
  } catch (error) {
    if (!(error instanceof CouncilError) || error.code !== 'unknown_council') throw error;
    return { over: String(error.details.kept) };
  }
}
