import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { readChallenges } from '../../../../src/core/council/ledger/challenges.ts';
import { readClaims } from '../../../../src/core/council/ledger/claims.ts';
import { contributionsOf, ids } from '../../../helpers/ledger-council.ts';
import type { Play } from '../../../helpers/ledger-council.ts';
import type { Challenge } from '../../../../src/core/council/state/state.ts';
import { expectBounded } from '../../../helpers/growth.ts';
import { countCases } from '../../../helpers/long.ts';

const COLLECT = {
  henry:
    'Tabs let everyone choose their own width.\n\n- Nobody has to reformat anything.\n- Files are smaller.',
  sage: 'Spaces look the same everywhere.\n\nA diff stays aligned in every viewer.\n\n```\n  a\n```',
  otto: 'It does not matter, as long as a formatter decides.\n\nTabs let everyone choose their own width.',
};

interface Seen extends Pick<Challenge, 'id' | 'by' | 'target' | 'against' | 'quote'> {
  text: string;
}

function challenges(
  texts: Record<string, string>,
  more: { collect?: Record<string, string>; order?: string[]; brief?: string } = {},
): Seen[] {
  const play: Play = [
    ['COLLECT', more.collect ?? COLLECT],
    ['CHALLENGE', texts],
  ];
  const contributions = contributionsOf(play);
  const found = readChallenges({
    tour: 2,
    contributions,
    brief: more.brief ?? 'Which of the two shall we use from now on?',
    claims: readClaims(contributions.filter((c) => c.tour === 1)),
    order: more.order ?? ids,
    resolve: (name) => ids.find((id) => id === name) ?? null,
    firstNumber: 1,
    shown: (text) => ({ text, places: [] }),
  });
  return found.map(({ id, by, target, against, quote, start, end, tour, status, answer }) => {
    expect({ tour, status, answer }).toEqual({ tour: 2, status: 'open', answer: null });
    return { id, by, target, against, quote, text: texts[by]!.slice(start, end) };
  });
}

const one = (by: string, text: string, more = {}): Seen | undefined => {
  const found = challenges({ [by]: text }, more);
  expect(found.length).toBeLessThan(2);
  return found[0];
};

describe('challenges by address', () => {
  it('are read from paragraphs and list items that start with the id of a claim', () => {
    const text =
      'Two things.\n\n@sage.1 Not in every editor.\n\n- **@sage.2**: viewers differ.\n- `@otto.1` It does.\n- I see @sage.1 otherwise.\n\nI hold what I said.';
    expect(challenges({ henry: text })).toEqual([
      {
        id: 'c1',
        by: 'henry',
        target: 'sage.1',
        against: 'sage',
        quote: 'none',
        text: '@sage.1 Not in every editor.',
      },
      {
        id: 'c2',
        by: 'henry',
        target: 'sage.2',
        against: 'sage',
        quote: 'none',
        text: '**@sage.2**: viewers differ.',
      },
      { id: 'c3', by: 'henry', target: 'otto.1', against: 'otto', quote: 'none', text: '`@otto.1` It does.' },
      {
        id: 'c4',
        by: 'henry',
        target: 'sage.1',
        against: 'sage',
        quote: 'none',
        text: 'I see @sage.1 otherwise.',
      },
    ]);
  });

  it('are read from lines of a paragraph where the claim exists, and from headings', () => {
    const text = '@sage.1 No.\n@otto.2 Neither.\n@npm.5 is a mail address.\n\n### @sage.2\n\nNot in mine.';
    expect(challenges({ henry: text }).map(({ target, text: words }) => [target, words])).toEqual([
      ['sage.1', '@sage.1 No.'],
      ['otto.2', '@otto.2 Neither.\n@npm.5 is a mail address.'],
      ['sage.2', '@sage.2\n\nNot in mine.'],
    ]);
  });

  it('are the items of YAML and the objects of JSON, each with its claim and its quote', () => {
    const quote = 'A diff stays aligned in every viewer';
    for (const text of [
      `\`\`\`yaml\nchallenges:\n  - target: sage.2\n    quote: "${quote}"\n    objection: Not in mine.\n\`\`\``,
      `\`\`\`json\n[{"target": "sage.2", "quote": "${quote}", "objection": "Not in mine."}]\n\`\`\``,
    ])
      expect(one('henry', text)).toMatchObject({ target: 'sage.2', quote: 'verified' });
  });

  it('keep an unknown id, aimed at nothing', () => {
    expect(one('henry', '@sage.9 That is wrong.')).toMatchObject({
      target: null,
      against: 'sage',
      quote: 'none',
    });
    expect(one('henry', '@nobody.1 That is wrong.')).toMatchObject({
      target: null,
      against: null,
      quote: 'none',
    });
    expect(one('henry', '@nobody.1 wrong:\n\n> Spaces look the same everywhere.')).toMatchObject({
      target: null,
      against: null,
      quote: 'elsewhere',
    });
  });

  it('are put to the one claim that a paragraph names in its first clause, unless the words around it agree', () => {
    for (const text of [
      'I object to @sage.1: nobody measured it.',
      '- My objection to @sage.1 – nobody measured it.',
      'I challenge sage.1: nobody measured it.',
      'I reject sage.1 because nobody measured it.',
      'Challenge to sage.1. Nobody measured it.',
      'What about sage.1? Nobody measured it.',
      'sage.1 is wrong: nobody measured it.',
      '1. **sage.1** Nobody measured it.',
      'does not hold: sage.1',
      'holds: sage.2\ndoes not hold: sage.1',
      'holds: sage.1 (barely, and not measured)',
      'holds: sage.1, but nobody measured it.',
      'target: sage.1\nobjection: nobody measured it',
      '**Claim:** sage.1\n\nNobody measured it.',
      '{"sage.1": "nobody measured it"}',
      'Je conteste sage.1 : personne ne l’a mesuré.',
      'sage.1は正しくない。',
      'sage.1: agreed, but nobody measured it.',
      'sage.1: not true.',
      'I doubt sage.1.',
      'The problem with sage.1 is the figure.',
      'Ich halte sage.1 für unbelegt.',
      'sage.1: no contract.',
      'sage.1: agreed. Nobody needs it.',
      'sage.1: I could not break it. Its source is missing.',
      '| Claim | Verdict | Objection |\n|---|---|---|\n| sage.1 | holds | nobody measured it |',
      '| Claim | Verdict | Why |\n|---|---|---|\n| sage.1 | holds | but nobody measured it |',
      '{"claim": "sage.1", "verified": "true", "objection": "nobody measured it"}',
    ])
      expect(one('henry', text)).toMatchObject({ target: 'sage.1', quote: 'none' });
    for (const text of [
      'I agree with @sage.1: it is measured.',
      'I have no objection to sage.1.',
      'sage.1: holds.',
      'sage.1 is correct.',
      'sage.1: agreed.',
      'I accept sage.1.',
      "J'accepte sage.1.",
      'sage.1 and otto.1 both hold.',
      '| Claim | Verdict | Why |\n|---|---|---|\n| sage.1 | holds | it is measured |',
      '{"claim": "sage.1", "verdict": "holds"}',
    ])
      expect(one('henry', text)).toBeUndefined();
  });

  it.each([
    'sage.1 is true. otto.1 has no source.',
    '- sage.1 holds; otto.1 is invented.',
    'I agree with sage.1, but otto.1 is invented.',
    'sage.1 est vrai, mais otto.1 est inventé.',
    "J'accepte sage.1, mais otto.1 est inventé.",
    'Je suis d’accord avec sage.1, mais otto.1 est inventé.',
    'I accept sage.1, but otto.1 is invented.',
    'Acepto sage.1, pero otto.1 es inventado.',
    'Ich akzeptiere sage.1, aber otto.1 ist erfunden.',
    'Estoy de acuerdo con sage.1, pero otto.1 es inventado.',
    'Accetto sage.1, ma otto.1 è inventato.',
    'For: sage.1; objection to otto.1: no source.',
    'Holds: sage.1; I dispute otto.1.',
  ])('are put to the claim behind one that is only confirmed: %s', (text) => {
    expect(challenges({ henry: text }).map(({ target }) => target)).toEqual(['otto.1']);
  });

  it('stay with the first claim where another is only mentioned', () => {
    for (const text of ['sage.1 is true because otto.1 says so.', 'sage.1 is wrong. otto.1 shows it.'])
      expect(challenges({ henry: text }).map(({ target }) => target)).toEqual(['sage.1']);
  });

  it('are put to each claim of several at the beginning', () => {
    for (const text of [
      'sage.1, otto.1: nobody measured them.',
      'sage.1 & otto.1 were not measured.',
      'Between @sage.1 and @otto.1: neither matters.',
    ])
      expect(challenges({ henry: text }).map(({ target }) => target)).toEqual(['sage.1', 'otto.1']);
  });

  it('are none where they are put to oneself, or where the id is a part of something else', () => {
    for (const text of [
      '@henry.1 holds.',
      '@sage.1.2 is a version.',
      '@sage.1-beta is one.',
      'me@sage.1 is mail.',
      '@sage says so.',
      '# @npm.1',
      '    @sage.1 in code',
      '```\n@sage.1\n```',
    ]) {
      expect(one('henry', text)).toBeUndefined();
    }
  });

  it('take a quote right below or above with them, and the words below the quote', () => {
    const below =
      '@sage.2 Look:\n\n> A diff stays aligned in every viewer.\n\nMine shows tabs.\n\nWhich one do you use?\n\n## Else\n\nNothing.';
    expect(one('henry', below)).toMatchObject({
      target: 'sage.2',
      quote: 'verified',
      text: below.slice(0, below.indexOf('\n\n## Else')),
    });
    const above = '> A diff stays aligned in every viewer.\n\n@sage.2 Mine shows tabs.\n\nElse nothing.';
    expect(one('henry', above)).toMatchObject({
      target: 'sage.2',
      quote: 'verified',
      text: above.slice(0, above.indexOf('\n\nElse')),
    });
    const item = '- @sage.2\n  > A diff stays aligned\n\n  Not here.\n- And more.';
    expect(one('henry', item)).toMatchObject({
      target: 'sage.2',
      quote: 'verified',
      text: item.slice(2, item.indexOf('\n- And')),
    });
    const two = '@sage.2\n\n> A diff stays aligned\n\n> in every viewer of the whole wide world\n\nNo.';
    expect(one('henry', two)).toMatchObject({ target: 'sage.2', quote: 'not_found', text: two });
    const line = '@sage.2 is wrong.\n> A diff stays aligned\n\nNo.';
    expect(one('henry', line)).toMatchObject({ target: 'sage.2', quote: 'verified', text: line });
    const bare = '@sage.2 is wrong.\n\n> A diff stays aligned';
    expect(one('henry', bare)).toMatchObject({ target: 'sage.2', quote: 'verified', text: bare });
    const apart = '@sage.2 is wrong.\n\n> Files are smaller.\n\nNo.';
    expect(challenges({ otto: apart }).map(({ target, quote }) => [target, quote])).toEqual([
      ['sage.2', 'none'],
      ['henry.3', 'verified'],
    ]);
    const copied = '> @sage.2 A diff stays aligned in every viewer.\n\nNo.';
    expect(one('henry', copied)).toMatchObject({ target: 'sage.2', quote: 'verified', text: copied });
  });

  it('are checked against the words of the claim that is addressed, and no other', () => {
    expect(one('henry', '@sage.2\n\n> A diff stays aligned in every viewer.\n\nNo.')).toMatchObject({
      target: 'sage.2',
      quote: 'verified',
    });
    expect(one('henry', '@sage.1\n\n> A diff stays aligned in every viewer.\n\nNo.')).toMatchObject({
      target: 'sage.1',
      quote: 'elsewhere',
    });
    expect(
      one('henry', '@sage.1\n\n> It does not matter, as long as a formatter decides.\n\nNo.'),
    ).toMatchObject({ target: 'sage.1', against: 'sage', quote: 'elsewhere' });
    // Words of the brief or of one's own are no quotes of the one who is addressed.
    expect(one('henry', '@sage.1\n\n> Which of the two shall we use\n\nis the question.')).toMatchObject({
      target: 'sage.1',
      quote: 'none',
    });
    expect(one('henry', '@sage.1\n\n> Nobody has to reformat anything.\n\nI said.')).toMatchObject({
      target: 'sage.1',
      quote: 'none',
    });
  });
});

describe('challenges by quote', () => {
  it('are aimed at the claim that has the words', () => {
    const text = '> A diff stays aligned in every viewer.\n\nNot in mine.';
    expect(one('henry', text)).toEqual({
      id: 'c1',
      by: 'henry',
      target: 'sage.2',
      against: 'sage',
      quote: 'verified',
      text,
    });
  });

  it('are aimed at the first in the order of the start where several said it, never at oneself', () => {
    const text = '> Tabs let everyone choose their own width.\n\nNo.';
    expect(one('sage', text)).toMatchObject({ target: 'henry.1', against: 'henry' });
    expect(one('sage', text, { order: ['otto', 'sage', 'henry'] })).toMatchObject({
      target: 'otto.2',
      against: 'otto',
    });
    expect(one('henry', text)).toMatchObject({ target: 'otto.2', against: 'otto' });
  });

  it('are none for quotes of oneself or of the brief', () => {
    expect(one('henry', '> Nobody has to reformat anything.\n\nI stay with it.')).toBeUndefined();
    expect(one('henry', '> Which of the two shall we use\n\nThat is the question.')).toBeUndefined();
  });

  it.each([
    ['nobody wrote', '> Spaces never differ in any of my files.\n\nNo.'],
    ['are stitched together', '> Spaces look the same, aligned for all of us who read.\n\nNo.'],
    ['differ in two places', '> A list stays aligned in no viewer.\n\nNo.'],
    ['are stitched together over an ellipsis', '> Spaces look the same … aligned in every viewer.\n\nNo.'],
    ['prove nothing', '> the same\n\nNo.'],
  ])('keep words that %s, aimed at nobody', (_, text) => {
    expect(one('henry', text)).toMatchObject({ target: null, against: null, quote: 'not_found', text });
  });

  it('know words outside of any claim, and say whose they are', () => {
    const collect = {
      ...COLLECT,
      sage: '---\nposition: use spaces everywhere\n---\n\n# Spaces look the same everywhere\n\nYes.',
    };
    expect(one('henry', '> Spaces look the same everywhere\n\nNo.', { collect })).toMatchObject({
      target: null,
      against: 'sage',
      quote: 'verified',
    });
    expect(one('henry', '> use spaces everywhere\n\nNo.', { collect })).toMatchObject({
      target: null,
      against: 'sage',
      quote: 'verified',
    });
    expect(one('otto', '> ```\n>   a\n> ```\n\nNo.', { collect: COLLECT })).toMatchObject({
      target: null,
      quote: 'not_found',
    });
  });

  it('take the objection below them, or above where nothing is below', () => {
    const after =
      'Participant A:\n\n> Spaces look the same everywhere.\n\nNo.\n\nProve it?\n\n**sage** again:\n\n> A diff stays aligned\n\nNeither.';
    expect(challenges({ henry: after }).map(({ text }) => text)).toEqual(after.split(/\n\n(?=\*\*sage)/));
    const before =
      'That is not so.\n\n> Spaces look the same everywhere.\n\nThis neither.\n\n> A diff stays aligned in every viewer.';
    expect(challenges({ henry: before }).map(({ text }) => text)).toEqual(before.split(/\n\n(?=This)/));
    const general = 'I read all of it.\n\n> Spaces look the same everywhere.\n\nNo.';
    expect(one('henry', general)!.text).toBe(general.slice(general.indexOf('>')));
    const row = '> Spaces look the same everywhere.\n\n> Files are smaller.\n\nBoth are wrong.';
    expect(challenges({ otto: row }).map(({ target, text }) => [target, text])).toEqual([
      ['sage.1', row],
      ['henry.3', row.slice(row.indexOf('> Files'))],
    ]);
    const lazy = '> Spaces look the same everywhere.\nNo, they do not.';
    expect(one('henry', lazy)).toMatchObject({ target: 'sage.1', quote: 'verified', text: lazy });
    const rule = '> Spaces look the same everywhere.\n\nNo.\n\n---\n\nEnd.';
    expect(one('henry', rule)!.text).toBe(rule.slice(0, rule.indexOf('\n\n---')));
  });

  it('are list items as well', () => {
    const text =
      '1. > Spaces look the same everywhere.\n\n   No.\n2. > They never did.\n   Nor this.\n\nThat is all.';
    expect(
      challenges({ henry: text }).map(({ target, quote, text: words }) => [target, quote, words]),
    ).toEqual([
      ['sage.1', 'verified', '> Spaces look the same everywhere.\n\n   No.'],
      [null, 'not_found', '> They never did.\n   Nor this.'],
    ]);
  });

  it('read the same words in CRLF', () => {
    const crlf = (texts: Record<string, string>) =>
      Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, text.replaceAll('\n', '\r\n')]));
    const found = challenges(
      crlf({
        henry:
          '@sage.1 No.\n@sage.2 No:\n\n> Files are\n> not mine\n\n> A diff stays\n> aligned in every viewer.\n\nNo.',
      }),
      { collect: crlf(COLLECT) },
    );
    expect(found.map(({ target, quote }) => [target, quote])).toEqual([
      ['sage.1', 'none'],
      ['sage.2', 'not_found'],
    ]);
  });
});

describe('the numbers of challenges', () => {
  it('follow the order of the participants, then that of appearance', () => {
    const texts = {
      otto: '@henry.1 No.\n\n@sage.1 No.',
      henry: '@otto.1 No.',
      sage: '> Files are smaller.\n\n@otto.1 No.',
    };
    const found = challenges(texts, { order: ['sage', 'otto', 'henry'] });
    expect(found.map(({ id, by, target }) => [id, by, target])).toEqual([
      ['c1', 'sage', 'otto.1'],
      ['c2', 'otto', 'henry.1'],
      ['c3', 'otto', 'sage.1'],
      ['c4', 'henry', 'otto.1'],
    ]);
  });

  it('end at 100 for one contribution; the last one has the rest', () => {
    const text = Array.from({ length: 300 }, (_, n) => `@sage.1 No, ${n}.`).join('\n\n');
    const found = challenges({ henry: text });
    expect(found).toHaveLength(100);
    expect(found[99]!.text).toBe(text.slice(text.indexOf('@sage.1 No, 99.')));
  });
});

describe('a verification', () => {
  it('takes bounded time for many quotes that stand nowhere in long texts', async () => {
    const long = (name: string): string => `The ${name} word stands nowhere at all. `.repeat(10_000);
    const quotes = Array.from(
      { length: 150 },
      (_, n) => `> The other word ${n} stands … nowhere at all\n\nNo.`,
    );
    const collect = { henry: long('first'), sage: long('second'), otto: long('third') };
    await expectBounded('quotes', () => {
      const found = challenges({ henry: quotes.join('\n\n'), sage: quotes.join('\n\n') }, { collect });
      expect(found).toHaveLength(200);
    });
  });

  const pieces = fc.constantFrom(
    '> Spaces look the same everywhere.',
    '> A diff stays aligned',
    '> Nobody said this at all.',
    '@sage.2 No.',
    '@otto.1',
    'I object.',
    '- @henry.2 No.',
    '## More',
    'See:',
  );
  const text = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('\n\n'));

  it('does not depend on the order in which contributions lie, nor on what others object', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (mine, other, reversed) => {
        const alone = challenges({ henry: mine });
        const texts = reversed ? { sage: other, henry: mine } : { henry: mine, sage: other };
        const collect = reversed ? Object.fromEntries(Object.entries(COLLECT).reverse()) : COLLECT;
        expect(challenges(texts, { collect }).filter(({ by }) => by === 'henry')).toEqual(alone);
      }),
      { numRuns: countCases(150) },
    );
  });

  it('cuts whole units out of the text, in order', () => {
    fc.assert(
      fc.property(text, (mine) => {
        let at = 0;
        for (const { text: words } of challenges({ otto: mine })) {
          const start = mine.indexOf(words, at);
          expect(start).toBeGreaterThanOrEqual(at);
          expect(words.trim()).toBe(words);
          expect(words).not.toBe('');
          at = start + 1;
        }
      }),
      { numRuns: countCases(150) },
    );
  });
});
