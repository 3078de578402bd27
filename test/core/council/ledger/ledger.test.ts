import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { mapClaimPrefixes, createNameResolver } from '../../../../src/core/council/naming/labels.ts';
import { closeRound } from '../../../../src/core/council/ledger/ledger.ts';
import { cutText } from '../../../../src/core/council/ledger/ledger-document.ts';
import type { Contribution, Council, Ledger } from '../../../../src/core/council/state/state.ts';
import { contributionsOf, ids, played } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';
import { QUOTE_STATUSES } from '../../../../src/core/council/state/allowed-values.ts';
import type { PhaseName } from '../../../../src/core/council/state/allowed-values.ts';

const again = (
  council: Council,
  phase: PhaseName,
  tour: number,
  contributions = council.contributions,
): Ledger => closeRound({ ...council, contributions }, { phase, tour }, createNameResolver(council.state));

const ROUND: Play = [
  [
    'COLLECT',
    { henry: 'Tabs let everyone choose.\n\nFiles are smaller.', sage: 'Spaces look the same everywhere.' },
  ],
  ['CHALLENGE', { henry: '@sage.1 Where?', sage: '> Files are smaller.\n\nSo what?' }],
  ['RESOLVE', { henry: 'c2 conceded: By little.', sage: 'c1 rejected: Here.' }],
];

describe('closeTour', () => {
  it('keeps claims, challenges, answers and moves in their tours, and numbers on when tours repeat', () => {
    const play: Play = [
      ...ROUND,
      ['CHALLENGE', { otto: '> By little.\n\nHow little?', henry: '@sage.1 Still?' }],
      ['RESOLVE', { sage: 'c3 conceded: No more.' }],
    ];
    const { challenges, claims } = played(play).state.ledger;
    expect(claims.map(({ id, tour }) => [id, tour])).toEqual([
      ['henry.1', 1],
      ['henry.2', 1],
      ['sage.1', 1],
    ]);
    expect(
      challenges.map(({ id, tour, by, against, target, quote, status }) => [
        id,
        tour,
        by,
        against,
        target,
        quote,
        status,
      ]),
    ).toEqual([
      ['c1', 2, 'henry', 'sage', 'sage.1', 'none', 'rejected'],
      ['c2', 2, 'sage', 'henry', 'henry.2', 'verified', 'conceded'],
      ['c3', 4, 'henry', 'sage', 'sage.1', 'none', 'conceded'],
      // Two words out of an answer: too few to say whose they are.
      ['c4', 4, 'otto', null, null, 'not_found', 'unanswered'],
    ]);
  });

  it('changes nothing in SYNTHESIZE, nor in its arguments', () => {
    const council = played(ROUND);
    const before = structuredClone(council);
    expect(again(council, 'SYNTHESIZE', 4)).toEqual(council.state.ledger);
    again(council, 'CHALLENGE', 2);
    expect(council).toEqual(before);
  });

  it('takes in what was missing the first time, and lets the ids of the others be', () => {
    const council = played(ROUND);
    const late: Contribution[] = contributionsOf([['COLLECT', { otto: 'Neither matters.' }]]);
    const { claims } = again(council, 'COLLECT', 1, [...council.contributions, ...late]);
    expect(claims).toEqual([
      ...council.state.ledger.claims,
      expect.objectContaining({ id: 'otto.1', start: 0, end: 16 }),
    ]);
  });

  it('leaves the coordinator out, who sits at the table without being one of those who are counted', () => {
    const council = played(ROUND);
    const texts = contributionsOf([
      ['COLLECT', { maman: 'I sum up.' }],
      ['CHALLENGE', { maman: '@sage.1 No.' }],
    ]);
    expect(again(council, 'COLLECT', 1, [...council.contributions, ...texts])).toEqual(council.state.ledger);
    expect(again(council, 'CHALLENGE', 2, [...council.contributions, ...texts])).toEqual(
      council.state.ledger,
    );
  });

  it('reads ids and words as an anonymous council shows them', () => {
    const collect = {
      henry: 'As sage would say, the wheel turns slowly here.\n\nMore.',
      sage: 'Spaces look the same everywhere.',
    };
    const { state } = played([['COLLECT', collect]], { anonymous: true });
    const handle = (id: string): string => mapClaimPrefixes(state).get(id)!;
    expect(ids.map(handle).sort()).toEqual(['a', 'b', 'c']);
    const label = `Participant ${handle('sage').toUpperCase()}`;
    const texts = {
      otto: `@${handle('sage')}.1 Where?\n\n@participant-${handle('henry')}.2 What?\n\n@sage.1 I know you.`,
      sage: `> As ${label} would say, the wheel turns slowly here.\n\nWho is that?`,
      henry: `> As henry would say, the wheel turns slowly here.\n\nNo.`,
    };
    const { challenges } = played(
      [
        ['COLLECT', collect],
        ['CHALLENGE', texts],
      ],
      { anonymous: true },
    ).state.ledger;
    expect(challenges.map(({ by, target, quote }) => [by, target, quote])).toEqual([
      ['henry', null, 'not_found'],
      ['sage', 'henry.1', 'verified'],
      ['otto', 'sage.1', 'none'],
      ['otto', 'henry.2', 'none'],
      ['otto', 'sage.1', 'none'],
    ]);
    const open = played([
      ['COLLECT', collect],
      ['CHALLENGE', { sage: texts.sage }],
    ]).state.ledger.challenges;
    expect(open).toMatchObject([{ target: 'henry.1', quote: 'near' }]);
  });

  const block = fc.constantFrom(
    'Spaces look the same everywhere.',
    'Tabs let everyone choose.',
    '- one\n- two',
    '> Spaces look the same everywhere.',
    '> nobody said this here',
    '@sage.1 No.',
    '@henry.2 No.',
    '@otto.9 No.',
    'c1 conceded: Yes.',
    'c2 rejected: No.',
    'moved by c1',
    '# Heading',
    '```\n@sage.1\n```',
    '---\nposition: tabs\n---',
    'cafe\u0301 \u{1F989}',
  );
  const text = fc
    .array(block, { minLength: 1, maxLength: 6 })
    .chain((parts) => fc.constantFrom('\n\n', '\r\n\r\n', '\n').map((gap) => parts.join(gap)));
  const turn = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...ids), text), { selector: ([id]) => id, maxLength: 3 })
    .map((said) => Object.fromEntries(said));
  const anyPlay: fc.Arbitrary<Play> = fc
    .tuple(turn, turn, turn, turn, turn)
    .map((turns) =>
      turns.map((texts, index): Play[number] => [
        (['COLLECT', 'CHALLENGE', 'RESOLVE', 'CHALLENGE', 'RESOLVE'] as const)[index]!,
        texts,
      ]),
    );

  it('closes the same tour twice without a change, the last one and any earlier one', () => {
    fc.assert(
      fc.property(anyPlay, fc.nat(4), (play, index) => {
        const council = played(play);
        expect(again(council, 'RESOLVE', 5)).toEqual(council.state.ledger);
        expect(again(council, play[index]![0], index + 1)).toEqual(council.state.ledger);
      }),
      { numRuns: 60 },
    );
  });

  it('gives every id once, numbers without gaps, and stretches that lie inside their texts', () => {
    fc.assert(
      fc.property(anyPlay, (play) => {
        const { state, contributions } = played(play);
        const { claims, challenges, moves } = state.ledger;
        expect(new Set(claims.map(({ id }) => id)).size).toBe(claims.length);
        expect(challenges.map(({ id }) => id)).toEqual(challenges.map((_, index) => `c${index + 1}`));
        for (const span of [
          ...claims,
          ...challenges,
          ...challenges.flatMap(({ against, answer }) => (answer ? [{ by: against!, ...answer }] : [])),
        ]) {
          const words = cutText(contributions, span);
          expect(words).toHaveLength(span.end - span.start);
          expect(words.trim()).toBe(words);
          expect(words).not.toBe('');
        }
        for (const { target, by, against, status, quote } of challenges) {
          if (target !== null) expect(claims.find(({ id }) => id === target)!.by).toBe(against);
          expect(against).not.toBe(by);
          if (status !== 'open' && status !== 'unanswered') expect(against).not.toBeNull();
          if (against !== null) expect(ids).toContain(against);
          expect(QUOTE_STATUSES).toContain(quote);
        }
        for (const { because, explained } of moves) expect(explained).toBe(because !== null);
      }),
      { numRuns: 60 },
    );
  });

  it('does not depend on the order in which contributions lie in the council', () => {
    fc.assert(
      fc.property(anyPlay, (play) => {
        const shuffled = play.map(([phase, texts]): Play[number] => [
          phase,
          Object.fromEntries(Object.entries(texts).reverse()),
        ]);
        expect(played(shuffled).state.ledger).toEqual(played(play).state.ledger);
      }),
      { numRuns: 40 },
    );
  });

  it('grows by ids and offsets, not by texts', () => {
    const play: Play = [
      ['COLLECT', { henry: `${'word '.repeat(50_000)}\n\nend` }],
      ['CHALLENGE', { sage: `@henry.1 ${'no '.repeat(50_000)}` }],
    ];
    expect(JSON.stringify(played(play).state.ledger).length).toBeLessThan(600);
  });
});
