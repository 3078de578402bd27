// Leases: taking and giving back the right to launch a participant.
import { CouncilError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { iso } from '../../base/clock.ts';
import { overspent } from '../../council/state/budget.ts';
import { transition } from '../../council/machine/transition.ts';
import { amend } from '../../council/use/commit-change.ts';
import { applyEvent, readCouncil, requireAccepted } from '../../council/use/update-council.ts';
import { readSpooled } from '../../council/use/read-spools.ts';
import type { CouncilState, Lease } from '../../council/state/state.ts';
import { awaited, isAwaited, seat } from '../../council/state/state.ts';
import { withUsage } from '../../council/state/usage.ts';
import { atWork } from './running-leases.ts';
import type { LaunchPorts } from './ports.ts';
import { findRetryTime, isUnableToSpeak, listUsageRecords } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';

/** The first attempt and two more. */
export const MAX_ATTEMPTS = 3;
/** Beyond the agent's own timeout, before another host may take a lease for dead. */
export const LEASE_MARGIN_MS = 60_000;
/** Why a participant is absent whose launches all died with their owner. */
export const UNFINISHED = 'its launches ended without a result';
/** The turn is over or taken by another. */
const LOST: readonly ErrorCode[] = ['stale_lease', 'not_your_turn', 'phase_closed', 'unknown_council'];

export type LeaseResult =
  /** `timeoutAt`: when the phase ends, in milliseconds since the epoch. */
  | { type: 'lease'; lease: Lease; timeoutAt: number }
  | { type: 'lost' | 'exhausted' }
  /** The provider asked to wait: not before `until` (ms since the epoch). */
  | { type: 'paused'; until: number; reason: string }
  /** The participants in `stopped` are not launched again in this phase. */
  | { type: 'budget'; stopped: string[]; why: string };

/** Who is to be launched, as the tick has read it; `dead` is a lease to replace. */
interface LeaseRequest {
  state: CouncilState;
  participant: string;
  /** Whose runner is launched. */
  runner: string;
  dead: Lease | null;
}

/** The right to launch once, by compare-and-set, if the budget still allows a launch. */
export async function takeLease(ports: LaunchPorts, wanted: LeaseRequest): Promise<LeaseResult> {
  // A lease that names a heartbeat without a row is that of a dead one.
  await ports.heart.begin();
  try {
    return (await hindrance(ports, wanted)) ?? (await leaseNow(ports, wanted));
  } catch (error) {
    if (error instanceof CouncilError && LOST.includes(error.code)) return { type: 'lost' };
    throw error;
  }
}

/** Records what prevents a launch, such as a spent budget. Undefined if nothing does. */
async function hindrance(ports: LaunchPorts, wanted: LeaseRequest): Promise<LeaseResult | undefined> {
  const { participant, dead } = wanted;
  if (!dead && !wanted.state.budget) return undefined;
  const state = findOpenTurn(wanted, (await readCouncil(ports, wanted.state.name)).council.state);
  if (!state) return { type: 'lost' };
  const paused = findPause(ports, state, participant);
  if (paused) return paused;
  if (!dead || seat(state, participant).attempts < MAX_ATTEMPTS)
    return stopOverspent(ports, { ...wanted, state });
  const failed = { participant, leaseId: dead.id, reason: UNFINISHED, outcome: 'exhausted' } as const;
  const { conversationId } = state;
  await applyEvent(ports, state.name, { type: 'attempt_failed', ...failed }, { conversationId });
  return { type: 'exhausted' };
}

function findPause(ports: LaunchPorts, state: CouncilState, participant: string): LeaseResult | undefined {
  const until = Date.parse(seat(state, participant).retryAt ?? '');
  return until > ports.clock.now() ? { type: 'paused', until, reason: 'rate limit' } : undefined;
}

/** Takes the lease, in one commit with concurrent ones, if the participant's turn is still open. */
async function leaseNow(ports: LaunchPorts, wanted: LeaseRequest): Promise<LeaseResult> {
  const { participant, dead } = wanted;
  const id = ports.random.uuid();
  const note = { action: 'launch', by: participant };
  atWork.add(id);
  let result: LeaseResult = { type: 'lost' };
  try {
    const done = await amend<LeaseResult>(ports, wanted.state.name, note, (now) => {
      const state = findOpenTurn(wanted, now.state);
      const hindered: LeaseResult | undefined = state
        ? findPause(ports, state, participant)
        : { type: 'lost' };
      if (hindered) return { result: hindered };
      const lease = createLease(ports, wanted, { id, attempt: seat(now.state, participant).attempts + 1 });
      const event = { type: 'lease', participant, lease, replaces: dead?.id ?? null } as const;
      const outcome = transition(now, event, ports.clock.now(), ports.clock.clocks());
      const { council: next } = requireAccepted(
        outcome,
        `See it with: council status --name ${now.state.name}`,
      );
      const timeoutAt = Date.parse(next.state.timeoutAt);
      return { next, result: { type: 'lease', lease, timeoutAt } };
    });
    return (result = done.result);
  } finally {
    if (result.type !== 'lease') atWork.delete(id);
  }
}

function createLease(
  ports: LaunchPorts,
  { participant, runner }: LeaseRequest,
  numbered: Pick<Lease, 'id' | 'attempt'>,
): Lease {
  const ms = launchTime(ports, runner);
  const awake = ports.clock.clocks()?.awake;
  return {
    ...numbered,
    ...ports.self,
    heartbeat: ports.heart.id,
    until: iso(ports.clock.now() + ms),
    ...(awake !== undefined && { awakeUntil: awake + ms }),
    ...(runner !== participant && { lender: runner }),
  };
}

/** Gives a lease back after a launch that failed. */
export async function releaseLease(
  ports: LaunchPorts,
  { state, participant, lease }: Launch,
  { result, outcome }: { result: LaunchResult; outcome: 'retry' | 'exhausted' | 'interrupted' },
): Promise<void> {
  const { safeReason, reason, stderrTail: stderr } = result;
  const notBefore = findRetryTime(result);
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
        isUnable: isUnableToSpeak(result),
        ...(outcome !== 'interrupted' && { failure: { reason: reason ?? '', stderr } }),
        ...(outcome === 'retry' && notBefore !== null && { retryAt: iso(notBefore) }),
        usage: listUsageRecords(result),
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

/** The state, if in it this turn may still be taken. */
const findOpenTurn = ({ state, participant }: LeaseRequest, now: CouncilState): CouncilState | undefined =>
  now.conversationId === state.conversationId && now.tour === state.tour && isAwaited(now, participant)
    ? now
    : undefined;

/**
 * Takes participants with a launch due out of the phase when a budget is spent; undefined if
 * something is left.
 */
async function stopOverspent(
  ports: LaunchPorts,
  { state, participant: id, dead }: LeaseRequest,
): Promise<LeaseResult | undefined> {
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
