// Orders contributions by when they were revealed: once shown, they keep their place and wording.
import { makeOnFirstUse } from '../../base/memoize.ts';
import { labelSeed, shuffleBySeed } from '../naming/labels.ts';
import { getMask } from '../naming/mask.ts';
import type { Mask } from '../naming/mask.ts';
import type { Contribution, Council } from '../state/state.ts';
import { maskForReader } from './excerpt.ts';
import type { ShowText } from './excerpt.ts';

/** Texts revealed together. */
export interface Round {
  tour: number;
  /** In the order of one reader: the others, then their own. */
  said: Contribution[];
  /** How that reader sees them. Permanent: words they write later change nothing. */
  seen: ShowText;
}

/** Returns the rounds of texts visible to `reader`, as others see them: past rounds, then the open one. */
export function listRounds(council: Council, reader: string, visible: readonly Contribution[]): Round[] {
  const { reveals = [], tour: open } = council.state;
  const findPlace = ({ by, tour }: Contribution): number => {
    const late = reveals.findIndex((one) => one.tour === tour && one.late === by);
    const place =
      late === -1 ? reveals.findIndex((one) => one.tour === tour && one.late === undefined) : late;
    // Rounds of older councils have no recorded place.
    return place === -1 && tour >= open ? reveals.length : place;
  };
  // Slow in a large council, and while it is blind there is nothing to order.
  const ranks = makeOnFirstUse(() => rankReaders(council, reader));
  const known: string[] = [];
  const groups = Map.groupBy(
    visible.toSorted((a, b) => findPlace(a) - findPlace(b) || a.tour - b.tour || ranks()(a) - ranks()(b)),
    (said) => `${findPlace(said)} ${said.tour}`,
  );
  return [...groups.values()].map((said) => {
    const { tour } = said[0]!;
    known.push(...said.filter(({ by }) => by === reader).map(({ text }) => text));
    return { tour, said, seen: maskForReader([...known], maskAtClose(council, tour)) };
  });
}

/** Orders by seat, or differently per reader in an anonymous council; the reader's own texts come last. */
function rankReaders({ state }: Council, reader: string): (said: Contribution) => number {
  const seed = [labelSeed(state), reader];
  const order = state.anonymous ? shuffleBySeed(state.order, seed, (id) => id) : state.order;
  const ranks = new Map(order.map((id, rank) => [id, rank]));
  ranks.set(reader, Infinity);
  return ({ by }) => ranks.get(by) ?? order.length;
}

/** Returns the mask as of the close of a round: models launched later change nothing. */
export function maskAtClose({ state, ...council }: Council, round: number): Mask {
  const closed = state.transitions.find((one) => one.tour === round)?.at;
  if (closed === undefined || !state.usage) return getMask({ state, ...council });
  return getMask({ state: { ...state, usage: state.usage.filter(({ at }) => at <= closed) }, ...council });
}
