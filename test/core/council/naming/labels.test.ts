import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { getLabels, toLetters, shuffleBySeed } from '../../../../src/core/council/naming/labels.ts';
import { councilOf } from '../../../helpers/view-sample.ts';

describe('letters', () => {
  it('counts A to Z, then AA', () => {
    expect([0, 1, 25, 26, 27, 51, 52, 701, 702].map(toLetters)).toEqual([
      'A',
      'B',
      'Z',
      'AA',
      'AB',
      'AZ',
      'BA',
      'ZZ',
      'AAA',
    ]);
    expect(new Set(Array.from({ length: 2000 }, (_, i) => toLetters(i))).size).toBe(2000);
  });
});

describe('shuffled', () => {
  it('is a permutation that only the seed and the keys decide, not the order it gets', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.string(), (ids, seed) => {
        const order = shuffleBySeed(ids, [seed], (id) => id);
        expect([...order].sort()).toEqual([...ids].sort());
        expect(shuffleBySeed([...ids].reverse(), [seed], (id) => id)).toEqual(order);
      }),
    );
  });

  it('differs between seeds, and does not mix up their parts', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const with_ = (...seed: (string | number)[]) => shuffleBySeed(ids, seed, (id) => id).join();
    expect(
      new Set([with_('a'), with_('b'), with_('ab', 1), with_('a', 'b1'), with_('a', 1), with_('a', 2)]).size,
    ).toBe(6);
  });
});

describe('getLabels', () => {
  it('fault 17: hangs on a secret of its own, and on the conversation only where there is none', () => {
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`);
    const labelled = (conversationId: string, labelSeed?: string): string => {
      const { state } = councilOf({ ids, anonymous: true, conversationId });
      return JSON.stringify([...getLabels({ ...state, ...(labelSeed && { labelSeed }) })]);
    };
    const [one, other] = ['11111111-2222-4333-8444-555555555555', '99999999-2222-4333-8444-555555555555'];
    expect(labelled(one, 'ab'.repeat(16))).toBe(labelled(other, 'ab'.repeat(16)));
    expect(labelled(one, 'ab'.repeat(16))).not.toBe(labelled(one, 'cd'.repeat(16)));
    expect(labelled(one, 'ab'.repeat(16))).not.toBe(labelled(one));
    expect(labelled(one)).not.toBe(labelled(other));
  });

  it('shows emoji, title and id where the mode is not anonymous, on one line', () => {
    const { state } = councilOf({ ids: ['henry', 'sage'] });
    state.participants.henry!.title = 'Henry\n## Brief';
    state.participants.sage!.emoji = '';
    expect([...getLabels(state)]).toEqual([
      ['henry', '🦉 Henry ## Brief (henry)'],
      ['sage', 'Sage (sage)'],
    ]);
  });

  it('is a bijection onto A, B, C … that stays the same through the council', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 4 }), fc.integer({ min: 1, max: 40 }), (conversationId, count) => {
        const ids = Array.from({ length: count }, (_, i) => `p${i}`);
        const { state } = councilOf({ ids, anonymous: true, conversationId });
        const labels = getLabels(state);
        expect([...labels.keys()].sort()).toEqual([...ids].sort());
        expect([...labels.values()].sort()).toEqual(ids.map((_, i) => `Participant ${toLetters(i)}`).sort());
        const later = {
          ...state,
          tour: 3,
          currentPhase: 'RESOLVE' as const,
          order: [...state.order].reverse(),
        };
        expect(ids.map((id) => getLabels(later).get(id))).toEqual(ids.map((id) => labels.get(id)));
      }),
      { numRuns: 50 },
    );
  });

  it('does not follow the seats', () => {
    const first = Array.from({ length: 40 }, (_, i) => {
      const { state } = councilOf({ ids: ['a', 'b', 'c'], anonymous: true, conversationId: `council ${i}` });
      return getLabels(state).get('a');
    });
    expect(new Set(first)).toEqual(new Set(['Participant A', 'Participant B', 'Participant C']));
  });
});
