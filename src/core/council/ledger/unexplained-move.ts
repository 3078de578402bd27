// Tells whether a text moves its author from a blind position without naming why, where the rule wants to know it.
import { createNameResolver } from '../naming/labels.ts';
import { maskFor } from '../naming/mask.ts';
import { normalisePosition } from '../state/position.ts';
import type { Contribution, Council } from '../state/state.ts';
import { readMoves } from './moves.ts';

type Stated = Pick<Contribution, 'by' | 'phase' | 'tour' | 'text'> & { position: string };

/** As the ledger will read it when the round closes. Who returns to the blind position has not moved. */
export function isUnexplainedMove({ state, brief, contributions }: Council, said: Stated): boolean {
  const first = contributions.find(({ by, tour }) => by === said.by && tour === 1)?.position;
  if (state.rules.rule !== 'blind-first' || !state.blind || first === undefined) return false;
  if (normalisePosition(first) === normalisePosition(said.position)) return false;
  const mine: Contribution = { ...said, at: '', bytes: 0, sha256: '' };
  const moves = readMoves({
    tour: said.tour,
    contributions: [...contributions.filter(({ tour }) => tour < said.tour), mine],
    claims: state.ledger.claims,
    challenges: state.ledger.challenges,
    order: state.order,
    resolve: createNameResolver(state),
    shown: maskFor({ state, brief, contributions }),
  });
  return moves.some(({ explained }) => !explained);
}
