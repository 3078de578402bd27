import { iso } from '../base/clock.ts';
import type { CouncilState, Lease } from '../council/state.ts';
import { isBlindNow, seat } from '../council/state.ts';
import { careOf } from './care.ts';
import type { Care } from './care.ts';
import { MAX_ATTEMPTS, releaseLease, takeLease } from './lease.ts';
import type { HeartbeatPorts, TickOptions } from './ports.ts';
import { atWork, recoverLease } from './recover.ts';
import { speakOnce } from './turn.ts';
import type { Failed, Turn } from './turn.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Who was launched in a tick, and for whom it brought nothing. */
export interface Launches {
  launched: string[];
  /** `kind` tells what was no failed launch: the budget was spent, or the agent is paused after too many failures. */
  failed: { id: string; reason: string; kind?: 'budget' | 'paused' }[];
  /** Set when the store failed for a participant; the others had their turns. */
  error?: { code: string; message: string; hint?: string };
}

/** One participant's turn with its retries. Failures of the agent end in `outcome`; failures of the store are thrown. */
export async function takeTurn(
  ports: HeartbeatPorts,
  state: CouncilState,
  id: string,
  outcome: Launches,
  options: TickOptions,
): Promise<void> {
  let held = seat(state, id).lease;
  const recovered = held ? await recoverLease(ports, state, id, held, options) : 'dead';
  if (recovered === 'alive' || recovered === 'recorded') return;
  let spooled = recovered === 'dead' ? undefined : recovered;
  const { retry, handleType, DelegateBackoff, ExponentialBackoff } = await import('cockatiel');
  let pace = new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: LONGEST_PAUSE_MS }).next();
  const policy = retry(
    handleType(AttemptFailed, (failure) => !failure.final),
    {
      maxAttempts: MAX_ATTEMPTS,
      backoff: new DelegateBackoff(({ result }) =>
        'error' in result && result.error instanceof AttemptFailed ? result.error.pauseMs : 0,
      ),
    },
  );
  const care = careOf(ports, id);
  /** Gives the lease back, and tells how it goes on. */
  const fail = async (turn: Turn, failed: Failed, limits: Limits): Promise<AttemptFailed> => {
    const pauseMs = Math.max(pace.duration, (failed.notBefore ?? 0) - ports.clock.now());
    pace = pace.next(undefined);
    const isFinal = isLast(turn.lease, failed, { ...limits, resumeAt: ports.clock.now() + pauseMs });
    await releaseLease(ports, turn, failed, outcomeOf(failed, isFinal));
    const reason = isBlindNow(state) ? failed.brief : failed.reason;
    const { attempt } = turn.lease;
    const facts = { council: state.name, participant: id, attempt, reason, final: isFinal };
    options.onProgress({ type: 'attempt_failed', ...facts });
    return new AttemptFailed(reason, isFinal || failed.kind === 'cancelled', pauseMs);
  };

  try {
    await policy.execute(async () => {
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
      const admitted = await care.admit();
      if (!admitted.go) return pause(state, id, admitted, outcome, options);
      const taken = await takeLease(ports, state, id, held);
      held = null;
      if (taken.type !== 'lease') await care.giveBack();
      if (taken.type === 'exhausted') throw new AttemptFailed('it did not survive its launches', true, 0);
      if (taken.type === 'budget') {
        const reason = `budget: ${taken.why}`;
        outcome.failed.push(...taken.stopped.map((one) => ({ id: one, reason, kind: 'budget' as const })));
      }
      if (taken.type !== 'lease') return;
      if (!outcome.launched.includes(id)) outcome.launched.push(id);
      const turn = { state, participant: id, lease: taken.lease };
      try {
        const failed = await attempt(ports, turn, care, options);
        if (failed) throw await fail(turn, failed, { timeoutAt: taken.timeoutAt, isProbe: admitted.probe });
      } finally {
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
  ports: HeartbeatPorts,
  turn: Turn,
  care: Care,
  options: TickOptions,
): Promise<Failed | undefined> {
  const { state, participant, lease } = turn;
  const council = state.name;
  options.onProgress({ type: 'launched', council, participant, attempt: lease.attempt });
  const spoken = await speakOnce(ports, turn, options.signal);
  await care.note(spoken);
  if (!spoken.ok) return spoken;
  const { bytes, ms, note } = spoken;
  options.onProgress({ type: 'recorded', council, participant, bytes, ms, note });
  return undefined;
}

function pause(
  { name }: CouncilState,
  id: string,
  { until, reason: why }: { until: number; reason: string },
  { failed }: Launches,
  options: TickOptions,
): void {
  const reason = `paused until ${iso(until)} after failed launches (${why})`;
  failed.push({ id, reason, kind: 'paused' });
  options.onProgress({ type: 'paused', council: name, participant: id, until: iso(until), reason: why });
}

/** When the phase ends (ms since the epoch), and whether this launch was the one trial after a pause. */
interface Limits {
  timeoutAt: number;
  isProbe: boolean;
}

/** Whether nothing more is tried in this phase. Wrong configuration and refusals do not mend themselves. */
function isLast(
  { attempt: number }: Lease,
  { kind }: Failed,
  { timeoutAt, isProbe, resumeAt }: Limits & { resumeAt: number },
): boolean {
  if (kind === 'cancelled') return false;
  if (kind === 'config' || kind === 'refusal' || isProbe || number >= MAX_ATTEMPTS) return true;
  return kind === 'rate-limit' && resumeAt >= timeoutAt;
}

function outcomeOf({ kind }: Failed, isFinal: boolean): 'retry' | 'exhausted' | 'interrupted' {
  if (kind === 'cancelled') return 'interrupted';
  return isFinal ? 'exhausted' : 'retry';
}

class AttemptFailed extends Error {
  readonly final: boolean;
  /** Milliseconds until the next attempt. */
  readonly pauseMs: number;
  constructor(reason: string, final: boolean, pauseMs: number) {
    super(reason);
    this.final = final;
    this.pauseMs = pauseMs;
  }
}
