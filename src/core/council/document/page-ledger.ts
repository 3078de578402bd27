// The state file's page for people: tables of the ledger.
import { safe, renderSeatName, table } from './escape-markdown.ts';
import type { CouncilState } from '../state/state.ts';
import type { Words } from '../../base/words/words.ts';

/**
 * The ledger as tables: who claimed and objected how often, what became of each challenge, who moved and why. Without
 * the texts, which stand above; made of the state alone, because every commit writes it.
 */
export function ledgerSection(state: CouncilState, w: Words): string[] {
  const { claims, challenges, moves } = state.ledger;
  if (claims.length + challenges.length + moves.length === 0) return [];
  const nameOf = (id: string) => renderSeatName(state, id);
  const counts = state.order.map((id) => {
    const made = claims.filter(({ by }) => by === id).length;
    const raised = challenges.filter(({ by }) => by === id).length;
    const met = challenges.filter(({ against }) => against === id).length;
    return [nameOf(id), String(made), String(raised), String(met)];
  });
  const exchanged = challenges.map(({ id, by, target, against, quote, status }) => {
    const aim = target ?? (against === null ? w.common.nobody : nameOf(against));
    return [id, nameOf(by), aim, w.ledger[quote], w.ledger[status]];
  });
  const moved = moves.map(({ by, phase, tour, from, to, because }) => {
    const [before, after] = [safe(from ?? ''), safe(to ?? '')];
    return [nameOf(by), `${phase} (${tour})`, before, after, because ?? w.ledger.unexplained];
  });
  const { challenge, by, target, quote, status, phase, from, to, because } = w.ledger;
  return [
    `## ${w.state.ledger}`,
    table([w.state.participant, w.state.claims, w.state.raised, w.state.met], counts),
    ...(exchanged.length > 0 ? [table([challenge, by, target, quote, status], exchanged)] : []),
    ...(moved.length > 0 ? [table([by, phase, from, to, because], moved)] : []),
  ];
}
