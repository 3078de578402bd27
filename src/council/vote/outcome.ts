// The decision of a council from its contributions so far.
import { decide } from './decision.ts';
import type { Contribution, CouncilState, Decision } from '../state/state.ts';
import { votesOf } from './votes.ts';
import type { VoteMarks } from './votes.ts';

/** Whose voice is not its own vote in this council. */
export function marksOf({ rules, advocate }: Pick<CouncilState, 'rules' | 'advocate'>): VoteMarks {
  return {
    recused: rules.recused.map(({ participant }) => participant),
    advocates: advocate ? [{ by: advocate.participant, tour: advocate.tour }] : [],
  };
}

/** The result of a council by its rule, from what its participants had said up to the last tour that was closed. */
export function decisionOf(council: {
  state: CouncilState;
  contributions: readonly Contribution[];
}): Decision {
  const { rules, order, quorum, transitions } = council.state;
  const upTo = transitions.findLast((t) => t.from !== 'SYNTHESIZE')?.tour ?? 0;
  const stated = votesOf(council, { ...marksOf(council.state), upTo });
  // Blind unanimity ends a council before anybody could agree to what the others wrote: it is the agreement.
  const unanimous = transitions.some((t) => t.from === 'COLLECT' && t.reason === 'consensus');
  const votes = unanimous ? stated.map((vote) => ({ ...vote, agreed: true })) : stated;
  return decide({
    votes,
    order,
    quorum,
    rule: rules.rule,
    vetoes: rules.vetoes,
    options: rules.options,
    weighted: rules.weighted,
  });
}
