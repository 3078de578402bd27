// Which rounds get a column of their own: several in a row without a move share one.
import type { Lanes, Round } from './lanes.ts';

/** A column of the picture: one round, or the quiet ones that it stands for. */
export interface Column {
  /** The places of its rounds among all rounds. */
  at: number[];
  rounds: Round[];
}

/** The columns of the rounds, the first and the last one never folded. */
export function foldRounds({ rounds, rows }: Lanes): Column[] {
  const isQuiet = (at: number): boolean =>
    at > 0 &&
    at < rounds.length - 1 &&
    rows.every(({ stops }) => stops[at]!.number === stops[at - 1]!.number);
  const columns: Column[] = [];
  let wasQuiet = false;
  rounds.forEach((round, at) => {
    const last = columns.at(-1);
    if (last && wasQuiet && isQuiet(at)) {
      last.at.push(at);
      last.rounds.push(round);
    } else columns.push({ at: [at], rounds: [round] });
    wasQuiet = isQuiet(at);
  });
  return columns;
}
