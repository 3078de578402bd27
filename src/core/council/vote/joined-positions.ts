// Joins ballot positions that count as one, with the consent of their holders.
import type { BallotLine } from '../state/state.ts';
import type { Vote } from './votes.ts';

/** Two ballot numbers, the lower first. */
export type Pair = readonly [string, string];

/** The votes after joining, and the pairs that could not be joined without guessing. */
export interface JoinedVotes {
  votes: Vote[];
  /** Every class with several numbers, each sorted. */
  classes: string[][];
  /** Joins by one side's consent that would involve a third position; holders are asked about them again. */
  unsettled: Pair[];
}

/**
 * Joins two ballot numbers if all present holders of one call them the same, or one holder on each side does.
 * `same` counts only for the speaker's own position.
 * Joins are not transitive: in a class, every two numbers must be joined; mutual joins come first. A class
 * takes its number with the most holders, the lowest on a tie; if only one side consents, the other side's
 * number, so that a vote never counts for what others want it to mean. The order of the votes does not matter.
 */
export function joinEquivalentPositions(votes: readonly Vote[], ballot: readonly BallotLine[]): JoinedVotes {
  const present = votes.filter(({ kind, number }) => number && kind !== 'absent' && kind !== 'recused');
  const joins = findJoins(present);
  const mutual = findCliques(
    joins.filter(({ isMutual }) => isMutual).map(({ pair }) => pair),
    joins,
    [],
  );
  const all = findCliques(
    joins.map(({ pair }) => pair),
    joins,
    mutual,
  );
  const isTogether = ([a, b]: Pair) => all.some((numbers) => numbers.includes(a) && numbers.includes(b));
  const leading = new Map(
    all.flatMap((numbers) => numbers.map((id) => [id, pickLeadingNumber(numbers, present, joins)])),
  );
  const sentences = new Map(ballot.map(({ id, position }) => [id, position]));
  // In a one-sided join, the consenting side's own approval moves with it, but not approvals by others.
  const isMoved = (id: string) => joins.some(({ pair, from }) => from === id && isTogether(pair));
  const resolveApproval = (id: string, { number }: Vote) =>
    isMoved(id) && number !== id ? id : (leading.get(id) ?? id);
  const asClass = (vote: Vote): Vote => {
    const number = vote.number && (leading.get(vote.number) ?? vote.number);
    return {
      ...vote,
      ...(number && { number, position: sentences.get(number) ?? vote.position }),
      ...(vote.approves && { approves: [...new Set(vote.approves.map((id) => resolveApproval(id, vote)))] }),
    };
  };
  return {
    votes: votes.map(asClass),
    classes: all,
    unsettled: joins.map(({ pair }) => pair).filter((pair) => !isTogether(pair)),
  };
}

interface PositionJoin {
  pair: Pair;
  /** A holder on each side called them the same. */
  isMutual: boolean;
  /** The number whose holders alone consented. */
  from: string | null;
}

function findJoins(present: readonly Vote[]): PositionJoin[] {
  const statesPair = ({ number, same = [] }: Vote, [a, b]: Pair) =>
    (number === a || number === b) && same.some(([x, y]) => x === a && y === b);
  const said = present.flatMap((vote) => (vote.same ?? []).filter((pair) => statesPair(vote, pair)));
  const pairs = new Map(said.map((pair) => [pair.join(' '), pair]));
  return [...pairs.values()].sort(comparePairs).flatMap((pair): PositionJoin[] => {
    const sides = pair.map((id) => present.filter(({ number }) => number === id));
    const consents = sides.map((holders) => holders.filter((vote) => statesPair(vote, pair)).length);
    const isMutual = consents.every((count) => count > 0);
    const isWhole = sides.some((holders, at) => holders.length > 0 && consents[at] === holders.length);
    const from = isMutual ? null : (pair[consents[0] ? 0 : 1] ?? null);
    return isMutual || isWhole ? [{ pair, isMutual, from }] : [];
  });
}

/** Returns groups in which every two numbers are joined; of other groups, the classes in `settled`. */
function findCliques(
  pairs: readonly Pair[],
  joins: readonly PositionJoin[],
  settled: string[][],
): string[][] {
  const isJoined = (a: string, b: string) =>
    joins.some(({ pair: [x, y] }) => (x === a && y === b) || (x === b && y === a));
  let groups: string[][] = settled;
  for (const pair of pairs) {
    const touching = groups.filter((group) => pair.some((id) => group.includes(id)));
    const merged = [...new Set([...touching.flat(), ...pair])].sort(compareNumbers);
    groups = [...groups.filter((group) => !touching.includes(group)), merged];
  }
  return groups.flatMap((group) => {
    const isClique = group.every((a) => group.every((b) => a === b || isJoined(a, b)));
    if (isClique) return [group];
    return settled.filter((known) => known.every((id) => group.includes(id)));
  });
}

/** A one-sided join counts for the position that was joined, never for the joining one. */
function pickLeadingNumber(
  numbers: readonly string[],
  present: readonly Vote[],
  joins: readonly PositionJoin[],
): string {
  const isJoining = (id: string) =>
    numbers.every(
      (other) =>
        other === id ||
        joins.some(({ pair, from }) => from === id && pair.includes(id) && pair.includes(other)),
    );
  const asked = numbers.filter((id) => !isJoining(id));
  const countSupporters = (id: string) => present.filter(({ number }) => number === id).length;
  return (asked.length > 0 ? asked : numbers).reduce((best, id) =>
    countSupporters(id) > countSupporters(best) ? id : best,
  );
}

const compareNumbers = (a: string, b: string): number => Number(a.slice(1)) - Number(b.slice(1));
const comparePairs = (a: Pair, b: Pair): number => compareNumbers(a[0], b[0]) || compareNumbers(a[1], b[1]);
