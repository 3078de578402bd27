// The decision rules: what a count decides, and how that compares with the blind votes.
import type { Reason, Rule, Origin } from '../state/allowed-values.ts';
import { normalisePosition, findSameOption, findBallotNumber } from '../state/ballot.ts';
import type { BallotLine, Decision, Rules, Move } from '../state/state.ts';
import type { Ranked } from './ranking.ts';
import type { PositionSupport, Vote } from './votes.ts';
import { asJoined } from './ballot-figures.ts';
import type { JoinedVotes } from './joined-positions.ts';

export interface VoteCount {
  rule: Rule;
  tie: Rules['tie'];
  denominator: number;
  /** Number of voters who have not been heard. */
  absentCount: number;
  /** Positions by votes, widest support first. */
  support: PositionSupport[];
  /** Positions by approvals (one's own vote counts), widest first. */
  approved: PositionSupport[];
  /** The positions with the most votes. */
  leaders: PositionSupport[];
  agreed: number;
  quorum: Decision['quorum'];
  blockedBy: string[];
  /** Absent voters whose silence blocks: veto holders; under `no-blocking`, all. */
  requiredButAbsent: string[];
  /** For the rule blind-first, if COLLECT was blind. */
  blind?: {
    plurality: PositionSupport | undefined;
    /** Number of voters not heard in COLLECT. */
    absentCount: number;
    /** Support of the last votes, with unexplained moves undone. */
    supportAfterTakeBack: PositionSupport[];
    unexplained: string[];
  };
  /** Under `ranked`: what is compared. */
  candidates?: readonly BallotLine[];
  /** Under `ranked`: how the candidates compare. */
  ranked?: Ranked;
}

export interface Ruling {
  reason: Reason;
  position: string | null;
  /** Its number, since two ballot lines may say the same. */
  number?: string;
  /** The tied positions, whether settled or not. */
  tied: PositionSupport[];
  settledBy?: 'approvals';
}

/** Applies the rule to a count. */
export function computeRuling(count: VoteCount): Ruling {
  const { rule, denominator, quorum, blockedBy, requiredButAbsent } = count;
  if (rule === 'none') return createRejection('no_rule');
  if (denominator === 0) return createRejection('nobody');
  if (!quorum.met) return createRejection('no_quorum');
  if (blockedBy.length > 0) return createRejection('blocked');
  if (requiredButAbsent.length > 0) return createRejection('unheard');
  if (rule === 'consensus') return decideByConsensus(count);
  if (count.blind?.plurality)
    return decideBlindFirst(count.blind.plurality, count.blind.supportAfterTakeBack, count);
  if (count.ranked) return decideByRanks(count.ranked, count.candidates ?? []);
  return rule === 'approval' ? decideByApproval(count) : decideByVotes(count);
}

function decideByConsensus({ denominator, agreed, support, approved }: VoteCount): Ruling {
  if (agreed < denominator) return createRejection('not_agreed');
  // All agree to texts that state no position, so there is none to print.
  if (support.length === 0 && approved.length === 0) return createAcceptedRuling(null);
  const shared = approved.filter(({ heads }) => heads === denominator);
  const countVotes = ({ position }: PositionSupport) =>
    support.find((one) => one.position === position)?.weight ?? 0;
  const most = Math.max(...shared.map(countVotes));
  const [first, ...others] = shared.filter((one) => countVotes(one) === most);
  if (!first) return createRejection('differ');
  return others.length === 0
    ? createAcceptedRuling(first.position)
    : createRejection('tie', [first, ...others]);
}

function decideByApproval({ denominator, approved, absentCount }: VoteCount): Ruling {
  const [first, second] = approved;
  if (!first) return createRejection('no_position');
  if (second?.weight === first.weight)
    return createRejection(
      'tie',
      approved.filter(({ weight }) => weight === first.weight),
    );
  if (first.weight * 2 <= denominator) return createRejection('too_few');
  return first.weight > (second?.weight ?? 0) + absentCount
    ? createAcceptedRuling(first.position)
    : createRejection('open');
}

/**
 * Returns the blind plurality, unless two thirds hold another position with reasons; spelled as in the last
 * votes.
 */
function decideBlindFirst(
  { position }: PositionSupport,
  supportAfterTakeBack: readonly PositionSupport[],
  { support, denominator }: VoteCount,
): Ruling {
  const other = supportAfterTakeBack.find(
    (one) =>
      one.weight * 3 >= denominator * 2 && normalisePosition(one.position) !== normalisePosition(position),
  );
  const stands = other?.position ?? position;
  const spellings = support.map((one) => one.position);
  return createAcceptedRuling(findSameOption(stands, spellings) ?? stands);
}

/** Returns the first-ranked position, with its number. */
function decideByRanks({ winner, tied, ranking }: Ranked, candidates: readonly BallotLine[]): Ruling {
  const [won] = candidates.filter(({ id }) => id === winner);
  if (won) return { ...createAcceptedRuling(won.position), number: won.id };
  if (ranking.scores.every(({ mean }) => mean === null)) return createRejection('no_position');
  return tied.length > 1
    ? createRejection(
        'tie',
        candidates
          .filter(({ id }) => tied.includes(id))
          .map(({ id, position, author }) => ({
            number: id,
            position,
            by: author ? [author] : [],
            weight: 0,
            heads: 0,
          })),
      )
    : createRejection('open');
}

function decideByVotes(count: VoteCount): Ruling {
  const { rule, support, leaders } = count;
  const [first] = support;
  if (!first) return rule === 'no-blocking' ? createAcceptedRuling(null) : createRejection('no_position');
  if (leaders.length > 1) return settleTie(count);
  const reason = findUnmetReason(count, first, support[1]);
  return reason ? createRejection(reason) : createAcceptedRuling(first.position);
}

/**
 * Settles a tie of votes by approvals, if allowed. They must meet the same rule, and all must have been heard:
 * an absent vote could break the tie, or have made a blind plurality.
 */
function settleTie(count: VoteCount): Ruling {
  const { leaders, approved, tie, absentCount, blind } = count;
  if (tie !== 'approvals' || absentCount > 0 || (blind && blind.absentCount > 0))
    return createRejection('tie', leaders);
  const [first, second] = approved.filter((one) => leaders.some(({ position }) => position === one.position));
  const isSettled = first && first.weight > (second?.weight ?? 0) && !findUnmetReason(count, first, second);
  return isSettled
    ? { ...createAcceptedRuling(first.position), tied: leaders, settledBy: 'approvals' }
    : createRejection('tie', leaders);
}

/** Returns why the first of two does not meet the rule; undefined if it does. */
function findUnmetReason(
  { rule, denominator, absentCount }: VoteCount,
  first: PositionSupport,
  second: PositionSupport | undefined,
): Reason | undefined {
  const isMet: Partial<Record<Rule, boolean>> = {
    majority: first.weight * 2 > denominator,
    'blind-first': first.weight * 2 > denominator,
    supermajority: first.weight * 3 >= denominator * 2,
    unanimity: first.heads === denominator,
  };
  if (rule === 'plurality') return first.weight > (second?.weight ?? 0) + absentCount ? undefined : 'open';
  return isMet[rule] === false ? 'too_few' : undefined;
}

const createAcceptedRuling = (position: string | null): Ruling => ({
  reason: 'accepted',
  position,
  tied: [],
});
const createRejection = (reason: Reason, tied: PositionSupport[] = []): Ruling => ({
  reason,
  position: null,
  tied,
});

/** The part of a move that the rule uses. */
export type MoveFacts = Pick<Move, 'by' | 'from' | 'to' | 'tour' | 'explained'>;

/** The last votes, with unexplained moves undone. */
interface VotesAfterTakeBack {
  votes: Vote[];
  /** Those whose last move to their current position has no explanation. */
  unexplained: string[];
}

/**
 * Returns the last votes with unexplained moves undone. A participant without a blind position, or one who
 * returned to it, has not moved. `joined.votes` and `blind` have joined positions.
 */
export function takeBackMoves(
  joined: JoinedVotes,
  blind: readonly Vote[],
  { moves, ballot }: { moves: readonly MoveFacts[]; ballot: readonly BallotLine[] },
): VotesAfterTakeBack {
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

/** Returns the position that leads the blind vote by more than those unheard in COLLECT could add. */
export function findBlindPlurality(
  blind: readonly PositionSupport[],
  absentCount: number,
): PositionSupport | undefined {
  const [first, second] = blind;
  return first && first.weight > (second?.weight ?? 0) + absentCount ? first : undefined;
}

/** The blind votes; null if COLLECT was open. */
type BlindVotes = {
  support: readonly PositionSupport[];
  denominator: number;
  position: string | null;
} | null;

/** Returns how the decision relates to the blind votes; undefined if no position was to be decided. */
export function classifyOrigin(
  { rule, leaders }: Pick<VoteCount, 'rule' | 'leaders'>,
  { reason, position }: Ruling,
  before: BlindVotes,
): Origin | undefined {
  if (rule === 'none') return undefined;
  if (reason !== 'accepted') return 'undecided';
  if (position === null) return undefined;
  const isDecidedPosition = (one: string | undefined) =>
    one !== undefined && normalisePosition(one) === normalisePosition(position);
  if (!before || before.position === null) return 'debate';
  if (!isDecidedPosition(before.position)) return 'overturned';
  const [first] = leaders;
  if (rule === 'blind-first' && (leaders.length !== 1 || !isDecidedPosition(first?.position)))
    return 'blind-stood';
  return before.support[0]?.heads === before.denominator ? 'blind-unanimous' : 'blind-kept';
}
