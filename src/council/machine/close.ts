import { iso } from '../../base/clock.ts';
import type { Clocks } from '../../base/clock.ts';
import { isOver, stamped } from './deadline.ts';
import type {
  Absence,
  CouncilState,
  Participant,
  Verdict,
  Moved,
  Failure,
  UsageRecord,
} from '../state/state.ts';
import { awaited, isBlindNow, seat } from '../state/state.ts';
import { courseAfter } from './next-phase.ts';
import type { Findings } from './next-phase.ts';
import { withUsage } from '../state/usage.ts';
import type { AbsenceReason, CloseReason, CouncilStatus, PhaseName } from '../state/choices.ts';

/** What the private folder gave up: for a blind phase verdicts by participant, and who has none there. */
export interface Unsealed {
  verdicts: Record<string, Verdict>;
  missing: string[];
  /** What launches used up that are not on record yet, and the last failure of each participant. */
  usage?: UsageRecord[];
  failures?: Record<string, SpooledFailure>;
}

/** A failure with its class, which is all that the state of a blind phase says of it. */
export type SpooledFailure = Failure & { brief: string };

/** What is to be done after the commit. Nobody executes anything here. */
export type Effect =
  | { type: 'phase_opened'; phase: PhaseName; tour: number }
  | { type: 'absent'; participant: string; phase: PhaseName; tour: number; reason: AbsenceReason }
  | ({ type: 'deadline_moved'; phase: PhaseName; tour: number; timeoutAt: string } & Omit<Moved, 'at'>)
  | { type: 'synthesis_wanted'; coordinator: string }
  | { type: 'archive'; path: string };

interface Closed {
  state: CouncilState;
  effects: Effect[];
}

/**
 * Why the open phase may close at `now` (ms), or null. `missing` names participants whose sealed text cannot be read. With
 * `clocks` a phase is not over before it has had its time.
 */
export function closable(
  state: CouncilState,
  now: number,
  missing: string[],
  clocks?: Clocks,
): CloseReason | null {
  if (state.closing) return null;
  const allHere = awaited(state).length === 0;
  if (allHere && missing.length === 0) return isStopped(state) ? 'budget' : 'all-responded';
  return isOver(state, now, clocks) ? 'timeout' : null;
}

/** True when somebody is not heard in the open phase because the council's own budget is spent. */
function isStopped(state: CouncilState): boolean {
  if (state.budget?.spent?.tour !== state.tour) return false;
  const ids = state.currentPhase === 'SYNTHESIZE' ? [state.coordinator!] : state.order;
  return ids.some((id) => seat(state, id).absent?.startsWith('budget: '));
}

/** Response rate, consensus and blocking issues of the open phase. The denominator never shrinks. */
export function measure(state: CouncilState): CouncilState['convergence'] {
  // SYNTHESIZE belongs to the coordinator: the figures of the participants' last phase stand.
  if (state.currentPhase === 'SYNTHESIZE') return state.convergence;
  const seats = state.order.map((id) => seat(state, id));
  const spoken = seats.filter((p) => p.status !== 'WAITING' && p.absent === null);
  const blockingIssues = state.order.flatMap((by) =>
    seat(state, by).blocking.map((issue) => ({ by, issue })),
  );
  const agreed = spoken.length === seats.length && seats.every((p) => p.agreed);
  return {
    responseRate: seats.length === 0 ? 0 : spoken.length / seats.length,
    hasConsensus: !isBlindNow(state) && agreed && blockingIssues.length === 0,
    blockingIssues,
  };
}

/** Closes a phase of the participants and opens the next one. */
export function close(
  open: CouncilState,
  by: CloseReason,
  event: Unsealed & Findings,
  now: number,
  clocks?: Clocks,
): Closed {
  const { phaseClock: _past, ...state } = open;
  const heard = unseal(state, event);
  const absences = absencesOf(heard, event, 'timeout', now);
  const convergence = measure({ ...heard, blind: false });
  const consensus = convergence.hasConsensus && absences.length === 0;
  const { to, early, held, advocate } = courseAfter(
    heard,
    { consensus, complete: absences.length === 0 },
    event,
  );
  const reason = early ? 'consensus' : by;
  const next: CouncilState = {
    ...heard,
    currentPhase: to,
    tour: state.tour + 1,
    timeoutAt: iso(now + state.phaseTimeout),
    ...stamped(clocks),
    status: to === 'SYNTHESIZE' ? ending(early || consensus, reason) : state.status,
    convergence: { ...convergence, hasConsensus: early || consensus },
    participants: Object.fromEntries(state.order.map((id) => [id, reset(seat(heard, id))])),
    ledger: event.ledger,
    // It stays on record for the archive.
    held: held ?? state.held,
    advocate: advocate ?? state.advocate,
    absences: [...state.absences, ...absences],
    transitions: [
      ...state.transitions,
      { from: state.currentPhase, to, reason, tour: state.tour, at: iso(now) },
    ],
  };
  const effects: Effect[] = [...absences.map(asEffect), { type: 'phase_opened', phase: to, tour: next.tour }];
  if (to === 'SYNTHESIZE' && state.coordinator)
    effects.push({ type: 'synthesis_wanted', coordinator: state.coordinator });
  return { state: next, effects };
}

/** The closing revision: nothing is accepted after it, and the archive's path is reserved. */
export function finish(
  state: CouncilState,
  reason: CloseReason,
  unsealed: Unsealed,
  path: string,
  why: string | null,
  now: number,
): Closed {
  const heard = unseal(state, unsealed);
  const absences = absencesOf(heard, unsealed, reason === 'cancelled' ? 'cancelled' : 'timeout', now);
  const next: CouncilState = {
    ...heard,
    blind: state.blind,
    convergence:
      state.currentPhase === 'SYNTHESIZE' ? state.convergence : measure({ ...heard, blind: false }),
    status: reason === 'cancelled' ? 'CANCELLED' : state.status,
    absences: [...state.absences, ...absences],
    transitions: [
      ...state.transitions,
      { from: state.currentPhase, to: 'ARCHIVED', reason, tour: state.tour, at: iso(now) },
    ],
    closing: { path, at: iso(now), why },
  };
  return { state: next, effects: [...absences.map(asEffect), { type: 'archive', path }] };
}

/** The verdicts of a blind phase become visible, as if they had been given in the open. */
function unseal(sealed: CouncilState, { verdicts, usage, failures = {} }: Unsealed): CouncilState {
  const state = usage?.length ? { ...sealed, usage: withUsage(sealed.usage ?? [], usage) } : sealed;
  if (!isBlindNow(state)) return state;
  const opened = state.order.map((id): [string, Participant] => {
    const participant = told(seat(state, id), Object.hasOwn(failures, id) ? failures[id] : undefined);
    const verdict = Object.hasOwn(verdicts, id) ? verdicts[id] : undefined;
    if (!verdict) return [id, participant];
    const status = verdict.done ? 'DONE' : verdict.agreed ? 'AGREED' : 'RESPONDED';
    return [
      id,
      {
        ...participant,
        status,
        agreed: verdict.agreed,
        position: verdict.position,
        blocking: verdict.blocking,
      },
    ];
  });
  return { ...state, participants: Object.fromEntries(opened) };
}

/** A seat with the whole reason of its failure, of which a blind phase shows the class only. */
function told(participant: Participant, spooled: SpooledFailure | undefined): Participant {
  if (!spooled || participant.status !== 'WAITING') return participant;
  const { brief, ...failure } = spooled;
  const isIt = participant.absent === `failed: ${brief}`;
  return { ...participant, failure, ...(isIt && { absent: `failed: ${failure.reason}` as const }) };
}

function absencesOf(
  state: CouncilState,
  { missing }: Unsealed,
  silent: 'timeout' | 'cancelled',
  now: number,
): Absence[] {
  const ids =
    state.currentPhase === 'SYNTHESIZE' ? (state.coordinator ? [state.coordinator] : []) : state.order;
  const facts = { phase: state.currentPhase, tour: state.tour, at: iso(now) };
  return ids.flatMap((participant): Absence[] => {
    const { status, absent, commitment, failure } = seat(state, participant);
    if (missing.includes(participant) && commitment)
      return [{ participant, ...facts, reason: 'sealed_text_missing', commitment }];
    const reason = absent ?? (status === 'WAITING' ? silent : null);
    return reason === null
      ? []
      : [{ participant, ...facts, reason, ...(failure?.stderr && { stderr: failure.stderr }) }];
  });
}

/** Everybody is asked anew in the next phase; who is DONE stays DONE, and a position is carried forward. */
function reset({ failure: _failed, retryAt: _retry, ...participant }: Participant): Participant {
  const done = participant.status === 'DONE';
  return {
    ...participant,
    status: done ? 'DONE' : 'WAITING',
    agreed: done && participant.agreed,
    commitment: null,
    sealedAt: null,
    attempts: 0,
    lease: null,
    absent: null,
  };
}

function ending(consensus: boolean, reason: CloseReason): CouncilStatus {
  if (consensus) return 'CONVERGED';
  return reason === 'timeout' ? 'TIMEOUT' : 'COMPLETED';
}

const asEffect = ({ participant, phase, tour, reason }: Absence): Effect => ({
  type: 'absent',
  participant,
  phase,
  tour,
  reason,
});
