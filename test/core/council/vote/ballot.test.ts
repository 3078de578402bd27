import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULES } from '../../../../src/core/council/state/allowed-values.ts';
import { addPositions } from '../../../../src/core/council/state/ballot.ts';
import { decide } from '../../../../src/core/council/vote/decision.ts';
import type { DecisionInput } from '../../../../src/core/council/vote/decision.ts';
import { joinEquivalentPositions } from '../../../../src/core/council/vote/joined-positions.ts';
import type { Vote } from '../../../../src/core/council/vote/votes.ts';

const BALLOT = addPositions([], [], ['alpha', 'beta', 'gamma', 'delta']);
const NUMBERS = ['P1', 'P4', 'P2', 'P3'];
const sentence = (id: string) => BALLOT.find((line) => line.id === id)!.position;

/** "P1 ~P2 =P1P3": votes P1, approves P2, says that P1 and P3 are the same. */
function cast(by: string, words: string): Vote {
  const parts = words.split(' ').filter((part) => part !== '');
  const number = parts.find((part) => part.startsWith('P'));
  const approves = parts.filter((part) => part.startsWith('~')).map((part) => part.slice(1));
  const same = parts
    .filter((part) => part.startsWith('='))
    .map((part): [string, string] => [part.slice(1, 3), part.slice(3)]);
  return {
    by,
    position: number ? sentence(number) : null,
    kind: words === 'absent' ? 'absent' : 'spoken',
    agreed: parts.includes('agreed'),
    blocking: parts.includes('blocks'),
    ...(number && { number }),
    approves: [...(number ? [number] : []), ...approves],
    same,
  };
}

const table = (casts: string[], over: Partial<DecisionInput> = {}): DecisionInput => {
  const order = casts.map((_, at) => 'abcdefgh'[at]!);
  return {
    votes: casts.map((words, at) => cast(order[at]!, words)),
    order,
    rule: 'majority',
    quorum: 0.5,
    vetoes: [],
    options: null,
    ballot: BALLOT,
    ...over,
  };
};
const result = (casts: string[], over: Partial<DecisionInput> = {}) => {
  const { decided, number, reason } = decide(table(casts, over));
  return decided ? number : reason;
};
const classes = (...casts: string[]) => joinEquivalentPositions(table(casts).votes, BALLOT).classes;

it('numbers stand in the order of the sentences', () => {
  expect(BALLOT.map(({ id, position }) => `${id} ${position}`)).toEqual([
    'P1 alpha',
    'P2 beta',
    'P3 delta',
    'P4 gamma',
  ]);
});

describe('positions that are called the same', () => {
  it('are one when all holders of one of them say so, or one on each side', () => {
    expect(classes('P1', 'P2 =P1P2')).toEqual([['P1', 'P2']]);
    expect(classes('P1 =P1P2', 'P1', 'P2', 'P2 =P1P2')).toEqual([['P1', 'P2']]);
    expect(classes('P1', 'P1', 'P2', 'P2 =P1P2')).toEqual([]);
  });

  it('are not, by the word of somebody who holds neither', () => {
    expect(classes('P1', 'P2', 'P3 =P1P2')).toEqual([]);
  });

  it('do not join through a third, and are asked again', () => {
    const chain = table(['P1 =P1P2', 'P2', 'P3 =P2P3']);
    expect(joinEquivalentPositions(chain.votes, BALLOT)).toMatchObject({
      classes: [],
      unsettled: [
        ['P1', 'P2'],
        ['P2', 'P3'],
      ],
    });
    expect(decide(chain).unsettled).toHaveLength(2);
    expect(classes('P1 =P1P2 =P1P3', 'P2', 'P3 =P2P3')).toEqual([['P1', 'P2', 'P3']]);
  });

  it('stay one when somebody wants to be joined to one of them only', () => {
    const votes = table(['P1 =P1P2', 'P2 =P1P2', 'P3 =P2P3']).votes;
    expect(joinEquivalentPositions(votes, BALLOT)).toMatchObject({
      classes: [['P1', 'P2']],
      unsettled: [['P2', 'P3']],
    });
  });

  it('never make somebody else vote for what he does not hold', () => {
    expect(decide(table(['P2', 'P3', 'P1 =P1P2']))).toMatchObject({
      number: 'P2',
      votes: { beta: 2, delta: 1 },
    });
    const approved = table(['P2 ~P1', 'P3 ~P1', 'P1 =P1P2', 'P4'], { rule: 'approval' });
    expect(decide(approved).approvals).toMatchObject({ alpha: 2, beta: 2 });
  });

  it('count together, under the number that most of their holders gave', () => {
    const decision = decide(table(['P1 =P1P2', 'P2 =P1P2', 'P2', 'P3']));
    expect(decision).toMatchObject({
      decided: true,
      number: 'P2',
      position: 'beta',
      votes: { beta: 3, delta: 1 },
      why: 'P2 "beta" has 3 of 4 votes.',
    });
  });
});

describe('the rule approval', () => {
  const over = { rule: 'approval' } as const;
  it.each<[string, string[], string]>([
    [
      'the most approved one, also when another one has more votes',
      ['P1 ~P3', 'P1 ~P3', 'P2 ~P3', 'P3'],
      'P3',
    ],
    ['what nobody votes for, when most can live with it', ['P1 ~P4', 'P2 ~P4', 'P3 ~P4'], 'P4'],
    ['nothing without more than half', ['P1', 'P2 ~P1', 'P3', 'P4'], 'too_few'],
    ['nothing when two are approved alike', ['P1 ~P2', 'P2 ~P1'], 'tie'],
    ['nothing that the absent could overtake', ['P1 ~P2', 'P1 ~P2', 'P1', 'absent'], 'open'],
    ['nothing when nobody says anything', ['', ''], 'no_position'],
  ])('decides %s', (_, casts, expected) => {
    expect(result(casts, over)).toBe(expected);
  });
});

describe('an approval', () => {
  it('counts for the own position without being written, and for nothing that is not on the ballot', () => {
    const written = table(['P1', 'P2 ~P9', 'P2']);
    const votes = written.votes.map(({ approves, ...vote }) =>
      vote.by === 'a' ? vote : { ...vote, approves },
    );
    const { approvals, number } = decide({ ...written, votes, rule: 'approval' });
    expect(approvals).toEqual({ alpha: 1, beta: 2 });
    expect(number).toBe('P2');
  });
});

describe('a tie', () => {
  it('shows its positions and who holds each', () => {
    const decision = decide(table(['P1', 'P1', 'P2', 'P2']));
    expect(decision.tied).toEqual([
      { id: 'P1', position: 'alpha', by: ['a', 'b'] },
      { id: 'P2', position: 'beta', by: ['c', 'd'] },
    ]);
    expect(decision.why).toBe('A tie: P1 "alpha" (a, b) and P2 "beta" (c, d) have 2 of 4 votes each.');
  });

  it('goes to the one that meets the same rule by approvals, where the council says so', () => {
    const casts = ['P1', 'P1 ~P2', 'P2', 'P2'];
    expect(result(casts)).toBe('tie');
    expect(decide(table(casts, { tie: 'approvals' }))).toMatchObject({
      decided: true,
      number: 'P2',
      settledBy: 'approvals',
      tie: false,
    });
    expect(result(['P1 ~P2', 'P2 ~P1'], { tie: 'approvals' })).toBe('tie');
    expect(result(['P1', 'P2', 'P3 ~P1', 'P4'], { tie: 'approvals' })).toBe('tie');
    expect(result(['P1', 'P2', 'P3 ~P1', 'P4'], { tie: 'approvals', rule: 'plurality' })).toBe('P1');
    // The absent could have broken it.
    expect(result(['P1', 'P1 ~P2', 'P2', 'P2', 'absent'], { tie: 'approvals' })).toBe('tie');
  });
});

describe('consensus on a ballot', () => {
  const over = { rule: 'consensus' } as const;
  it.each<[string, string[], string | null | undefined]>([
    ['one position of all', ['P1 agreed', 'P1 agreed'], 'P1'],
    ['what all hold or approve', ['P1 agreed', 'P2 ~P1 agreed'], 'P1'],
    ['nothing to different positions', ['P1 agreed', 'P2 agreed'], 'differ'],
    ['nothing when one states none', ['P1 agreed', 'agreed'], 'differ'],
    ['texts without any position', ['agreed', 'agreed'], null],
    ['nothing while somebody does not agree', ['P1 agreed', 'P1'], 'not_agreed'],
    [
      'the one with the most votes of two that all can live with',
      ['P1 ~P2 agreed', 'P1 ~P2 agreed', 'P2 ~P1 agreed'],
      'P1',
    ],
    ['nothing where two are as good', ['P1 ~P2 agreed', 'P2 ~P1 agreed'], 'tie'],
  ])('is %s', (_, casts, expected) => {
    expect(result(casts, over)).toBe(expected);
  });
});

const anyCast = fc
  .record({
    number: fc.option(fc.constantFrom(...NUMBERS)),
    approves: fc.subarray(NUMBERS),
    same: fc.array(fc.constantFrom('P1P2', 'P1P3', 'P2P3', 'P2P4', 'P3P4'), { maxLength: 3 }),
    agreed: fc.boolean(),
    blocks: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    absent: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  .map(({ number, approves, same, agreed, blocks, absent }) =>
    absent
      ? 'absent'
      : [
          number ?? '',
          ...approves.map((id) => `~${id}`),
          ...same.map((pair) => `=${pair}`),
          agreed ? 'agreed' : '',
          blocks ? 'blocks' : '',
        ].join(' '),
  );
const anyTable = fc
  .record({
    casts: fc.array(anyCast, { minLength: 1, maxLength: 6 }),
    rule: fc.constantFrom(...RULES),
    tie: fc.constantFrom(undefined, 'approvals' as const),
    weighted: fc.boolean(),
  })
  .map(({ casts, ...over }) => table(casts, over));

describe('a decision on a ballot, whatever the votes', () => {
  it('does not depend on the order of the seats', () => {
    fc.assert(
      fc.property(anyTable, fc.infiniteStream(fc.nat()), (input, random) => {
        const key = new Map(input.order.map((id) => [id, random.next().value as number]));
        const byKey = (a: string, b: string) => key.get(a)! - key.get(b)!;
        const shuffled = {
          ...input,
          order: input.order.toSorted(byKey),
          votes: input.votes.toSorted((a, b) => byKey(a.by, b.by)),
        };
        expect(decide(shuffled)).toEqual(decide(input));
      }),
      { numRuns: 3000 },
    );
  });

  it('does not depend on how the participants are called', () => {
    fc.assert(
      fc.property(anyTable, (input) => {
        const rename = (id: string) => `p${input.order.length - input.order.indexOf(id)}`;
        const renamed = {
          ...input,
          order: input.order.map(rename),
          votes: input.votes.map((vote) => ({ ...vote, by: rename(vote.by) })),
        };
        const outcomeOf = (one: DecisionInput) => {
          const { decided, position, votes, reason, tie } = decide(one);
          return { decided, position, votes, reason, tie };
        };
        expect(outcomeOf(renamed)).toEqual(outcomeOf(input));
      }),
      { numRuns: 3000 },
    );
  });

  it('is the same when somebody words a position anew and joins it', () => {
    fc.assert(
      fc.property(anyTable, fc.nat(), (drawn, which) => {
        const input = {
          ...drawn,
          votes: drawn.votes.map((vote) => ({ ...vote, same: [] })),
        };
        const one = input.votes[which % input.votes.length]!;
        if (one.number === undefined || one.kind === 'absent') return;
        const line = { id: 'P5', position: `${one.position} in other words`, declared: false };
        const reworded: Vote = {
          ...one,
          number: 'P5',
          position: line.position,
          approves: [...(one.approves ?? []).filter((id) => id !== one.number), 'P5'],
          same: [[one.number, 'P5']],
        };
        const before = decide(input);
        const after = decide({
          ...input,
          ballot: [...BALLOT, line],
          votes: input.votes.map((vote) => (vote === one ? reworded : vote)),
        });
        const named = (position: string | null) => (position === line.position ? one.position : position);
        expect([after.decided, named(after.position), after.reason]).toEqual([
          before.decided,
          before.position,
          before.reason,
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  it('is never lost for a position by one more approval', () => {
    fc.assert(
      fc.property(anyTable, fc.nat(), fc.constantFrom(...NUMBERS), (input, which, id) => {
        const before = decide(input);
        const votes = input.votes.map((vote, at) =>
          at === which % input.votes.length && vote.kind !== 'absent'
            ? { ...vote, approves: [...new Set([...(vote.approves ?? []), id])] }
            : vote,
        );
        const after = decide({ ...input, votes });
        // What the approval counts for: another position, where its own holders joined that one.
        const countedOf = (all: readonly Vote[]) =>
          joinEquivalentPositions(all, BALLOT).votes[which % all.length]?.approves ?? [];
        const favoured = countedOf(votes).filter((one) => !countedOf(input.votes).includes(one));
        if (before.number && favoured.includes(before.number)) expect(after.number).toBe(before.number);
        // Nor does it decide for anything else.
        if (!before.decided && after.decided && after.number) expect(favoured).toContain(after.number);
      }),
      { numRuns: 3000 },
    );
  });

  it('counts nobody twice', () => {
    fc.assert(
      fc.property(anyTable, (input) => {
        const { votes, approvals = {}, denominator } = decide(input);
        expect(Object.values(votes).reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(denominator);
        for (const approved of Object.values(approvals)) expect(approved).toBeLessThanOrEqual(denominator);
      }),
      { numRuns: 2000 },
    );
  });
});
