// Types of the council state, and simple queries on it.
import type * as z from 'zod/mini';
import { CouncilError } from '../../base/errors.ts';
import type { ErrorDetails } from '../../base/errors.ts';
import type { PhaseName } from './allowed-values.ts';
import type { SCHEMAS } from './schema.ts';

// Inferred from schema.ts as types only, so that zod is not loaded.
type Inferred<Name extends keyof typeof SCHEMAS> = z.infer<(typeof SCHEMAS)[Name]>;

export type CouncilState = Inferred<'state'>;
export type Participant = Inferred<'participant'>;
export type Lease = Inferred<'lease'>;
export type Failure = Inferred<'failure'>;
export type PhaseClock = Inferred<'phaseClock'>;
export type KeyedRequest = Inferred<'request'>;
export type DeadlineMove = NonNullable<PhaseClock['moved']>;
export type Absence = Inferred<'absence'>;
export type Transition = Inferred<'transition'>;
export type Rules = Inferred<'rules'>;
export type Advocate = Inferred<'advocate'>;
export type Decision = Inferred<'decision'>;
export type BallotLine = Inferred<'ballotLine'>;
export type Ranking = NonNullable<Decision['ranking']>;
export type Ledger = Inferred<'ledger'>;
export type Claim = Inferred<'claim'>;
export type Challenge = Inferred<'challenge'>;
export type Move = Inferred<'move'>;
export type UsageRecord = Inferred<'usage'>;
export type Limit = Inferred<'limit'>;
export type Budget = Inferred<'budget'>;
export type Reservation = Inferred<'reservation'>;

/** A contribution's choices on the ballot, by number. Undeclared fields are undefined. */
export interface Choice {
  /** The number of the position it votes for. */
  vote?: string;
  /** Numbers its author also approves of, besides their own vote; empty for "nothing else". */
  approve?: string[];
  /** A position it adds to the ballot, in one line. */
  new?: string;
  /** Pairs of numbers its author calls the same. */
  same?: [string, string][];
  /** Under `ranked`: groups of numbers, best first; those in one group are tied. */
  rank?: string[][];
  /** 0 to 1. */
  confidence?: number;
  /** There is something under `vote` or `position` that is not a vote: none is held, not even an earlier one. */
  unclear?: true;
}

/** What a participant declares about its own contribution, from flags and form. */
export type Verdict = Pick<Participant, 'agreed' | 'position' | 'blocking'> & { done: boolean } & Choice;

/** A range in one contribution's text, in UTF-16 units. */
export type ContributionSpan = Pick<Claim, 'tour' | 'by' | 'start' | 'end'>;

export const EMPTY_LEDGER: Ledger = { claims: [], challenges: [], moves: [] };

/** One contribution with its marker's data. The text is verbatim, front matter included. */
export interface Contribution extends Choice {
  by: string;
  phase: PhaseName;
  tour: number;
  at: string;
  /** Length and SHA-256 of the original UTF-8 bytes. */
  bytes: number;
  sha256: string;
  /** Byte lengths of its parts, if its author was asked again for missing items. */
  parts?: number[];
  agreed?: true;
  done?: true;
  position?: string;
  blocking?: string[];
  /** Written on request as the opposing case: not the participant's own position. */
  advocate?: true;
  /** Revealed with the text: anyone can check the commitment made while the phase was blind. */
  salt?: string;
  commitment?: string;
  text: string;
}

/** A whole council: the state block, the brief, and the contributions by round, then by seat. */
export interface Council {
  state: CouncilState;
  brief: string;
  contributions: Contribution[];
}

/** Returns a participant by id, or the coordinator; throws `unknown_agent` with the valid ids. */
export function getSeat(state: CouncilState, id: string): Participant {
  if (id === state.coordinator && state.synthesizer) return state.synthesizer;
  const found = Object.hasOwn(state.participants, id) ? state.participants[id] : undefined;
  if (found) return found;
  const valid = [...state.order, ...(state.coordinator ? [state.coordinator] : [])].join(', ');
  const who = JSON.stringify(id.slice(0, 80));
  throw new CouncilError('unknown_agent', `${who} is not a participant of the council "${state.name}".`, {
    hint: `Participants: ${valid}.`,
  });
}

/** Returns the leases of all seats; a launch may be running under each. */
export const listHeldLeases = ({
  participants,
  synthesizer,
}: Pick<CouncilState, 'participants' | 'synthesizer'>): Set<string> =>
  new Set([...Object.values(participants), synthesizer].flatMap((one) => one?.lease?.id ?? []));

/** Returns the agents whose runners may be launched for a seat: its own, or those a coordinator borrows. */
export const listRunnerIds = (state: CouncilState, id: string): string[] =>
  getSeat(state, id).borrows ?? [id];

/** True while COLLECT hides the others' contributions. */
export const isBlindNow = (state: CouncilState): boolean => state.blind && state.currentPhase === 'COLLECT';

/** True while the council waits, behind COLLECT, for the person who asked. */
export const isHeld = ({ hold }: Pick<CouncilState, 'hold'>): boolean => hold?.until !== undefined;

/** Returns the participants whose contribution the open phase still waits for, in seating order. */
export function awaited(state: CouncilState): string[] {
  if (state.closing || isHeld(state)) return [];
  const ids =
    state.currentPhase === 'SYNTHESIZE' ? (state.coordinator ? [state.coordinator] : []) : state.order;
  return ids.filter((id) => isWaiting(getSeat(state, id)));
}

const isWaiting = ({ status, absent }: Participant): boolean => status === 'WAITING' && absent === null;

/** Whether the open phase still waits for this participant. */
export function isAwaited(state: CouncilState, id: string): boolean {
  const isAsked = state.currentPhase === 'SYNTHESIZE' ? id === state.coordinator : state.order.includes(id);
  return !state.closing && !isHeld(state) && isAsked && isWaiting(getSeat(state, id));
}

/** Returns a key shared by everything that one participant said in one round. */
export const formatTurnKey = ({ by, tour }: { by: string; tour: number }): string => `${tour} ${by}`;

/** The path of the kept text, or why it was not kept (not thrown, since the first error matters more). */
export type KeepResult = NonNullable<ErrorDetails['kept']>;

/** Describes what happened to a refused text, for people. */
export const describeKept = (kept: KeepResult): string =>
  typeof kept === 'string' ? `The text is kept in ${kept}` : `The text is not kept: ${kept.failed}`;
