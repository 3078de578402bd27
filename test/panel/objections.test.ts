import { describe, expect, it } from 'vitest';
import { assessDocument, REVIEWER_IDS } from '../../src/panel/reviewer.ts';
import { answerObjection, OBJECTIONS } from '../../src/panel/challenge.ts';
import { getArguments } from '../../src/panel/argue.ts';
import { readDocument } from '../../src/panel/document.ts';
import { loadReviewer } from '../../src/panel/speak.ts';

const OPTIONS = `# Purging

## Options

### Push

Purging a page happens immediately.

### Pull

Purging a page takes 5 minutes.
`;
const ONE_OPTION = OPTIONS.replace('### Pull\n\n', '');
/** So much is a document. */
const REST = `\n\n## More\n\n${'We met and talked about it. '.repeat(12)}\n`;

/** Reason, document, rule and words of the finding, and whether its author gives way; undefined: nobody raises it. */
const CASES: [string, string, string, string, boolean | undefined][] = [
  ['in-quotation', 'We agree.\n\n> It is much faster.\n', 'claim', 'much faster', true],
  ['in-quotation', '> [!NOTE]\n> It is much faster.\n', 'claim', 'much faster', false],
  ['in-quotation', '> **Warning:** it is much faster.\n', 'claim', 'much faster', false],
  ['in-quotation', 'It is much faster.\n', 'claim', 'much faster', undefined],
  [
    'repeated-label',
    '# A\n\n[x][todo] one\n\n[x][todo] two\n\n[x][todo] three\n',
    'reference',
    '[x][todo]',
    undefined,
  ],
  ['two-options', OPTIONS, 'at-once', 'immediately', true],
  ['two-options', ONE_OPTION, 'at-once', 'immediately', undefined],
  [
    'figure-beside',
    'It is much faster now. A page takes 80 ms instead of 900 ms.\n',
    'claim',
    'much faster',
    true,
  ],
  ['figure-beside', 'It is much faster now. Nobody waits.\n', 'claim', 'much faster', undefined],
];

describe('the arguments', () => {
  it.each(CASES)('%s: %j', async (reason, brief, rule, words, givesWay) => {
    const document = readDocument(`${brief}${REST}`);
    const panel = await Promise.all(REVIEWER_IDS.map(loadReviewer));
    const finding = panel
      .flatMap((reviewer) => assessDocument(reviewer, document).all)
      .findLast((one) => one.rule === rule && one.subject === words);
    expect(finding, 'the finding that is challenged').toBeDefined();
    const objection = OBJECTIONS.find((one) => one.reason === reason);
    if (!finding || !objection) throw new Error('nothing to try');
    expect(objection.against).toContain(rule);
    const argument = objection.raise(finding, document, getArguments(document));
    if (givesWay === undefined) return void expect(argument).toBeUndefined();
    expect(argument).toBeTruthy();
    expect(answerObjection(objection, finding, document).isConceded).toBe(givesWay);
  });

  it('are tried with both outcomes wherever both exist, and each at least once', () => {
    expect(new Set(OBJECTIONS.map(({ reason }) => reason))).toEqual(
      new Set([...CASES.map(([reason]) => reason), 'unfounded-quote']),
    );
  });

  it('unfounded-quote: words that the line does not hold', () => {
    const document = readDocument('# A\n\nIt is very good.\n');
    const objection = OBJECTIONS.find((one) => one.reason === 'unfounded-quote');
    const claim = {
      line: 3,
      also: [],
      language: 'en' as const,
      severity: 'worth' as const,
      rule: 'claim',
      subject: 'very',
      advice: 'x',
      quote: 'It is very bad.',
    };
    const words = getArguments(document);
    expect(objection?.raise(claim, document, words)).toContain('does not contain');
    expect(answerObjection(objection!, claim, document).isConceded).toBe(true);
    const true_ = { ...claim, quote: 'It is very good.' };
    expect(objection?.raise(true_, document, words)).toBeUndefined();
    expect(answerObjection(objection!, true_, document).isConceded).toBe(false);
  });

  it('answers again from the facts, whatever the challenge claims', () => {
    const document = readDocument('It is very good. We utilize it.\n\n## A\n\n## A\n\n[one]\n');
    const claim = (rule: string, subject: string) => ({
      line: 1,
      also: [],
      language: 'en' as const,
      severity: 'worth' as const,
      rule,
      subject,
      advice: 'x',
      quote: 'It is very good. We utilize it.',
    });
    for (const [reason, rule, subject] of [
      ['in-quotation', 'claim', 'very'],
      ['repeated-label', 'reference', '[one]'],
      ['two-options', 'at-once', 'very'],
      ['figure-beside', 'claim', 'very'],
    ] as const) {
      const objection = OBJECTIONS.find((one) => one.reason === reason);
      expect(answerObjection(objection!, claim(rule, subject), document).isConceded, reason).toBe(false);
    }
  });
});
