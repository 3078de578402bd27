import { describe, expect, it } from 'vitest';
import type { ReadBack } from '../../../src/core/app/view.ts';
import { NOTHING_READ } from '../../helpers/nothing-read.ts';
import { describeReading } from '../../../src/core/cli/describe-reading.ts';

const read = (over: Partial<ReadBack>, replace?: string) =>
  describeReading({ ...NOTHING_READ, ...over }, replace);

describe('what was read, for people', () => {
  it.each<[string, Partial<ReadBack>, string]>([
    ['nothing', {}, 'no position, quotes or answers'],
    [
      'a position',
      { position: 'Use\nPostgreSQL', confidence: 0.8 },
      'position "Use PostgreSQL", confidence 0.8',
    ],
    ['agreement', { agreed: true, done: true }, 'agreed; done'],
    [
      'a vote',
      { vote: 'P2', approve: ['P1', 'P3'], position: 'Use Redis', blocking: ['No backup'] },
      'vote P2, approves P1, P3, position "Use Redis"; 1 blocking issue',
    ],
    [
      'a vote that is an approval as well',
      { vote: 'P1', approve: ['P1', 'P2'] },
      'vote P1, approves P1, P2; the vote for P1 already counts as an approval of it',
    ],
    [
      'challenges',
      {
        challenges: [
          { target: 'ada.1', quote: 'none' },
          { target: null, quote: 'none' },
        ],
      },
      '1 challenge to a claim; 1 challenge to no single claim',
    ],
    [
      'quotes',
      {
        quotes: [
          { text: 'It runs here', status: 'verified', claim: 'ada.1' },
          { text: 'It is slow', status: 'verified', claim: 'ada.2' },
          { text: 'It never ran', status: 'near', claim: 'ada.3', instead: 'It has never run' },
        ],
        challenges: [{ target: 'ada.1', quote: 'verified' }],
      },
      '2 quotes verified; 1 quote nearly right; the text says "It has never run", not "It never ran"; 1 challenge to a claim',
    ],
    ['answers', { answers: { c1: 'conceded_in_part', c2: 'rejected' } }, 'c1 conceded in part; c2 rejected'],
    ['the same text again', { repeated: true }, 'an earlier contribution of yours again'],
  ])('tells %s', (_, over, words) => {
    expect(read(over)).toEqual([`Read: ${words}.`]);
  });

  it('tells what is missing, and how to add it', () => {
    expect(read({ missing: ['vote', 'quote', 'c2'] }, 'council respond ada --replace')[1]).toBe(
      'Missing: a vote, quotes in their author’s exact words and an answer to c2. Add it with: council respond ada --replace',
    );
    expect(read({ missing: ['option'] })[1]).toBe('Missing: a position that is one of the options.');
  });
});
