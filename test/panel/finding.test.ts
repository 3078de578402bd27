import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createFinding,
  formatFinding,
  renderFindingHead,
  parseFindings,
  parseHead,
  SEVERITIES,
  formatExchange,
  parseExchanges,
  parseQuotations,
} from '../../src/panel/finding.ts';

const words = fc.oneof(
  fc.string({ maxLength: 60, unit: 'binary' }),
  fc.constantFrom('very', 'the "so-called" cloud', 'a · b', '**Line 1** · first · `x` · y'),
);
const findings = fc
  .record({
    line: fc.integer({ min: 1, max: 1_000_000 }),
    also: fc.array(fc.integer({ min: 1, max: 1_000_000 }), { maxLength: 3 }),
    language: fc.constantFrom('en' as const, 'fr' as const),
    severity: fc.constantFrom(...SEVERITIES),
    rule: fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/),
    subject: words,
    advice: words.map((text) => `say ${text}`),
    quote: fc.stringMatching(/^(?:[!-~äß→](?:[ -~äß→]{0,60}[!-~äß→])?)?$/),
  })
  .map(createFinding);

describe('the form of a finding', () => {
  it('is read back exactly as it was written', () => {
    fc.assert(
      fc.property(findings, (one) => {
        expect(parseFindings(formatFinding(one))).toEqual([one]);
      }),
    );
  });

  it('is read back from the middle of other text, in order', () => {
    fc.assert(
      fc.property(fc.array(findings, { maxLength: 5 }), (all) => {
        const text = ['---\nagreed: true\n---\nSome words.', ...all.map(formatFinding), 'The end.'].join(
          '\n\n',
        );
        expect(parseFindings(text)).toEqual(all);
        expect(parseFindings(text.replaceAll('\n', '\r\n'))).toEqual(all);
      }),
    );
  });

  it('is what a person can write by hand', () => {
    const text = '**Lines 12, 30** · worth checking · `tone` · "foo" · too rough.\n> some foo here\n';
    expect(parseFindings(text)).toEqual([
      {
        line: 12,
        also: [30],
        language: 'en',
        severity: 'worth',
        rule: 'tone',
        subject: 'foo',
        advice: 'too rough.',
        quote: 'some foo here',
      },
    ]);
  });

  it.each([
    '',
    '**Line x** · first · `a` · b',
    '**Line 1** · fatal · `a` · b',
    'Line 1: wrong',
    `**Line 1** · first · \`a\` · ${'x'.repeat(3000)}`,
  ])('passes over %j', (line) => {
    expect(parseHead(line)).toBeUndefined();
  });

  it('takes any text without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        parseFindings(text);
        parseQuotations(text);
      }),
    );
  });
});

describe('the form of a challenge or answer', () => {
  it('is read back exactly as it was written', () => {
    const kinds = fc.constantFrom('Challenge' as const, 'Withdrawn' as const, 'Upheld' as const);
    fc.assert(
      fc.property(findings, kinds, words, words, (one, kind, said, label) => {
        const exchange = {
          kind,
          reason: 'no-room',
          finding: { ...one, quote: '' },
          words: `because ${said}`.replace(/\s+/g, ' ').trim(),
        };
        const [parsed] = parseExchanges(formatExchange(exchange, label));
        expect(parsed).toMatchObject({ kind, reason: 'no-room', finding: { ...one, quote: '' } });
      }),
    );
  });

  it('knows a quotation that somebody wrote in free words', () => {
    const one = createFinding({
      line: 3,
      also: [],
      language: 'en',
      severity: 'worth',
      rule: 'passive',
      subject: 'is made',
      advice: 'who?',
      quote: '',
    });
    expect(parseQuotations(`I disagree:\n\n> ${renderFindingHead(one)}\n\nIt is fine.`)).toEqual([
      { quoted: renderFindingHead(one), words: 'It is fine.', kind: undefined, reason: undefined },
    ]);
  });
});
