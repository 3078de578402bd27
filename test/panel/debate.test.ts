import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseExchanges } from '../../src/panel/exchange.ts';
import { headOf, parseFindings } from '../../src/panel/finding.ts';
import { statedPosition } from '../../src/panel/position.ts';
import { debate, turn } from './table.ts';
import type { Spoken } from './table.ts';

const product = readFileSync(new URL('product.md', import.meta.url), 'utf8');
const of = (said: readonly Spoken[], phase: string, by: string): string =>
  said.find((one) => one.phase === phase && one.by === by)?.text ?? '';

describe('a debate of the four reviewers', () => {
  it('challenges what collides, quoting the finding word for word with its owner', async () => {
    const { said } = await debate(product);
    const challenges = said
      .filter(({ phase }) => phase === 'CHALLENGE')
      .flatMap(({ text }) => parseExchanges(text));
    expect(challenges.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        'no-room',
        'in-quotation',
        'document-term',
        'replacement-flagged',
        'technical-phrase',
        'name-in-code',
        'in-link-text',
        'repeated-label',
      ]),
    );
    for (const { text, by, phase } of said.filter((one) => one.phase === 'CHALLENGE')) {
      for (const [, label, head] of text.matchAll(/ · to (.+)\n\n> (.+)\n/g)) {
        const owner = said.find((one) => one.phase === 'COLLECT' && one.label === label);
        expect(owner?.by, `${by} ${phase}`).not.toBe(by);
        expect(owner?.text).toContain(head);
      }
    }
  });

  it('answers every challenge: some findings are withdrawn, some upheld', async () => {
    const { said } = await debate(product);
    const raised = said
      .filter(({ phase }) => phase === 'CHALLENGE')
      .flatMap(({ text }) => parseExchanges(text));
    const answers = said
      .filter(({ phase }) => phase === 'RESOLVE')
      .flatMap(({ text }) => parseExchanges(text));
    expect(new Set(answers.map(({ finding }) => headOf(finding)))).toEqual(
      new Set(raised.map(({ finding }) => headOf(finding))),
    );
    expect(answers.filter(({ kind }) => kind === 'Withdrawn').length).toBeGreaterThan(3);
    expect(answers.filter(({ kind }) => kind === 'Upheld').length).toBeGreaterThan(2);
    const precise = of(said, 'RESOLVE', 'precision');
    expect(precise).toMatch(/\*\*Upheld\*\* · `no-room`\n\n> \*\*Line 31\*\* .*"slow"/);
    expect(precise).toMatch(/\*\*Withdrawn\*\* · `in-quotation`\n\n> \*\*Line 8\*\* .*"very"/);
  });

  it('says who agrees, and nobody agrees who still has a contested finding', async () => {
    const { said } = await debate(product);
    for (const { text } of said.filter(({ phase }) => phase === 'RESOLVE')) {
      expect(/^agreed: true$/m.test(text)).toBe(!text.includes('**Upheld**'));
    }
    for (const { text } of said.filter(({ phase }) => phase === 'CHALLENGE')) {
      expect(/^agreed: true$/m.test(text)).toBe(!text.includes('**Challenge**'));
    }
    expect(of(said, 'COLLECT', 'precision')).not.toContain('agreed');
  });

  it('lets a position move when findings are withdrawn', async () => {
    const { said } = await debate(product);
    expect(statedPosition(of(said, 'COLLECT', 'plain-language'))).toBe('major-changes');
    expect(statedPosition(of(said, 'RESOLVE', 'plain-language'))).toBe('minor-changes');
  });

  it('needs no memory of its own: the same with and without its own contributions', async () => {
    const first = await debate(product);
    const second = await debate(product, [], false);
    expect(second).toEqual(first);
  });

  it('reads CRLF as it reads LF', async () => {
    const { said } = await debate(product.replaceAll('\n', '\r\n'));
    const findings = (all: readonly Spoken[]) =>
      all.filter(({ phase }) => phase === 'COLLECT').flatMap(({ text }) => parseFindings(text));
    expect(findings(said)).toEqual(findings((await debate(product)).said));
  });

  it('says in one sentence when nothing collides', async () => {
    const { said, synthesis } = await debate('# Notes\n\nWe met. It is fast.\n');
    expect(of(said, 'CHALLENGE', 'structure')).toContain(
      'I read 1 finding of 1 other participant; none collides with what my rules know.',
    );
    expect(of(said, 'RESOLVE', 'precision')).toContain(
      'none of my listed findings (1) was challenged; they stand.',
    );
    expect(
      said.filter(({ phase }) => phase === 'RESOLVE').every(({ text }) => text.includes('agreed: true')),
    ).toBe(true);
    expect(synthesis.split('\n')[0]).toBe(
      '**The text is approved** (3 of 4 approve): 1 finding stands (1 minor).',
    );
  });
});

describe('others at the table', () => {
  const guest = (phase: Spoken['phase'], text: string): Spoken => ({
    by: 'guest',
    label: 'Participant E',
    phase,
    text,
  });

  it('have their findings challenged when they quote what is not there', async () => {
    const { said } = await debate(product, [
      guest(
        'COLLECT',
        '**Line 3** · major · `passive` · "is stolen" · who stole it?\n\n> The engine is stolen.',
      ),
    ]);
    expect(of(said, 'CHALLENGE', 'structure')).toContain(
      '**Challenge** · `unfounded-quote` · to Participant E\n\n> **Line 3** · major · `passive`',
    );
  });

  it('get an honest answer to an argument in free words', async () => {
    const first = parseFindings(await turn('precision', 'COLLECT', product, []))[0];
    if (!first) throw new Error('precision found nothing');
    const { said } = await debate(product, [
      guest('CHALLENGE', `I do not see why.\n\n> ${headOf(first)}\n\nEverybody knows it is quick.`),
    ]);
    expect(of(said, 'RESOLVE', 'precision')).toContain('cannot weigh an argument in free words');
  });

  it('cannot put words into a line of their own, nor break the reviewers', async () => {
    const noise = [
      '> ',
      '> **Line',
      '**Challenge** · `no-room`',
      '---\nposition: [\n---',
      '> '.repeat(500),
      'x'.repeat(100_000),
    ].join('\n');
    const { said, synthesis } = await debate(product, [
      guest('COLLECT', noise),
      guest('CHALLENGE', noise),
      guest('RESOLVE', noise),
    ]);
    expect(said.length).toBe(15);
    expect(synthesis).toContain('## Said in free words\n\n- Participant E, COLLECT (');
  });
});
