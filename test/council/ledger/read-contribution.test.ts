import { describe, expect, it } from 'vitest';
import { readContribution } from '../../../src/council/ledger/read-contribution.ts';
import { handlesOf } from '../../../src/council/naming/labels.ts';
import type { PhaseName } from '../../../src/council/state/choices.ts';
import { played } from '../../helpers/ledger-council.ts';
import type { Play } from '../../helpers/ledger-council.ts';

const COLLECT: Play[number] = [
  'COLLECT',
  {
    henry:
      'Tabs let everyone choose their own width in every editor.\n\nFiles are smaller with tabs than without.',
    sage: 'Spaces look the same everywhere.\n\n**Best case against my position:** a file with spaces weighs a tenth more.',
    otto: 'It does not matter as long as a formatter decides.',
  },
];

const inChallenge = (text: string, by = 'otto', anonymous = false) =>
  readContribution(played([COLLECT], { anonymous }), { by, phase: 'CHALLENGE', tour: 2 }, text);

const statuses = (text: string) => inChallenge(text).quotes.map(({ status, claim }) => [status, claim]);

describe('what is read in one contribution', () => {
  it.each([
    ['> Files are smaller with tabs than without.\n\nBy how much?', 'verified', 'henry.2'],
    ['henry writes:\n\n> Files are smaller with tabs than without.\n\nNo.', 'verified', 'henry.2'],
    ['sage writes:\n\n> Files are smaller with tabs than without.\n\nNo.', 'elsewhere', 'henry.2'],
    ['@henry.1\n\n> Files are smaller with tabs than without.\n\nNo.', 'elsewhere', 'henry.2'],
    ['> Files are smaller with tabs than without.\n> — sage\n\nNo.', 'elsewhere', 'henry.2'],
    ['> Files are never smaller with tabs than without.\n\nNo.', 'near', 'henry.2'],
    ['henry says “Files are a little smaller with tabs than without,” which is new.', 'near', 'henry.2'],
    ['> Files are smaller when a machine packs them.\n\nNo.', 'not_found', null],
    ['> a file with spaces weighs a tenth more.\n\nSo it is.', 'own_case', null],
    ['> Which of the two?\n\nThat is the question.', 'elsewhere', 'brief'],
    ['> It does not matter as long as a formatter decides.\n\nAs I said.', 'elsewhere', 'otto.1'],
  ])('%j is %s', (text, status, claim) => {
    expect(statuses(text)).toEqual([[status, claim]]);
  });

  it('has what stands there in place of a quote that is only near', () => {
    const [quote] = inChallenge('> Files are never smaller with tabs than without.\n\nNo.').quotes;
    expect(quote?.instead).toBe('Files are smaller with tabs than without');
  });

  it('tells what is challenged, and what only speaks for somebody', () => {
    const text =
      '## Against\n\n> Files are smaller with tabs than without.\n\nBy how much?\n\n@sage.1 Where?\n\n## For\n\n> Tabs let everyone choose their own width in every editor.\n\nTrue.';
    const { quotes, challenges } = inChallenge(text);
    expect(quotes.map(({ status }) => status)).toEqual(['verified', 'verified']);
    expect(challenges).toEqual([
      { target: 'henry.2', quote: 'verified' },
      { target: 'sage.1', quote: 'none' },
    ]);
    expect(inChallenge('> a file with spaces weighs a tenth more.\n\nSo it is.').challenges).toEqual([]);
  });

  it('tells what is answered in RESOLVE, and what is not', () => {
    const council = played([
      COLLECT,
      ['CHALLENGE', { otto: '@henry.1 In which?\n\n@henry.2 By how much?\n\n@sage.1 Where?' }],
    ]);
    const read = (by: string, phase: PhaseName, text: string) =>
      readContribution(council, { by, phase, tour: 3 }, text);
    const { answers, unanswered } = read('henry', 'RESOLVE', 'c2 conceded: By little.\n\nc3 rejected: No.');
    expect({ answers, unanswered }).toEqual({ answers: { c2: 'conceded' }, unanswered: ['c1'] });
    expect(read('otto', 'RESOLVE', 'Nothing.')).toMatchObject({ answers: {}, unanswered: [] });
    expect(read('henry', 'COLLECT', '> Spaces look the same everywhere.')).toEqual({
      quotes: [],
      challenges: [],
      answers: {},
      unanswered: [],
    });
  });

  it('names nobody in an anonymous council', () => {
    const { state } = played([COLLECT], { anonymous: true });
    const { quotes, challenges } = inChallenge(
      '> Files are smaller with tabs than without.\n\nNo.',
      'otto',
      true,
    );
    const name = `${handlesOf(state).get('henry')}.2`;
    expect([quotes[0]?.claim, challenges[0]?.target]).toEqual([name, name]);
  });
});
