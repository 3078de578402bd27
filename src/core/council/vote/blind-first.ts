// What the blind votes alone would have decided: the rule blind-first, and what became of a blind plurality.
import { findBallotNumber } from '../state/ballot.ts';
import { normalisePosition } from '../state/position.ts';
import type { BallotLine, Move } from '../state/state.ts';
import { asJoined } from './ballot-figures.ts';
import type { Joined } from './joined-positions.ts';
import type { Support, Vote } from './votes.ts';
import type { Origin } from '../state/choices.ts';
import type { Count, Ruling } from './ruling.ts';

/** A move as far as the rule looks at it. */
export type WeighedMove = Pick<Move, 'by' | 'from' | 'to' | 'tour' | 'explained'>;

/** Everybody's last vote as it counts against the blind plurality, and whose is the blind one instead. */
export interface FirmVotes {
  votes: Vote[];
  /** Who moved, last into the position that is held now, without a reason that was found. */
  unexplained: string[];
}

/**
 * The last votes with every move taken back that nothing explains. A participant without a blind position, and one who returned
 * to it, has not moved. `votes` and `blind` have joined positions.
 */
export function takeBackMoves(
  joined: Joined,
  blind: readonly Vote[],
  { moves, ballot }: { moves: readonly WeighedMove[]; ballot: readonly BallotLine[] },
): FirmVotes {
  const getPositionKey = (position: string | null): string => {
    const number = findBallotNumber(ballot, position ?? '');
    const vote: Vote = { by: '', position, kind: 'spoken', agreed: false, blocking: false };
    return normalisePosition(asJoined({ ...vote, ...(number && { number }) }, joined, ballot).position ?? '');
  };
  const isExplained = ({ by, position }: Vote): boolean =>
    moves
      .filter((move) => move.by === by && getPositionKey(move.to) === getPositionKey(position))
      .filter((move) => getPositionKey(move.from) !== getPositionKey(position))
      .sort((a, b) => a.tour - b.tour)
      .at(-1)?.explained === true;
  const firstOf = new Map(blind.map((vote) => [vote.by, vote]));
  const taken = joined.votes.flatMap((vote): Vote[] => {
    const first = firstOf.get(vote.by);
    if (!first || first.position === null || getPositionKey(first.position) === getPositionKey(vote.position))
      return [];
    return isExplained(vote) ? [] : [first];
  });
  const takenOf = new Map(taken.map((vote) => [vote.by, vote]));
  return {
    votes: joined.votes.map((vote) => takenOf.get(vote.by) ?? vote),
    unexplained: [...takenOf.keys()].sort(),
  };
}

/** The blind plurality: ahead of any other position by more than those who were not heard in COLLECT could add. */
export function findBlindPlurality(blind: readonly Support[], away: number): Support | undefined {
  const [first, second] = blind;
  return first && first.weight > (second?.weight ?? 0) + away ? first : undefined;
}

/** The blind votes; null where COLLECT was open. */
type BlindVotes = { support: readonly Support[]; denominator: number; position: string | null } | null;

/** Undefined where no position was to be decided. */
export function nameOrigin(
  { rule, leaders }: Pick<Count, 'rule' | 'leaders'>,
  { reason, position }: Ruling,
  before: BlindVotes,
): Origin | undefined {
  if (rule === 'none') return undefined;
  if (reason !== 'accepted') return 'undecided';
  if (position === null) return undefined;
  const isIt = (one: string | undefined) =>
    one !== undefined && normalisePosition(one) === normalisePosition(position);
  if (!before || before.position === null) return 'debate';
  if (!isIt(before.position)) return 'overturned';
  const [first] = leaders;
  if (rule === 'blind-first' && (leaders.length !== 1 || !isIt(first?.position))) return 'blind-stood';
  return before.support[0]?.heads === before.denominator ? 'blind-unanimous' : 'blind-kept';
}
