// Phase machine: leases, failed launches and spent budgets.
import { formatIso } from '../../base/clock.ts';
import type {
  Council,
  CouncilState,
  Lease,
  Participant,
  Failure,
  Reservation,
  UsageRecord,
} from '../state/state.ts';
import { countVoices } from '../vote/quorum.ts';
import { awaited, isAwaited, isBlindNow, getSeat } from '../state/state.ts';
import { acceptEvent, rejectEvent, replaceSeat } from './transition-result.ts';
import type { TransitionResult } from './transition-result.ts';
import { addUsage } from '../state/budget.ts';
import type { AbsenceReason } from '../state/allowed-values.ts';
import type { WaitingCouncil } from '../../store/due-index.ts';

export type LaunchEvent =
  /** Launches a participant again after failed launches. */
  | { type: 'retry'; participant: string }
  | {
      type: 'lease';
      participant: string;
      lease: Lease;
      replaces: string | null;
      /** The budget reserved for it. */
      reserves?: Reservation | undefined;
    }
  | {
      type: 'attempt_failed';
      participant: string;
      leaseId: string;
      reason: string;
      outcome: 'retry' | 'exhausted' | 'interrupted';
      /** Another launch would fail in the same way until someone fixes the cause. */
      isUnable?: boolean;
      /** The program's output, and the reason that quotes it: withheld while the phase is blind. */
      failure?: Failure;
      /** When the provider allows another request, ISO 8601 UTC. */
      retryAt?: string;
      usage?: UsageRecord[];
    }
  | {
      /** No further launches: a budget is spent. */
      type: 'budget';
      /** Participants that would have been launched. Running launches may finish. */
      participants: string[];
      /** A lease held by one of them whose owner is dead. */
      leaseId: string | null;
      scope: 'council' | 'agent';
      why: string;
    };

export function takeLease(
  council: Council,
  event: LaunchEvent & { type: 'lease' },
  now: number,
): TransitionResult {
  const { state } = council;
  const { retryAt: _over, ...participant } = getSeat(state, event.participant);
  if (!isAwaited(state, event.participant))
    return rejectEvent(
      'not_your_turn',
      `${event.participant} is not expected to answer in ${state.currentPhase}.`,
    );
  if ((participant.lease?.id ?? null) !== event.replaces)
    return rejectEvent('stale_lease', `${event.participant} is being launched by somebody else.`);
  const next = { ...participant, lease: event.lease, attempts: event.lease.attempt };
  const leased = replaceSeat(state, event.participant, next);
  const { budget } = state;
  if (!budget || !event.reserves) return acceptEvent({ ...council, state: leased }, now);
  const reserved = [...(budget.reserved ?? []), event.reserves];
  return acceptEvent({ ...council, state: { ...leased, budget: { ...budget, reserved } } }, now);
}

/** Records a failed launch and releases the lease. */
export function attemptFailed(
  council: Council,
  event: LaunchEvent & { type: 'attempt_failed' },
  now: number,
): TransitionResult {
  const { state } = council;
  const participant = getSeat(state, event.participant);
  if (participant.lease?.id !== event.leaseId)
    return rejectEvent(
      'stale_lease',
      `The launch of ${event.participant} that failed is no longer the current one.`,
    );
  const isBlind = isBlindNow(state);
  const reason = isBlind ? event.reason : (event.failure?.reason ?? event.reason);
  const absent: AbsenceReason | null = event.outcome === 'exhausted' ? `failed: ${reason}` : null;
  // An external interruption says nothing about the agent, so the attempt does not count.
  const attempts = event.outcome === 'interrupted' ? participant.attempts - 1 : participant.attempts;
  const next: Participant = {
    ...participant,
    lease: null,
    attempts,
    absent,
    ...(absent && event.isUnable && { unable: true }),
    ...(event.failure && !isBlind && { failure: event.failure }),
    ...(event.retryAt !== undefined && { retryAt: event.retryAt }),
  };
  const failed = addVisibleUsage(replaceSeat(state, event.participant, next), event.usage);
  return acceptEvent(
    { ...council, state: wasLaunched(event) ? failed : removeReservation(failed, event) },
    now,
  );
}

/** Whether the program may have run: an interrupted launch may have cost something without a usage record. */
const wasLaunched = ({ outcome, usage = [] }: LaunchEvent & { type: 'attempt_failed' }): boolean =>
  outcome === 'interrupted' || usage.length > 0;

function removeReservation(state: CouncilState, { leaseId }: { leaseId: string }): CouncilState {
  const { budget } = state;
  if (!budget?.reserved) return state;
  const reserved = budget.reserved.filter(({ lease: id }) => id !== leaseId);
  return { ...state, budget: { ...budget, reserved } };
}

/** Whether there is no automatic relaunch: its attempts are used up, or its provider asked to wait. */
export const hasFailed = ({ absent, retryAt }: Participant): boolean =>
  absent?.startsWith('failed') === true || retryAt !== undefined;

/** Makes the open phase wait again for a participant whose launches failed. */
export function retryParticipant(
  council: Council,
  event: LaunchEvent & { type: 'retry' },
  now: number,
): TransitionResult {
  const { state } = council;
  const before = getSeat(state, event.participant);
  const { retryAt: _until, failure: _why, unable: _unable, ...participant } = before;
  if (!hasFailed(before))
    return rejectEvent(
      'not_your_turn',
      `${event.participant} has not failed in ${state.currentPhase} (round ${state.tour}): there is nothing to try again.`,
    );
  const again = { ...participant, lease: null, absent: null, attempts: 0 };
  return acceptEvent({ ...council, state: replaceSeat(state, event.participant, again) }, now);
}

/** Continues with those who have spoken: participants who failed and were never heard are recused. */
export function recuseFailed(council: Council, now: number): TransitionResult {
  const { state } = council;
  const { unheard } = countVoices(state);
  const failed = unheard.filter((id) => getSeat(state, id).absent?.startsWith('failed'));
  if (failed.length === 0)
    return rejectEvent('not_your_turn', `Nobody has failed in ${state.currentPhase} (round ${state.tour}).`);
  const recused = failed.map((participant) => ({ participant, why: getSeat(state, participant).absent! }));
  const rules = { ...state.rules, recused: [...state.rules.recused, ...recused] };
  return acceptEvent({ ...council, state: { ...state, rules } }, now);
}

/** Marks waiting participants absent because the budget is spent. */
export function markOutOfBudget(
  council: Council,
  event: LaunchEvent & { type: 'budget' },
  now: number,
): TransitionResult {
  const { state } = council;
  const waiting = awaited(state);
  const stopped = event.participants.filter((id) => {
    const held = getSeat(state, id).lease?.id ?? null;
    return waiting.includes(id) && (held === null || held === event.leaseId);
  });
  if (stopped.length === 0 || !state.budget)
    return rejectEvent('not_your_turn', `Nobody has to be launched in ${state.currentPhase}.`);
  const absent: AbsenceReason = `budget: ${event.why}`;
  const next = stopped.reduce(
    (s, id) => replaceSeat(s, id, { ...getSeat(s, id), lease: null, absent }),
    event.scope === 'council'
      ? { ...state, budget: { ...state.budget, spent: { tour: state.tour, at: formatIso(now) } } }
      : state,
  );
  return acceptEvent({ ...council, state: next }, now);
}

/** Returns usage records for launches that a cancel interrupts: running, and without a record in `known`. */
export function listCutLaunches(
  state: CouncilState,
  known: readonly UsageRecord[],
  now: number,
): UsageRecord[] {
  const { currentPhase: phase, tour } = state;
  return awaited(state).flatMap((participant): UsageRecord[] => {
    const { lease: held } = getSeat(state, participant);
    const since = held?.at;
    const isTold = known.some((one) => one.participant === participant && one.at >= (since ?? ''));
    if (!held || since === undefined || isTold) return [];
    return [
      {
        ...{ participant, phase, tour, at: formatIso(now), model: null },
        ...(held.lender !== undefined && { lender: held.lender }),
        ...(state.budget && { lease: held.id }),
        ...{ inputTokens: null, outputTokens: null, costUsd: null },
        ...{ ms: Math.max(0, now - Date.parse(since)), ok: false, cancelled: true },
      },
    ];
  });
}

/** Adds usage; in a blind phase it stays private until the close, because cost reveals a text's length. */
export function addVisibleUsage(state: CouncilState, usage: readonly UsageRecord[] = []): CouncilState {
  if (usage.length === 0 || isBlindNow(state)) return state;
  return { ...state, usage: addUsage(state.usage ?? [], usage) };
}

/** Returns the awaited participants whose answers come from a program. */
export const listLaunchable = (state: CouncilState): string[] =>
  awaited(state).filter((id) => getSeat(state, id).runner !== 'human');

/**
 * Returns the wait to record for a council that only people can advance before its deadline; a running program,
 * or its lease, ends before the phase does. Undefined for other councils.
 */
export function findHumanWait(state: CouncilState): WaitingCouncil | undefined {
  const waited = awaited(state);
  const isQuiet =
    !state.closing &&
    waited.length > 0 &&
    waited.every((id) => getSeat(state, id).runner === 'human' && !getSeat(state, id).lease);
  const { conversationId, topic, currentPhase: phase, tour, timeoutAt } = state;
  return isQuiet
    ? { conversationId, topic, phase, tour, awaited: waited, dueAt: Date.parse(timeoutAt) }
    : undefined;
}
