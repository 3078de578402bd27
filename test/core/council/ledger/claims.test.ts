import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { sha256 } from '../../../../src/core/base/ids.ts';
import { readClaims, splitClaims } from '../../../../src/core/council/ledger/claims.ts';
import { anyText, said } from '../fixtures.ts';
import { expectLinear } from '../../../helpers/growth.ts';
import { countCases } from '../../../helpers/long.ts';

const claims = (text: string): string[] => splitClaims(text).map(({ start, end }) => text.slice(start, end));

describe('splitClaims', () => {
  it('takes paragraphs and top-level list items, nested items with theirs', () => {
    const text =
      '# Title\n\nFirst\nline.\n\n- one\n  - nested\n\n  more of one\n- two\n\n1. three\n2) four\n\nLast.\n';
    expect(claims(text)).toEqual([
      'First\nline.',
      'one\n  - nested\n\n  more of one',
      'two',
      'three',
      'four',
      'Last.',
    ]);
  });

  it('leaves code, quotes, tables, HTML and definitions with the claim before them', () => {
    const parts = [
      'Claim.',
      '```js\n- no claim\n\nno claim\n```',
      '> quoted\n> words',
      '| a | b |\n|---|---|\n| 1 | 2 |',
      '<div>\nx\n</div>',
      '    indented code',
    ];
    expect(claims(`${parts.join('\n\n')}\n\nSecond.`)).toEqual([parts.join('\n\n'), 'Second.']);
    expect(claims('- item\n\n```\ncode\n```\n\n[a]: http://x')).toEqual([
      'item\n\n```\ncode\n```\n\n[a]: http://x',
    ]);
  });

  it('gives what stands before any claim, or behind a heading or rule, to nobody', () => {
    expect(
      claims('> quoted\n\nClaim.\n\n## Costs\n\n| a | b |\n|---|---|\n\nOther.\n\n***\n\n> quoted'),
    ).toEqual(['Claim.', 'Other.']);
    expect(claims('Title\n=====\n\nClaim.')).toEqual(['Claim.']);
  });

  it("skips the contribution's form, wherever it stands, and no other block between dashes", () => {
    expect(claims('---\nposition: build it\nconfidence: 0.9\n---\n\nClaim.\n')).toEqual(['Claim.']);
    expect(claims('\uFEFF---\r\nposition: build\r\n---\r\nClaim.\r\n')).toEqual(['Claim.']);
    expect(claims('A.\n\nB.\n\nC.\n\n---\n\nposition: build it\n\n---\n\nEnd.')).toEqual([
      'A.',
      'B.',
      'C.',
      'End.',
    ]);
    // Not a mapping: `respond` records such a text as plain, and so do its claims.
    expect(claims('---\n\nA thing I hold.\n\n---\n\nEnd.')).toEqual(['A thing I hold.', 'End.']);
  });

  it('cuts exactly with CRLF, a byte order mark, tabs, other planes and decomposed letters', () => {
    expect(claims('\uFEFFFirst.\r\n\r\n-\tsecond\r\n\tgoes on\r\n-\tthird\r\n')).toEqual([
      'First.',
      'second\r\n\tgoes on',
      'third',
    ]);
    expect(claims('\u{1F989} hoots.\n\ncafe\u0301 e\u0301tage\n\nlast')).toEqual([
      '\u{1F989} hoots.',
      'cafe\u0301 e\u0301tage',
      'last',
    ]);
    expect(claims('a\rb\r\rc')).toEqual(['a\rb', 'c']);
  });

  it('finds nothing in empty markers, headings and blank text', () => {
    for (const text of [
      '',
      ' \n\t\n',
      '- \n-\n1.',
      '# A\n\n## B',
      '```\ncode only\n```',
      '---\nposition: a\n---\n',
    ])
      expect(claims(text)).toEqual([]);
    expect(claims('- \n- b')).toEqual(['b']);
  });

  it('makes at most 200 claims; the last one has the rest', () => {
    const text = Array.from({ length: 500 }, (_, n) => `Claim ${n}.`).join('\n\n');
    const found = claims(text);
    expect(found).toHaveLength(200);
    expect(found[198]).toBe('Claim 198.');
    expect(found[199]).toBe(text.slice(text.indexOf('Claim 199.')));
  });

  it('gives what is too long or too deep to be parsed to the claim before it', () => {
    const cut = (text: string) => splitClaims(text).map(({ start, end }) => [start, end]);
    const long = `First.\n\n${'word '.repeat(40_000)}\n\nLast.`;
    expect(cut(long)).toEqual([
      [0, 6],
      [8, long.length],
    ]);
    const deep = `First.\n\n${'> '.repeat(5000)}deep\n\nLast.`;
    expect(cut(deep)).toEqual([
      [0, deep.length - 7],
      [deep.length - 5, deep.length],
    ]);
    const lines = `First.\n\n> a\n${'b\n'.repeat(900)}`;
    expect(cut(lines)).toEqual([[0, lines.trimEnd().length]]);
  });

  it.each([
    ['quote markers', 50_000, '>'],
    ['many small quotes', 5000, '> > > > > > > a\n\n'],
    ['lazy lines', 25_000, 'b\n', '> a\n'],
    ['numbers', 25_000, '1. '],
    ['brackets', 50_000, '['],
    ['emphasis', 25_000, '*a_ '],
    ['nested footnotes', 7500, '[^1]: > '],
    ['lists and headings', 7500, '- a\n\n# b\n\n'],
  ])('takes linear time for %s', async (name, count, part, head = '') => {
    await expectLinear(name, count, (n) => splitClaims(head + part.repeat(n)));
  });

  it('cuts ordered, disjoint, trimmed stretches out of any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let at = 0;
        for (const { start, end } of splitClaims(text)) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          expect(text.slice(start, end).trimEnd()).toBe(text.slice(start, end));
          at = end;
        }
      }),
      { numRuns: countCases(300) },
    );
  });

  it('gives the paragraphs back that a text was made of', () => {
    const word = fc.stringMatching(/^[a-zé\u{1F989}]{1,8}$/u);
    const paragraph = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(
        fc.array(fc.record({ words: paragraph, isItem: fc.boolean() }), { minLength: 1, maxLength: 8 }),
        lineEnd,
        fc.constantFrom('', '\uFEFF', '---\nposition: x\n---\n'),
        (blocks, end, head) => {
          const text =
            head + blocks.map(({ words, isItem }) => (isItem ? `* ${words}` : words)).join(end + end);
          expect(claims(text)).toEqual(blocks.map(({ words }) => words));
        },
      ),
      { numRuns: countCases(200) },
    );
  });
});

describe('readClaims', () => {
  it('numbers the claims of each participant from 1 and hashes their words', () => {
    const text = 'One.\n\nTwo.';
    expect(readClaims([said('henry', text), said('sage', 'Mine.')])).toEqual([
      { id: 'henry.1', by: 'henry', tour: 1, start: 0, end: 4, sha256: sha256('One.').slice(0, 16) },
      { id: 'henry.2', by: 'henry', tour: 1, start: 6, end: 10, sha256: sha256('Two.').slice(0, 16) },
      { id: 'sage.1', by: 'sage', tour: 1, start: 0, end: 5, sha256: sha256('Mine.').slice(0, 16) },
    ]);
  });
});
