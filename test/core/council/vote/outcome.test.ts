import { describe, expect, it } from 'vitest';
import { measureText } from '../../../../src/core/council/document/markers.ts';
import { computeDecision, collectVoteMarks } from '../../../../src/core/council/vote/outcome.ts';
import type { Contribution, CouncilState, Transition } from '../../../../src/core/council/state/state.ts';
import { START, stateOf } from '../fixtures.ts';
import { formatOutcomeSentence } from '../../../../src/core/council/vote/explain.ts';
import { loadWords } from '../../../../src/core/base/words/words.ts';

const at = new Date(START).toISOString();
const said = (
  by: string,
  tour: number,
  position: string,
  over: Partial<Contribution> = {},
): Contribution => ({
  by,
  tour,
  phase: tour === 1 ? 'COLLECT' : 'CHALLENGE',
  at,
  ...measureText(position),
  text: position,
  position,
  ...over,
});
const closed = (from: 'COLLECT' | 'CHALLENGE', reason: Transition['reason'], tour: number): Transition => ({
  from,
  to: 'SYNTHESIZE',
  reason,
  tour,
  at,
});
const state = (transitions: Transition[], rules: Partial<CouncilState['rules']> = {}): CouncilState => {
  const base = stateOf({ transitions, currentPhase: 'SYNTHESIZE' });
  return { ...base, rules: { ...base.rules, ...rules } };
};
const inCollect = ['a', 'b', 'c'].map((by) => said(by, 1, 'x'));

describe('decisionOf', () => {
  it('takes a council that blind unanimity ended as a consensus, although nobody could agree yet', () => {
    const early = state([closed('COLLECT', 'consensus', 1)], { rule: 'consensus' });
    expect(computeDecision({ state: early, contributions: inCollect })).toMatchObject({
      decided: true,
      position: 'x',
    });
    const late = state([closed('COLLECT', 'all-responded', 1)], { rule: 'consensus' });
    expect(computeDecision({ state: late, contributions: inCollect })).toMatchObject({
      decided: false,
      reason: 'not_agreed',
    });
  });

  it('counts what was said up to the last closed tour of the participants, by the rules of the start', () => {
    const transitions = [closed('COLLECT', 'all-responded', 1), closed('CHALLENGE', 'all-responded', 2)];
    const contributions = [...inCollect, said('a', 2, 'y'), said('b', 2, 'y'), said('b', 3, 'x')];
    const { decided, position, votes } = computeDecision({
      state: state(transitions, { rule: 'majority' }),
      contributions,
    });
    expect([decided, position, votes]).toEqual([true, 'y', { y: 2, x: 1 }]);
    const recused = [{ participant: 'a', why: 'owns it' }];
    expect(
      computeDecision({ state: state(transitions, { rule: 'majority', recused }), contributions }),
    ).toMatchObject({ tie: true, denominator: 2 });
  });

  it('decides nothing before anybody has been heard', () => {
    expect(computeDecision({ state: state([], { rule: 'majority' }), contributions: [] })).toMatchObject({
      decided: false,
      reason: 'no_quorum',
    });
  });
});

describe('marksOf', () => {
  it('names the recused and the advocate', () => {
    const { rules } = state([], { recused: [{ participant: 'a', why: 'owns it' }] });
    expect(collectVoteMarks({ rules, advocate: { participant: 'b', tour: 2, seed: 's' } })).toEqual({
      recused: ['a'],
      advocates: [{ by: 'b', tour: 2 }],
    });
    expect(collectVoteMarks({ rules, advocate: null }).advocates).toEqual([]);
  });
});

it('says of a single vote that it is the only one', () => {
  const { why: _, ...alone } = computeDecision({
    state: state([closed('COLLECT', 'all-responded', 1)], {
      rule: 'majority',
      recused: ['b', 'c'].map((participant) => ({ participant, why: 'away' })),
    }),
    contributions: inCollect,
  });
  expect(formatOutcomeSentence(alone, loadWords('en'))).toMatch(/"x" has the only vote\./);
});
