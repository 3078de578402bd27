// Lends a launch to another machine, and takes its result.
import { isLasting } from '../../core/agents/runners/turn-types.ts';
import type { CouncilState } from '../../core/council/state/state.ts';
import { getSeat } from '../../core/council/state/state.ts';
import { selectRunner } from '../../core/heartbeat/launch/borrowed-runner.ts';
import { createCircuitBreaker, toHealthEvidence } from '../../core/heartbeat/launch/circuit-breaker.ts';
import { isLastAttempt, releaseLease, takeLease } from '../../core/heartbeat/launch/lease.ts';
import type { LaunchOptions, LaunchPorts } from '../../core/heartbeat/launch/ports.ts';
import { recoverLease } from '../../core/heartbeat/launch/recover.ts';
import type { Launch, LaunchResult } from '../../core/heartbeat/launch/result.ts';
import { getRunnerId } from '../../core/heartbeat/launch/result.ts';
import { recordOutput } from '../../core/heartbeat/launch/turn.ts';

/** After the first failed launch; doubled after each further one. */
const FIRST_PAUSE_MS = 1000;

/** A launch made by another machine, and when its phase ends (ms since the epoch). */
export type LaunchLoan = Launch & { timeoutAt: number };

/**
 * Takes a lease on behalf of another machine, which `ports.self`, `ports.heart` and `ports.agents` describe.
 * Undefined if there is nothing for it to launch.
 */
export async function lendLaunch(
  ports: LaunchPorts,
  state: CouncilState,
  participant: string,
  options: Pick<LaunchOptions, 'onProgress'>,
): Promise<LaunchLoan | undefined> {
  const runner = await selectRunner(ports, state, participant);
  if (!ports.agents.find(runner)) return undefined;
  const held = getSeat(state, participant).lease;
  const found = await recoverLease(ports, { state, participant, lease: held }, options);
  // The process that received the failure died before it released the lease.
  if (held && found.kind === 'failed')
    await giveBack(ports, { state, participant, lease: held }, found.result);
  if (found.kind !== 'freed' && found.kind !== 'dead') return undefined;
  const breaker = createCircuitBreaker(ports, runner);
  const hasFailed = state.absences.some(
    (a) => a.participant === participant && a.reason.startsWith('failed'),
  );
  const admitted = await breaker.admit(hasFailed);
  if (!admitted.go) return undefined;
  const dead = found.kind === 'dead' ? held : null;
  const taken = await takeLease(ports, { state, participant, runner, dead });
  if (taken.type === 'lease') return { state, participant, lease: taken.lease, timeoutAt: taken.timeoutAt };
  await breaker.giveBack();
  return undefined;
}

/** The outcome of a lent launch; `lost`: its lease was taken by another process or has ended. */
export type ReturnedLaunch = {
  became: 'recorded' | 'again' | 'absent' | 'interrupted' | 'lost';
  note?: string;
};

/** Records what another machine hands in under its own lease, or releases the lease. */
export async function takeBack(
  ports: LaunchPorts,
  launch: Launch,
  handedIn: LaunchResult,
): Promise<ReturnedLaunch> {
  const breaker = createCircuitBreaker(ports, getRunnerId(launch));
  await breaker.note(toHealthEvidence(handedIn));
  const result = await recordOutput(ports, launch, handedIn);
  const note = result.note === undefined ? {} : { note: result.note };
  if (result.ok) return { became: 'recorded', ...note };
  return { became: await giveBack(ports, launch, result), ...note };
}

/** Releases the lease of a failed launch, and returns what comes next. */
async function giveBack(ports: LaunchPorts, launch: Launch, result: LaunchResult) {
  const { lease, state } = launch;
  const isOver = isLastAttempt(lease, result) || ports.clock.now() >= Date.parse(state.timeoutAt);
  const became =
    result.failure === 'cancelled' ? 'interrupted' : isLasting(result.failure) || isOver ? 'absent' : 'again';
  const retryAfterMs = result.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (lease.attempt - 1);
  const outcome = { again: 'retry', absent: 'exhausted', interrupted: 'interrupted' } as const;
  await releaseLease(ports, launch, { result: { ...result, retryAfterMs }, outcome: outcome[became] });
  return became;
}

/**
 * Takes a text whose lease has ended: a repeat of the recorded text changes nothing, another text is kept as
 * late. The agent's health is not affected.
 */
export async function takeLate(
  ports: LaunchPorts,
  launch: Launch,
  handedIn: LaunchResult,
): Promise<ReturnedLaunch> {
  const { ok, note } = await recordOutput(ports, launch, handedIn);
  return ok && note === undefined
    ? { became: 'recorded' }
    : { became: 'lost', ...(note !== undefined && { note }) };
}
