import { describe, expect, it } from 'vitest';
import { readAnswers } from '../../src/core/council/ledger/answers.ts';
import { readChallenges } from '../../src/core/council/ledger/challenges.ts';
import { readForm } from '../../src/core/council/ledger/text/form.ts';
import { listLimitWarnings } from '../../src/core/council/use/submission.ts';
import { MAX_CHALLENGES, MAX_CLAIMS } from '../../src/core/council/ledger/text/limits.ts';
import { readMoves } from '../../src/core/council/ledger/moves.ts';
import { toOneLine } from '../../src/core/base/text.ts';
import { findQuote, newSearchBudget, readQuote, readSource } from '../../src/core/council/ledger/quotes.ts';
import { createAnonymousLabels } from '../../src/core/council/naming/labels.ts';
import { getMask } from '../../src/core/council/naming/mask.ts';
import { maskForReader } from '../../src/core/council/view/excerpt.ts';
import { expectBounded, expectLinear } from '../helpers/growth.ts';
import { councilOf } from '../helpers/view-sample.ts';
import { said } from '../core/council/fixtures.ts';
import type { Challenge } from '../../src/core/council/state/state.ts';

const many = (n: number, make: (i: number) => string) => Array.from({ length: n }, (_, i) => make(i));
const order = ['a', 'b'];
const claims = (n: number) =>
  many(n, (i) => `a.${i + 1}`).map((id) => ({ id, by: 'a', tour: 1, start: 0, end: 1, sha256: '0' }));
const challenges = (n: number): Challenge[] =>
  many(n, (i) => `c${i + 1}`).map((id) => ({
    ...{ id, by: 'b', tour: 2, start: 0, end: 1, target: null, against: 'a', answer: null },
    ...{ quote: 'none' as const, status: 'open' as const },
  }));
const shared = {
  order,
  brief: '',
  resolve: (name: string) => name,
  shown: (text: string) => ({ text, places: [] }),
};

describe('a ledger of very many', () => {
  it('fault 19: answers to 9,000 challenges are read in linear time', async () => {
    // Ninety texts of a hundred answers each: one text holds no more that are read.
    const texts = (n: number) =>
      many(n / 100, (at) => many(100, (i) => `c${at * 100 + i + 1} conceded: so.`).join('\n\n'));
    const contributions = (n: number) => texts(n).map((text) => said('a', text, 3, 'RESOLVE'));
    await expectLinear('answers', 2200, (n) => {
      const read = readAnswers({ tour: 3, contributions: contributions(n) }, challenges(n));
      expect(read.filter(({ status }) => status === 'conceded')).toHaveLength(Math.floor(n / 100) * 100);
    });
  });

  it('fault 19: forms in fences that are closed late or never are read in linear time', async () => {
    await expectLinear('fences', 4000, (n) => {
      for (const end of ['', '\n```']) {
        const { fields } = readForm(`${many(n, (i) => `\`\`\`yaml\nvote: P${i}`).join('\n')}${end}`);
        expect(fields).toHaveLength(Math.floor(n));
      }
    });
  });

  it('fault 19: answers that differ are none, and only those count of whom it was put to', () => {
    const contributions = [
      said('a', 'c1 conceded: so.\n\nc1 rejected: not so.', 3, 'RESOLVE'),
      said('b', 'c1 answered: by somebody else.', 3, 'RESOLVE'),
    ];
    expect(readAnswers({ tour: 3, contributions }, challenges(2)).map(({ status }) => status)).toEqual([
      'unanswered',
      'unanswered',
    ]);
  });

  it('fault 19: claims that are named are found in linear time', async () => {
    await expectLinear('addresses', 5000, (n) => {
      const contributions = many(Math.ceil(n / 100), (at) =>
        many(100, (i) => `@a.${((at * 100 + i) % n) + 1} no.`).join('\n\n'),
      ).map((text) => said('b', text, 2, 'CHALLENGE'));
      readChallenges({ ...shared, tour: 2, contributions, claims: claims(n), firstNumber: 1 });
    });
    await expectLinear('reasons', 10_000, (n) => {
      const contributions = [
        { ...said('b', 'x'), position: 'one' },
        { ...said('b', many(n, (i) => `c${i + 9_000_000}`).join(' '), 2, 'CHALLENGE'), position: 'two' },
      ];
      readMoves({ ...shared, tour: 2, contributions, claims: claims(n), challenges: challenges(n) });
    });
  });

  it('fault 19: an author is told of claims and challenges beyond the limit', async () => {
    const text = (n: number) => many(n, (i) => `Claim ${i}.`).join('\n\n');
    expect(await listLimitWarnings('COLLECT', text(MAX_CLAIMS))).toEqual([]);
    expect(await listLimitWarnings('COLLECT', text(MAX_CLAIMS + 5))).toEqual([
      'Only 200 claims of a contribution are told apart; this one has 205. The text keeps all.',
    ]);
    const against = (n: number) => many(n, (i) => `@a.${i + 1} no.`).join('\n\n');
    expect(await listLimitWarnings('CHALLENGE', against(MAX_CHALLENGES))).toEqual([]);
    expect(await listLimitWarnings('CHALLENGE', against(MAX_CHALLENGES + 1))).toEqual([
      'Only 100 challenges of a contribution are told apart; this one has 101. The text keeps all.',
    ]);
    expect(await listLimitWarnings('RESOLVE', text(500))).toEqual([]);
  });
});

describe('quotes, very many', () => {
  const council = councilOf({ ids: ['henry', 'sage', 'nova'], anonymous: true });
  const mask = getMask(council);
  const nova = createAnonymousLabels(council.state).get('nova')!;

  it('fault 19: quotation marks that nobody closes cost one pass', async () => {
    const seen = maskForReader(['I agree with nova on this.'], mask);
    for (const sign of ['«', '“', '„', '‘', '"', '«“„‘'])
      await expectLinear(sign, 50_000, (n) => seen(`${sign.repeat(n)} `));
    expect(seen(`«« “ „ "with ${nova} on this" „`).text).toBe(`«« “ „ "with nova on this" „`);
  });

  it.each([
    ['without a name', (i: number) => `"quote nr ${i} here"`],
    ['with a name', (i: number) => `"quote nr ${i} of ${nova}"`],
    ['that are there', (i: number) => `"the end of nova" ${i}`],
    ['in lines', (i: number) => `\n> and nr ${i} of ${nova}\n`],
  ])('fault 19: 30,000 quotes %s, beside a text of 900 KB, end', async (name, make) => {
    const own = `${'Some words of nova about the matter at hand. '.repeat(20_000)} And so to the end of nova.`;
    await expectBounded(name, () => maskForReader([own], mask)(many(30_000, make).join(' ')));
  });

  it('fault 19: what quotes cost is limited for each text that quotes', () => {
    const effort = newSearchBudget();
    const [text, quote] = ['a c '.repeat(250_000), 'c a c a c a c a c c'];
    const source = readSource(`${text}. The very end.`, () => []);
    expect(findQuote(readQuote('The very end', effort), source)).not.toBeNull();
    let count = 0;
    for (; effort.left > 0; count++) findQuote(readQuote(`a ${quote}`, effort), source);
    expect(count).toBeLessThan(300);
    // What is not looked for is not found; another text has its own.
    expect(findQuote(readQuote('The very end', effort), source)).toBeNull();
    expect(findQuote(readQuote('The very end'), source)).not.toBeNull();
  });

  it('fault 19: for the beginning of a text the rest is not read', async () => {
    const text = 'word \n'.repeat(160_000);
    await expectBounded('beginnings', () => {
      for (let i = 0; i < 1000; i++) expect(toOneLine(text, 80).length).toBe(80);
    });
  });

  it('fault 19: quotes in a row hold their objection once when it is long', () => {
    const row = (n: number) => many(n, (i) => `> a claim ${i}`).join('\n\n');
    const read = (text: string) =>
      readChallenges({
        ...{ ...shared, tour: 2, claims: [], firstNumber: 1 },
        contributions: [said('a', 'Something.'), said('b', text, 2, 'CHALLENGE')],
      }).map(({ start, end }) => end - start);
    const text = row(58_000);
    const lengths = read(text);
    expect(lengths).toHaveLength(MAX_CHALLENGES);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(text.length + 100 * 20_000);
    expect(read(`${row(3)}\n\nSo what?`)).toEqual([47, 34, 21]);
  });
});
