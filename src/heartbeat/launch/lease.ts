// Leases: taking and giving back the right to launch a participant.
import { CouncilError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { iso } from '../../base/clock.ts';
import { overspent } from '../../council/state/budget.ts';
import { applyEvent, readCouncil } from '../../council/use/update-council.ts';
import { readSpooled } from '../../council/use/spooled.ts';
import type { CouncilState, Lease } from '../../council/state/state.ts';
import { awaited, seat } from '../../council/state/state.ts';
import { withUsage } from '../../council/state/usage.ts';
import { atWork } from './at-work.ts';
import type { LaunchPorts } from './ports.ts';
import { askAgainAt, usageOf } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';

/** The first attempt and two more. */
export const MAX_ATTEMPTS = 3;
/** Beyond the agent's own timeout, before another host may take a lease for dead. */
export const LEASE_MARGIN_MS = 60_000;
/** Why a participant is absent whose launches all died with their owner. */
export const UNFINISHED = 'its launches ended without a result';
/** Somebody else has the turn, or it is over. */
const LOST: readonly ErrorCode[] = ['stale_lease', 'not_your_turn', 'phase_closed', 'unknown_council'];

export type Taken =
  /** `timeoutAt`: when the phase ends, in milliseconds since the epoch. */
  | { type: 'lease'; lease: Lease; timeoutAt: number }
  | { type: 'lost' | 'exhausted' }
  /** The provider asked to wait: not before `until` (ms since the epoch). */
  | { type: 'paused'; until: number; reason: string }
  /** Nobody of `stopped` is launched in this phase any more. */
  | { type: 'budget'; stopped: string[]; why: string };

/** Who is to be launched, as the tick has read it; `dead` is a lease to replace. */
interface Wanted {
  state: CouncilState;
  participant: string;
  /** Whose runner is launched. */
  runner: string;
  dead: Lease | null;
}

/** The right to launch once, by compare-and-set, if the budget still allows a launch. */
export async function takeLease(ports: LaunchPorts, wanted: Wanted): Promise<Taken> {
  try {
    const state = await readTurn(ports, wanted);
    if (!state) return { type: 'lost' };
    const now = { ...wanted, state };
    return (await hindrance(ports, now)) ?? (await leaseNow(ports, now));
  } catch (error) {
    if (error instanceof CouncilError && LOST.includes(error.code)) return { type: 'lost' };
    throw error;
  }
}

/** What keeps somebody whose turn it is from being launched now. */
async function hindrance(ports: LaunchPorts, wanted: Wanted): Promise<Taken | undefined> {
  const { state, participant, dead } = wanted;
  const { retryAt = '', attempts } = seat(state, participant);
  const until = Date.parse(retryAt);
  if (until > ports.clock.now()) return { type: 'paused', until, reason: 'rate limit' };
  if (attempts < MAX_ATTEMPTS || !dead) return stopOverspent(ports, wanted);
  const failed = { participant, leaseId: dead.id, reason: UNFINISHED, outcome: 'exhausted' } as const;
  const { conversationId } = state;
  await applyEvent(ports, state.name, { type: 'attempt_failed', ...failed }, { conversationId });
  return { type: 'exhausted' };
}

async function leaseNow(ports: LaunchPorts, { state, participant, runner, dead }: Wanted): Promise<Taken> {
  const { conversationId, name } = state;
  const ms = launchTime(ports, runner);
  const awake = ports.clock.clocks()?.awake;
  const lease: Lease = {
    id: ports.random.uuid(),
    attempt: seat(state, participant).attempts + 1,
    ...ports.self,
    until: iso(ports.clock.now() + ms),
    ...(awake !== undefined && { awakeUntil: awake + ms }),
    ...(runner !== participant && { lender: runner }),
  };
  const event = { type: 'lease', participant, lease, replaces: dead?.id ?? null } as const;
  atWork.add(lease.id);
  try {
    const note = { conversationId, by: participant, action: 'launch' };
    const { state: leased } = await applyEvent(ports, name, event, note);
    return { type: 'lease', lease, timeoutAt: Date.parse(leased.timeoutAt) };
  } catch (error) {
    atWork.delete(lease.id);
    throw error;
  }
}

/** Gives a lease back after a launch that failed. */
export async function releaseLease(
  ports: LaunchPorts,
  { state, participant, lease }: Launch,
  { result, outcome }: { result: LaunchResult; outcome: 'retry' | 'exhausted' | 'interrupted' },
): Promise<void> {
  const { safeReason, reason, stderrTail: stderr } = result;
  const notBefore = askAgainAt(result);
  try {
    await applyEvent(
      ports,
      state.name,
      {
        type: 'attempt_failed',
        participant,
        leaseId: lease.id,
        reason: safeReason ?? '',
        outcome,
        ...(outcome !== 'interrupted' && { failure: { reason: reason ?? '', stderr } }),
        ...(outcome === 'retry' && notBefore !== null && { retryAt: iso(notBefore) }),
        usage: usageOf(result),
      },
      { conversationId: state.conversationId, by: participant },
    );
  } catch (error) {
    // The phase closed or the participant spoke by another way meanwhile: there is no lease to give back.
    if (!(error instanceof CouncilError) || !LOST.includes(error.code)) throw error;
  }
}

/** Milliseconds after which a launch cannot be at work any more. An unknown agent fails at its launch, with a reason. */
export const launchTime = (ports: Pick<LaunchPorts, 'agents'>, id: string): number =>
  (ports.agents.find(id)?.timeout ?? 0) + LEASE_MARGIN_MS;

/** The state in which this turn may still be taken. */
async function readTurn(
  ports: LaunchPorts,
  { state, participant }: Wanted,
): Promise<CouncilState | undefined> {
  const { council } = await readCouncil(ports, state.name);
  const same = council.state.conversationId === state.conversationId && council.state.tour === state.tour;
  return same && awaited(council.state).includes(participant) ? council.state : undefined;
}

/** Takes whoever would be launched out of the phase when a budget is spent; undefined while there is something left. */
async function stopOverspent(
  ports: LaunchPorts,
  { state, participant: id, dead }: Wanted,
): Promise<Taken | undefined> {
  if (!state.budget) return undefined;
  // What a blind phase has used up is known to the private folder alone.
  const { usage } = await readSpooled(state, ports.privateFiles);
  const over = overspent(state.budget, id, withUsage(state.usage ?? [], usage));
  if (!over) return undefined;
  const others = awaited(state).filter((one) => {
    const { runner, lease } = seat(state, one);
    return runner !== 'human' && !lease && one !== id;
  });
  const participants = over.scope === 'council' ? [id, ...others] : [id];
  await applyEvent(
    ports,
    state.name,
    { type: 'budget', participants, leaseId: dead?.id ?? null, ...over },
    { conversationId: state.conversationId, by: null },
  );
  return { type: 'budget', stopped: participants, why: over.why };
}
