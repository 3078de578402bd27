// Who stands where on the ballot, for metrics and exports.
import type { BallotLine } from '../state/state.ts';
import type { Joined } from './joined-positions.ts';
import type { Vote } from './votes.ts';

/** One position of the ballot, and where the participants stand on it. */
export interface BallotFigure extends BallotLine {
  /** Who votes for this very number. */
  by: string[];
  /** Who can live with it, those who vote for it among them. */
  approvedBy: string[];
  /** The numbers that count as the same position. */
  sameAs: string[];
}

/** The ballot with those who are for each position. */
export function ballotFigures(
  ballot: readonly BallotLine[],
  votes: readonly Vote[],
  classes: readonly string[][],
): BallotFigure[] {
  const counted = votes.filter(({ kind }) => kind !== 'recused' && kind !== 'absent');
  return ballot.map((line) => ({
    ...line,
    by: counted.filter(({ number }) => number === line.id).map(({ by }) => by),
    approvedBy: counted.filter(({ approves }) => approves?.includes(line.id)).map(({ by }) => by),
    sameAs: (classes.find((numbers) => numbers.includes(line.id)) ?? []).filter((id) => id !== line.id),
  }));
}

/** An earlier vote under the numbers that its position and its approvals count as at the end. */
export function asJoined(vote: Vote, { classes, votes }: Joined, ballot: readonly BallotLine[]): Vote {
  const counted = (id: string) => {
    const numbers = classes.find((one) => one.includes(id)) ?? [id];
    return (
      votes.find(({ number }) => number !== undefined && numbers.includes(number))?.number ?? numbers[0]!
    );
  };
  const number = vote.number && counted(vote.number);
  const line = ballot.find(({ id }) => id === number);
  if (!line) return vote;
  const approves = vote.approves && [...new Set(vote.approves.map(counted))];
  return { ...vote, number: line.id, position: line.position, ...(approves && { approves }) };
}
