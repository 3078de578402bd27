// One participant's turn in a tick, with retries.
import type { Runnable } from '../../agents/runnable-trust.ts';
import { formatIso } from '../../base/clock.ts';
import { isLasting } from '../../agents/runners/turn-types.ts';
import type { CouncilState, Lease } from '../../council/state/state.ts';
import { isBlindNow, getSeat } from '../../council/state/state.ts';
import { atWork, registerExitDuty } from './heartbeat-row.ts';
import { createCircuitBreaker, toHealthEvidence } from './circuit-breaker.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { MAX_ATTEMPTS, UNFINISHED, isLastAttempt, releaseLease, takeLease } from './lease.ts';
import type { LaunchPorts, LaunchOptions } from './ports.ts';
import { recoverLease } from './recover.ts';
import { createPauses, waitUnlessAborted } from './rest.ts';
import { selectRunner, WAITS_FOR_TRUST, findUntrustedRunnable } from './borrowed-runner.ts';
import {
  explainPause,
  findRetryTime,
  foreseeFailure,
  getRunnerId,
  createNotLaunchedResult,
} from './result.ts';
import type { Launch, LaunchResult } from './result.ts';
import { noteInterruption, speakOnce } from './turn.ts';

/** Timers may fire slightly early. */
const LATE_ENOUGH_MS = 50;

/** The participants launched in a tick, and those whose launch brought no contribution. */
export interface Launches {
  launched: string[];
  /** `kind`: no room in the budget, now (`waits`) or at all; paused until `until` (ISO 8601 UTC); not trusted. */
  failed: {
    id: string;
    reason: string;
    kind?: 'budget' | 'waits' | 'paused' | 'untrusted';
    until?: string;
  }[];
  /** Set if the store failed for a participant; the others had their turns. */
  error?: { code: string; message: string; hint?: string };
}

export interface Candidate {
  /** The state as read by the tick. */
  state: CouncilState;
  participant: string;
  /** Collects launched and failed participants. */
  launches: Launches;
}

interface LaunchAttempt extends Candidate {
  ports: LaunchPorts;
  options: LaunchOptions;
  runner: string;
  breaker: CircuitBreaker;
  /** Why the previous launch's text was refused, if it was. */
  refused?: string | undefined;
  /** The previous prompt was too long, so the next one shows less of the contributions. */
  isShort?: boolean;
  /** Returns the wait before the next launch in milliseconds; longer each time. */
  nextPause(): number;
}

/** Takes a participant's turn with retries. The agent's failures go to `launches`, the store's are thrown. */
export async function takeTurn(
  ports: LaunchPorts,
  candidate: Candidate,
  shared: LaunchOptions,
): Promise<void> {
  const options = buildTurnOptions(ports, shared, candidate.participant);
  const { state, participant } = candidate;
  const held = getSeat(state, participant).lease;
  const found = await recoverLease(ports, { state, participant, lease: held }, options);
  if (['alive', 'recorded', 'over'].includes(found.kind)) return;
  const runner = held ? getRunnerId({ participant, lease: held }) : participant;
  let turn: LaunchAttempt = {
    ...candidate,
    ...{ ports, options, runner },
    breaker: createCircuitBreaker(ports, runner),
    nextPause: createPauses(ports.random),
  };
  let dead = found.kind === 'dead' ? held : null;
  let isOn = !options.signal.aborted;
  if (isOn && held && found.kind === 'failed') {
    await turn.breaker.note(toHealthEvidence(found.result));
    const limits = { timeoutAt: Date.parse(state.timeoutAt), isTrial: false };
    isOn = await settleFailure(turn, { lease: held, ...limits }, found.result);
  }
  while (isOn && !options.signal.aborted) {
    turn = await borrowHealthyRunner(turn);
    isOn = await launchOnce(turn, dead);
    dead = null;
  }
}

/** Returns options for one participant's turn, which stops separately, or when this process is out of touch. */
function buildTurnOptions(
  { heart }: LaunchPorts,
  options: LaunchOptions,
  participant: string,
): LaunchOptions {
  const stop = options.getStop?.(participant);
  const signals = [options.signal, heart.inTouch(), ...(stop ? [stop] : [])];
  return { ...options, signal: AbortSignal.any(signals) };
}

/** A seat without its own runner borrows the first healthy one, selected anew for each launch. */
async function borrowHealthyRunner(turn: LaunchAttempt): Promise<LaunchAttempt> {
  const runner = await selectRunner(turn.ports, turn.state, turn.participant);
  return runner === turn.runner
    ? turn
    : { ...turn, runner, breaker: createCircuitBreaker(turn.ports, runner) };
}

/** Launches the participant if allowed. Returns true if it is to be launched again. `dead`: a lease to replace. */
async function launchOnce(turn: LaunchAttempt, dead: Lease | null): Promise<boolean> {
  const { ports, options, state, participant, runner, launches, breaker } = turn;
  const agent = ports.agents.find(runner);
  const what = agent && findUntrustedRunnable(ports, agent);
  if (what) return waitForTrust(turn, what);
  // Had its pause in an earlier phase: the council does not wait for it again in each phase.
  const hasFailed = state.absences.some(
    (a) => (a.participant === participant || a.participant === runner) && a.reason.startsWith('failed'),
  );
  const known = await breaker.findKnownBlock(Date.parse(state.createdAt));
  // A known failure applies to the whole council, so it is not paid for again in each phase.
  if (known && (known.until === null || known.until >= Date.parse(state.timeoutAt)))
    return failWithoutLaunch(turn, foreseeFailure(known), dead);
  const admitted = await breaker.admit(hasFailed);
  if (!admitted.go && options.leavesPausedOut && !admitted.isLimit)
    return failWithoutLaunch(
      turn,
      createNotLaunchedResult('config', explainPause(runner, admitted.reason)),
      dead,
    );
  if (!admitted.go) return pauseLaunch(turn, admitted);
  const taken = await takeLease(ports, { state, participant, runner, dead });
  if (taken.type === 'lease') return launchWhileLeased(turn, { ...taken, isTrial: admitted.isTrial });
  await breaker.giveBack();
  if (taken.type === 'exhausted') launches.failed.push({ id: participant, reason: UNFINISHED });
  if (taken.type === 'paused') return pauseLaunch(turn, taken);
  if (taken.type === 'budget') {
    const reason = `budget: ${taken.why}`;
    launches.failed.push(...taken.stopped.map((id) => ({ id, reason, kind: 'budget' as const })));
  }
  if (taken.type === 'waits')
    launches.failed.push({ id: participant, reason: `budget: ${taken.why}`, kind: 'waits' });
  return false;
}

/** Takes a participant out of the phase without a launch, because it would fail like the last one. */
async function failWithoutLaunch(
  turn: LaunchAttempt,
  foreseen: LaunchResult,
  dead: Lease | null,
): Promise<false> {
  const { ports, state, participant, runner } = turn;
  const taken = await takeLease(ports, { state, participant, runner, dead });
  if (taken.type === 'lease') await settleFailure(turn, { ...taken, isTrial: false }, foreseen);
  return false;
}

/** A lease, when the phase ends (ms since the epoch), and whether this launch is the one trial after a pause. */
interface GrantedLease {
  lease: Lease;
  timeoutAt: number;
  isTrial: boolean;
}

async function launchWhileLeased(turn: LaunchAttempt, granted: GrantedLease): Promise<boolean> {
  const { ports, options, state, participant, launches } = turn;
  const { lease } = granted;
  if (!launches.launched.includes(participant)) launches.launched.push(participant);
  const launch = { state, participant, lease };
  const isBack = registerExitDuty(() => options.signal.aborted && noteInterruption(ports, launch));
  try {
    const result = await speakAndRecord(turn, launch);
    return !result.ok && (await settleFailure(turn, granted, result));
  } finally {
    isBack();
    atWork.delete(lease.id);
  }
}

async function speakAndRecord(
  { ports, options, breaker, refused, isShort }: LaunchAttempt,
  launch: Launch,
): Promise<LaunchResult> {
  const { state, participant, lease } = launch;
  const council = state.name;
  options.onProgress({ type: 'launched', council, participant, attempt: lease.attempt, of: MAX_ATTEMPTS });
  const result = await speakOnce(ports, launch, { ...options, refused, isShort });
  // The program may never have started, so the others stop waiting.
  options.onBegin?.();
  await breaker.note(toHealthEvidence(result));
  const { ok, output, durationMs: ms, note } = result;
  // The length is sealed with the text.
  const shown = isBlindNow(state) ? { bytes: null } : { bytes: output.length, said: output.toString('utf8') };
  if (ok && isBlindNow(state)) options.onAnswer?.(participant, output);
  if (ok) options.onProgress({ type: 'recorded', council, participant, ...shown, ms, note });
  return result;
}

/** Releases the lease of a failed launch. If another launch follows, waits and returns true. */
async function settleFailure(
  turn: LaunchAttempt,
  { lease, timeoutAt, isTrial }: GrantedLease,
  failed: LaunchResult,
): Promise<boolean> {
  const { ports, options, state, participant, launches } = turn;
  turn.refused = failed.refused;
  // In COLLECT there is nothing to leave out.
  const mayShorten = failed.known?.class === 'context' && !turn.isShort && state.currentPhase !== 'COLLECT';
  turn.isShort ||= mayShorten;
  const now = ports.clock.now();
  const notBefore = findRetryTime(failed);
  const asked = notBefore === null ? 0 : notBefore - now + LATE_ENOUGH_MS;
  const pauseMs = Math.max(turn.nextPause(), asked);
  const isFinal =
    isTrial ||
    isLastAttempt(lease, failed) ||
    (isLasting(failed.failure) && !mayShorten) ||
    now + pauseMs >= timeoutAt;
  const next = failed.failure === 'cancelled' ? 'interrupted' : isFinal ? 'absent' : 'again';
  // Ended by the phase's own deadline: closing the phase marks it absent, as it does with people.
  const isOutOfTime = failed.failure === 'timeout' && now >= timeoutAt;
  const outcome = next === 'interrupted' ? next : next === 'absent' && !isOutOfTime ? 'exhausted' : 'retry';
  await releaseLease(ports, { state, participant, lease }, { result: failed, outcome });
  atWork.delete(lease.id);
  const reason = (isBlindNow(state) ? failed.safeReason : failed.reason) ?? '';
  const { attempt } = lease;
  const until = next === 'again' ? { until: formatIso(now + pauseMs) } : {};
  options.onProgress({
    type: 'attempt_failed',
    council: state.name,
    participant,
    attempt,
    reason,
    ...(failed.note !== undefined && { note: failed.note }),
    next,
    ...until,
  });
  // A provider may request a long pause, which Ctrl-C ends.
  if (next === 'again') await waitUnlessAborted(pauseMs, options.signal);
  // A launch ended by council or a person is not a failure of the agent.
  else if (!failed.cancelled) launches.failed.push({ id: participant, reason });
  return next === 'again';
}

function pauseLaunch(turn: LaunchAttempt, { until, reason: why }: { until: number; reason: string }): false {
  const { state, participant: id, launches, options } = turn;
  const at = formatIso(until);
  launches.failed.push({ id, reason: `paused until ${at} (${why})`, kind: 'paused', until: at });
  options.onProgress({ type: 'paused', council: state.name, participant: id, until: at, reason: why });
  return false;
}

function waitForTrust(
  { state, participant: id, launches, options }: LaunchAttempt,
  { runs }: Runnable,
): false {
  launches.failed.push({ id, reason: WAITS_FOR_TRUST, kind: 'untrusted' });
  options.onProgress({ type: 'untrusted', council: state.name, participant: id, runs });
  return false;
}
