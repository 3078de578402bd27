import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatExchange } from '../../src/panel/exchange.ts';
import { finding, formatFinding } from '../../src/panel/finding.ts';
import {
  canLiveWith,
  confidenceOf,
  majority,
  positionOf,
  statedPosition,
  withStance,
} from '../../src/panel/position.ts';
import { synthesize } from '../../src/panel/rapporteur.ts';
import type { Said } from '../../src/panel/view.ts';
import { debate } from './table.ts';

const product = readFileSync(new URL('product.md', import.meta.url), 'utf8');
const view = (contributions: Said[]) => ({ phase: 'SYNTHESIZE' as const, brief: '', contributions, own: [] });
const claim = finding({
  line: 4,
  severity: 'minor',
  rule: 'weasel-word',
  subject: 'very',
  instead: [''],
  advice: 'say how much.',
  quote: 'It is very good.',
});

describe('the synthesis', () => {
  it('starts with the verdict in one sentence', async () => {
    const { synthesis } = await debate(product);
    expect(synthesis.split('\n')[0]).toMatch(
      /^\*\*Major changes are wanted\*\* \(\d of 4 want at least that\): \d+ findings stand \(2 major, \d+ minor, \d+ notes\), 4 are still contested, 9 were withdrawn\.$/,
    );
  });

  it('has every finding exactly once: standing, contested or withdrawn', async () => {
    const { synthesis } = await debate(product);
    expect(synthesis.match(/^## .+$/gm)).toEqual([
      '## Change first',
      '## Change when you can',
      '## Worth a look',
      '## Still contested',
      '## Withdrawn',
      '## Positions',
    ]);
    expect(synthesis.match(/"slow"/g)?.length).toBe(1);
    expect(synthesis.match(/"numerous"/g)?.length).toBe(2);
    expect(synthesis).toContain('- Line 31, "slow" (precision, `unquantified`)');
    expect(synthesis).toContain(
      '- plain-language (Participant C): major-changes → minor-changes (since RESOLVE)',
    );
  });

  it('knows the reviewers where their names are hidden', async () => {
    const { said } = await debate('# Notes\n\nObviously it is fast. See [the guide](#nowhere).\n');
    const hidden = said.map((one) => ({
      ...one,
      text: one.text.replace(/^\*\*[A-Z][a-z ]+\*\*: /m, `**${one.label}**: `),
    }));
    const synthesis = synthesize(view(hidden));
    expect(synthesis).toContain('(Participant D, `broken-anchor`)');
    expect(synthesis).toContain('- Participant C: approve');
    expect(synthesis).not.toContain('Said in free words');
  });

  it('lists by severity, then line', async () => {
    const { synthesis } = await debate(product);
    for (const part of synthesis.split('## ').filter((section) => /^(?:Change|Worth)/.test(section))) {
      const lines = [...part.matchAll(/^- Line (\d+)/gm)].map((match) => Number(match[1]));
      expect(lines).toEqual([...lines].sort((a, b) => a - b));
    }
  });

  it('puts remarks of several reviewers on the same words together', () => {
    const other = finding({ ...claim, rule: 'talks-down', advice: 'rude.' });
    const text = synthesize(
      view([
        { label: 'A', phase: 'COLLECT', text: formatFinding(claim) },
        { label: 'B', phase: 'COLLECT', text: formatFinding(other) },
      ]),
    );
    expect(text).toContain(
      '- Line 4, "very": drop it; say how much. (A, `weasel-word`) Also: drop it; rude. (B, `talks-down`)\n  > It is very good.',
    );
  });

  it('lets only the author withdraw a finding', () => {
    const challenge = formatExchange(
      { kind: 'Challenge', reason: 'in-quotation', finding: claim, words: 'quoted.' },
      'A',
    );
    const withdrawn = formatExchange({
      kind: 'Withdrawn',
      reason: 'in-quotation',
      finding: claim,
      words: 'yes.',
    });
    const said: Said[] = [
      { label: 'A', phase: 'COLLECT', text: formatFinding(claim) },
      { label: 'B', phase: 'CHALLENGE', text: challenge },
    ];
    expect(synthesize(view([...said, { label: 'B', phase: 'RESOLVE', text: withdrawn }]))).toMatch(
      /## Still contested\n\n- Line 4, "very"[^]*no answer/,
    );
    expect(synthesize(view([...said, { label: 'A', phase: 'RESOLVE', text: withdrawn }]))).toMatch(
      /## Withdrawn\n\n- Line 4, "very"[^]*withdrawn: yes\./,
    );
  });

  it('names what it cannot merge, and what was blocked or only counted', () => {
    const text = synthesize(
      view([
        {
          label: 'Henry',
          phase: 'COLLECT',
          text: '---\nposition: accept\nblocking: ["no \\"licence\\" file"]\n---\nI like it.',
        },
        { label: 'A', phase: 'COLLECT', text: 'Not listed: 31 more findings (`passive` 20, `simplify` 11).' },
      ]),
    );
    expect(text).toContain('## Blocking\n\n- Henry: no "licence" file');
    expect(text).toContain('- Henry: accept');
    expect(text).toContain('- Henry, COLLECT (69 characters): I like it.');
    expect(text).toContain('- 31 more findings of the same rules: `passive` 20, `simplify` 11.');
    expect(text.split('\n')[0]).toBe('**No common position**: no finding stands.');
  });

  it('says so when nobody spoke, and when nobody could judge', () => {
    expect(synthesize(view([]))).toMatch(/^Nobody contributed/);
    expect(
      synthesize(
        view([
          {
            label: 'A',
            phase: 'COLLECT',
            text: withStance({ position: 'abstain', confidence: 0 }, 'Not English.'),
          },
        ]),
      ),
    ).toMatch(/^\*\*Nobody could judge it\*\*: no finding stands\./);
  });
});

describe('positions', () => {
  const one = (severity: 'major' | 'minor' | 'note') => finding({ ...claim, severity });

  it('follow from the weight per 1,000 words, and a major finding is never approved', () => {
    expect(positionOf([], 100)).toBe('approve');
    expect(positionOf([one('minor'), one('minor')], 1000)).toBe('approve');
    expect(positionOf([one('minor'), one('minor'), one('note')], 1000)).toBe('minor-changes');
    expect(positionOf([one('major')], 100_000)).toBe('minor-changes');
    expect(
      positionOf(
        Array.from({ length: 5 }, () => one('major')),
        1000,
      ),
    ).toBe('major-changes');
  });

  it('take the stricter side when opinions are split, and pass over words of other scales', () => {
    expect(majority(['approve', 'minor-changes'])).toBe('minor-changes');
    expect(majority(['approve', 'approve', 'minor-changes', 'major-changes'])).toBe('minor-changes');
    expect(majority(['approve', 'approve', 'major-changes', 'accept'])).toBe('approve');
    expect(majority(['abstain', 'yes'])).toBeUndefined();
    expect([
      canLiveWith('approve', 'minor-changes'),
      canLiveWith('approve', 'major-changes'),
      canLiveWith('abstain', 'major-changes'),
    ]).toEqual([true, false, true]);
  });

  it('are read from front matter, and from the text where a view leaves front matter out', () => {
    expect(statedPosition('---\nagreed: true\nposition: "minor-changes"\n---\nx')).toBe('minor-changes');
    expect(statedPosition('---\r\nposition: approve\r\n---\r\nx')).toBe('approve');
    expect(statedPosition('I looked.\n\nPosition: approve. It is fine.')).toBe('approve');
    expect(statedPosition('No position here.')).toBeUndefined();
  });

  it('are held with a confidence that grows with the words and shrinks with what was withdrawn', () => {
    expect([confidenceOf(0, 0, 0), confidenceOf(200, 3, 0), confidenceOf(1_000_000, 3, 0)]).toEqual([
      0, 0.5, 0.9,
    ]);
    expect(confidenceOf(200, 1, 2)).toBeLessThan(confidenceOf(200, 3, 0));
  });
});
