import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSynthesisFindings } from '../../src/core/app/run.ts';
import { formatExchange, createFinding, formatFinding } from '../../src/panel/finding.ts';
import { synthesize } from '../../src/panel/synthesis.ts';
import type { EarlierContribution } from '../../src/panel/view.ts';
import { debate, SEATED } from './table.ts';

const debateAll = (brief: string) => debate(brief, [], true, SEATED);
const planted = (name: string): string =>
  readFileSync(new URL(`../fixtures/documents/planted/${name}.md`, import.meta.url), 'utf8');
const view = (contributions: EarlierContribution[], brief = '# A\n\nIt is very good.\n') => ({
  phase: 'SYNTHESIZE' as const,
  brief,
  contributions,
  own: [],
});
const claim = createFinding({
  line: 3,
  also: [],
  severity: 'first',
  rule: 'sum',
  subject: '',
  advice: '221 is given as the sum, and the parts make 231.',
  quote: '| Sum | 221 |',
  language: 'en',
});

describe('the synthesis', () => {
  it('says how many things there are to look at, and gives no verdict', async () => {
    const { synthesis } = await debateAll(planted('adr-cache'));
    const [, , , headline] = synthesis.split('\n');
    expect(headline).toMatch(/^\*\*\d+ things to look at, \d of them first\.\*\* This is no verdict/);
    expect(synthesis.slice(synthesis.indexOf('\n---\n'))).not.toMatch(/approved|rejected|^position/im);
    expect(synthesis.match(/^## .+$/gm)).toEqual(['## First', '## Worth checking']);
    expect(synthesis).toContain('consistency');
  });

  it('fits on one screen however much there is, and says what is left out', async () => {
    const brief = `# RFC: A\n\n${'Nothing is much faster than this. It costs 3 € and takes 4 days.\n\nOwner: {owner}\n\nWe answer 5 of 50 (20 %).\n\n'.repeat(40)}`;
    const { synthesis } = await debateAll(brief);
    const shown = synthesis.slice(synthesis.indexOf('\n---\n') + 5);
    const lines = shown.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0);
    // Beside it `run` prints four lines.
    expect(lines + 4).toBeLessThan(30);
    expect(synthesis).toMatch(/\d+ more in the archive\./);
  });

  it('speaks French of a French document', async () => {
    const { synthesis, said } = await debateAll(planted('rfc-fr-astreinte'));
    expect(synthesis).toMatch(/\*\*\d+ points à regarder, dont \d+ d’abord\.\*\*/);
    expect(synthesis).toMatch(/## D’abord\n\n- Ligne \d+/);
    expect(said.map(({ text }) => text).join('\n')).not.toMatch(/Fixed rules|things to look at/);
  });

  it('says why nothing was looked at in a document of another language', async () => {
    const { synthesis } = await debateAll(
      `# 評議会\n\n${'評議会は人々が集まって話し合う会議です。5 of 50 (20 %)\n\n'.repeat(12)}`,
    );
    expect(synthesis).toContain('know English and French only');
    expect(synthesis).not.toContain('Looked at');
  });

  it('hands its findings on as data', async () => {
    const { synthesis } = await debateAll(planted('adr-cache'));
    const findings = parseSynthesisFindings(synthesis)!;
    expect(findings.length).toBeGreaterThan(8);
    expect(findings).toContainEqual({
      first: true,
      kind: 'unit',
      lines: [12],
      quote: expect.stringContaining('1,900 ms (1.09 s)') as string,
      says: '1,900 ms is 1.9 s.',
    });
    expect(findings.filter(({ first }) => !first).length).toBeGreaterThan(1);
  });

  it('lets only the author withdraw a finding', () => {
    const exchange = (kind: 'Challenge' | 'Withdrawn') =>
      formatExchange({ kind, reason: 'in-quotation', finding: claim, words: 'because.' });
    const said: EarlierContribution[] = [
      { label: 'A', phase: 'COLLECT', text: formatFinding(claim) },
      { label: 'B', phase: 'CHALLENGE', text: exchange('Challenge') },
    ];
    const kept = synthesize(view([...said, { label: 'B', phase: 'RESOLVE', text: exchange('Withdrawn') }]));
    expect(kept).toContain('1 thing to look at, 1 of them first');
    expect(kept).toContain('Challenged and kept: 1.');
    const gone = synthesize(view([...said, { label: 'A', phase: 'RESOLVE', text: exchange('Withdrawn') }]));
    expect(gone).toContain('**Nothing to point at.**');
    expect(gone).toContain('Withdrawn after a challenge: 1.');
  });

  it('names who spoke in free words, and says so when nobody spoke', () => {
    const text = synthesize(view([{ label: 'Henry', phase: 'COLLECT', text: 'I like it.' }]));
    expect(text).toContain('Said in free words, see the archive: Henry.');
    expect(synthesize(view([]))).toMatch(/^Nobody contributed/);
  });

  it('does not pretend to have read a question', async () => {
    const { synthesis, said } = await debateAll('Tea or coffee?');
    expect(synthesis).toContain('This is a question, not a document');
    expect(parseSynthesisFindings(synthesis)).toEqual([]);
    expect(
      said.every(({ text }) => text.includes('question, not a document') || text.includes('I read')),
    ).toBe(true);
  });
});

describe('findings as data', () => {
  it.each([
    ['no front matter', 'Words.', undefined],
    ['no findings', '---\nposition: x\n---\nWords.', undefined],
    ['what is no list', '---\nfindings: [{]\n---\nWords.', undefined],
    ['what is no finding', '---\nfindings: [1, {"first": "yes"}]\n---\nWords.', []],
  ])('are read leniently: %s', (_name, text, expected) => {
    expect(parseSynthesisFindings(text)).toEqual(expected);
  });
});
