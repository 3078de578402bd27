import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseExchanges, renderFindingHead, parseFindings } from '../../src/panel/finding.ts';
import { debate, turn } from './table.ts';
import type { Spoken } from './table.ts';

const product = readFileSync(new URL('product.md', import.meta.url), 'utf8');
const of = (said: readonly Spoken[], phase: string, by: string): string =>
  said.find((one) => one.phase === phase && one.by === by)?.text ?? '';

describe('a debate of the reviewers', () => {
  it('challenges what collides, quoting the finding word for word with its owner', async () => {
    const { said } = await debate(product);
    const challenges = said
      .filter(({ phase }) => phase === 'CHALLENGE')
      .flatMap(({ text }) => parseExchanges(text));
    expect(new Set(challenges.map(({ reason }) => reason))).toEqual(
      new Set(['in-quotation', 'figure-beside', 'two-options']),
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
    const exchanges = (phase: string) =>
      said.filter((one) => one.phase === phase).flatMap(({ text }) => parseExchanges(text));
    const answers = exchanges('RESOLVE');
    expect(new Set(answers.map(({ finding }) => renderFindingHead(finding)))).toEqual(
      new Set(exchanges('CHALLENGE').map(({ finding }) => renderFindingHead(finding))),
    );
    expect(answers.filter(({ kind }) => kind === 'Withdrawn').length).toBeGreaterThan(2);
    expect(answers.filter(({ kind }) => kind === 'Upheld').length).toBeGreaterThan(0);
    expect(of(said, 'RESOLVE', 'consistency')).toMatch(/\*\*Withdrawn\*\* · `two-options`/);
    expect(of(said, 'RESOLVE', 'precision')).toMatch(/\*\*Withdrawn\*\* · `figure-beside`/);
  });

  it('takes no position and agrees to nothing', async () => {
    const { said, synthesis } = await debate(product);
    for (const { text } of said) expect(text).not.toMatch(/^(?:---|position:|agreed:)/im);
    expect(synthesis).not.toMatch(/^position:/m);
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
    const { said, synthesis } = await debate(`# Notes\n\nIt is much faster.\n\n${'We met. '.repeat(40)}\n`);
    expect(of(said, 'CHALLENGE', 'structure')).toContain(
      'I read 1 finding of 1 other; none collides with what I know.',
    );
    expect(of(said, 'RESOLVE', 'precision')).toContain('nobody challenged my 1 finding; they stand.');
    expect(synthesis).toContain('**1 thing to look at.**');
  });
});

describe('others at the table', () => {
  const guest = (phase: Spoken['phase'], text: string): Spoken => ({
    by: 'guest',
    label: 'Participant G',
    phase,
    text,
  });

  it('have their findings challenged when they quote what is not there', async () => {
    const { said } = await debate(product, [
      guest(
        'COLLECT',
        '**Line 3** · first · `claim` · "is faster" · by how much?\n\n> The engine is faster.',
      ),
    ]);
    expect(of(said, 'CHALLENGE', 'structure')).toContain(
      '**Challenge** · `unfounded-quote` · to Participant G\n\n> **Line 3** · first · `claim`',
    );
  });

  it('get an honest answer to an argument in free words', async () => {
    const first = parseFindings(await turn('precision', 'COLLECT', product, [])).at(-1);
    if (!first) throw new Error('precision found nothing');
    const { said } = await debate(product, [
      guest(
        'CHALLENGE',
        `I do not see why.\n\n> ${renderFindingHead(first)}\n\nEverybody knows it is quick.`,
      ),
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
    expect(synthesis).toContain('Said in free words, see the archive: Participant G.');
  });
});
