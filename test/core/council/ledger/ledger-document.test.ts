import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { buildLedgerDocument, cutText } from '../../../../src/core/council/ledger/ledger-document.ts';
import { renderLedgerTable } from '../../../../src/core/archive/ledger-section.ts';
import type { LedgerWords } from '../../../../src/core/archive/ledger-section.ts';
import { played } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';

const PLAY: Play = [
  [
    'COLLECT',
    {
      henry: '---\nposition: tabs\n---\n\nTabs let sage choose.',
      sage: '---\nposition: spaces\n---\n\n- Spaces look\n  the same.',
    },
  ],
  ['CHALLENGE', { henry: '@sage.1 Where?', sage: '> Nothing of the sort was ever said here.\n\nNo.' }],
  [
    'RESOLVE',
    { henry: '---\nposition: spaces\nbecause: sage.1\n---\n\nRight.', sage: 'c1 answered: Here | there.' },
  ],
];

const { state, contributions } = played(PLAY);
const facts = { ledger: state.ledger, contributions };

describe('buildLedgerDocument', () => {
  it('has the texts in place of the offsets, and an answer only where there is one', () => {
    expect(buildLedgerDocument(facts)).toEqual({
      claims: [
        { id: 'henry.1', by: 'henry', phase: 'COLLECT', text: 'Tabs let sage choose.' },
        { id: 'sage.1', by: 'sage', phase: 'COLLECT', text: 'Spaces look\n  the same.' },
      ],
      challenges: [
        {
          id: 'c1',
          by: 'henry',
          target: 'sage.1',
          quote: 'none',
          status: 'answered',
          text: '@sage.1 Where?',
          answer: 'c1 answered: Here | there.',
        },
        {
          id: 'c2',
          by: 'sage',
          target: null,
          quote: 'not_found',
          status: 'unanswered',
          text: '> Nothing of the sort was ever said here.\n\nNo.',
        },
      ],
      moves: [
        { by: 'henry', from: 'tabs', to: 'spaces', phase: 'RESOLVE', because: 'sage.1', explained: true },
      ],
    });
  });

  it('calls participants, claims and reasons as it is told', () => {
    const names = {
      participant: (id: string) => `Participant ${id === 'henry' ? 'B' : 'A'}`,
      claim: (id: string) => id.replace('henry', 'b').replace('sage', 'a'),
      text: (text: string) => text.replaceAll('sage', 'Participant A'),
    };
    const seen = buildLedgerDocument(facts, names);
    expect(JSON.stringify(seen)).not.toMatch(/henry|sage/);
    expect(seen.claims[0]).toEqual({
      id: 'b.1',
      by: 'Participant B',
      phase: 'COLLECT',
      text: 'Tabs let Participant A choose.',
    });
    expect(seen.challenges[0]).toMatchObject({ by: 'Participant B', target: 'a.1' });
    expect(seen.moves[0]).toMatchObject({ by: 'Participant B', because: 'a.1' });
  });

  it('leaves challenge ids and "quote" as reasons alone', () => {
    const claim = () => 'renamed';
    const because = ['c1', 'quote', null, 'sage.1'];
    const moves = because.map((reason) => ({ ...state.ledger.moves[0]!, because: reason }));
    const seen = buildLedgerDocument(
      { contributions, ledger: { ...state.ledger, moves } },
      { participant: (id) => id, claim, text: (text) => text },
    );
    expect(seen.moves.map((move) => move.because)).toEqual(['c1', 'quote', null, 'renamed']);
  });

  it('has empty texts where a contribution is gone', () => {
    expect(cutText([], { by: 'henry', tour: 1, start: 0, end: 4 })).toBe('');
    expect(buildLedgerDocument({ ...facts, contributions: [] }).claims.map(({ text }) => text)).toEqual([
      '',
      '',
    ]);
  });
});

const words: LedgerWords = {
  ...{
    claim: 'Claim',
    challenge: 'Challenge',
    by: 'By',
    target: 'Target',
    quote: 'Quote',
    status: 'Status',
    words: 'Words',
    from: 'From',
    to: 'To',
  },
  ...{ phase: 'Phase', because: 'Because', nobody: '(nobody)', unexplained: '(unexplained)' },
  quotes: {
    verified: 'verified',
    elsewhere: 'from elsewhere',
    near: 'nearly',
    not_found: 'not found',
    none: 'none',
  },
  statuses: {
    open: 'open',
    answered: 'answered',
    conceded: 'conceded',
    conceded_in_part: 'conceded in part',
    rejected: 'rejected',
    unanswered: 'unanswered',
  },
};

describe('renderLedgerTable', () => {
  it('shows claims, challenges and moves', () => {
    expect(renderLedgerTable(buildLedgerDocument(facts), words)).toEqual([
      '| Claim | By | Words |',
      '| --- | --- | --- |',
      '| henry.1 | henry | Tabs let sage choose. |',
      '| sage.1 | sage | Spaces look the same. |',
      '',
      '| Challenge | By | Target | Quote | Status | Words |',
      '| --- | --- | --- | --- | --- | --- |',
      '| c1 | henry | sage.1 | none | answered | @sage.1 Where? |',
      '| c2 | sage | (nobody) | not found | unanswered | \\> Nothing of the sort was ever said here. No. |',
      '',
      '| By | From | To | Phase | Because |',
      '| --- | --- | --- | --- | --- |',
      '| henry | tabs | spaces | RESOLVE | sage.1 |',
    ]);
  });

  it('leaves out what has no rows', () => {
    expect(renderLedgerTable({ claims: [], challenges: [], moves: [] }, words)).toEqual([]);
    const moves = [
      { by: 'henry', from: null, to: 'spaces', phase: 'RESOLVE' as const, because: null, explained: false },
    ];
    expect(renderLedgerTable({ claims: [], challenges: [], moves }, words).at(-1)).toBe(
      '| henry | (nobody) | spaces | RESOLVE | (unexplained) |',
    );
  });

  it('keeps every row one line with its cells, and opens no comment, whatever was said', () => {
    const piece = fc.constantFrom(
      '|',
      '\\',
      '\\|',
      '<!--',
      '<\\!--',
      '-->',
      '\n',
      '\r\n',
      '`',
      'word ',
      '\u202E',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (parts) => {
        const lines = renderLedgerTable(
          {
            claims: [{ id: 'a.1', by: 'a', phase: 'COLLECT', text: parts.join('') }],
            challenges: [],
            moves: [],
          },
          words,
        );
        expect(lines).toHaveLength(3);
        expect(lines[2]).not.toMatch(/[\r\n\u202E]|<!--/);
        // What a Markdown parser does: a backslash takes the next character with it.
        expect(lines[2]!.replace(/\\[\\|]/g, '').match(/\|/g)).toHaveLength(4);
      }),
    );
  });
});
