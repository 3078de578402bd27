import { describe, expect, it } from 'vitest';
import { computeBallot, addPositions } from '../../../../src/core/council/state/ballot.ts';
import type { Contribution, CouncilState } from '../../../../src/core/council/state/state.ts';
import { NO_FLAGS, readPartVerdict, readParts } from '../../../../src/core/council/use/verdict.ts';
import { computeDecision } from '../../../../src/core/council/vote/outcome.ts';
import { collectVotes } from '../../../../src/core/council/vote/votes.ts';
import { rulesOf, said, stateOf } from '../fixtures.ts';

const IDS = ['ada', 'ben', 'cy', 'dee'];
const ANSWERS = IDS.map((by): Contribution => ({ ...said(by, `${by} says`), position: `Answer of ${by}` }));

/** A council in RESOLVE that ranks the four answers P1 to P4, or positions with the same numbers. */
function ranking(ranks: 'answers' | 'positions', over: Partial<CouncilState> = {}): CouncilState {
  const rules = rulesOf({ rule: 'ranked', ...(ranks === 'answers' && { ranks }) });
  const state = stateOf(
    {
      ballot: [],
      phases: ['COLLECT', 'RESOLVE', 'SYNTHESIZE'],
      currentPhase: 'RESOLVE',
      tour: 2,
      rules,
      ...over,
    },
    IDS,
  );
  const ballot =
    ranks === 'answers'
      ? computeBallot({ state, contributions: ANSWERS }, 1)
      : addPositions(
          [],
          [],
          ANSWERS.map(({ position }) => position!),
        );
  return { ...state, ballot };
}
const closed = (
  from: 'COLLECT' | 'RESOLVE',
  to: 'RESOLVE' | 'SYNTHESIZE',
  tour: number,
): CouncilState['transitions'][number] => ({
  from,
  to,
  reason: 'all-responded',
  tour,
  at: '2026-02-08T20:00:00.000Z',
});
const read = (form: string, state = ranking('answers'), by = 'cy') =>
  readPartVerdict(state, by, `---\n${form}\n---\n\nBecause.`, NO_FLAGS);

describe('a ranking of answers', () => {
  it.each([
    ['rank: dee > ada = ben'],
    ['rank: Dee > ben = ada'],
    ['ranking: P4 > P1 = P2'],
    ['rank: "**dee** > P1 (Answer of ada) = ben"'],
    ['rank:\n  - dee\n  - ada = ben'],
    ['rank: dee → ada ~ ben'],
    ['classement : dee > ada = ben'],
    ['rank: dee > ada = ben\nRank: dee > ben = ada'],
    ['rank: cy > dee > ada = ben'],
    ['vote: P1\nrank: dee > ada = ben'],
  ])('is read in %j', (form) => {
    expect(read(form).verdict).toMatchObject({ rank: [['P4'], ['P1', 'P2']], position: null });
  });

  it('is an order where only commas stand between the names', () => {
    expect(read('rank: dee, ada, ben').verdict.rank).toEqual([['P4'], ['P1'], ['P2']]);
    expect(read('rank: [dee, ada]').verdict.rank).toEqual([['P4'], ['P1']]);
    expect(read('rank: dee').verdict.rank).toEqual([['P4']]);
  });

  it.each([
    ['rank: dee > ada, ben'],
    ['rank: dee > zoe'],
    ['rank: dee > ada > dee'],
    ['rank: none'],
    ['rank: dee < ada'],
    ['rank: not dee > ada'],
    ['rank: dee > ada\nrank: ada > dee'],
  ])('is asked for again where it is not certain: %j', (form) => {
    const state = ranking('answers');
    const text = `---\n${form}\n---\n\nBecause.`;
    expect(read(form).verdict.rank).toBeUndefined();
    const answer = { by: 'cy', phase: 'RESOLVE' as const, tour: 2, flags: NO_FLAGS };
    const added = '\n---\nrank: ada > dee\n---\n';
    const parts = [Buffer.byteLength(text), Buffer.byteLength(added)];
    expect(readParts(state, { ...answer, text: text + added, parts }).verdict).toMatchObject({
      rank: [['P1'], ['P4']],
      position: null,
    });
  });

  it('tells its author that the own answer is left out', () => {
    expect(read('rank: cy > dee').warnings).toContain('You ranked your own answer: it is left out.');
    expect(read('rank: cy').verdict.rank).toBeUndefined();
  });

  it('takes letters for the others in an anonymous council', () => {
    const state = ranking('answers', { anonymous: true, labelSeed: 'x' });
    const letters = IDS.map((by) => {
      const of = ['a', 'b', 'c', 'd'].find((letter) => {
        const [[id] = []] = read(`rank: ${letter}`, state, 'nobody').verdict.rank ?? [];
        return state.ballot?.find((line) => line.id === id)?.author === by;
      });
      return of;
    });
    expect(letters.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    const [first, second] = letters.map((letter) => `Participant ${letter!.toUpperCase()}`);
    expect(read(`rank: ${first} > ${second}`, state).verdict.rank).toEqual([['P1'], ['P2']]);
  });

  it('decides by the answer that is ranked before each other, with its author and number', () => {
    const ranks: Record<string, string> = {
      ada: 'ben > dee > cy',
      ben: 'dee > ada',
      cy: 'ben > dee',
      dee: 'ben',
    };
    const state = ranking('answers');
    const contributions = [
      ...ANSWERS,
      ...IDS.map((by): Contribution => ({
        ...said(by, 'So.', 2, 'RESOLVE'),
        rank: read(`rank: ${ranks[by]}`, state, by).verdict.rank!,
      })),
    ];
    const after = {
      ...state,
      transitions: [closed('COLLECT', 'RESOLVE', 1), closed('RESOLVE', 'SYNTHESIZE', 2)],
    };
    expect(collectVotes({ state: after, contributions }, { upTo: 2 })[1]).toMatchObject({ number: 'P4' });
    expect(computeDecision({ state: after, contributions })).toMatchObject({
      decided: true,
      position: 'Answer of ben',
      number: 'P2',
      votes: { 'Answer of ben': 3, 'Answer of dee': 1 },
      ranking: { method: 'condorcet' },
    });
  });
});

describe('a ranking of positions', () => {
  it('has its first place as vote, and a vote as its first place', () => {
    const state = ranking('positions');
    expect(read('rank: P4 > P1', state).verdict).toMatchObject({
      rank: [['P4'], ['P1']],
      vote: 'P4',
      position: 'Answer of dee',
    });
    expect(read('vote: P3', state).verdict).toMatchObject({ rank: [['P3']], vote: 'P3' });
    const tied = read('rank: P4 = P1', state).verdict;
    expect(tied).toMatchObject({ rank: [['P1', 'P4']], position: null });
    expect(tied.unclear).toBeUndefined();
    expect(read('new: Wait\nrank: P4 > P1', state).verdict).toMatchObject({ position: 'Wait', new: 'Wait' });
  });

  it.each(['vote: P3\nrank: P4 > P1', 'rank: P4 > P9', 'vote: P3\nrank: P4 > P4'])(
    'counts for nothing where it contradicts a vote or cannot be read: %j',
    (form) => {
      const { verdict, unclear } = read(form, ranking('positions'));
      expect(verdict).toMatchObject({ position: null, unclear: true });
      expect(verdict.rank).toBeUndefined();
      expect(unclear.map(({ field }) => field)).toContain('rank');
    },
  );

  it('is not read under another rule', () => {
    const state = { ...ranking('positions'), rules: rulesOf({ rule: 'majority' }) };
    expect(read('rank: P4 > P1', state).verdict).toEqual({
      agreed: false,
      done: false,
      blocking: [],
      position: null,
    });
  });
});
