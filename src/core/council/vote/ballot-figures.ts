// Who stands where on the ballot, for metrics and exports, and moves by persuasion or by instability.
import type { BallotLine, CouncilState } from '../state/state.ts';
import type { Joined } from './joined-positions.ts';
import type { Vote } from './votes.ts';

/** One position of the ballot, and where the participants stand on it. */
export interface BallotFigure extends BallotLine {
  /** Who votes for this very number. */
  by: string[];
  /** Participants who vote for this very number. */
  approvedBy: string[];
  /** Participants who can live with it; those who vote for it are among them. */
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
  const getFinalNumber = (id: string) => {
    const numbers = classes.find((one) => one.includes(id)) ?? [id];
    return (
      votes.find(({ number }) => number !== undefined && numbers.includes(number))?.number ?? numbers[0]!
    );
  };
  const number = vote.number && getFinalNumber(vote.number);
  const line = ballot.find(({ id }) => id === number);
  if (!line) return vote;
  const approves = vote.approves && [...new Set(vote.approves.map(getFinalNumber))];
  return { ...vote, number: line.id, position: line.position, ...(approves && { approves }) };
}

export interface ControlFigures {
  /** `heard`: controls whose answer has a position. `moved`: those of them whose position is another one than before. */
  heard: number;
  moved: number;
  /**
   * Participants who moved in the debate: `persuaded` where the control had kept its position, `unstable` where it had moved as
   * well.
   */
  persuaded: number;
  unstable: number;
}

/** Moves without those of an advocate, who spoke for the other side on request. */
export const listOwnMoves = <T extends { by: string; tour: number }>(
  moves: readonly T[],
  advocates: readonly { by: string; tour: number }[] = [],
): T[] => moves.filter(({ by, tour }) => !advocates.some((one) => one.by === by && one.tour === tour));

/** `moves` are those of the debate that were the participants' own. */
export function measureControl(
  control: CouncilState['control'],
  moves: readonly { by: string }[],
): ControlFigures {
  const read = (control?.answers ?? []).filter(({ moved }) => moved !== null);
  const own = read.filter(({ moved }) => moved);
  const movers = read.filter(({ participant }) => moves.some(({ by }) => by === participant));
  return {
    heard: read.length,
    moved: own.length,
    persuaded: movers.filter(({ moved }) => !moved).length,
    unstable: movers.filter(({ moved }) => moved).length,
  };
}
