import type { Reading } from '../council/amend.ts';
import { applyEvent, readCouncil } from '../council/amend.ts';
import { CouncilError } from '../base/errors.ts';
import { iso } from '../base/clock.ts';
import type { CouncilState, Lease, Participant } from '../council/state.ts';
import { awaited, seat } from '../council/state.ts';
import type { HeartbeatPorts, TickOptions } from './ports.ts';
import { atWork, recoverLease } from './recover.ts';
import { speakOnce } from './turn.ts';
import type { Turn } from './turn.ts';

/** The first attempt and two more. */
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 500;
/** Beyond the agent's own timeout, before another host may take a lease for dead. */
const LEASE_MARGIN_MS = 60_000;

export interface Launches {
  launched: string[];
  failed: { id: string; reason: string }[];
  /** Set when the store failed for a participant; the others had their turns. */
  error?: { code: string; message: string; hint?: string };
}

const launchableIn = (state: CouncilState): string[] =>
  awaited(state).filter((id) => seat(state, id).runner !== 'human');

/** True when somebody who is awaited is made to speak by a program. */
export const hasLaunchable = (state: CouncilState): boolean => launchableIn(state).length > 0;

/** Makes everybody who is awaited and can be launched speak, in parallel over all councils, and records what they say. */
export async function launchAwaited(
  ports: HeartbeatPorts,
  readings: Reading[],
  options: TickOptions,
): Promise<Launches[]> {
  const launchable = readings.map(({ council: { state } }) => launchableIn(state));
  const outcomes = readings.map((): Launches => ({ launched: [], failed: [] }));
  if (launchable.every((ids) => ids.length === 0)) return outcomes;
  readings.forEach(({ council: { state } }, at) => {
    const participants = launchable[at]!;
    if (participants.length > 0)
      options.onProgress({
        type: 'launching',
        council: state.name,
        phase: state.currentPhase,
        tour: state.tour,
        participants,
      });
  });
  const { bulkhead } = await import('cockatiel');
  const slots = bulkhead(options.concurrency, Number.MAX_SAFE_INTEGER);
  await Promise.all(
    readings.flatMap(({ council }, at) =>
      launchable[at]!.map((id) =>
        slots.execute(() =>
          takeTurn(ports, council.state, id, outcomes[at]!, options).catch(noted(outcomes[at]!)),
        ),
      ),
    ),
  );
  return outcomes;
}

/** A store that fails for one participant (a full disk, say) must not take the others' turns away. */
const noted =
  (outcome: Launches) =>
  (error: unknown): void => {
    if (!(error instanceof CouncilError)) throw error;
    outcome.error ??= { code: error.code, message: error.message, hint: error.hint };
  };

/** One participant's turn with its retries. Failures of the agent end in `outcome`; failures of the store are thrown. */
async function takeTurn(
  ports: HeartbeatPorts,
  state: CouncilState,
  id: string,
  outcome: Launches,
  options: TickOptions,
): Promise<void> {
  let held = seat(state, id).lease;
  if (held) {
    const recovered = await recoverLease(ports, state, id, held, options);
    if (recovered !== 'dead') return;
  }
  const { retry, handleType, ExponentialBackoff } = await import('cockatiel');
  const policy = retry(
    handleType(AttemptFailed, (failure) => !failure.final),
    {
      maxAttempts: MAX_ATTEMPTS,
      backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: 30_000 }),
    },
  );
  try {
    await policy.execute(async () => {
      const lease = await takeLease(ports, state, id, held);
      held = null;
      if (!lease) return;
      if (lease === 'exhausted') throw new AttemptFailed('it did not survive its launches', true);
      if (!outcome.launched.includes(id)) outcome.launched.push(id);
      await attempt(ports, { state, participant: id, lease }, options).finally(() => atWork.delete(lease.id));
    }, options.signal);
  } catch (error) {
    if (options.signal.aborted) return;
    if (!(error instanceof AttemptFailed)) throw error;
    outcome.failed.push({ id, reason: error.message });
  }
}

/** The right to launch once, by compare-and-set. Undefined when somebody else has it or the turn is over. */
async function takeLease(
  ports: HeartbeatPorts,
  state: CouncilState,
  id: string,
  dead: Lease | null,
): Promise<Lease | 'exhausted' | undefined> {
  const { conversationId, name } = state;
  let lease: Lease | undefined;
  try {
    const current = await readSeat(ports, state, id);
    if (!current) return undefined;
    const number = current.attempts + 1;
    if (number > MAX_ATTEMPTS && dead) {
      await applyEvent(
        ports,
        name,
        {
          type: 'attempt_failed',
          participant: id,
          leaseId: dead.id,
          reason: 'it did not survive its launches',
          outcome: 'exhausted',
        },
        { conversationId },
      );
      return 'exhausted';
    }
    const until = iso(ports.clock.now() + timeoutOf(ports, id) + LEASE_MARGIN_MS);
    lease = { id: ports.random.uuid(), attempt: number, ...ports.self, until };
    atWork.add(lease.id);
    await applyEvent(
      ports,
      name,
      { type: 'lease', participant: id, lease, replaces: dead?.id ?? null },
      { conversationId, by: id, action: 'launch' },
    );
    return lease;
  } catch (error) {
    if (lease) atWork.delete(lease.id);
    if (
      error instanceof CouncilError &&
      ['stale_lease', 'not_your_turn', 'phase_closed', 'unknown_council'].includes(error.code)
    )
      return undefined;
    throw error;
  }
}

async function attempt(ports: HeartbeatPorts, turn: Turn, options: TickOptions): Promise<void> {
  const { state, participant, lease } = turn;
  const council = state.name;
  options.onProgress({ type: 'launched', council, participant, attempt: lease.attempt });
  const spoken = await speakOnce(ports, turn, options.signal);
  if (spoken.ok) {
    options.onProgress({
      type: 'recorded',
      council,
      participant,
      bytes: spoken.bytes,
      ms: spoken.ms,
      note: spoken.note,
    });
    return;
  }
  const final = !spoken.interrupted && (!spoken.retry || lease.attempt >= MAX_ATTEMPTS);
  const outcome = spoken.interrupted ? 'interrupted' : final ? 'exhausted' : 'retry';
  await releaseLease(ports, turn, spoken.reason, outcome);
  options.onProgress({
    type: 'attempt_failed',
    council,
    participant,
    attempt: lease.attempt,
    reason: spoken.reason,
    final,
  });
  throw new AttemptFailed(spoken.reason, final || spoken.interrupted);
}

async function releaseLease(
  ports: HeartbeatPorts,
  { state, participant, lease }: Turn,
  reason: string,
  outcome: 'retry' | 'exhausted' | 'interrupted',
): Promise<void> {
  try {
    await applyEvent(
      ports,
      state.name,
      { type: 'attempt_failed', participant, leaseId: lease.id, reason, outcome },
      { conversationId: state.conversationId, by: participant },
    );
  } catch (error) {
    // The phase closed or the participant spoke by another way meanwhile: there is no lease to give back.
    if (
      !(error instanceof CouncilError) ||
      !['stale_lease', 'phase_closed', 'unknown_council'].includes(error.code)
    )
      throw error;
  }
}

async function readSeat(
  ports: HeartbeatPorts,
  state: CouncilState,
  id: string,
): Promise<Participant | undefined> {
  const { council } = await readCouncil(ports, state.name);
  const same = council.state.conversationId === state.conversationId && council.state.tour === state.tour;
  return same && awaited(council.state).includes(id) ? seat(council.state, id) : undefined;
}

/** An unknown agent fails at its launch, with a reason; here it only needs some limit. */
const timeoutOf = (ports: HeartbeatPorts, id: string): number => ports.agents.find(id)?.timeout ?? 0;

class AttemptFailed extends Error {
  readonly final: boolean;
  constructor(reason: string, final: boolean) {
    super(reason);
    this.final = final;
  }
}
