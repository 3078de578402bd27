import type { Runnable } from '../../agents/runnable.ts';
import { iso } from '../../base/clock.ts';
import type { CouncilState, Lease } from '../../council/state/state.ts';
import { isBlindNow, seat } from '../../council/state/state.ts';
import { atWork, beforeExit } from './at-work.ts';
import { careOf } from './circuit-breaker.ts';
import type { Care } from './circuit-breaker.ts';
import { MAX_ATTEMPTS, releaseLease, takeLease } from './lease.ts';
import type { LaunchPorts, LaunchOptions } from './ports.ts';
import { recoverLease } from './recover.ts';
import { rest } from './rest.ts';
import { WAITS_FOR_TRUST, waitingForTrust } from './trust.ts';
import { noteInterruption, speakOnce } from './turn.ts';
import type { Failed, Turn } from './turn.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** Timers may fire a moment early. */
const LATE_ENOUGH_MS = 50;

/** Who was launched in a tick, and for whom it brought nothing. */
export interface Launches {
  launched: string[];
  /**
   * `kind` tells what was no failed launch: the budget was spent, the agent is paused until `until` (ISO 8601 UTC), or
   * nobody has trusted it.
   */
  failed: { id: string; reason: string; kind?: 'budget' | 'paused' | 'untrusted'; until?: string }[];
  /** Set when the store failed for a participant; the others had their turns. */
  error?: { code: string; message: string; hint?: string };
}

/** One participant's turn with its retries. Failures of the agent end in `outcome`; failures of the store are thrown. */
export async function takeTurn(
  ports: LaunchPorts,
  state: CouncilState,
  id: string,
  outcome: Launches,
  options: LaunchOptions,
): Promise<void> {
  let held = seat(state, id).lease;
  const recovered = held ? await recoverLease(ports, state, id, held, options) : 'dead';
  if (recovered === 'alive' || recovered === 'recorded') return;
  if (recovered === 'freed') held = null;
  let spooled = typeof recovered === 'string' ? undefined : recovered;
  const { retry, handleType, ExponentialBackoff } = await import('cockatiel');
  let pace = new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: LONGEST_PAUSE_MS }).next();
  const policy = retry(
    handleType(AttemptFailed, (failure) => !failure.final),
    { maxAttempts: MAX_ATTEMPTS },
  );
  const care = careOf(ports, id);
  // Whoever failed in an earlier phase of this council has had its pause: the table does not wait for it in each phase.
  const hasFailedHere = state.absences.some((a) => a.participant === id && a.reason.startsWith('failed'));
  /** Gives the lease back, and tells how it goes on. */
  const fail = async (turn: Turn, failed: Failed, limits: Limits): Promise<AttemptFailed> => {
    const asked = failed.notBefore === null ? 0 : failed.notBefore - ports.clock.now() + LATE_ENOUGH_MS;
    const pauseMs = Math.max(pace.duration, asked);
    pace = pace.next(undefined);
    const isFinal = isLast(turn.lease, failed, { ...limits, resumeAt: ports.clock.now() + pauseMs });
    // Ended by the phase's own deadline: the closing takes it out, as it does with people.
    const isOutOfTime = failed.kind === 'timeout' && ports.clock.now() >= limits.timeoutAt;
    await releaseLease(ports, turn, failed, outcomeOf(failed, isFinal && !isOutOfTime));
    atWork.delete(turn.lease.id);
    const reason = isBlindNow(state) ? failed.brief : failed.reason;
    const { attempt } = turn.lease;
    const next = failed.kind === 'cancelled' ? 'interrupted' : isFinal ? 'absent' : 'again';
    const facts = { council: state.name, participant: id, attempt, reason, next } as const;
    options.onProgress({ type: 'attempt_failed', ...facts });
    // The policy's own pause would not end at Ctrl-C, and a provider may ask for a long one.
    if (next === 'again') await rest(pauseMs, options.signal);
    return new AttemptFailed(reason, next !== 'again');
  };

  try {
    await policy.execute(async () => {
      if (options.signal.aborted) return;
      if (spooled && held) {
        const [failed, lease] = [spooled, held];
        spooled = undefined;
        held = null;
        await care.note(failed);
        throw await fail({ state, participant: id, lease }, failed, {
          timeoutAt: Date.parse(state.timeoutAt),
          isProbe: false,
        });
      }
      const agent = ports.agents.find(id);
      const what = agent && waitingForTrust(ports, agent);
      if (what) return waitForTrust(state, id, what, outcome, options);
      const admitted = await care.admit(hasFailedHere);
      if (!admitted.go) return pause(state, id, admitted, outcome, options);
      const taken = await takeLease(ports, state, id, held);
      held = null;
      if (taken.type !== 'lease') await care.giveBack();
      if (taken.type === 'exhausted') throw new AttemptFailed('its launches ended without a result', true);
      if (taken.type === 'budget') {
        const reason = `budget: ${taken.why}`;
        outcome.failed.push(...taken.stopped.map((one) => ({ id: one, reason, kind: 'budget' as const })));
      }
      if (taken.type === 'paused') pause(state, id, taken, outcome, options);
      if (taken.type !== 'lease') return;
      if (!outcome.launched.includes(id)) outcome.launched.push(id);
      const turn = { state, participant: id, lease: taken.lease };
      const isBack = beforeExit(() => options.signal.aborted && noteInterruption(ports, turn));
      try {
        const failed = await attempt(ports, turn, care, options);
        if (failed) throw await fail(turn, failed, { timeoutAt: taken.timeoutAt, isProbe: admitted.probe });
      } finally {
        isBack();
        atWork.delete(taken.lease.id);
      }
    }, options.signal);
  } catch (error) {
    if (options.signal.aborted) return;
    if (!(error instanceof AttemptFailed)) throw error;
    outcome.failed.push({ id, reason: error.message });
  }
}

async function attempt(
  ports: LaunchPorts,
  turn: Turn,
  care: Care,
  options: LaunchOptions,
): Promise<Failed | undefined> {
  const { state, participant, lease } = turn;
  const council = state.name;
  options.onProgress({ type: 'launched', council, participant, attempt: lease.attempt });
  const spoken = await speakOnce(ports, turn, options.signal);
  await care.note(spoken);
  if (!spoken.ok) return spoken;
  const { bytes, ms, note } = spoken;
  // Its length is sealed with the text.
  const told = isBlindNow(state) ? null : bytes;
  options.onProgress({ type: 'recorded', council, participant, bytes: told, ms, note });
  return undefined;
}

function pause(
  { name }: CouncilState,
  id: string,
  { until, reason: why }: { until: number; reason: string },
  { failed }: Launches,
  options: LaunchOptions,
): void {
  const at = iso(until);
  failed.push({ id, reason: `paused until ${at} (${why})`, kind: 'paused', until: at });
  options.onProgress({ type: 'paused', council: name, participant: id, until: at, reason: why });
}

function waitForTrust(
  { name }: CouncilState,
  id: string,
  { runs }: Runnable,
  { failed }: Launches,
  options: LaunchOptions,
): void {
  failed.push({ id, reason: WAITS_FOR_TRUST, kind: 'untrusted' });
  options.onProgress({ type: 'untrusted', council: name, participant: id, runs });
}

/** When the phase ends (ms since the epoch), and whether this launch was the one trial after a pause. */
interface Limits {
  timeoutAt: number;
  isProbe: boolean;
}

/** Whether nothing more is tried in this phase: when it would be over by then, too. Wrong configuration and refusals do not mend themselves. */
function isLast(
  { attempt: number }: Lease,
  { kind }: Failed,
  { timeoutAt, isProbe, resumeAt }: Limits & { resumeAt: number },
): boolean {
  if (kind === 'cancelled') return false;
  if (kind === 'config' || kind === 'refusal' || isProbe || number >= MAX_ATTEMPTS) return true;
  return resumeAt >= timeoutAt;
}

function outcomeOf({ kind }: Failed, isFinal: boolean): 'retry' | 'exhausted' | 'interrupted' {
  if (kind === 'cancelled') return 'interrupted';
  return isFinal ? 'exhausted' : 'retry';
}

class AttemptFailed extends Error {
  readonly final: boolean;
  constructor(reason: string, final: boolean) {
    super(reason);
    this.final = final;
  }
}
