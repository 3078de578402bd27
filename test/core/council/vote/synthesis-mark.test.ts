import { describe, expect, it } from 'vitest';
import type { Contribution, CouncilState, Decision } from '../../../../src/core/council/state/state.ts';
import {
  getDecisionToRestate,
  isSilent,
  readSynthesisMark,
} from '../../../../src/core/council/vote/synthesis-mark.ts';
import { councilOf, said } from '../../../helpers/view-sample.ts';

const BALLOT = ['mend the table', 'move to a broker', 'wait'].map((position, at) => ({
  id: `P${at + 1}`,
  position,
  declared: false,
}));

function council(position: string | null, over: Partial<CouncilState> & { rule?: Decision['rule'] } = {}) {
  const { rule = 'majority', ...rest } = over;
  const base = councilOf({ ids: ['henry', 'sage'], phase: 'SYNTHESIZE', coordinator: 'maman' });
  const decision: Decision = {
    decided: position !== null,
    position,
    rule,
    denominator: 2,
    votes: {},
    tie: false,
    quorum: { needed: 1, present: 2, met: true },
    blockedBy: [],
    reason: position === null ? 'too_few' : 'accepted',
    why: '',
  };
  return { ...base, state: { ...base.state, ballot: BALLOT, decision, ...rest } };
}

const marked = (text: string, on = council('move to a broker')) =>
  readSynthesisMark({ ...on, contributions: [said('maman', 'SYNTHESIZE', text)] })!.contradicts;

describe('a synthesis', () => {
  it.each([
    ['---\ndecision: P1\n---\n\n### Decision\n\nMend it.'],
    ['decision: P3\n\n### Decision\nWe wait.'],
    ['**Decision:** P1\n\nThe table stays.'],
    ['```yaml\ndecision: "P1"\n```\n\nMend it.'],
    ['{"decision": "P1"}\n\nMend it.'],
    ['---\ndecision: mend the table\n---\n\nMend it.'],
    ['---\ndecision: none\n---\n\nNothing was decided.'],
    ['Decision: P1 (mend the table)\n\nMend it.'],
    ['### Decided: P1\n\nMend it.'],
    ['décision : P1\n\nOn répare.'],
    ['### Decision\n\nMend the table. Everybody agreed.'],
    ['## Decision\n\n**Mend the table.** Everybody agreed.'],
    ['# Final decision: mend the table\n\nEverybody agreed.'],
    ['**Verdict: mend the table**'],
    ['Verdict: P1'],
    ['## Décision\n\nRéparer la table (P1).'],
    ['## Entscheidung: P1'],
    ['position: mend the table'],
    ['---\nposition: mend the table\n---\n### Summary\n\nEverybody agreed.'],
    ['vote: P1\n\nWe mend it.'],
    ['The council decided to mend the table, unanimously.'],
    ['### Decision\n\nThe council decided to mend the table.'],
    ['P1 wins.'],
    ['The council decided on P1.'],
    ['The council chose to mend the table.'],
    ['Outcome: P1, by two votes.'],
    ['Le conseil a décidé : mend the table.'],
    [`${'Long. '.repeat(200)}\n\ndecision: P1`],
    ['<thinking>\ndecision: P2\n</thinking>\ndecision: P1\n\nMend it.'],
  ])('contradicts where its form names another decision: %j', (text) => {
    expect(marked(text)).toBe(true);
  });

  it.each([
    ['---\ndecision: P2\n---\n\nMove.'],
    ['decision: P2: move to a broker\n\nMove.'],
    ['---\ndecision: Move to a broker.\n---\n'],
    ['### Decision\n\nMend the table, said many; P1 was the stronger case.\n'],
    ['I would have decided: P1, but the record says otherwise.'],
    ['> decision: P1\n\nSo said Henry. The record names P2.'],
    ['Decision: P1 was rejected, P2 carried.\n'],
    ['Decision: not P1\n'],
    ['Decision: P1 or P2\n'],
    ['---\ndecision: P7\n---\n'],
    ['decision: P1\ndecision: P2\n\nBoth?'],
    ['decision:\n\nP1 or wait'],
    ['<thinking>decision: P1</thinking>\nMove.'],
    [`---\ndecision: P2\n---\n${'Long. '.repeat(200)}\n\ndecision: P1`],
    ['No form at all.'],
    ['The council did not decide to mend the table.'],
    ['Some wanted to mend the table, and were decided.\n\nThe council will move to a broker.'],
    ['It decided between P1 and P3.'],
    ['The council decided to drop P1.'],
    ["Le conseil a décidé d'abandonner P1."],
  ])('is not said to contradict on anything less: %j', (text) => {
    expect(marked(text)).toBe(false);
  });

  it.each([
    ["I'm sorry, but I can't help with that.", true],
    ['API Error: 529 Overloaded', true],
    ['Summary: everybody has agreed.', true],
    ['decision: P2', false],
    ['The broker it is.', false],
    ['P2 carried.', false],
    ['decision: none', false],
    ['We mend what there is.', false],
  ])('is silent where it names neither the decision nor any position: %j (%s)', (text, silent) => {
    expect(isSilent(text, council('move to a broker').state)).toBe(silent);
    expect(isSilent(text, council(null).state)).toBe(false);
    expect(isSilent(text, council(null, { rule: 'none' }).state)).toBe(false);
  });

  it('contradicts where it names a decision and nothing was decided', () => {
    expect(marked('---\ndecision: P1\n---\n', council(null))).toBe(true);
    for (const text of [
      'decision: none',
      '---\ndecision: Aucune\n---\n',
      'Decision: no decision was reached',
    ])
      expect(marked(`${text}\n`, council(null)), text).toBe(false);
  });

  it.each([
    ['### Decision\n\nThe council decided to move to a broker.', true],
    ['### Decision\n\nBetween P1 and P2 the table stays open.', false],
    ['### Decision\n\nThe vote was a tie, and stays open.', false],
  ])('contradicts where it announces one position in words, and nothing was decided: %j', (text, is) => {
    expect(marked(`${text}\n`, council(null))).toBe(is);
  });

  it('may name any number of those that count as one', () => {
    const on = council('move to a broker');
    const votes = [
      { ...said('henry', 'RESOLVE', 'x'), vote: 'P2', position: 'move to a broker', same: [['P2', 'P3']] },
      { ...said('sage', 'RESOLVE', 'x'), vote: 'P3', position: 'wait', same: [['P2', 'P3']] },
    ] as Contribution[];
    const contradicts = (text: string) =>
      readSynthesisMark({ ...on, contributions: [...votes, said('maman', 'SYNTHESIZE', text)] })!.contradicts;
    expect(contradicts('decision: P3\n')).toBe(false);
    expect(contradicts('decision: P1\n')).toBe(true);
  });

  it('cannot contradict where nothing is counted, or nothing has a number', () => {
    const text = '---\ndecision: P1\n---\n';
    for (const on of [
      council(null, { rule: 'none' }),
      council('move to a broker', { ballot: [] }),
      council('move to a broker', { decision: null }),
    ]) {
      expect(getDecisionToRestate(on.state)).toBeNull();
      expect(marked(text, on)).toBe(false);
    }
  });
});
