// The decision rules: what a count decides, and what the blind votes alone would have decided.
import type { Reason, Rule, Origin } from '../state/choices.ts';
import { normalisePosition, sameOption, findBallotNumber } from '../state/ballot.ts';
import type { BallotLine, Decision, Rules, Move } from '../state/state.ts';
import type { Ranked } from './ranking.ts';
import type { Support, Vote } from './votes.ts';
import { asJoined } from './ballot-figures.ts';
import type { Joined } from './joined-positions.ts';

export interface Count {
  rule: Rule;
  tie: Rules['tie'];
  denominator: number;
  /** Number of voters who have not been heard. */
  away: number;
  /** Positions by votes, widest support first. */
  support: Support[];
  /** Positions by approvals (one's own vote counts), widest first. */
  approved: Support[];
  /** The positions with the most votes. */
  leaders: Support[];
  agreed: number;
  quorum: Decision['quorum'];
  blockedBy: string[];
  unheard: string[];
  /** For the rule blind-first, if COLLECT was blind. */
  blind?: {
    plurality: Support | undefined;
    /** Number of voters not heard in COLLECT. */
    away: number;
    /** The last votes without unexplained moves. */
    firm: Support[];
    unexplained: string[];
  };
  /** Under `ranked`: the candidates, and their comparison. */
  lines?: readonly BallotLine[];
  ranked?: Ranked;
}

export interface Ruling {
  reason: Reason;
  position: string | null;
  /** Its number, since two ballot lines may say the same. */
  number?: string;
  /** The tied positions, whether settled or not. */
  tied: Support[];
  settledBy?: 'approvals';
}

/** Applies the rule to a count. */
export function computeRuling(count: Count): Ruling {
  const { rule, denominator, quorum, blockedBy, unheard } = count;
  if (rule === 'none') return not('no_rule');
  if (denominator === 0) return not('nobody');
  if (!quorum.met) return not('no_quorum');
  if (blockedBy.length > 0) return not('blocked');
  if (unheard.length > 0) return not('unheard');
  if (rule === 'consensus') return consensus(count);
  if (count.blind?.plurality) return blindFirst(count.blind.plurality, count.blind.firm, count);
  if (count.ranked) return byRanks(count.ranked, count.lines ?? []);
  return rule === 'approval' ? approval(count) : byVotes(count);
}

function consensus({ denominator, agreed, support, approved }: Count): Ruling {
  if (agreed < denominator) return not('not_agreed');
  // All agree to texts that state no position, so there is none to print.
  if (support.length === 0 && approved.length === 0) return createAcceptedRuling(null);
  const shared = approved.filter(({ heads }) => heads === denominator);
  const countVotes = ({ position }: Support) => support.find((one) => one.position === position)?.weight ?? 0;
  const most = Math.max(...shared.map(countVotes));
  const [first, ...others] = shared.filter((one) => countVotes(one) === most);
  if (!first) return not('differ');
  return others.length === 0 ? createAcceptedRuling(first.position) : not('tie', [first, ...others]);
}

function approval({ denominator, approved, away }: Count): Ruling {
  const [first, second] = approved;
  if (!first) return not('no_position');
  if (second?.weight === first.weight)
    return not(
      'tie',
      approved.filter(({ weight }) => weight === first.weight),
    );
  if (first.weight * 2 <= denominator) return not('too_few');
  return first.weight > (second?.weight ?? 0) + away ? createAcceptedRuling(first.position) : not('open');
}

/** Returns the blind plurality, unless two thirds hold another position with reasons; in the last spelling. */
function blindFirst(
  { position }: Support,
  firm: readonly Support[],
  { support, denominator }: Count,
): Ruling {
  const other = firm.find(
    (one) =>
      one.weight * 3 >= denominator * 2 && normalisePosition(one.position) !== normalisePosition(position),
  );
  const stands = other?.position ?? position;
  const spellings = support.map((one) => one.position);
  return createAcceptedRuling(sameOption(stands, spellings) ?? stands);
}

/** Returns the first-ranked position, with its number. */
function byRanks({ winner, tied, ranking }: Ranked, lines: readonly BallotLine[]): Ruling {
  const [won] = lines.filter(({ id }) => id === winner);
  if (won) return { ...createAcceptedRuling(won.position), number: won.id };
  if (ranking.scores.every(({ mean }) => mean === null)) return not('no_position');
  return tied.length > 1
    ? not(
        'tie',
        lines
          .filter(({ id }) => tied.includes(id))
          .map(({ id, position, author }) => ({
            number: id,
            position,
            by: author ? [author] : [],
            weight: 0,
            heads: 0,
          })),
      )
    : not('open');
}

function byVotes(count: Count): Ruling {
  const { rule, support, leaders } = count;
  const [first] = support;
  if (!first) return rule === 'no-blocking' ? createAcceptedRuling(null) : not('no_position');
  if (leaders.length > 1) return settleTie(count);
  const reason = whyNot(count, first, support[1]);
  return reason ? not(reason) : createAcceptedRuling(first.position);
}

/**
 * Settles a tie of votes by approvals, if allowed. They must meet the same rule, and all must have been heard:
 * an absent vote could break the tie, or have made a blind plurality.
 */
function settleTie(count: Count): Ruling {
  const { leaders, approved, tie, away, blind } = count;
  if (tie !== 'approvals' || away > 0 || (blind && blind.away > 0)) return not('tie', leaders);
  const [first, second] = approved.filter((one) => leaders.some(({ position }) => position === one.position));
  const isSettled = first && first.weight > (second?.weight ?? 0) && !whyNot(count, first, second);
  return isSettled
    ? { ...createAcceptedRuling(first.position), tied: leaders, settledBy: 'approvals' }
    : not('tie', leaders);
}

/** Returns why the first of two does not meet the rule; undefined if it does. */
function whyNot(
  { rule, denominator, away }: Count,
  first: Support,
  second: Support | undefined,
): Reason | undefined {
  const isMet: Partial<Record<Rule, boolean>> = {
    majority: first.weight * 2 > denominator,
    'blind-first': first.weight * 2 > denominator,
    supermajority: first.weight * 3 >= denominator * 2,
    unanimity: first.heads === denominator,
  };
  if (rule === 'plurality') return first.weight > (second?.weight ?? 0) + away ? undefined : 'open';
  return isMet[rule] === false ? 'too_few' : undefined;
}

const createAcceptedRuling = (position: string | null): Ruling => ({
  reason: 'accepted',
  position,
  tied: [],
});
const not = (reason: Reason, tied: Support[] = []): Ruling => ({ reason, position: null, tied });

/** The part of a move that the rule uses. */
export type WeighedMove = Pick<Move, 'by' | 'from' | 'to' | 'tour' | 'explained'>;

/** The last votes that count against the blind plurality; unexplained movers keep their blind vote. */
interface FirmVotes {
  votes: Vote[];
  /** Those whose last move to their current position has no explanation. */
  unexplained: string[];
}

/**
 * Returns the last votes with unexplained moves undone. A participant without a blind position, or one who
 * returned to it, has not moved. `votes` and `blind` have joined positions.
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

/** Returns the position that leads the blind vote by more than those unheard in COLLECT could add. */
export function findBlindPlurality(blind: readonly Support[], away: number): Support | undefined {
  const [first, second] = blind;
  return first && first.weight > (second?.weight ?? 0) + away ? first : undefined;
}

/** The blind votes; null if COLLECT was open. */
type BlindVotes = { support: readonly Support[]; denominator: number; position: string | null } | null;

/** Returns undefined if no position was to be decided. */
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
