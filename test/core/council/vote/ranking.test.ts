import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeRanking } from '../../../../src/core/council/vote/ranking.ts';
import type { RankedBallot } from '../../../../src/core/council/vote/ranking.ts';

interface Candidate {
  id: string;
  author?: string;
}

interface Table {
  seats: string[];
  candidates: Candidate[];
  ballots: RankedBallot[];
}

const rank = ({ seats, candidates, ballots }: Table) => {
  const { ranking, ...rest } = computeRanking(seats, candidates, ballots);
  return { ...ranking, ...rest };
};

/** `B > A = C` as groups. */
const ballot = (by: string, text: string): RankedBallot => ({
  by,
  groups: text.split('>').map((group) => group.split('=').map((id) => id.trim())),
});

/** Seats `a`, `b` … whose answers are `A`, `B` …; null has given no ballot. */
const answers = (...texts: (string | null)[]): Table => {
  const seats = texts.map((_, at) => 'abcdefg'[at]!);
  return {
    seats,
    candidates: seats.map((author) => ({ id: author.toUpperCase(), author })),
    ballots: texts.flatMap((text, at) => (text === null ? [] : [ballot(seats[at]!, text)])),
  };
};

/** Ballots over positions that nobody is the author of. */
const free = (...texts: string[]): Table => ({
  ...answers(...texts),
  candidates: ['P1', 'P2', 'P3'].map((id) => ({ id })),
});

/** Seats without an answer, positions without an author and absent seats among them; an own rank may be there. */
const tables: fc.Arbitrary<Table> = fc.integer({ min: 2, max: 6 }).chain((count) => {
  const seats = [...'abcdef'].slice(0, count);
  const candidates = fc
    .tuple(
      ...seats.map((author) =>
        fc
          .constantFrom<'own' | 'free' | 'none'>('own', 'own', 'free', 'none')
          .map((kind) => ({ author, kind })),
      ),
    )
    .map((all) =>
      all.flatMap(({ author, kind }): Candidate[] => {
        const id = author.toUpperCase();
        return kind === 'none' ? [] : [kind === 'own' ? { id, author } : { id }];
      }),
    );
  const places = fc.array(fc.option(fc.nat({ max: count }), { nil: undefined, freq: 4 }), {
    minLength: count,
    maxLength: count,
  });
  const given = fc.array(fc.option(places, { nil: undefined, freq: 4 }), {
    minLength: count,
    maxLength: count,
  });
  return fc.record({ candidates, given }).map(({ candidates, given }) => ({
    seats,
    candidates,
    ballots: seats.flatMap((by, seat): RankedBallot[] => {
      const drawn = given[seat];
      if (!drawn) return [];
      const inPlace = (place: number) =>
        candidates.filter((_, at) => drawn[at] === place).map(({ id }) => id);
      return [{ by, groups: [...seats.keys(), count].map(inPlace).filter((group) => group.length > 0) }];
    }),
  }));
});

/** Who of the two is before the other on a ballot, read anew from the groups. */
const prefers = ({ groups }: RankedBallot, a: string, b: string) => {
  const before = groups.findIndex((group) => group.includes(a));
  const after = groups.findIndex((group) => group.includes(b));
  return before !== -1 && (after === -1 || before < after);
};

describe('a ranking of answers', () => {
  it('is won by the answer that wins every pair', () => {
    const ranking = rank(answers('B > C > D', 'C > A > D', 'B > A > D', 'B > C > A'));
    expect(ranking).toMatchObject({ winner: 'B', method: 'condorcet', tied: [] });
    expect(ranking.pairs[0]).toEqual({ a: 'A', b: 'B', for: 0, against: 2, tied: 0, absent: 0, winner: 'B' });
  });

  it('rests on one voter for each pair at three seats, and on nobody at two', () => {
    const three = rank(answers('B > C', 'A > C', 'B > A'));
    expect(three.pairs.map((pair) => pair.for + pair.against + pair.tied)).toEqual([1, 1, 1]);
    expect(three).toMatchObject({ winner: 'B', method: 'condorcet' });
    expect(rank(answers('B', 'A'))).toMatchObject({
      winner: null,
      scores: [{ mean: null }, { mean: null }],
      tied: [],
    });
  });

  it('prefers who wins every pair to the highest mean score, or to several that share it', () => {
    const most = Array<string>(3).fill('P1 > P2 > P3');
    const higher = rank(free(...most, 'P2 > P3 > P1', 'P2 > P3 > P1'));
    expect(higher).toMatchObject({
      winner: 'P1',
      method: 'condorcet',
      scores: [{ mean: 0.6 }, { mean: 0.7 }, { mean: 0.2 }],
    });
    const shared = rank(free(...most, 'P2 > P1 = P3', 'P2 > P1 = P3'));
    expect(shared).toMatchObject({
      winner: 'P1',
      tied: [],
      scores: [{ mean: 0.7 }, { mean: 0.7 }, { mean: 0.1 }],
    });
  });

  it('goes by the mean Borda score where the pairs go round in a circle', () => {
    expect(rank(free('P1 > P2 > P3', 'P2 > P3 > P1', 'P3 > P1 > P2'))).toMatchObject({
      winner: null,
      method: 'borda',
      tied: ['P1', 'P2', 'P3'],
    });
    const circle = ['P1 > P2 > P3', 'P1 > P2 > P3', 'P2 > P3 > P1', 'P2 > P3 > P1', 'P3 > P1 > P2'];
    expect(rank(free(...circle))).toMatchObject({
      winner: 'P2',
      method: 'borda',
      tied: [],
      scores: [{ mean: 0.5 }, { mean: 0.6 }, { mean: 0.4 }],
    });
  });

  it('is not won by the answer of an absent author because more ballots could rank it', () => {
    const { scores } = rank(answers('B = C = D', 'A = C = D', 'A = B = D', null));
    expect(scores.map(({ mean }) => mean)).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  it('leaves a pair undecided that the absent could still change', () => {
    const [pair] = rank(answers(null, null, 'A > B', 'A > B', null)).pairs;
    expect(pair).toEqual({ a: 'A', b: 'B', for: 2, against: 0, tied: 0, absent: 1, winner: 'A' });
    const [open] = rank(answers(null, null, 'A > B', null, null)).pairs;
    expect(open).toMatchObject({ for: 1, absent: 2, winner: null });
  });
});

describe('for every ranking', () => {
  it('the order of seats, of ballots and of a group changes nothing', () => {
    const shuffled = tables.chain((table) =>
      fc.record({
        table: fc.constant(table),
        other: fc.record({
          seats: fc.shuffledSubarray(table.seats, { minLength: table.seats.length }),
          candidates: fc.constant(table.candidates),
          ballots: fc
            .shuffledSubarray(table.ballots, { minLength: table.ballots.length })
            .map((all) =>
              all.map(({ by, groups }) => ({ by, groups: groups.map((group) => [...group].reverse()) })),
            ),
        }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ table, other }) => {
        expect(rank(other)).toEqual(rank(table));
      }),
    );
  });

  it('a Condorcet winner is chosen, and nothing else is called one', () => {
    let found = 0;
    fc.assert(
      fc.property(tables, (table) => {
        const { seats, candidates, ballots } = table;
        const wins = ({ id, author }: Candidate, other: Candidate) => {
          const voters = seats.filter((by) => by !== author && by !== other.author);
          const heard = ballots.filter(({ by }) => voters.includes(by));
          const pro = heard.filter((one) => prefers(one, id, other.id)).length;
          const contra = heard.filter((one) => prefers(one, other.id, id)).length;
          return pro - contra > voters.length - heard.length;
        };
        const winner = candidates.find((one) =>
          candidates.every((other) => other === one || wins(one, other)),
        );
        const ranking = rank(table);
        if (candidates.length > 1 && winner) {
          found++;
          expect(ranking).toMatchObject({ winner: winner.id, method: 'condorcet', tied: [] });
        } else if (candidates.length > 1) expect(ranking.method).toBe('borda');
      }),
    );
    expect(found).toBeGreaterThan(5);
  });

  it('an own rank never counts', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const isOwn = (by: string, id: string) =>
          table.candidates.some((one) => one.id === id && one.author === by);
        const stripped = table.ballots.map(({ by, groups }) => ({
          by,
          groups: groups
            .map((group) => group.filter((id) => !isOwn(by, id)))
            .filter((group) => group.length > 0),
        }));
        expect(rank(table)).toEqual(rank({ ...table, ballots: stripped }));
      }),
    );
  });

  it('an absence never decides a pair or the ranking, and never turns it round', () => {
    let decided = 0;
    fc.assert(
      fc.property(tables, (table) => {
        const { pairs, winner, method } = rank(table);
        for (const gone of table.ballots) {
          const fewer = rank({ ...table, ballots: table.ballots.filter((one) => one !== gone) });
          for (const [at, pair] of fewer.pairs.entries())
            if (pair.winner !== null) expect(pair.winner).toBe(pairs[at]!.winner);
          if (fewer.winner === null) continue;
          expect(fewer.winner).toBe(winner);
          if (method === 'borda') decided++;
        }
      }),
      { numRuns: 1000 },
    );
    expect(decided).toBeGreaterThan(5);
  });

  it('the unranked are tied last', () => {
    fc.assert(
      fc.property(tables, (table) => {
        // A candidate alone is ranked or not.
        if (table.candidates.length === 1) return;
        const complete = table.ballots.map(({ by, groups }) => {
          const rest = table.candidates.map(({ id }) => id).filter((id) => !groups.flat().includes(id));
          return { by, groups: rest.length > 0 ? [...groups, rest] : groups };
        });
        expect(rank({ ...table, ballots: complete })).toMatchObject(rank(table));
      }),
    );
  });

  it('a mean of 0.5 is what a table gets that ties everything', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const { scores, winner } = rank({ ...table, ballots: table.seats.map((by) => ({ by, groups: [] })) });
        for (const { mean } of scores) expect([null, 0.5]).toContain(mean);
        expect(winner === null || scores.filter(({ mean }) => mean !== null).length === 1).toBe(true);
      }),
    );
  });
});
