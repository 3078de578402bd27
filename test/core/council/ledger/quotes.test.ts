import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { splitClaims } from '../../../../src/core/council/ledger/claims.ts';
import { findQuote, readQuote, readSource } from '../../../../src/core/council/ledger/quotes.ts';
import { expectLinear } from '../../../helpers/growth.ts';
import { countCases } from '../../../helpers/long.ts';

const SOURCE = `We should not ship on Friday, because nobody is at work on Saturday.

Tabs let everyone choose their own width. They're also smaller.

- Deployment takes “forty minutes” on a good day
  and longer on a bad one
- It is impossible to roll back a migration

Spaces look the same everywhere.`;

const verifyQuote = (quote: string, source: string) =>
  findQuote(
    readQuote(quote),
    readSource(source, () => splitClaims(source)),
  );

const found = (quote: string, source = SOURCE): string | null => {
  const place = verifyQuote(quote, source);
  return place && source.slice(place.start, place.end);
};

describe('a quote in a text', () => {
  it('finds what somebody wrote, word for word, and where', () => {
    expect(found('Tabs let everyone choose their own width.')).toBe(
      'Tabs let everyone choose their own width.',
    );
    expect(found('nobody is at work')).toBe('nobody is at work');
    expect(verifyQuote('> Spaces look the same', SOURCE)?.start).toBe(SOURCE.indexOf('Spaces'));
  });

  it('finds the end of what stands behind dashes without spaces', () => {
    expect(found('the very end of it—as was said', 'This is the very end of it — as was said here.')).toBe(
      'the very end of it — as was said',
    );
    const dashes = 'One—two—three—four—five—six. Seven and the very last words';
    expect(found('and the very last words', dashes)).toBe('and the very last words');
  });

  it.each([
    [
      'white space and line breaks',
      'on a good  day and\u00A0longer\r\non a bad one',
      'on a good day\n  and longer on a bad one',
    ],
    [
      'the markers of a quote',
      '> on a good day and\n> longer on\n>\n> a bad one',
      'on a good day\n  and longer on a bad one',
    ],
    ['typographic quotation marks', 'takes "forty minutes" on', 'takes “forty minutes” on'],
    ['typographic apostrophes', 'They’re also smaller', "They're also smaller"],
    ['guillemets with their spaces', 'takes «\u202Fforty minutes\u202F» on', 'takes “forty minutes” on'],
    ['the case of the first letter', 'Nobody is at work', 'nobody is at work'],
    ['the case of the first letter the other way', 'tabs let everyone', 'Tabs let everyone'],
    [
      'an ellipsis',
      'Tabs let everyone … also smaller',
      "Tabs let everyone choose their own width. They're also smaller",
    ],
    [
      'three dots',
      'Tabs let everyone...also smaller',
      "Tabs let everyone choose their own width. They're also smaller",
    ],
    [
      'dots in brackets',
      'Tabs let everyone [...] also smaller',
      "Tabs let everyone choose their own width. They're also smaller",
    ],
    [
      'an ellipsis in brackets',
      '"Tabs let everyone […] also smaller."',
      "Tabs let everyone choose their own width. They're also smaller.",
    ],
    ['an ellipsis at the ends', '… let everyone choose …', 'let everyone choose'],
    [
      'quotation marks around the quote',
      '> “Tabs let everyone choose their own width.”',
      'Tabs let everyone choose their own width.',
    ],
    [
      'emphasis and backticks',
      'Tabs let *everyone* choose `their` own width.',
      'Tabs let everyone choose their own width.',
    ],
    ['a comma', 'Tabs let everyone choose, their own width.', 'Tabs let everyone choose their own width.'],
    ['the quotation marks of its author left out', 'takes forty minutes on', 'takes “forty minutes” on'],
    ['corner brackets', 'takes 「forty minutes」 on', 'takes “forty minutes” on'],
    ['the marks of JSON', 'takes \\"forty minutes\\" on', 'takes “forty minutes” on'],
    ['a closing full stop', 'Tabs let everyone choose their own.', 'Tabs let everyone choose their own'],
    ['the marker of a list', '> - Spaces look the same everywhere.', 'Spaces look the same everywhere.'],
    [
      'a line that says whose words they are',
      '> Spaces look the same everywhere.\n> — Participant B',
      'Spaces look the same everywhere.',
    ],
    ['a short claim quoted whole', '> Spaces look the same everywhere.', 'Spaces look the same everywhere.'],
  ])('forgives %s', (_, quote, expected) => {
    expect(found(quote)).toBe(expected);
  });

  it.each([
    ['one negated word', 'We should ship on Friday, because nobody is at work on Saturday.'],
    ['a word that was not there', 'We should certainly not ship on Friday'],
    ['another word', 'Tabs let everybody choose their own width.'],
    ['case inside', 'Tabs Let everyone choose their own width.'],
    ['case of more than the first letter', 'TABS let everyone choose their own width.'],
    ['a mark between sentences', 'Tabs let everyone choose; their own width.'],
    ['words without the space between them', 'Tabs let everyone choosetheir own width'],
    [
      'two places stitched together',
      'We should not ship on Friday, because Spaces look the same everywhere.',
    ],
    ['two places in the same paragraph stitched together', 'We should not ship on Saturday.'],
    [
      'two paragraphs in the wrong order',
      'Spaces look the same everywhere. Tabs let everyone choose their own width.',
    ],
    ['an ellipsis from one claim to another', 'We should not ship … Spaces look the same everywhere'],
    ['an ellipsis that turns the order round', 'work on Saturday … should not ship'],
    ['an ellipsis that picks a word', 'We should … not … is at work on Saturday'],
    ['an ellipsis after every word', 'We … should … ship … Friday … because … work … Saturday'],
    ['parts that overlap', 'Tabs let everyone choose … everyone choose their own'],
    ['half a word in front', 'possible to roll back a migration'],
    ['half a word behind', 'Tabs let everyone choose their own wid'],
    ['half a word before an ellipsis', 'It is im… to roll back a migration'],
    ['a Cyrillic look-alike', 'Tаbs let everyone choose their own width.'],
    ['a full-width look-alike', 'Ｔabs let everyone choose their own width.'],
    ['a zero-width space', 'Tabs let every\u200Bone choose their own width.'],
    ['a zero-width no-break space for a space', 'Tabs let\uFEFFeveryone choose their own width.'],
    ['a word joiner', 'Tabs let everyone\u2060 choose their own width.'],
    ['a soft hyphen', 'Tabs let every\u00ADone choose their own width.'],
    ['a mark that cannot be seen', 'Tabs let everyone\u034F choose their own width.'],
    ['a bidirectional control', 'Tabs let \u202Eeveryone choose their own width.'],
    ['a full stop for a comma', 'We should not ship on Friday. Because nobody is at work'],
    ['a mark inside a line that begins quotes', 'Tabs let > everyone choose their own width.'],
    ['a single word', 'Friday'],
    ['too few letters', 'on a'],
    ['nothing', '> \n>'],
    ['punctuation alone', '. . . — !'],
    ['an ellipsis alone', '…'],
  ])('does not forgive %s', (_, quote) => {
    expect(found(quote)).toBeNull();
  });

  it('keeps signs, numbers and negations with what they belong to', () => {
    for (const [quote, source] of [
      ['5 million users waited for it', 'Only 1.5 million users waited for it.'],
      ['That costs them 1', 'That costs them 1.5 million.'],
      ['5 degrees below the limit', 'It was -5 degrees below the limit.'],
      ['000 users in the first week', 'We saw 1,000 users in the first week.'],
      ['blocking writes are safe here', 'Only non-blocking writes are safe here.'],
      ['We really can', "We really can't do this."],
      ['We really can', 'We really can’t do this.'],
      ['isReady is what we wait for', '!isReady is what we wait for.'],
      ['possible to revert this one', 'It is im\u200Bpossible to revert this one.'],
      ['a well', 'That is a well-known fact.'],
    ] as const)
      expect(found(quote, source), quote).toBeNull();
    expect(found('idée est bonne', 'Je crois que l’idée est bonne.')).toBe('idée est bonne');
    expect(found('worked for us', 'It worked—mostly: it worked for us—once.')).toBe('worked for us');
  });

  it('lets hyphens, dashes, commas and quotation marks differ, except beside figures', () => {
    const source = 'A well-known “only” load—small, they say—of 1,000 jobs, 5-10 a minute, at - 5 degrees.';
    for (const quote of [
      'well known only load small they say of 1,000 jobs',
      'A well-known, "only" load: small',
      'load, small - they say - of 1,000 jobs',
      'well‑known ‘only’ load small',
    ])
      expect(found(quote, source) === null, quote).toBe(quote.includes(':'));
    for (const quote of [
      'they say of 1000 jobs',
      'they say of 1.000 jobs',
      '1,000 jobs, 5 10 a minute',
      'a minute, at 5 degrees',
      'wellknown only load small',
      'known only load small',
    ])
      expect(found(quote, source), quote).toBeNull();
  });

  it('takes composed and decomposed letters for the same, and no single character for another', () => {
    const [composed, decomposed] = [
      'Le café de l’été est fermé.',
      'Le cafe\u0301 de l’e\u0301te\u0301 est ferme\u0301.',
    ];
    expect(found(decomposed, composed)).toBe(composed);
    expect(found(composed, decomposed)).toBe(decomposed);
    expect(found('Le cafe de l’été est fermé.', composed)).toBeNull();
    expect(found('cafe', `un ${decomposed}`)).toBeNull();
    expect(found('\u1112\u1161\u11AB\u1100\u116E\u11A8 사람은 여기에 있다', '한국 사람은 여기에 있다')).toBe(
      '한국 사람은 여기에 있다',
    );
    expect(found('300 \u212A is too warm', '300 K is too warm')).toBeNull();
    expect(found('\u212Aelvin said so himself', 'kelvin said so himself')).toBeNull();
    expect(found('kelvin said so himself', '\u212Aelvin said so himself')).toBeNull();
    expect(found('\u017Fo says nobody at all', 'So says nobody at all')).toBeNull();
  });

  it('reads scripts that set no spaces', () => {
    const source = '我们不应该在星期五发布新版本，因为星期六没有人上班。';
    expect(found('不应该在星期五发布', source)).toBe('不应该在星期五发布');
    expect(found('应该在星期六发布', source)).toBeNull();
    expect(found('发布', source)).toBeNull();
  });

  it('finds quotes across blocks that stand together, but no ellipsis across them', () => {
    expect(found('also smaller.\n>\n> - Deployment takes')).toBe('also smaller.\n\n- Deployment takes');
    expect(found('> Tabs let everyone … “forty minutes”')).toBeNull();
  });

  it("finds other people's words in the texts that quote them", () => {
    const source = 'Sage is wrong:\n\n> Tabs let everyone\n> choose their own width.\n\nThey do not.';
    expect(found('> > Tabs let everyone choose their own width.', source)).toBe(
      'Tabs let everyone\n> choose their own width.',
    );
  });

  it('reads code, CRLF and front matter as they stand', () => {
    const source =
      '---\r\nposition: Build it ourselves\r\n---\r\nDo this:\r\n\r\n```js\r\nawait  store.commit(key, text);\r\n```\r\n';
    expect(found('position: Build it ourselves', source)).toBe('position: Build it ourselves');
    expect(found('Do this: ```js await store.commit(key, text);', source)).not.toBeNull();
    expect(found('await store.commit(text, key);', source)).toBeNull();
  });

  it('takes few words for a quote only where they are a whole claim', () => {
    expect(found('> Buy.', '- Build.\n- Buy.')).toBe('Buy.');
    expect(found('buy.', '- Build.\n- Buy.')).toBe('Buy.');
    expect(found('Buy.', 'Buy. Or build.')).toBeNull();
    expect(found('Buy.', '# Buy.')).toBeNull();
    expect(found('', '')).toBeNull();
  });

  it('looks past a place where the words are only part of others', () => {
    expect(
      verifyQuote('able to roll it back', 'Unable to roll it back, or able to roll it back?')?.start,
    ).toBe(27);
    expect(verifyQuote('it is here … or is it', 'it is here\n\nit is here, or is it not?')?.start).toBe(12);
  });

  const NOTHING = 'Nothing of the kind is said here. ';
  const FOX = 'The quick brown fox jumps over it. ';
  it.each<[string, (n: number) => [quote: string, source: string], boolean]>([
    ['an honest quote', (n) => [FOX.repeat(n / 33), NOTHING.repeat(n / 3.5) + FOX.repeat(n / 33)], true],
    ['one other word at the start', (n) => [`b ${'a '.repeat(n / 2)}`, 'a '.repeat(5 * n)], false],
    ['one other word at the end', (n) => [`${'a '.repeat(n / 2)}b`, 'a '.repeat(5 * n)], false],
    ['letters without end', (n) => [`b${'a'.repeat(n)}`, 'a'.repeat(10 * n)], false],
    ['half words without end', (n) => ['a'.repeat(n), 'a'.repeat(10 * n)], false],
    ['spaces without end', (n) => [`a${' '.repeat(n)}b`, `a${' '.repeat(10 * n)}c`], false],
    ['dots without end', (n) => ['.'.repeat(n), '.'.repeat(10 * n)], false],
    ['gaps without end', (n) => ['we should … '.repeat(n / 12), 'we should not '.repeat(n / 1.4)], false],
    ['marks without end', (n) => [`a${'\u0301'.repeat(n)}`, `b${'\u0301'.repeat(5 * n)}`], false],
    ['guillemets without end', (n) => ['« '.repeat(n / 2), '» '.repeat(5 * n)], false],
  ])('takes linear time for %s: up to 100 KB in 1 MB', async (name, make, expected) => {
    await expectLinear(name, 25_000, (n) => expect(verifyQuote(...make(n)) !== null).toBe(expected));
  });

  const word = fc.stringMatching(/^[a-zA-Zé0-9'"(*.,-]{1,9}$/);
  const words = fc.array(word, { minLength: 8, maxLength: 40 });

  it('verifies every stretch of whole words, whatever the spaces between them, and places it exactly', () => {
    fc.assert(
      fc.property(
        words,
        fc.nat(),
        fc.nat(),
        fc.array(fc.constantFrom(' ', '  ', '\n', '\r\n', ' \u00A0\t'), { minLength: 80, maxLength: 80 }),
        (all, a, b, gaps) => {
          const join = (part: string[], at: number): string =>
            part.map((one, n) => one + (n < part.length - 1 ? gaps[at + n]! : '')).join('');
          const first = a % (all.length - 4);
          const last = first + 4 + (b % (all.length - first - 3));
          const source = join(all, 0);
          const place = verifyQuote(join(all.slice(first, last), 40), source);
          const isLong = /^(?:[^\p{L}\p{N}]*[\p{L}\p{N}]){12}/u.test(all.slice(first, last).join(' '));
          fc.pre(isLong);
          expect(place).not.toBeNull();
          // Emphasis is no part of the words, and marks may be others.
          const plain = (text: string): string =>
            text
              .replace(/[*_`]/g, '')
              .replace(/["',\s-]+/g, ' ')
              .trim();
          expect(plain(source.slice(place!.start, place!.end))).toBe(plain(all.slice(first, last).join(' ')));
        },
      ),
      { numRuns: countCases(300) },
    );
  });

  it('verifies nothing that has a word replaced, whatever stands around', () => {
    fc.assert(
      fc.property(words, fc.nat(), (all, at) => {
        const changed = all.map((one, n) => (n === at % all.length ? `${one}Q` : one)).join(' ');
        fc.pre(/Q/.test(changed) && !/Q/.test(all.join('')));
        expect(verifyQuote(changed, `${all.join(' ')}\n\n${all.slice(1).join(' ')}`)).toBeNull();
      }),
      { numRuns: countCases(300) },
    );
  });
});
