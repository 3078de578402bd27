// Computes a council's decision from its contributions so far, and whether all agree on one thing.
import { computeBallot, normalisePosition } from '../state/ballot.ts';
import type { Council, CouncilState, Decision } from '../state/state.ts';
import { decide } from './decision.ts';
import type { DecisionInput } from './decision.ts';
import { joinEquivalentPositions } from './joined-positions.ts';
import { blindVotes, collectVotes } from './votes.ts';
import type { Vote, VoteMarks } from './votes.ts';

type DecidableCouncil = Pick<Council, 'state' | 'contributions'>;

/** Returns the participants and contributions that do not count as votes of their own. */
export function collectVoteMarks({ rules, advocate }: Pick<CouncilState, 'rules' | 'advocate'>): VoteMarks {
  return {
    recused: rules.recused.map(({ participant }) => participant),
    advocates: advocate ? [{ by: advocate.participant, tour: advocate.tour }] : [],
  };
}

/** Computes a council's decision by its rule, from what was said up to the last closed round. */
export function computeDecision(council: DecidableCouncil): Decision {
  const { transitions } = council.state;
  const upTo = transitions.findLast((t) => t.from !== 'SYNTHESIZE')?.tour ?? 0;
  // Blind unanimity ends a council before anyone could agree to the others' texts: it counts as the agreement.
  const isUnanimous = transitions.some((t) => t.from === 'COLLECT' && t.reason === 'consensus');
  return decide({ ...buildDecisionInput(council, upTo, isUnanimous), cut: findCut(council) });
}

/** Returns what was not said because the budget was spent. */
function findCut({ state, contributions }: DecidableCouncil): Decision['cut'] {
  const stopped = state.absences.filter(
    ({ reason, phase }) => reason.startsWith('budget: ') && phase !== 'SYNTHESIZE',
  );
  if (stopped.length === 0) return undefined;
  const isDebated = contributions.some(({ phase }) => phase !== 'COLLECT');
  return !isDebated && stopped.some(({ phase }) => phase !== 'COLLECT') ? 'debate' : 'part';
}

/**
 * Whether there is one thing to agree to after a round: no position was stated, or all hold or approve the one
 * that the rule decides for. AGREED itself is checked elsewhere; `isUnanimous` assumes it.
 */
export function hasSingleProposal(council: DecidableCouncil, round: number, isUnanimous = false): boolean {
  const { ballot } = council.state;
  const state = ballot ? { ...council.state, ballot: computeBallot(council, round) } : council.state;
  const input = buildDecisionInput({ ...council, state }, round, isUnanimous);
  if (input.votes.every(({ position }) => position === null)) return !isUnanimous;
  const { decided, position, number, how } = decide(input);
  // If the blind plurality prevails over the last votes, merely accepting it is not agreement.
  if (!decided || position === null || how === 'blind-stood') return false;
  const votes = state.ballot ? joinEquivalentPositions(input.votes, state.ballot).votes : input.votes;
  const holds = (vote: Vote) =>
    (number && vote.approves?.includes(number)) ||
    (vote.position !== null && normalisePosition(vote.position) === normalisePosition(position));
  return votes.filter(({ kind }) => kind !== 'recused').every(holds);
}

function buildDecisionInput(
  { state, contributions }: DecidableCouncil,
  upTo: number,
  isUnanimous: boolean,
): DecisionInput {
  const { rules, order, quorum, ballot } = state;
  const marks = collectVoteMarks(state);
  const asAgreed = (vote: Vote): Vote => (isUnanimous ? { ...vote, agreed: true } : vote);
  const votes = collectVotes({ state, contributions }, { ...marks, upTo }).map(asAgreed);
  const blind = state.blind ? blindVotes({ state, contributions }, marks).map(asAgreed) : null;
  return { ...rules, order, quorum, votes, ballot, blind, moves: state.ledger.moves };
}
