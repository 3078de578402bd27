import type { BallotLine, Verdict } from '../../src/council/state/state.ts';
import type { Model } from './model.ts';
import type { Random } from './random.ts';
import type { Table } from './table.ts';

export const OPTIONS = ['build', 'buy', 'wait', 'sell', 'rent', 'share'];

/** The sentence in which one participant says its answer: that of everybody, or one of its own. */
export const worded = (option: number, i: number, { wording }: Model, random: Random): string =>
  random() < (wording ?? 0) ? `${OPTIONS[option]!}, as p${i} puts it` : OPTIONS[option]!;

/** Which answer a sentence means; −1 for none. */
export const answerIn = (sentence: string | null): number => OPTIONS.indexOf(sentence?.split(',')[0] ?? '');

/** A sentence as it is stated: by its number, or as a new one. */
export function stating({ state }: Table, sentence: string): Partial<Verdict> {
  const ballot = state.ballot ?? [];
  const number = ballot.find(({ position }) => position === sentence)?.id;
  if (number !== undefined) return { position: sentence, vote: number };
  return { position: sentence, ...(ballot.length > 0 && { new: sentence }) };
}

/** The line of the ballot that gives an answer, of several the one that most hold; undefined where nobody has stated it. */
export function lineFor({ state }: Table, option: number): BallotLine | undefined {
  const lines = (state.ballot ?? []).filter(({ position }) => answerIn(position) === option);
  const seats = Object.values(state.participants);
  const heads = lines.map((line) => seats.filter(({ position }) => position === line.position).length);
  return lines[heads.indexOf(Math.max(...heads))];
}

/** What somebody says of the other lines: which ones mean what it holds, and which ones it can live with. */
export function remarks(
  table: Table,
  sentence: string,
  { joins, approves, tolerates }: Model,
  random: Random,
): Pick<Verdict, 'same' | 'approve'> {
  const ballot = table.state.ballot ?? [];
  const own = ballot.find(({ position }) => position === sentence);
  const answer = answerIn(sentence);
  const alike = ballot.filter((line) => line !== own && answerIn(line.position) === answer);
  const same = own ? alike.filter(() => random() < joins).map(({ id }) => pair(own.id, id)) : [];
  const approve = alike.filter(() => random() < approves).map(({ id }) => id);
  const others = OPTIONS.map((_, option) => (option === answer ? undefined : lineFor(table, option)));
  const widest = others.reduce((best, line) => (heldBy(table, line) > heldBy(table, best) ? line : best));
  if (random() < tolerates && widest) approve.push(widest.id);
  return { ...(same.length > 0 && { same }), ...(approve.length > 0 && { approve }) };
}

const heldBy = ({ state }: Table, line: BallotLine | undefined): number =>
  line ? Object.values(state.participants).filter(({ position }) => position === line.position).length : 0;

const pair = (a: string, b: string): [string, string] =>
  Number(a.slice(1)) < Number(b.slice(1)) ? [a, b] : [b, a];
