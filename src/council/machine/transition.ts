import { iso } from '../../base/clock.ts';
import type { Clocks } from '../../base/clock.ts';
import { closable, close, finish } from './close.ts';
import type { Unsealed } from './close.ts';
import { dueMove, withMove } from './deadline.ts';
import { attemptFailed, charged, lease, outOfBudget } from './launches.ts';
import type { LaunchEvent } from './launches.ts';
import type { Findings } from './next-phase.ts';
import type { CouncilState, Participant, Verdict, UsageRecord } from '../state/state.ts';
import { awaited, seat } from '../state/state.ts';
import { accept, refuse, withSeat } from './transition-result.ts';
import type { Outcome } from './transition-result.ts';

export type { Outcome } from './transition-result.ts';

/** What can happen to a council. Sealed verdicts come in from outside: the machine itself reads nothing. */
export type PhaseEvent =
  | {
      type: 'respond';
      participant: string;
      /** The tour the text was written for. */
      tour: number;
      /** Its position is already resolved: the one stated, else the one carried forward. */
      verdict: Verdict;
      /** Set while the phase is blind: the binding hash and where the text lies. */
      sealed: { commitment: string; at: string } | null;
      /** How the text compares with what this participant already said in this tour. */
      repeat: 'first' | 'same' | 'different';
      replace: boolean;
      /** The lease under which a runner spoke; null for anybody else. */
      leaseId: string | null;
      /** What that launch used up; kept back while the phase is blind. */
      usage?: UsageRecord;
    }
  | LaunchEvent
  | ({ type: 'close' } & Unsealed & Findings)
  | { type: 'archive'; path: string; usage?: UsageRecord[] }
  | ({ type: 'cancel'; why: string; path: string } & Unsealed)
  | { type: 'extend'; ms: number }
  /** The deadline moves where the clocks show that the phase has not had its time. */
  | { type: 'clock'; isLaunching: boolean }
  | { type: 'excuse'; participant: string; why: string }
  | { type: 'reveal'; participant: string; tour: number; verdict: Verdict };

/**
 * The phase machine: the next state and the effects, as data. `now` is in milliseconds since the epoch; `clocks` are those
 * of the machine, where it has more than that one.
 * A refusal is a value, not an exception; an unknown participant throws `unknown_agent`.
 * `revision`, `textSha256` and `change` are left to whoever commits.
 */
export function transition(state: CouncilState, event: PhaseEvent, now: number, clocks?: Clocks): Outcome {
  if (state.closing && event.type !== 'reveal') {
    return refuse(
      'phase_closed',
      `The council "${state.name}" closed at ${state.closing.at}; its archive is ${state.closing.path}.`,
    );
  }
  switch (event.type) {
    case 'respond':
      return respond(state, event, now);
    case 'lease':
      return lease(state, event, now);
    case 'attempt_failed':
      return attemptFailed(state, event, now);
    case 'budget':
      return outOfBudget(state, event, now);
    case 'excuse':
      return excuse(state, event, now);
    case 'reveal':
      return reveal(state, event, now);
    case 'extend': {
      const move = dueMove(state, clocks);
      const open = move && clocks ? withMove(state, move, clocks) : state;
      const until = Math.max(now, Date.parse(open.timeoutAt)) + event.ms;
      return accept({ ...open, timeoutAt: iso(until) }, now);
    }
    case 'clock': {
      const move = dueMove(state, clocks, event.isLaunching);
      if (!move || !clocks)
        return refuse(
          'not_your_turn',
          `The deadline of ${state.currentPhase} does not move: the clocks agree.`,
        );
      const next = withMove(state, move, clocks);
      const { currentPhase: phase, tour, timeoutAt } = next;
      return accept(next, now, [{ type: 'deadline_moved', phase, tour, timeoutAt, ...move }]);
    }
    case 'close': {
      const reason = closable(state, now, event.missing, clocks);
      if (!reason || state.currentPhase === 'SYNTHESIZE')
        return refuse('not_your_turn', `${state.currentPhase} cannot close yet.`);
      const { state: next, effects } = close(state, reason, event, now, clocks);
      return accept(next, now, effects);
    }
    case 'archive': {
      const reason = closable(state, now, [], clocks);
      if (!reason || state.currentPhase !== 'SYNTHESIZE')
        return refuse('not_your_turn', `"${state.name}" is still waiting for its synthesis.`);
      const { state: next, effects } = finish(
        state,
        reason,
        { verdicts: {}, missing: [], usage: event.usage ?? [] },
        event.path,
        null,
        now,
      );
      return accept(next, now, effects);
    }
    case 'cancel': {
      const { state: next, effects } = finish(state, 'cancelled', event, event.path, event.why, now);
      return accept(next, now, effects);
    }
  }
}

function respond(state: CouncilState, event: PhaseEvent & { type: 'respond' }, now: number): Outcome {
  const participant = seat(state, event.participant);
  const isCoordinator = event.participant === state.coordinator;
  if (event.tour !== state.tour) {
    return refuse(
      'phase_closed',
      `Round ${event.tour} ${event.tour > state.tour ? 'has not begun' : 'is over'}: the council "${state.name}" is in ${state.currentPhase} (round ${state.tour}).`,
    );
  }
  if (isCoordinator && state.currentPhase !== 'SYNTHESIZE') {
    return refuse(
      'not_your_turn',
      `The coordinator ${event.participant} writes in SYNTHESIZE; the council "${state.name}" is in ${state.currentPhase}.`,
    );
  }
  if (!isCoordinator && state.currentPhase === 'SYNTHESIZE') {
    return refuse(
      'phase_closed',
      `The participants of "${state.name}" have had their say: it is in SYNTHESIZE.`,
    );
  }
  if (event.leaseId !== null && participant.lease?.id !== event.leaseId) {
    return refuse(
      'stale_lease',
      `The launch that produced this text is no longer the current one for ${event.participant}.`,
    );
  }
  if (event.repeat !== 'first' && !event.replace) {
    return refuse(
      'different_text',
      `${event.participant} has already responded in ${state.currentPhase} (round ${state.tour}) with another text.`,
    );
  }
  const { verdict, sealed } = event;
  const staysDone = participant.status === 'DONE' && event.repeat === 'first';
  const { failure: _failed, retryAt: _retry, ...unfailed } = participant;
  const spoken: Participant = { ...unfailed, lastAction: iso(now), lease: null, absent: null };
  const next: Participant = sealed
    ? { ...spoken, status: 'RESPONDED', commitment: sealed.commitment, sealedAt: sealed.at }
    : {
        ...spoken,
        agreed: verdict.agreed,
        position: verdict.position,
        blocking: verdict.blocking,
        status: staysDone || verdict.done ? 'DONE' : verdict.agreed ? 'AGREED' : 'RESPONDED',
      };
  return accept(charged(withSeat(state, event.participant, next), event.usage), now);
}

function excuse(state: CouncilState, event: PhaseEvent & { type: 'excuse' }, now: number): Outcome {
  if (!awaited(state).includes(event.participant)) {
    seat(state, event.participant);
    return refuse(
      'not_your_turn',
      `${event.participant} is not expected to answer in ${state.currentPhase} (round ${state.tour}): there is nothing to excuse.`,
    );
  }
  const participant = seat(state, event.participant);
  return accept(
    withSeat(state, event.participant, { ...participant, lease: null, absent: `excused: ${event.why}` }),
    now,
  );
}

/** A sealed text that was missing when its phase closed has been found: the absence ends. */
function reveal(state: CouncilState, event: PhaseEvent & { type: 'reveal' }, now: number): Outcome {
  const isIt = (absence: CouncilState['absences'][number]) =>
    absence.participant === event.participant &&
    absence.tour === event.tour &&
    absence.commitment !== undefined;
  if (!state.absences.some(isIt))
    return refuse('not_your_turn', `No sealed text of ${event.participant} is missing in "${state.name}".`);
  const participant = seat(state, event.participant);
  const revealed = { ...participant, position: participant.position ?? event.verdict.position };
  return accept(
    { ...withSeat(state, event.participant, revealed), absences: state.absences.filter((a) => !isIt(a)) },
    now,
  );
}
