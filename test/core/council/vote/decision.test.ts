import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonSafely } from '../../../../src/core/base/text.ts';
import { loadWords } from '../../../../src/core/base/words/words.ts';
import { explainOutcome, formatOutcomeSentence } from '../../../../src/core/council/vote/explain.ts';
import { decide } from '../../../../src/core/council/vote/decision.ts';
import type { DecisionInput } from '../../../../src/core/council/vote/decision.ts';
import type { Vote } from '../../../../src/core/council/vote/votes.ts';
import { RULES } from '../../../../src/core/council/state/allowed-values.ts';
import type { Decision } from '../../../../src/core/council/state/state.ts';
import type { Rule } from '../../../../src/core/council/state/allowed-values.ts';
import { normalisePosition, findSameOption } from '../../../../src/core/council/state/ballot.ts';
import { tally } from '../../../../src/core/council/vote/votes.ts';

const vote = (by: string, position: string | null, over: Partial<Vote> = {}): Vote => ({
  by,
  position,
  kind: 'spoken',
  agreed: false,
  blocking: false,
  ...over,
});

/** A table where `a` holds the first position, `b` the second …; null has spoken without one, undefined was never heard. */
const table = (
  positions: (string | null | undefined)[],
  over: Partial<DecisionInput> = {},
): DecisionInput => {
  const order = positions.map((_, i) => 'abcdefgh'[i]!);
  const votes = order.flatMap((by, i) => (positions[i] === undefined ? [] : [vote(by, positions[i])]));
  return { votes, order, rule: 'majority', quorum: 0.5, vetoes: [], options: null, ...over };
};
const outcome = (positions: (string | null | undefined)[], rule: Rule, over: Partial<DecisionInput> = {}) => {
  const { decided, position, reason } = decide(table(positions, { rule, ...over }));
  return decided ? position : reason;
};

describe('normalisePosition', () => {
  it('forgives case, white space, compatibility forms and final punctuation, nothing else', () => {
    const same = ['Build it', 'build  it.', ' BUILD\tit!! ', 'Ｂｕｉｌｄ it…', 'build it。'];
    expect(new Set(same.map(normalisePosition))).toEqual(new Set(['build it']));
    expect(new Set(['C', 'C++', 'C#', 'build', 'build-it', '"build"'].map(normalisePosition)).size).toBe(6);
    expect(normalisePosition('Build it?')).toBe('build it?');
    expect([normalisePosition('?!'), normalisePosition(' \n ')]).toEqual(['?', '']);
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = normalisePosition(text);
        expect(normalisePosition(once)).toBe(once);
      }),
    );
  });

  it('takes time in proportion to the length', () => {
    expect(normalisePosition('.'.repeat(200_000) + 'a').length).toBe(200_001);
  });
});

describe('an outcome of one', () => {
  const spoken = vote('a', 'build', { agreed: true });
  const absent = (by: string): Vote => vote(by, null, { kind: 'absent' });
  it.each<[name: string, input: DecisionInput, en: string, fr: string]>([
    [
      'who answered',
      table([], { votes: [spoken, absent('b'), absent('c')], order: ['a', 'b', 'c'] }),
      '1 of 3 answered; the quorum is 2.',
      'Réponses reçues : 1 sur 3 ; le quorum est de 2.',
    ],
    [
      'who is absent',
      table(['build', undefined], { rule: 'plurality', quorum: 0 }),
      '"build" has 1 of 2 votes, but the absent (1) could still overtake it.',
      '« build » réunit 1 voix sur 2, mais les absents (1) pourraient encore tout renverser.',
    ],
    [
      'who agrees',
      table([], { votes: [spoken, vote('b', 'buy')], order: ['a', 'b'], rule: 'consensus' }),
      'Agreed: 1 of 2; a consensus needs all of them.',
      'D’accord : 1 sur 2 ; un consensus demande l’accord de tous.',
    ],
    [
      'who sits',
      table([], { votes: [spoken], order: ['a'], rule: 'consensus' }),
      'Everybody agrees on "build", and nothing blocks.',
      'Tous sont d’accord sur « build », et rien ne bloque.',
    ],
  ])('has no plural for one %s', (_, input, en, fr) => {
    const decision = decide(input);
    expect(explainOutcome(decision, loadWords('en'))).toBe(en);
    expect(explainOutcome(decision, loadWords('fr'))).toBe(fr);
  });
});

describe('a decision for which the budget has cut something', () => {
  it('says so behind its reason, in both languages, under every rule', () => {
    for (const rule of RULES)
      for (const cut of ['debate', 'part'] as const) {
        const decision = decide(table(['build', 'build', 'buy'], { rule, cut }));
        expect(decision).toMatchObject({ cut, why: expect.stringContaining(loadWords('en').cut[cut]) });
        expect(formatOutcomeSentence(decision, loadWords('fr'))).toContain(loadWords('fr').cut[cut]);
      }
    expect(decide(table(['build', 'build'])).why).not.toContain('budget');
  });
});

describe('findSameOption', () => {
  it('gives the declared spelling back', () => {
    const options = ['Build', 'Buy', 'Wait'];
    expect(['build.', ' BUY', 'Waiting', ''].map((p) => findSameOption(p, options))).toEqual([
      'Build',
      'Buy',
      undefined,
      undefined,
    ]);
  });
});

describe('tally', () => {
  it('shows the most frequent spelling, and of two as frequent the one that sorts first', () => {
    const stated = ['build', 'Build.', 'Build.', 'buy', 'Buy'].map((position) => ({ position, weight: 1 }));
    expect(tally(stated, null)).toEqual([
      { position: 'Build.', weight: 3, heads: 3, by: [] },
      { position: 'Buy', weight: 2, heads: 2, by: [] },
    ]);
  });

  it('leaves out blank positions, other options, and positions without any weight', () => {
    const stated = [
      { position: ' ', weight: 1 },
      { position: 'sell', weight: 1 },
      { position: 'wait', weight: 0 },
      { position: 'BUY', weight: 0.25 },
    ];
    expect(tally(stated, ['Buy', 'Wait'])).toEqual([{ position: 'Buy', weight: 0.25, heads: 1, by: [] }]);
  });

  it('adds fractions the same way in every order', () => {
    const stated = [0.1, 0.2, 0.3, 0.7].map((weight) => ({ position: 'x', weight }));
    expect(tally(stated, null)[0]!.weight).toBe(1.3);
    expect(tally(stated.toReversed(), null)[0]!.weight).toBe(1.3);
  });
});

describe('decide', () => {
  it('plurality: the widest support, unless the absent could overtake it', () => {
    expect(outcome(['x', 'x', 'y', 'z', null], 'plurality')).toBe('x');
    expect(outcome(['x', 'x', 'y', undefined, null], 'plurality')).toBe('open');
    expect(outcome(['x', 'x', 'x', 'y', undefined], 'plurality')).toBe('x');
    expect(outcome(['x', 'x', undefined, null], 'plurality')).toBe('x');
    expect(decide(table(['x', 'y', undefined], { rule: 'plurality' })).reason).toBe('tie');
  });

  it('majority: more than half of everybody at the start', () => {
    expect(outcome(['x', 'x', 'x', 'y', 'z'], 'majority')).toBe('x');
    expect(outcome(['x', 'x', 'y', null, null], 'majority')).toBe('too_few');
    expect(outcome(['x', 'x', 'y', 'z'], 'majority')).toBe('too_few');
    expect(outcome(['x', 'x', undefined, undefined, 'y'], 'majority')).toBe('too_few');
  });

  it('supermajority: two thirds or more', () => {
    expect(outcome(['x', 'x', 'y'], 'supermajority')).toBe('x');
    expect(outcome(['x', 'x', 'x', 'y', 'y'], 'supermajority')).toBe('too_few');
    expect(outcome(['x', 'x', 'x', 'x', 'y', undefined], 'supermajority')).toBe('x');
  });

  it('unanimity: everybody, the absent included', () => {
    expect(outcome(['x', 'X.', 'X.'], 'unanimity')).toBe('X.');
    expect(outcome(['x', 'x', 'y'], 'unanimity')).toBe('too_few');
    expect(outcome(['x', 'x', undefined], 'unanimity')).toBe('too_few');
  });

  it('consensus: all AGREED to one position, or to texts without any, and nothing blocking', () => {
    const agreed = (positions: (string | null)[], over: Partial<Vote> = {}) =>
      decide({
        ...table([], { rule: 'consensus' }),
        order: ['a', 'b'],
        votes: positions.map((p, i) => vote('ab'[i]!, p, { agreed: true, ...over })),
      });
    expect(agreed(['x', 'x'])).toMatchObject({ decided: true, position: 'x', reason: 'accepted' });
    expect(agreed(['x', 'y'])).toMatchObject({
      decided: false,
      position: null,
      reason: 'differ',
      votes: { x: 1, y: 1 },
    });
    expect(agreed(['x', null])).toMatchObject({ decided: false, reason: 'differ' });
    expect(agreed([null, null])).toMatchObject({ decided: true, position: null });
    expect(agreed(['x', 'x'], { blocking: true })).toMatchObject({
      decided: false,
      reason: 'blocked',
      blockedBy: ['a', 'b'],
    });
    expect(agreed(['x'])).toMatchObject({ decided: false, reason: 'no_quorum' });
    expect(outcome(['x', 'x', 'x'], 'consensus')).toBe('not_agreed');
  });

  it('no-blocking: nobody blocks, everybody has been heard, and the widest support names the position', () => {
    expect(outcome(['x', 'x', 'y'], 'no-blocking')).toBe('x');
    expect(outcome([null, null], 'no-blocking')).toBeNull();
    expect(outcome(['x', 'y'], 'no-blocking')).toBe('tie');
    expect(decide(table(['x', 'x', undefined], { rule: 'no-blocking' }))).toMatchObject({
      reason: 'unheard',
      why: expect.stringContaining('c') as string,
    });
    const input = table(['x', 'x', 'x'], { rule: 'no-blocking' });
    expect(
      decide({ ...input, votes: [...input.votes.slice(0, 2), vote('c', 'x', { blocking: true })] }),
    ).toMatchObject({ decided: false, blockedBy: ['c'] });
  });

  it('none: never', () => {
    expect(decide(table(['x', 'x', 'x'], { rule: 'none' }))).toMatchObject({
      decided: false,
      position: null,
      reason: 'no_rule',
      votes: { x: 3 },
    });
  });

  it('lets nobody outvote a veto holder, and waits for one who was never heard', () => {
    const blocking = (by: string) => ({
      ...table(['x', 'x', 'x', 'x']),
      votes: 'abcd'.split('').map((id) => vote(id, 'x', { blocking: id === by, agreed: true })),
    });
    for (const rule of RULES.filter((r) => r !== 'none')) {
      expect(decide({ ...blocking('d'), rule, vetoes: ['d'] })).toMatchObject({
        decided: false,
        reason: 'blocked',
        blockedBy: ['d'],
      });
      const free = decide({ ...blocking('d'), rule, vetoes: ['a'] });
      expect(free.decided).toBe(rule !== 'consensus' && rule !== 'no-blocking');
    }
    expect(outcome(['x', 'x', 'x', undefined], 'majority', { vetoes: ['d'] })).toBe('unheard');
    expect(
      decide({
        ...table(['x', 'x', 'x']),
        votes: [vote('a', 'x'), vote('b', 'x'), vote('c', 'y', { kind: 'recused', blocking: true })],
        vetoes: ['c'],
      }),
    ).toMatchObject({ decided: true });
  });

  it('reports a tie as a tie', () => {
    for (const rule of ['plurality', 'majority', 'supermajority', 'unanimity', 'no-blocking'] as const) {
      expect(decide(table(['x', 'x', 'y', 'y', null], { rule }))).toMatchObject({
        decided: false,
        position: null,
        tie: true,
        reason: 'tie',
      });
    }
    expect(decide(table(['x', 'y', 'z', 'z'])).tie).toBe(false);
  });

  it('takes the recused out of the denominator, and nobody else', () => {
    const votes = [
      vote('a', 'x'),
      vote('b', 'x'),
      vote('c', 'y', { kind: 'recused' }),
      vote('d', 'y', { kind: 'absent' }),
    ];
    expect(decide({ ...table([]), order: ['a', 'b', 'c', 'd'], votes })).toMatchObject({
      decided: true,
      position: 'x',
      denominator: 3,
      votes: { x: 2 },
      quorum: { needed: 2, present: 2, met: true },
    });
    const all = votes.map((v): Vote => ({ ...v, kind: 'recused' }));
    expect(decide({ ...table([]), order: ['a', 'b', 'c', 'd'], votes: all })).toMatchObject({
      decided: false,
      denominator: 0,
      reason: 'nobody',
    });
  });

  it('checks the quorum apart: strictly more, and everybody when it is 1', () => {
    const quorum = (share: number, of: number) =>
      decide(
        table(
          Array.from({ length: of }, () => 'x'),
          { quorum: share },
        ),
      ).quorum.needed;
    expect([quorum(0.5, 4), quorum(0.5, 5), quorum(0, 3), quorum(1, 3), quorum(0.6, 5)]).toEqual([
      3, 3, 1, 3, 4,
    ]);
    const order = Array.from({ length: 100 }, (_, i) => `p${i}`);
    expect(decide({ ...table([]), order, quorum: 0.29 }).quorum.needed).toBe(30);
    expect(outcome(['x', 'x', undefined, undefined], 'plurality')).toBe('no_quorum');
    const carried = table(['x', 'x', undefined]);
    expect(
      decide({ ...carried, votes: carried.votes.map((v) => ({ ...v, kind: 'carried' as const })) }).quorum,
    ).toEqual({ needed: 2, present: 2, met: true });
  });

  it('counts only declared options', () => {
    expect(decide(table(['BUILD', 'build.', 'sell'], { options: ['Build', 'Buy'] }))).toMatchObject({
      position: 'Build',
      votes: { Build: 2 },
    });
    expect(outcome(['sell', 'sell'], 'majority', { options: ['build'] })).toBe('no_position');
  });

  it('weighs by confidence on request only, and never above one vote each', () => {
    const votes = [
      vote('a', 'x', { confidence: 0.9 }),
      vote('b', 'x', { confidence: 0.5 }),
      vote('c', 'y', { confidence: 7 }),
      vote('d', 'y', { confidence: -1 }),
      vote('e', 'x'),
    ];
    const input = { ...table([]), order: ['a', 'b', 'c', 'd', 'e'], votes };
    expect(decide(input).votes).toEqual({ x: 3, y: 2 });
    expect(decide({ ...input, weighted: true })).toMatchObject({
      votes: { x: 2.4, y: 1 },
      decided: false,
      reason: 'too_few',
    });
    expect(outcome(['x', 'x', 'x'], 'unanimity', { weighted: true })).toBe('x');
  });

  it('ignores strangers, takes the last of several votes, and is safe with names of object properties', () => {
    const input = table(['x', 'x', 'y']);
    expect(decide({ ...input, votes: [...input.votes, vote('zed', 'y'), vote('c', 'x')] }).votes).toEqual({
      x: 3,
    });
    const risky = decide(table(['__proto__', '__proto__', 'constructor']));
    expect(risky).toMatchObject({ position: '"__proto__"', votes: { '"__proto__"': 2, '"constructor"': 1 } });
    // The state file refuses such keys.
    expect(parseJsonSafely(JSON.stringify(risky))).toEqual(risky);
  });

  it('says why in one sentence', () => {
    const cases: Decision[] = RULES.flatMap((rule) =>
      [['x', 'x', 'x'], ['x', 'y'], ['x', 'x', 'y', 'z'], ['x', undefined, undefined], [null, null], []].map(
        (p) => decide(table(p, { rule })),
      ),
    );
    for (const { why } of cases) expect(why).toMatch(/^[A-Z"0-9][^\n]*\.$/);
  });
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const anyVote = (by: string): fc.Arbitrary<Vote> =>
  fc.record({
    by: fc.constant(by),
    position: fc.option(fc.constantFrom('x', 'X', 'y', 'y.', 'z')),
    kind: fc.constantFrom('spoken', 'spoken', 'carried', 'absent', 'advocate', 'recused'),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    agreed: fc.boolean(),
    blocking: fc.boolean(),
  });
const anyInput: fc.Arbitrary<DecisionInput> = fc.integer({ min: 1, max: ids.length }).chain((count) => {
  const order = ids.slice(0, count);
  return fc.record({
    votes: fc.tuple(...order.map(anyVote)),
    order: fc.constant(order),
    rule: fc.constantFrom(...RULES),
    quorum: fc.constantFrom(0, 0.5, 0.75, 1),
    vetoes: fc.subarray(order),
    options: fc.option(fc.constantFrom(['x', 'y'], ['X', 'Y', 'Z'])),
    weighted: fc.boolean(),
  });
});
/** Mostly unblocked tables: else nearly everything is rejected before it is counted. */
const calmInput = anyInput.chain((input) =>
  fc
    .boolean()
    .map((calm) =>
      calm ? { ...input, votes: input.votes.map((v) => ({ ...v, blocking: false, agreed: true })) } : input,
    ),
);
const accepts = (input: DecisionInput, position: string | null): boolean => {
  const { decided, position: found } = decide(input);
  return decided && (found === null ? null : normalisePosition(found)) === position;
};

describe('decide, whatever the votes', () => {
  it('never counts more votes than the denominator, and decides for a position only if somebody holds it', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { votes, denominator, position, decided, tie } = decide(input);
        expect(Object.values(votes).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(denominator + 1e-9);
        expect(denominator).toBe(input.votes.filter((v) => v.kind !== 'recused').length);
        // The first of a ranking may be everybody's second.
        if (position !== null && input.rule !== 'ranked') expect(Object.keys(votes)).toContain(position);
        expect(decided && tie).toBe(false);
        if (!decided) expect(position).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  it('by no rule lets an absence accept a motion that was not accepted', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(calmInput, fc.nat(), (input, which) => {
        const gone = input.votes[which % input.votes.length]!;
        if (gone.kind === 'recused') return;
        const votes = input.votes.map((v): Vote => (v === gone ? { ...v, kind: 'absent' } : v));
        for (const motion of ['x', 'y', 'z', null]) {
          if (accepts({ ...input, votes }, motion)) {
            expect(accepts(input, motion)).toBe(true);
            seen.add(input.rule);
          }
        }
      }),
      // A fixed seed: that each of the three occurs below must not be a matter of luck.
      { numRuns: 5000, seed: 1 },
    );
    // With one voice missing these three can still decide; the others wait for everybody.
    expect([...seen]).toEqual(expect.arrayContaining(['plurality', 'majority', 'supermajority']));
  });

  it('gives the same result for every order of the participants', () => {
    fc.assert(
      fc.property(calmInput, fc.infiniteStream(fc.nat()), (input, random) => {
        const shuffle = <T>(items: readonly T[]) =>
          items
            .map((item) => ({ item, key: random.next().value as number }))
            .sort((a, b) => a.key - b.key)
            .map(({ item }) => item);
        expect(
          decide({
            ...input,
            votes: shuffle(input.votes),
            order: shuffle(input.order),
            vetoes: shuffle(input.vetoes),
          }),
        ).toEqual(decide(input));
      }),
      { numRuns: 2000 },
    );
  });

  it('never decides over the block of a veto holder who is here', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const stopped = input.votes.some(
          (v) => v.blocking && input.vetoes.includes(v.by) && v.kind !== 'absent' && v.kind !== 'recused',
        );
        if (stopped) expect(decide(input).decided).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  it('knows no order among positions: swapping two names swaps the result', () => {
    const swap = (p: string | null) => (p === 'x' ? 'y' : p === 'y' ? 'x' : p);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('x', 'y', null), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...RULES),
        (positions, rule) => {
          const [one, other] = [
            decide(table(positions, { rule })),
            decide(table(positions.map(swap), { rule })),
          ];
          expect([other.decided, other.tie, other.position]).toEqual([
            one.decided,
            one.tie,
            swap(one.position),
          ]);
        },
      ),
    );
  });
});
