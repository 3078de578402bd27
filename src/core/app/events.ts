// Events of councils for programs: one JSON object each, without any participant's words.
import type { CouncilState } from '../council/state/state.ts';
import { getSeat } from '../council/state/state.ts';
import { formatIso } from '../base/clock.ts';
import type { Progress } from './app.ts';
import type { EndedCouncil } from './watch.ts';

/** One event of type `event`, reported at `at`, ISO 8601 UTC. */
export type Event = { event: string; at: string } & Record<string, unknown>;

/** Converts a tick's progress, as printed by `heartbeat --json`. */
export function toProgressEvent(progress: Progress, now: number): Event {
  const { type, ...facts } = progress;
  const at = formatIso(now);
  if (progress.type === 'notice') {
    const { type: event, ...rest } = progress.notice;
    return { event, at, council: progress.council, ...rest };
  }
  if (progress.type === 'said') {
    const { council, phase, tour, said } = progress;
    return {
      event: type,
      at,
      council,
      phase,
      tour,
      participants: said.map(({ participant }) => participant),
    };
  }
  if (progress.type === 'recorded') {
    const { said: _words, type: event, bytes, ...rest } = progress;
    // The size must not be revealed while it is sealed.
    return { event, at, ...rest, ...(bytes !== null && { bytes }) };
  }
  return { event: type, at, ...facts };
}

/** Converts a revision of a council, as printed by `watch --json`. */
export function toRevisionEvent(state: CouncilState): Event {
  const {
    name,
    conversationId,
    revision,
    currentPhase: phase,
    tour,
    status,
    timeoutAt,
    updatedAt: at,
  } = state;
  const seats = state.order.map((id) => {
    const { status: now, attempts, absent, lease } = getSeat(state, id);
    return [id, { status: now, attempts, absent: absent ?? null, speaking: lease !== null }] as const;
  });
  const participants = Object.fromEntries(seats);
  return {
    event: 'revision',
    at,
    council: name,
    conversationId,
    revision,
    phase,
    tour,
    status,
    timeoutAt,
    participants,
  };
}

/** Reports the end of a watched council. */
export function endEvent({ name, status, why, outcome, archive }: EndedCouncil, now: number): Event {
  return {
    event: 'ended',
    at: formatIso(now),
    council: name,
    status,
    why,
    outcome: outcome ?? null,
    archive,
  };
}
