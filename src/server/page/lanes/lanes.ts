// The positions of all participants by round and the reasons of their moves, for the picture and the table.
import type { Proceedings } from '../../../core/archive/archive.ts';
import { listRounds } from '../../../core/archive/archive.ts';
import { countArchivedVotes } from '../../../core/archive/positions.ts';
import { toOneLine } from '../../../core/base/text.ts';
import { findBallotNumber, addPositions } from '../../../core/council/state/ballot.ts';
import type { PhaseName } from '../../../core/council/state/allowed-values.ts';
import type { BallotLine, Contribution, Move } from '../../../core/council/state/state.ts';
import { joinEquivalentPositions } from '../../../core/council/vote/joined-positions.ts';
import { collectVoteMarks } from '../../../core/council/vote/outcome.ts';
import { collectVotes } from '../../../core/council/vote/votes.ts';
import type { Vote } from '../../../core/council/vote/votes.ts';

/** A position; the number is empty for no position. */
export interface Lane {
  number: string;
  position: string;
  isDecided: boolean;
  /** 1 to 8; 0 for grey. */
  colour: number;
}

export interface LaneRound {
  tour: number;
  phase: PhaseName;
  isBlind: boolean;
}

/** A participant's position at the end of a round. */
export interface Stop {
  /** The number of the lane; empty for no position. */
  number: string;
  /** `carried`: silent in this round; `asked`: argued the other side on request; `silent`: has not spoken yet. */
  kind: 'stated' | 'carried' | 'asked' | 'silent';
  /** Set if the lane has changed. */
  move?: { from: string; explained: boolean | null; because: string | null };
}

export interface LaneRow {
  id: string;
  name: string;
  /** One per round. */
  stops: Stop[];
  /** The number of the final vote. */
  end: string;
  /** Other acceptable positions. */
  approves: string[];
  isRecused: boolean;
}

export interface Lanes {
  rounds: LaneRound[];
  /** The decided one first, then by number of holders; no position last. */
  lanes: Lane[];
  rows: LaneRow[];
  /** Numbers that count as one. */
  joins: string[][];
  /** Whether the last column is final; for an active council it shows the current positions. */
  hasEnded: boolean;
}

const COLOURS = 8;

/** Builds the lanes of a council; null if there are no positions. */
export function buildLanes(facts: Proceedings, hasEnded = true): Lanes | null {
  const { meta } = facts;
  const rounds = listRounds(facts)
    .filter(([, phase]) => phase !== 'SYNTHESIZE')
    .map(([tour, phase]): LaneRound => ({ tour, phase, isBlind: meta.blind && phase === 'COLLECT' }));
  const ballot = meta.ballot?.length ? meta.ballot : listStatedPositions(facts);
  const byRound = rounds.map(({ tour }) => readEarlierVotes(facts, ballot, tour));
  const last = byRound.at(-1) ?? [];
  const saidBy = Map.groupBy(facts.contributions, ({ by }) => by);
  const counted = new Map(countArchivedVotes(facts).map((vote) => [vote.by, vote]));
  const rows = meta.participants.map(({ id }, seat) =>
    buildLaneRow(facts, {
      id,
      seat,
      ballot,
      rounds,
      byRound,
      said: saidBy.get(id) ?? [],
      counted: counted.get(id),
    }),
  );
  if (rows.every(({ stops }) => stops.every(({ number }) => number === ''))) return null;
  return {
    rounds,
    lanes: listUsedLanes(facts, ballot, rows),
    rows,
    joins: joinEquivalentPositions(last, ballot).classes,
    hasEnded,
  };
}

/** Numbers the positions of a council that had no ballot. */
function listStatedPositions({ meta, contributions }: Proceedings): BallotLine[] {
  const stated = contributions
    .filter(({ phase }) => phase !== 'SYNTHESIZE')
    .flatMap(({ position }) => position ?? []);
  return addPositions([], meta.rules.options ?? [], stated);
}

function readEarlierVotes({ meta, contributions }: Proceedings, ballot: BallotLine[], upTo: number): Vote[] {
  const { rules, advocate } = meta;
  const state = { order: meta.participants.map(({ id }) => id), ballot };
  return collectVotes({ state, contributions }, { ...collectVoteMarks({ rules, advocate }), upTo });
}

interface LaneSeat {
  id: string;
  seat: number;
  ballot: BallotLine[];
  rounds: LaneRound[];
  byRound: Vote[][];
  /** The participant's contributions, and the final vote. */
  said: readonly Contribution[];
  counted: Vote | undefined;
}

function buildLaneRow(
  { meta }: Proceedings,
  { id, seat, ballot, rounds, byRound, said, counted }: LaneSeat,
): LaneRow {
  const numbers = byRound.map((votes) => votes[seat]?.number ?? '');
  const stops = rounds.map(({ tour }, at): Stop => {
    const number = numbers[at]!;
    const before = numbers[at - 1] ?? '';
    const isMoved = number !== '' && before !== '' && number !== before;
    return {
      number,
      kind: classifyStop(byRound[at]![seat]!, tour, said),
      ...(isMoved && { move: findStopMove(meta.ledger.moves, { by: id, tour, from: before }) }),
    };
  });
  const vote = byRound.at(-1)?.[seat];
  const end =
    counted?.number ??
    (counted?.position ? findBallotNumber(ballot, counted.position) : undefined) ??
    numbers.at(-1) ??
    '';
  return {
    id,
    name: toOneLine(meta.participants[seat]?.title ?? id, 80),
    stops,
    end,
    approves: (vote?.approves ?? []).filter((number) => number !== end && number !== numbers.at(-1)),
    isRecused: meta.rules.recused.some(({ participant }) => participant === id),
  };
}

function classifyStop({ kind }: Vote, round: number, said: readonly Contribution[]): Stop['kind'] {
  if (kind === 'advocate') return 'asked';
  // A recused participant still speaks.
  if (said.some(({ tour, done }) => tour === round || (done === true && tour < round))) return 'stated';
  return said.some(({ tour }) => tour < round) ? 'carried' : 'silent';
}

/** Early archives have no ledger, so it is unknown whether a change was explained. */
function findStopMove(
  moves: readonly Move[],
  at: { by: string; tour: number; from: string },
): NonNullable<Stop['move']> {
  const move = moves.find(({ by, tour }) => by === at.by && tour === at.tour);
  return { from: at.from, explained: move?.explained ?? null, because: move?.because ?? null };
}

function listUsedLanes({ meta }: Proceedings, ballot: BallotLine[], rows: LaneRow[]): Lane[] {
  const decided = meta.decision?.decided ? meta.decision : null;
  const decidedNumber =
    decided?.number ?? (decided?.position ? findBallotNumber(ballot, decided.position) : undefined);
  const countLaneEnds = (number: string): number => rows.filter(({ end }) => end === number).length;
  const used = ballot.filter(({ id }) => rows.some(({ stops }) => stops.some(({ number }) => number === id)));
  const inOrder = used.toSorted(
    (a, b) =>
      Number(b.id === decidedNumber) - Number(a.id === decidedNumber) ||
      countLaneEnds(b.id) - countLaneEnds(a.id),
  );
  const lanes = inOrder.map(({ id, position }, at): Lane => ({
    number: id,
    position,
    isDecided: id === decidedNumber,
    colour: at < COLOURS ? at + 1 : 0,
  }));
  const isAnybodyOut = rows.some(({ stops }) => stops.some(({ number }) => number === ''));
  return isAnybodyOut ? [...lanes, { number: '', position: '', isDecided: false, colour: 0 }] : lanes;
}
