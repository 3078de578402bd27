// Compares ranked candidates pairwise.
import type { BallotLine, Ranking } from '../state/state.ts';

export interface RankedBallot {
  by: string;
  /** Numbers, best first; numbers in one group are tied, and unranked ones are tied last. */
  groups: readonly (readonly string[])[];
}

type Pair = Ranking['pairs'][number];
type Candidate = Pick<BallotLine, 'id' | 'author'>;

export interface Ranked {
  ranking: Ranking;
  winner: string | null;
  /** The candidates sharing the highest score, if that leaves first place open. */
  tied: string[];
}

interface Score {
  id: string;
  /** An integer: sums of fractions would depend on the order of the seats. */
  sum: number;
  /** Maximum points from one ballot. */
  unit: number;
  ballots: number;
  /** Voters who could have ranked it and ranked nothing. */
  absent: number;
}

/**
 * Returns the candidate that wins all its pairs (Condorcet), otherwise the one with the highest mean Borda
 * score: the share of the other candidates that a ballot places behind it. Authors do not rank their own
 * candidate.
 * It is a mean, not a sum, so that ranking nothing gains nothing. The result does not depend on any order, and
 * would be the same whatever absent participants had ranked.
 */
export function computeRanking(
  voters: readonly string[],
  candidates: readonly Candidate[],
  given: readonly RankedBallot[],
): Ranked {
  const ballots = given.filter(({ by }) => voters.includes(by));
  const absent = voters.filter((by) => !ballots.some((ballot) => ballot.by === by));
  const pairs = candidates.flatMap((a, at) =>
    candidates.slice(at + 1).map((b) => comparePair(a, b, ballots, absent)),
  );
  const scores = candidates.map((candidate) => scoreCandidate(candidate, candidates, ballots, absent));
  const condorcet = candidates.find((one) =>
    candidates.length === 1 ? isNamed(one, ballots, absent) : winsAll(one.id, pairs),
  )?.id;
  const leaders = findLeaders(scores);
  const borda = leaders.length === 1 && isOutOfReach(leaders[0]!, scores, pairs) ? leaders[0]! : null;
  return {
    ranking: {
      pairs,
      scores: scores.map(({ id, sum, unit, ballots: count }) => ({
        id,
        mean: count * unit === 0 ? null : sum / (count * unit),
      })),
      method: condorcet === undefined ? 'borda' : 'condorcet',
    },
    winner: condorcet ?? borda,
    tied: condorcet === undefined && leaders.length > 1 ? leaders : [],
  };
}

function comparePair(
  a: Candidate,
  b: Candidate,
  ballots: readonly RankedBallot[],
  away: readonly string[],
): Pair {
  const mayCompare = (by: string) => a.author !== by && b.author !== by;
  const leads = ballots
    .filter(({ by }) => mayCompare(by))
    .map((ballot) => findPlace(ballot, b.id) - findPlace(ballot, a.id));
  const ahead = leads.filter((lead) => lead > 0).length;
  const behind = leads.filter((lead) => lead < 0).length;
  const absent = away.filter(mayCompare).length;
  const isClear = Math.abs(ahead - behind) > absent;
  return {
    a: a.id,
    b: b.id,
    for: ahead,
    against: behind,
    tied: leads.length - ahead - behind,
    absent,
    winner: isClear ? (ahead > behind ? a.id : b.id) : null,
  };
}

/** Whether a sole candidate is ranked by more voters than ranked nothing. */
function isNamed(
  { id, author }: Candidate,
  ballots: readonly RankedBallot[],
  away: readonly string[],
): boolean {
  const ranksCandidate = ({ by, groups }: RankedBallot) => by !== author && groups.flat().includes(id);
  return ballots.filter(ranksCandidate).length > away.filter((by) => by !== author).length;
}

const winsAll = (id: string, pairs: readonly Pair[]): boolean =>
  pairs.every(({ a, b, winner }) => (a !== id && b !== id) || winner === id);

/** Each ballot gives a share of its unit per candidate ranked below, half of it per tied one. */
function scoreCandidate(
  { id, author }: Candidate,
  candidates: readonly Candidate[],
  ballots: readonly RankedBallot[],
  away: readonly string[],
): Score {
  // Divisible by every ballot's divisor: an author compares one candidate less.
  const unit = 2 * (candidates.length - 1) * Math.max(1, candidates.length - 2);
  const listOthers = (by: string) =>
    by === author ? [] : candidates.filter((one) => one.id !== id && one.author !== by);
  const mayRank = (by: string) => listOthers(by).length > 0;
  const points = ballots
    .filter(({ by }) => mayRank(by))
    .map((ballot) => {
      const [others, place] = [listOthers(ballot.by), findPlace(ballot, id)];
      const halves = others.map((other) => 1 + Math.sign(findPlace(ballot, other.id) - place));
      return (halves.reduce((sum, one) => sum + one, 0) * unit) / (2 * others.length);
    });
  return {
    id,
    sum: points.reduce((sum, one) => sum + one, 0),
    unit,
    ballots: points.length,
    absent: away.filter(mayRank).length,
  };
}

/** Returns the candidates with the highest mean. */
function findLeaders(scores: readonly Score[]): string[] {
  const scored = scores.filter(({ ballots }) => ballots > 0);
  return scored
    .filter((one) => scored.every((other) => one.sum * other.ballots >= other.sum * one.ballots))
    .map(({ id }) => id);
}

/** Whether absent voters could not make another candidate win, by a higher mean or by all its pairs. */
function isOutOfReach(leader: string, scores: readonly Score[], pairs: readonly Pair[]): boolean {
  const { sum, ballots, absent } = scores.find(({ id }) => id === leader)!;
  return scores
    .filter(({ id }) => id !== leader)
    .every((other) => {
      const best = (other.sum + other.absent * other.unit) * (ballots + absent);
      return best < sum * (other.ballots + other.absent) && !mayWinAll(other.id, pairs);
    });
}

const mayWinAll = (id: string, pairs: readonly Pair[]): boolean =>
  pairs.every((pair) => {
    if (pair.a !== id && pair.b !== id) return true;
    const lead = pair.a === id ? pair.for - pair.against : pair.against - pair.for;
    return lead + pair.absent > 0;
  });

function findPlace({ groups }: RankedBallot, id: string): number {
  const at = groups.findIndex((group) => group.includes(id));
  return at === -1 ? groups.length : at;
}
