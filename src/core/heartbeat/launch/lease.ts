// Leases: taking and releasing the right to launch a participant.
import { CouncilError, ignoreCodes } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { formatIso } from '../../base/clock.ts';
import { transition } from '../../council/machine/transition.ts';
import { replaceSeat } from '../../council/machine/transition-result.ts';
import { amendCouncil } from '../../council/use/commit-change.ts';
import { applyEvent, readCouncil, requireAccepted } from '../../council/use/council-access.ts';
import type { Shortage } from '../../council/state/budget.ts';
import type { CouncilState, Lease, Reservation } from '../../council/state/state.ts';
import { isAwaited, getSeat } from '../../council/state/state.ts';
import { estimateReservation, findBudgetShortage, stopForBudget } from './reserve.ts';
import { atWork } from './heartbeat-row.ts';
import type { LaunchPorts } from './ports.ts';
import { findRetryTime, isUnableToSpeak, listUsageRecords } from './result.ts';
import type { Launch, LaunchResult } from './result.ts';

/** The first attempt and two more. */
export const MAX_ATTEMPTS = 3;
/** A program that hangs delays everyone, so it gets only two attempts. */
const MAX_ATTEMPTS_THAT_HANG = 2;

/** Whether a failed launch is not followed by another one. */
export const isLastAttempt = (
  { attempt }: Pick<Lease, 'attempt'>,
  { failure }: Pick<LaunchResult, 'failure'>,
): boolean => attempt >= (failure === 'timeout' ? MAX_ATTEMPTS_THAT_HANG : MAX_ATTEMPTS);
/** Time beyond the agent's own timeout before another host may consider a lease dead. */
export const LEASE_MARGIN_MS = 60_000;
/** The reason for an absence if all launches died with their owner. */
export const UNFINISHED = 'its launches ended without a result';
/** The turn is over or taken by another process. */
const LOST: readonly ErrorCode[] = ['stale_lease', 'not_your_turn', 'phase_closed', 'unknown_council'];

export type LeaseResult =
  /** `timeoutAt`: when the phase ends, in milliseconds since the epoch. */
  | { type: 'lease'; lease: Lease; timeoutAt: number }
  | { type: 'lost' | 'exhausted' }
  /** The provider asked to wait until `until` (ms since the epoch). */
  | { type: 'paused'; until: number; reason: string }
  /** The participants in `stopped` are not launched again in this phase. */
  | { type: 'budget'; stopped: string[]; why: string }
  /** It may fit once running launches have ended. */
  | { type: 'waits'; why: string };

/** The participant to launch, as read by the tick; `dead` is a lease to replace. */
interface LeaseRequest {
  state: CouncilState;
  participant: string;
  /** The agent whose runner is launched. */
  runner: string;
  dead: Lease | null;
  /** The worst case of the launch, to be reserved in a budget. */
  needed: Omit<Reservation, 'lease'> | undefined;
}

/** Takes the right to launch once, by compare-and-set, if the budget allows a launch. */
export async function takeLease(
  ports: LaunchPorts,
  request: Omit<LeaseRequest, 'needed'>,
): Promise<LeaseResult> {
  // A lease that names a heartbeat without a row is considered dead.
  await ports.heart.begin();
  try {
    const hindered = await checkDeadLease(ports, request);
    if (hindered) return hindered;
    const wanted = { ...request, needed: await estimateReservation(ports, request) };
    const taken = await commitLease(ports, wanted);
    return taken.type === 'short' ? await settleShortage(ports, wanted, taken) : taken;
  } catch (error) {
    if (error instanceof CouncilError && LOST.includes(error.code)) return { type: 'lost' };
    throw error;
  }
}

/** Returns what prevents any launch; records an owner that died too often. Undefined if nothing does. */
async function checkDeadLease(
  ports: LaunchPorts,
  wanted: Omit<LeaseRequest, 'needed'>,
): Promise<LeaseResult | undefined> {
  const { participant, dead } = wanted;
  if (!dead) return undefined;
  const state = findOpenTurn(wanted, (await readCouncil(ports, wanted.state.name)).council.state);
  if (!state) return { type: 'lost' };
  const paused = findPause(ports, state, participant);
  if (paused) return paused;
  if (getSeat(state, participant).attempts < MAX_ATTEMPTS) return undefined;
  const failed = { participant, leaseId: dead.id, reason: UNFINISHED, outcome: 'exhausted' } as const;
  const { conversationId } = state;
  await applyEvent(ports, state.name, { type: 'attempt_failed', ...failed }, { conversationId });
  return { type: 'exhausted' };
}

function findPause(ports: LaunchPorts, state: CouncilState, participant: string): LeaseResult | undefined {
  const until = Date.parse(getSeat(state, participant).retryAt ?? '');
  return until > ports.clock.now() ? { type: 'paused', until, reason: 'rate limit' } : undefined;
}

/** Takes the lease, in one commit with concurrent ones, if the participant's turn is still open. */
async function commitLease(ports: LaunchPorts, wanted: LeaseRequest): Promise<LeaseResult | BudgetShort> {
  const { participant, dead, needed } = wanted;
  const id = ports.random.uuid();
  const note = { action: 'launch', by: participant };
  atWork.add(id);
  let result: LeaseResult | BudgetShort = { type: 'lost' };
  try {
    const done = await amendCouncil<LeaseResult | BudgetShort>(
      ports,
      wanted.state.name,
      note,
      async (now) => {
        const state = findOpenTurn(wanted, now.state);
        const hindered = state ? await findHindrance(ports, state, wanted) : { type: 'lost' as const };
        if (hindered) return { result: hindered };
        const lease = createLease(ports, wanted, {
          id,
          attempt: getSeat(now.state, participant).attempts + 1,
        });
        const event = { type: 'lease', participant, lease, replaces: dead?.id ?? null } as const;
        const reserves = needed && { ...needed, lease: id };
        const outcome = transition(now, { ...event, reserves }, ports.clock.now(), ports.clock.clocks());
        const { council: next } = requireAccepted(
          outcome,
          `See it with: council status --name ${now.state.name}`,
        );
        const timeoutAt = Date.parse(next.state.timeoutAt);
        return { next, result: { type: 'lease', lease, timeoutAt } };
      },
    );
    return (result = done.result);
  } finally {
    if (result.type !== 'lease') atWork.delete(id);
  }
}

/** A budget without room, and the council at that time. */
type BudgetShort = { type: 'short'; short: Shortage; state: CouncilState };

/** Returns what prevents a launch in the current council. */
async function findHindrance(
  ports: LaunchPorts,
  state: CouncilState,
  { participant, dead, needed }: LeaseRequest,
): Promise<LeaseResult | BudgetShort | undefined> {
  const paused = findPause(ports, state, participant);
  if (paused || !needed) return paused;
  const short = await findBudgetShortage(ports, dropDeadLease(state, { participant, dead }), needed);
  return short ? { type: 'short', short, state } : undefined;
}

/** The launch under a replaced lease is over. */
const dropDeadLease = (
  state: CouncilState,
  { participant, dead }: Pick<LeaseRequest, 'participant' | 'dead'>,
): CouncilState =>
  dead ? replaceSeat(state, participant, { ...getSeat(state, participant), lease: null }) : state;

/** Leaves it for a later pass, or takes it out of the phase. */
async function settleShortage(
  ports: LaunchPorts,
  { participant, dead }: LeaseRequest,
  { short, state }: BudgetShort,
): Promise<LeaseResult> {
  const { why, mayPass } = short;
  if (mayPass) return { type: 'waits', why };
  return { type: 'budget', stopped: await stopForBudget(ports, state, { participant, dead, short }), why };
}

function createLease(
  ports: LaunchPorts,
  { participant, runner }: Pick<LeaseRequest, 'participant' | 'runner'>,
  numbered: Pick<Lease, 'id' | 'attempt'>,
): Lease {
  const ms = launchTime(ports, runner);
  const awake = ports.clock.clocks()?.awake;
  const now = ports.clock.now();
  return {
    ...numbered,
    at: formatIso(now),
    ...ports.self,
    heartbeat: ports.heart.id,
    until: formatIso(now + ms),
    ...(awake !== undefined && { awakeUntil: awake + ms }),
    ...(runner !== participant && { lender: runner }),
  };
}

/** Releases a lease after a failed launch. */
export async function releaseLease(
  ports: LaunchPorts,
  { state, participant, lease }: Launch,
  { result, outcome }: { result: LaunchResult; outcome: 'retry' | 'exhausted' | 'interrupted' },
): Promise<void> {
  const { safeReason, reason, stderrTail: stderr } = result;
  const notBefore = findRetryTime(result);
  // The phase closed or the participant spoke in another way meanwhile: there is no lease to release.
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
      ...(outcome === 'retry' && notBefore !== null && { retryAt: formatIso(notBefore) }),
      usage: listUsageRecords(result),
    },
    {
      conversationId: state.conversationId,
      by: participant,
      ...(outcome === 'interrupted' && { action: 'interrupted' }),
    },
  ).catch(ignoreCodes(...LOST));
}

/** Milliseconds after which a launch cannot be running any more. An unknown agent fails when launched. */
export const launchTime = (ports: Pick<LaunchPorts, 'agents'>, id: string): number =>
  (ports.agents.find(id)?.timeout ?? 0) + LEASE_MARGIN_MS;

/** Returns the state if this turn is still open in it. */
const findOpenTurn = (
  { state, participant }: Pick<LeaseRequest, 'state' | 'participant'>,
  now: CouncilState,
): CouncilState | undefined =>
  now.conversationId === state.conversationId && now.tour === state.tour && isAwaited(now, participant)
    ? now
    : undefined;
