// Tells moves by persuasion from moves by instability: who moves when it reconsiders alone would have moved anyway.
import type { CouncilState } from '../state/state.ts';

export interface ControlFigures {
  /** Controls in which a position was read, and in how many of them it was another one than before. */
  heard: number;
  moved: number;
  /** Of those who moved in the debate: whose control had kept its position, and whose had moved as well. */
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
