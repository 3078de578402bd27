// The phase machine: a pure function from council and event to the next council.
import { formatIso } from '../../base/clock.ts';
import type { Clocks } from '../../base/clock.ts';
import { addContributions } from '../document/document.ts';
import { createNameResolver } from '../naming/labels.ts';
import type {
  Contribution,
  Council,
  CouncilState,
  Participant,
  UsageRecord,
  Verdict,
} from '../state/state.ts';
import { isAwaited, isHeld, getSeat } from '../state/state.ts';
import { archive, closePhase, finishCouncil } from './close.ts';
import type { CloseEvent } from './close.ts';
import { launchControl } from './control.ts';
import type { ControlEvent } from './control.ts';
import { extendDeadline, moveDeadline, restore } from './deadline.ts';
import { continueHeld } from './hold.ts';
import type { ContinueEvent } from './hold.ts';
import {
  attemptFailed,
  addVisibleUsage,
  takeLease,
  markOutOfBudget,
  recuseFailed,
  retryParticipant,
} from './launches.ts';
import type { LaunchEvent } from './launches.ts';
import { acceptEvent, rejectEvent, replaceSeat } from './transition-result.ts';
import type { TransitionResult } from './transition-result.ts';
import { addRevealedTexts } from './unseal.ts';
import type { RevealedText, UnsealedData } from './unseal.ts';

export type { TransitionResult } from './transition-result.ts';

/** The events of a council. Sealed texts are passed in: the machine itself reads nothing. */
export type PhaseEvent =
  | {
      type: 'respond';
      participant: string;
      /** The round the text was written for. */
      tour: number;
      /** As stated; without a position, the last one is carried forward. */
      verdict: Verdict;
      /** The contribution to add; null while the phase is blind. */
      said: Contribution | null;
      /** Set while the phase is blind: the commitment (a hash), and where the text is stored. */
      sealed: { commitment: string; at: string } | null;
      /** How the text compares with this participant's earlier text of this round. */
      repeat: 'first' | 'same' | 'different';
      replace: boolean;
      /** The lease under which a runner spoke; null for anyone else. */
      leaseId: string | null;
      /** Usage of that launch, per part; withheld while the phase is blind. */
      usage?: UsageRecord[];
    }
  | LaunchEvent
  | CloseEvent
  | ContinueEvent
  | ControlEvent
  | ({ type: 'archive'; path: string } & Pick<UnsealedData, 'usage' | 'controls'>)
  | ({ type: 'cancel'; why: string; path: string } & UnsealedData)
  | { type: 'extend'; ms: number }
  /** Moves the deadline if the clocks show that the phase has not had its time. */
  | { type: 'clock'; isLaunching: boolean }
  | { type: 'excuse'; participant: string; why: string }
  /** Recuses those who failed in the open phase. */
  | { type: 'recuse_failed' }
  /** A sealed text that was missing when its phase closed has been found. */
  | ({ type: 'reveal'; text: RevealedText } & Pick<CloseEvent, 'closeTour'>)
  /** Another file occupies the path reserved for the archive. */
  | { type: 'reserve'; instead: string; path: string }
  /** An old revision becomes the newest; `again`: participants whose sealed text of that revision is gone. */
  | { type: 'restore'; again: readonly string[] };

type EventOf<Type extends PhaseEvent['type']> = Extract<PhaseEvent, { type: Type }>;

/**
 * The phase machine: returns the complete next council and the notices, as data. `now` is in milliseconds since
 * the epoch; `clocks` are the machine's, if it has more than one.
 * A refusal is a value, not an exception; an unknown participant throws `unknown_agent`. The committing code
 * sets `revision`, `textSha256` and `change`.
 */
export function transition(
  council: Council,
  event: PhaseEvent,
  now: number,
  clocks?: Clocks,
): TransitionResult {
  const { name, closing } = council.state;
  if (closing && !['reveal', 'reserve'].includes(event.type)) {
    const { at, path } = closing;
    return rejectEvent('phase_closed', `The council "${name}" closed at ${at}; its archive is ${path}.`);
  }
  switch (event.type) {
    case 'respond':
      return respond(council, event, now);
    case 'lease':
      return takeLease(council, event, now);
    case 'attempt_failed':
      return attemptFailed(council, event, now);
    case 'budget':
      return markOutOfBudget(council, event, now);
    case 'control':
      return launchControl(council, event, now);
    case 'excuse':
      return excuseParticipant(council, event, now);
    case 'recuse_failed':
      return recuseFailed(council, now);
    case 'retry':
      return retryParticipant(council, event, now);
    case 'reveal':
      return reveal(council, event, now);
    case 'extend':
      return extendDeadline(council, event, { now, clocks });
    case 'clock':
      return moveDeadline(council, event, { now, clocks });
    case 'close':
      return closePhase(council, event, { now, clocks });
    case 'continue':
      return continueHeld(council, event, { now, clocks });
    case 'archive':
      return archive(council, event, { now, clocks });
    case 'cancel':
      return finishCouncil(council, { ...event, reason: 'cancelled' }, now);
    case 'reserve':
      return reserveArchivePath(council, event);
    case 'restore':
      return restore(council, event, { now, clocks });
  }
}

function respond(council: Council, event: EventOf<'respond'>, now: number): TransitionResult {
  const { state } = council;
  const refusal = findRefusal(state, event);
  if (refusal) return refusal;
  const { verdict, sealed, said } = event;
  const participant = getSeat(state, event.participant);
  const staysDone = participant.status === 'DONE' && event.repeat === 'first';
  const { failure: _failed, retryAt: _retry, unable: _unable, ...unfailed } = participant;
  const spoken: Participant = { ...unfailed, lastAction: formatIso(now), lease: null, absent: null };
  const next: Participant = sealed
    ? { ...spoken, status: 'RESPONDED', commitment: sealed.commitment, sealedAt: sealed.at }
    : {
        ...spoken,
        agreed: verdict.agreed,
        position: verdict.unclear
          ? null
          : (verdict.position ?? findCarriedPosition(council, event.participant, event.tour)),
        blocking: verdict.blocking,
        status: staysDone || verdict.done ? 'DONE' : verdict.agreed ? 'AGREED' : 'RESPONDED',
      };
  const contributions = said ? addContributions(council, [said]) : council.contributions;
  const after = addVisibleUsage(replaceSeat(state, event.participant, next), event.usage);
  return acceptEvent({ ...council, state: after, contributions }, now);
}

function findRefusal(state: CouncilState, event: EventOf<'respond'>): TransitionResult | undefined {
  const { participant, tour, leaseId } = event;
  const { name, currentPhase } = state;
  const { lease: held } = getSeat(state, participant);
  const isCoordinator = participant === state.coordinator;
  if (tour !== state.tour) {
    return rejectEvent(
      'phase_closed',
      `Round ${tour} ${tour > state.tour ? 'has not begun' : 'is over'}: the council "${name}" is in ${currentPhase} (round ${state.tour}).`,
    );
  }
  if (isHeld(state))
    return rejectEvent(
      'not_your_turn',
      `The council "${name}" waits for the person who asked: nobody writes before it goes on.`,
    );
  if (isCoordinator && currentPhase !== 'SYNTHESIZE') {
    return rejectEvent(
      'not_your_turn',
      `The coordinator ${participant} writes in SYNTHESIZE; the council "${name}" is in ${currentPhase}.`,
    );
  }
  if (!isCoordinator && currentPhase === 'SYNTHESIZE')
    return rejectEvent(
      'phase_closed',
      `The participants of "${name}" have had their say: it is in SYNTHESIZE.`,
    );
  if (leaseId !== null && held?.id !== leaseId) {
    return rejectEvent(
      'stale_lease',
      `The launch that produced this text is no longer the current one for ${participant}.`,
    );
  }
  if (event.repeat === 'first' || event.replace) return undefined;
  return rejectEvent(
    'different_text',
    `${participant} has already responded in ${currentPhase} (round ${state.tour}) with another text.`,
  );
}

/** Returns the last position stated before a round; null if none. */
function findCarriedPosition({ contributions }: Council, participant: string, round: number): string | null {
  const stated = contributions.findLast(
    (c) => c.by === participant && c.tour < round && (c.position !== undefined || c.unclear === true),
  );
  return stated?.position ?? null;
}

function excuseParticipant(council: Council, event: EventOf<'excuse'>, now: number): TransitionResult {
  const { state } = council;
  const participant = getSeat(state, event.participant);
  if (!isAwaited(state, event.participant)) {
    return rejectEvent(
      'not_your_turn',
      `${event.participant} is not expected to answer in ${state.currentPhase} (round ${state.tour}): there is nothing to excuse.`,
    );
  }
  const absent = { ...participant, lease: null, absent: `excused: ${event.why}` as const };
  return acceptEvent({ ...council, state: replaceSeat(state, event.participant, absent) }, now);
}

/** Adds a sealed text that was missing when its phase closed: the absence ends, and its claims join the ledger. */
function reveal(council: Council, event: EventOf<'reveal'>, now: number): TransitionResult {
  const { state } = council;
  const { participant: id, tour, verdict } = event.text;
  const isIt = (absence: CouncilState['absences'][number]) =>
    absence.participant === id && absence.tour === tour && absence.commitment !== undefined;
  if (!state.absences.some(isIt))
    return rejectEvent('not_your_turn', `No sealed text of ${id} is missing in "${state.name}".`);
  const participant = getSeat(state, id);
  const next = { ...participant, position: participant.position ?? verdict.position };
  // The text was committed before its round's marker was drawn.
  const known = state.reveals?.find((one) => one.tour === tour);
  const open = {
    ...addRevealedTexts(council, [event.text]),
    state: {
      ...replaceSeat(state, id, next),
      absences: state.absences.filter((one) => !isIt(one)),
      ...(known && { reveals: [...state.reveals!, { ...known, late: id }] }),
    },
  };
  // The ids of the others' claims stay the same.
  const ledger = event.closeTour(open, { phase: 'COLLECT', tour }, createNameResolver(state));
  return acceptEvent({ ...open, state: { ...open.state, ledger } }, now);
}

function reserveArchivePath(council: Council, { instead, path }: EventOf<'reserve'>): TransitionResult {
  const { state } = council;
  // Another process may have reserved a different path.
  if (state.closing?.path !== instead)
    return rejectEvent('not_your_turn', `The archive of "${state.name}" is not to be ${instead}.`);
  const closing = { ...state.closing, path };
  return { ok: true, council: { ...council, state: { ...state, closing } }, notices: [] };
}
