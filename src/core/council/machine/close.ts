// Phase machine: closes phases and councils.
import { formatIso } from '../../base/clock.ts';
import type { Clocks } from '../../base/clock.ts';
import type { closeRound } from '../ledger/ledger.ts';
import { createNameResolver } from '../naming/labels.ts';
import type { AbsenceReason, CloseReason, CouncilStatus } from '../state/allowed-values.ts';
import type { Absence, Council, CouncilState, Participant } from '../state/state.ts';
import { computeBallot } from '../state/ballot.ts';
import { awaited, isBlindNow, isHeld, getSeat } from '../state/state.ts';
import { hasSingleProposal, computeDecision } from '../vote/outcome.ts';
import { isQuorumOutOfReach } from '../vote/quorum.ts';
import { revealControls } from './control.ts';
import { isOver, stampPhaseClock } from './deadline.ts';
import { openHold, removeCoordinator } from './hold.ts';
import { listCutLaunches } from './launches.ts';
import { decideCourse } from './next-phase.ts';
import type { NextStep } from './next-phase.ts';
import {
  listOpeningNotices,
  toAbsenceNotice,
  acceptEvent,
  measureConvergence,
  rejectEvent,
} from './transition-result.ts';
import type { Moment, TransitionResult } from './transition-result.ts';
import { addRevealedTexts, drawMarker, unsealVerdicts } from './unseal.ts';
import type { UnsealedData } from './unseal.ts';

/** Closes a phase of the participants. */
export interface CloseEvent extends UnsealedData {
  type: 'close';
  /** Random. The round's fence marker and the advocate are derived from it; recorded with the advocate. */
  seed: string;
  /**
   * Reads the ledger from texts. Injected, so that only commands that close a phase load the Markdown parser,
   * which takes as long to load as everything else together.
   */
  closeTour: typeof closeRound;
  /** Finds the ids of participants with nothing left to say; set only in modes with their own reading rules. */
  findSettled?: ((heard: Council) => string[]) | undefined;
  /** Too few have spoken, and the person or command running the council ends it here. */
  isGivenUp?: boolean;
  /** The store has irrevocably closed the blind round, whatever the deadline says by now. */
  isSealClosed?: boolean;
}

/** Ends the council. */
export interface FinishEvent extends UnsealedData {
  reason: CloseReason;
  /** Path of its future archive. */
  path: string;
  /** Why it was cancelled; null if it was not. */
  why: string | null;
}

/**
 * Returns why the open phase may close at `now` (ms), or null. `missing`: participants whose sealed text cannot
 * be read. With `clocks`, a phase must have had its full time.
 */
export function findCloseReason(
  state: CouncilState,
  now: number,
  missing: string[],
  clocks?: Clocks,
): CloseReason | null {
  if (state.closing) return null;
  if (isHeld(state)) return isOver(state, now, clocks) ? 'all-responded' : null;
  const allHere = awaited(state).length === 0;
  if (allHere && missing.length === 0) {
    if (state.transitions.at(-1)?.reason === 'no_quorum') return 'no_quorum';
    return isStopped(state) ? 'budget' : 'all-responded';
  }
  return isOver(state, now, clocks) ? 'timeout' : null;
}

/** True if a participant is not heard in the open phase because the council's budget is spent. */
function isStopped(state: CouncilState): boolean {
  if (state.budget?.spent?.tour !== state.tour) return false;
  const ids = state.currentPhase === 'SYNTHESIZE' ? [state.coordinator!] : state.order;
  return ids.some((id) => getSeat(state, id).absent?.startsWith('budget: '));
}

/** Closes a phase of the participants and opens the next one. */
export function closePhase(council: Council, event: CloseEvent, { now, clocks }: Moment): TransitionResult {
  const { phaseClock: _past, ...state } = council.state;
  const { currentPhase: phase, tour } = state;
  const by =
    findCloseReason(council.state, now, event.missing, clocks) ?? (event.isSealClosed ? 'timeout' : null);
  if (!by || phase === 'SYNTHESIZE') return rejectEvent('not_your_turn', `${phase} cannot close yet.`);
  const open = addRevealedTexts(council, event.texts);
  const ledger = event.closeTour(open, { phase, tour }, createNameResolver(state));
  const heard = { ...unsealVerdicts(state, event), ...updateBallot(open, tour), ledger };
  const absences = listAbsences(heard, event, 'timeout', now);
  // If the council waits for a person, they see the answers and decide.
  const isShort = event.isGivenUp === true || (!state.hold && isQuorumOutOfReach(heard));
  const heardOut = { ...open, state: heard };
  const settled = new Set(event.findSettled?.(heardOut));
  const course =
    isShort || state.order.every((id) => settled.has(id))
      ? endShort(heardOut)
      : chooseCourse(heardOut, absences, event.seed);
  const reason = isShort ? 'no_quorum' : course.early ? 'consensus' : by;
  const going = isShort ? removeCoordinator(heard) : heard;
  const next: CouncilState = {
    ...enterNextPhase(going, course, reason),
    ...openHold(going, course.to, now),
    ...stampPhaseClock(clocks),
    participants: Object.fromEntries(
      state.order.map((id) => [id, resetSeat(getSeat(heard, id), settled.has(id))]),
    ),
    reveals: [...(state.reveals ?? []), { tour, marker: drawMarker(event.seed) }],
    absences: [...state.absences, ...absences],
    transitions: [...state.transitions, { from: phase, to: course.to, reason, tour, at: formatIso(now) }],
  };
  return acceptEvent(recordDecision({ ...open, state: next }), now, [
    ...absences.map(toAbsenceNotice),
    ...listOpeningNotices(next),
  ]);
}

type NextStepAndConvergence = NextStep & { convergence: CouncilState['convergence'] };

const updateBallot = (council: Council, round: number): Pick<CouncilState, 'ballot'> =>
  council.state.ballot ? { ballot: computeBallot(council, round) } : {};

/** Nothing can be decided any more, so no further phase is played and no synthesis is requested. */
const endShort = (heard: Council): NextStepAndConvergence => ({
  ...{ to: 'SYNTHESIZE', early: false, held: null, advocate: null },
  convergence: measureConvergence(heard, isBlindNow(heard.state)),
});

function chooseCourse(heard: Council, absences: Absence[], seed: string): NextStepAndConvergence {
  const { state } = heard;
  const convergence = measureConvergence(heard, isBlindNow(state));
  const complete = absences.length === 0;
  const consensus = convergence.hasConsensus && complete;
  const isOne = complete && isBlindNow(state) && hasSingleProposal(heard, state.tour, true);
  const course = decideCourse(state, { consensus, isUnanimous: isOne && isUnblocked(state) }, seed);
  return { ...course, convergence: { ...convergence, hasConsensus: course.early || consensus } };
}

const isUnblocked = (state: CouncilState): boolean =>
  state.order.every((id) => getSeat(state, id).blocking.length === 0);

function enterNextPhase(
  heard: CouncilState,
  { to, held, advocate, convergence }: NextStepAndConvergence,
  reason: CloseReason,
): CouncilState {
  return {
    ...heard,
    currentPhase: to,
    tour: heard.tour + 1,
    status: to === 'SYNTHESIZE' ? pickEndStatus(convergence.hasConsensus, reason) : heard.status,
    convergence,
    // Kept on record for the archive.
    held: held ?? heard.held,
    advocate: advocate ?? heard.advocate,
  };
}

/** Ends the last phase with the closing revision. */
export function archive(
  council: Council,
  event: Pick<UnsealedData, 'usage' | 'controls'> & { path: string },
  { now, clocks }: Moment,
): TransitionResult {
  const { state } = council;
  const reason = findCloseReason(state, now, [], clocks);
  if (!reason || state.currentPhase !== 'SYNTHESIZE')
    return rejectEvent('not_your_turn', `"${state.name}" is still waiting for its synthesis.`);
  const { path, usage, controls } = event;
  const ended = isHeld(state) ? { ...council, state: removeCoordinator(state) } : council;
  return finishCouncil(
    recordDecision(ended),
    { texts: [], missing: [], usage, controls, reason, path, why: null },
    now,
  );
}

/** Creates the closing revision: nothing is accepted after it, and the archive's path is reserved. */
export function finishCouncil(council: Council, event: FinishEvent, now: number): TransitionResult {
  const { state } = council;
  const { reason, path, why, usage = [] } = event;
  const isCut = reason === 'cancelled';
  const cut = isCut ? listCutLaunches(state, usage, now) : [];
  const heard = unsealVerdicts(state, { ...event, usage: [...usage, ...cut] });
  const absences = listAbsences(heard, event, isCut ? 'cancelled' : 'timeout', now);
  const open = addRevealedTexts(council, event.texts);
  const next: CouncilState = {
    ...heard,
    ...(state.currentPhase !== 'SYNTHESIZE' && updateBallot(open, state.tour)),
    convergence: measureConvergence({ ...open, state: heard }, isBlindNow(state)),
    status: isCut ? 'CANCELLED' : state.status,
    absences: [...state.absences, ...absences],
    transitions: [
      ...state.transitions,
      { from: state.currentPhase, to: 'ARCHIVED', reason, tour: state.tour, at: formatIso(now) },
    ],
    ...revealControls(state, event.controls),
    closing: { path, at: formatIso(now), why },
  };
  return acceptEvent({ ...open, state: next }, now, absences.map(toAbsenceNotice));
}

/** Adds the decision once the participants have been heard. */
function recordDecision(council: Council): Council {
  if (council.state.currentPhase !== 'SYNTHESIZE' || council.state.decision) return council;
  return { ...council, state: { ...council.state, decision: computeDecision(council) } };
}

function listAbsences(
  state: CouncilState,
  { missing }: UnsealedData,
  silent: 'timeout' | 'cancelled',
  now: number,
): Absence[] {
  const ids =
    state.currentPhase === 'SYNTHESIZE' ? (state.coordinator ? [state.coordinator] : []) : state.order;
  const turn = { phase: state.currentPhase, tour: state.tour, at: formatIso(now) };
  return ids.flatMap((participant): Absence[] => {
    const { status, absent, commitment, failure } = getSeat(state, participant);
    if (missing.includes(participant) && commitment)
      return [{ participant, ...turn, reason: 'sealed_text_missing', commitment }];
    const reason: AbsenceReason | null = absent ?? (status === 'WAITING' ? silent : null);
    return reason === null
      ? []
      : [{ participant, ...turn, reason, ...(failure?.stderr && { stderr: failure.stderr }) }];
  });
}

/** Resets a seat for the next phase. DONE participants stay DONE, and a position is carried forward. */
function resetSeat(
  { failure: _failed, retryAt: _retry, unable: _unable, ...participant }: Participant,
  isSettled: boolean,
): Participant {
  const done = isSettled || participant.status === 'DONE';
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

function pickEndStatus(consensus: boolean, reason: CloseReason): CouncilStatus {
  if (consensus) return 'CONVERGED';
  return reason === 'timeout' ? 'TIMEOUT' : 'COMPLETED';
}
