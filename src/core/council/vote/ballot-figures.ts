// Computes supporters of each ballot position, and moves by persuasion or instability, for metrics and exports.
import type { BallotLine, CouncilState } from '../state/state.ts';
import type { JoinedVotes } from './joined-positions.ts';
import type { Vote } from './votes.ts';

/** One position of the ballot, with the participants who support it. */
export interface BallotFigure extends BallotLine {
  /** Participants who vote for this very number, without those of `sameAs`. */
  by: string[];
  /** Participants who approve of it, including those who vote for it. */
  approvedBy: string[];
  /** Numbers of the positions that count as the same one. */
  sameAs: string[];
}

/** Returns the ballot with the supporters of each position. */
export function computeBallotFigures(
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

/** Maps an earlier vote to the numbers its position and approvals have at the end, after joining. */
export function asJoined(vote: Vote, { classes, votes }: JoinedVotes, ballot: readonly BallotLine[]): Vote {
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
  /** `heard`: controls whose answer has a position. `moved`: those with a different position than before. */
  heard: number;
  moved: number;
  /** Movers in the debate: `persuaded` if their control kept its position, `unstable` if it moved, too. */
  persuaded: number;
  unstable: number;
}

/** Returns the moves without those of the advocate, who argued for the other side on request. */
export const listOwnMoves = <T extends { by: string; tour: number }>(
  moves: readonly T[],
  advocates: readonly { by: string; tour: number }[] = [],
): T[] => moves.filter(({ by, tour }) => !advocates.some((one) => one.by === by && one.tour === tour));

/** Compares controls with the debate; `moves` are the participants' own moves in the debate. */
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
