import { describe, it, expect } from 'vitest';
import { closeRound } from '../../../../src/core/council/ledger/ledger.ts';
import type { Contribution, Move } from '../../../../src/core/council/state/state.ts';
import { said } from '../fixtures.ts';
import { played } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';

const at = (position: string, text: string): string => `---\nposition: ${position}\n---\n\n${text}`;
const OPENING: Play = [
  [
    'COLLECT',
    {
      henry: at('tabs', 'Tabs let everyone choose.'),
      sage: at('spaces', 'Spaces look the same everywhere.'),
      otto: 'Neither matters much.',
    },
  ],
  [
    'CHALLENGE',
    { henry: '@sage.1 Why should they?', otto: '@henry.1 Why should they?\n\n@sage.1 In which editor?' },
  ],
];

/** The moves of one more tour, in which henry says this. Of the challenges c1 is henry's, c2 is put to him, c3 is not. */
const moves = (text: string, phase: 'CHALLENGE' | 'RESOLVE' = 'RESOLVE'): Move[] =>
  played([...OPENING, [phase, { henry: text }]]).state.ledger.moves;
const because = (text: string): string | null => {
  const [move, ...more] = moves(at('spaces', text));
  expect(more).toEqual([]);
  expect(move).toMatchObject({
    by: 'henry',
    from: 'tabs',
    to: 'spaces',
    tour: 3,
    phase: 'RESOLVE',
    explained: move!.because !== null,
  });
  return move!.because;
};

describe('moves', () => {
  it('are changes of the stated position, however it is written', () => {
    for (const same of ['tabs', 'Tabs.', '  TABS  ', 'ｔａｂｓ'])
      expect(moves(at(same, 'As before.'))).toEqual([]);
    expect(moves('No position stated.')).toEqual([]);
    expect(moves(at('tabs, but only for indentation', 'No.'))).toHaveLength(1);
  });

  it('begin with the second position that somebody states', () => {
    const play: Play = [
      ...OPENING,
      ['RESOLVE', { otto: at('spaces', 'Now I care.') }],
      ['CHALLENGE', {}],
      ['RESOLVE', { otto: at('tabs', 'Or not.'), sage: at('tabs', 'c3 conceded: Mine.') }],
    ];
    expect(played(play).state.ledger.moves).toEqual([
      { by: 'sage', from: 'spaces', to: 'tabs', tour: 5, phase: 'RESOLVE', because: 'c3', explained: true },
      { by: 'otto', from: 'spaces', to: 'tabs', tour: 5, phase: 'RESOLVE', because: null, explained: false },
    ]);
  });

  it.each([
    ['moved by c2.', 'c2'],
    ['I move because of sage.1, see there.', 'sage.1'],
    ['@sage.1 convinced me.', 'sage.1'],
    ['See (c3) and sage.1.', 'sage.1'],
    ['c2 conceded: I was wrong.', 'c2'],
    ['c2 rejected: No. But sage.1 moved me.', 'sage.1'],
    ['As sage says, “Spaces look the same everywhere.”', 'quote'],
    ['> Spaces look the same everywhere.\n\nTrue.', 'quote'],
    ['- it is true:\n  > spaces look the same', 'quote'],
  ])('are explained by %j', (text, reason) => {
    expect(because(text)).toBe(reason);
  });

  it.each([
    ['no reason', 'I changed my mind.'],
    ['a claim of its own', 'Because of henry.1, as I said.'],
    ['a challenge of its own without an answer', 'Because of c1.'],
    ['a challenge that is only rejected or answered', 'c2 rejected: No.\nc2 answered: No.'],
    ['ids that do not exist', 'c9 and sage.9 and nobody.1 and sage.1.2 and xc2.'],
    ['words of its own', '> Tabs let everyone choose.\n\nNo more.'],
    ['words that nobody said', '> Spaces look different everywhere.\n\nTrue.'],
    ["ids in somebody else's words or in code", '> c2 and @sage.1\n\n```\nc2\n```\n\nYes.'],
    ['a majority', 'Everybody else says spaces.'],
    ['a challenge to the new position', 'c3 moved me.'],
    ['a claim of somebody who holds neither', 'Because of otto.1, as he says.'],
    ['words of somebody who holds neither', '> Neither matters much.\n\nTrue.'],
  ])('are unexplained with %s', (_, text) => {
    expect(because(text)).toBeNull();
  });

  it("are explained by the front matter's because", () => {
    const given = (reason: string): string | null | undefined =>
      moves(`---\nposition: spaces\nbecause: ${reason}\n---\n\nSo be it.`)[0]?.because;
    expect(given('c2')).toBe('c2');
    expect(given('"@sage.1"')).toBe('sage.1');
    expect(given('[henry.1, c3, c2]')).toBe('c2');
    expect(given('Spaces look the same everywhere.')).toBe('quote');
    expect(given('I like it')).toBeNull();
    expect(given('7')).toBeNull();
  });

  it('are explained by the case of its holders against the old position, and not by that against the new one', () => {
    const collect = {
      henry: at('tabs', 'Tabs let everyone choose.'),
      sage: at('spaces', 'Spaces look the same.\n\nSteelman: a file with spaces weighs a tenth more.'),
      otto: at(
        'tabs',
        'Files are smaller.\n\n**The best case against my position:** a diff never stays aligned with tabs.',
      ),
    };
    const moved = (text: string): string | null | undefined =>
      played([
        ['COLLECT', collect],
        ['CHALLENGE', {}],
        ['RESOLVE', { henry: at('spaces', text) }],
      ]).state.ledger.moves[0]?.because;
    expect(moved('> a diff never stays aligned with tabs\n\nSo it is.')).toBe('quote');
    expect(moved('> a file with spaces weighs a tenth more\n\nSo it is.')).toBeNull();
    expect(moved('Because of otto.1.')).toBeNull();
  });

  it('are not explained by a text that was pasted again, but by what its new form says', () => {
    const text = 'I see that spaces look the same, as sage.1 says, and more.';
    const moved = (because: string) =>
      played([
        ...OPENING,
        ['RESOLVE', { henry: at('tabs', text) }],
        ['RESOLVE', { henry: `---\nposition: spaces\n${because}---\n\n${text}` }],
      ]).state.ledger.moves[0]?.because;
    expect(moved('')).toBeNull();
    expect(moved('because: c2\n')).toBe('c2');
  });

  it('do not take challenges of the same tour for reasons', () => {
    const texts = { henry: at('spaces', 'Because of c4.'), sage: '@henry.1 No.' };
    const { challenges, moves: made } = played([...OPENING, ['CHALLENGE', texts]]).state.ledger;
    expect(challenges.at(-1)).toMatchObject({ id: 'c4', by: 'sage', tour: 3 });
    expect(made).toMatchObject([{ by: 'henry', because: null, phase: 'CHALLENGE' }]);
    expect(moves(at('spaces', '@sage.1 is right.'), 'CHALLENGE')).toMatchObject([{ because: 'sage.1' }]);
  });

  it('are none where somebody speaks for the other side on request', () => {
    const council = played([...OPENING, ['RESOLVE', {}]]);
    const asked = (tour: number, position: string, advocate?: true) => ({
      ...said('henry', 'No reason.', tour, 'RESOLVE'),
      position,
      ...(advocate && { advocate }),
    });
    const movesOf = (...more: Contribution[]): Move[] => {
      const contributions = [...council.contributions, ...more];
      return closeRound({ ...council, contributions }, { phase: 'RESOLVE', tour: 4 }, () => null).moves;
    };
    expect(movesOf(asked(4, 'spaces', true))).toEqual([]);
    expect(movesOf(asked(3, 'spaces', true), asked(4, 'tabs'))).toEqual([]);
    expect(movesOf(asked(3, 'tabs', true), asked(4, 'spaces'))).toMatchObject([
      { from: 'tabs', to: 'spaces' },
    ]);
  });

  it('may be moved by the answer to a challenge of its own', () => {
    const play: Play = [
      ...OPENING,
      ['RESOLVE', { sage: 'c1 answered: Because of diffs.' }],
      ['RESOLVE', { henry: at('spaces', 'The answer to c1.') }],
    ];
    expect(played(play).state.ledger.moves).toMatchObject([{ by: 'henry', because: 'c1', explained: true }]);
  });
});

it('to the position of those who are quoted or named makes their words no challenge; an id that they are put to does', () => {
  const collect: Play[number] = [
    'COLLECT',
    {
      henry: '---\nposition: tabs\n---\nFiles are smaller with tabs than without.',
      sage: '---\nposition: spaces\n---\nSpaces look the same everywhere.',
      otto: '---\nposition: spaces\n---\nTabs differ in every viewer that I know.',
    },
  ];
  const targets = (text: string) =>
    played([collect, ['CHALLENGE', { sage: text }]]).state.ledger.challenges.map(({ target }) => target);
  const quote = '> Files are smaller with tabs than without.';
  expect(targets(`---\nposition: tabs\n---\n\n${quote}\n\nThat is so.`)).toEqual([]);
  expect(targets(`---\nposition: tabs\n---\n\n@henry.1 By how much?`)).toEqual(['henry.1']);
  expect(targets('---\nposition: tabs\n---\n\nhenry.1 convinced me.')).toEqual([]);
  expect(targets('---\nposition: spaces\n---\n\nhenry.1 convinced me.')).toEqual(['henry.1']);
  expect(targets(`---\nposition: spaces\n---\n\n${quote}\n\nBy how much?`)).toEqual(['henry.1']);
  expect(targets(`---\nposition: neither\n---\n\n${quote}\n\nBy how much?`)).toEqual(['henry.1']);
  expect(
    targets('---\nposition: tabs\n---\n\n> Tabs differ in every viewer that I know.\n\nNot so.'),
  ).toEqual(['otto.1']);
});
