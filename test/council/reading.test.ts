import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitClaims } from '../../src/council/ledger/claims.ts';
import { formOf } from '../../src/council/ledger/text/form.ts';
import { withoutConfidence } from '../../src/council/view/confidence.ts';
import type { Challenge } from '../../src/council/state/state.ts';
import { readVerdict } from '../../src/council/use/verdict.ts';
import { played } from '../helpers/ledger-council.ts';

/** Contributions in the manner of real models, and what a careful person reads in them. */
interface Answers {
  context: { ada: string };
  cases: { id: string; kind: 'position' | 'quote' | 'answer'; expected: string | null; text: string }[];
}

const { context, cases } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'answers', 'cases.json'), 'utf8'),
) as Answers;
const of = (kind: Answers['cases'][number]['kind']) => cases.filter((one) => one.kind === kind);
const FLAGS = { agree: false, done: false, block: [] };
const TABLE = { order: ['ada', 'bob'] };

const challengesOf = (text: string): Challenge[] =>
  played(
    [
      ['COLLECT', { ada: context.ada, bob: 'Redis.' }],
      ['CHALLENGE', { bob: text }],
    ],
    TABLE,
  ).state.ledger.challenges;

function quoteRead(text: string): string {
  const challenges = challengesOf(text);
  if (challenges.length === 0) return 'steelman';
  if (challenges.every(({ quote }) => quote === 'verified')) return 'verified';
  if (challenges.every(({ quote, target }) => quote === 'none' && target !== null)) return 'addressed';
  return 'not_found';
}

function answerRead(text: string): string {
  const { challenges } = played(
    [
      ['COLLECT', { ada: context.ada, bob: 'Redis.' }],
      ['CHALLENGE', { bob: '@ada.2 Nobody measured this: who says two hours?' }],
      ['RESOLVE', { ada: text.replaceAll('ID', 'c1') }],
    ],
    TABLE,
  ).state.ledger;
  const { status } = challenges[0]!;
  return status === 'unanswered' ? 'ask' : status.replaceAll('_', ' ');
}

describe('contributions as models write them', () => {
  it.each(of('position'))('position $id: $expected', async ({ text, expected }) => {
    expect((await readVerdict(text, FLAGS)).verdict.position).toBe(expected);
  });

  it.each(of('quote'))('quote $id: $expected', ({ text, expected }) => {
    expect(quoteRead(text)).toBe(expected);
  });

  it.each(of('answer'))('answer $id: $expected', ({ text, expected }) => {
    expect(answerRead(text)).toBe(expected);
  });
});

describe('the form of a contribution', () => {
  const positionOf = async (text: string) => (await readVerdict(text, FLAGS)).verdict.position;

  it.each([
    ['a block quote', '> position: Use Redis\n\nI disagree.'],
    [
      'code further down',
      'I think.\n\nHere is mine:\n\nAnd more words.\n\nAnd more.\n\n```yaml\nposition: Use Redis\n```',
    ],
    ['reasoning', '<thinking>\nposition: Use Redis\n</thinking>\n\nNothing yet.'],
    ['reasoning that never ends', '<thinking>\n\nposition: Use Redis\n'],
    ['code in another language', '```python\nposition: Use Redis\n```\n'],
    ['a sentence', 'Ada holds the position: Use Redis.\n'],
    ['a word that is no field', 'Decision: we shall see.\n\nposition'],
    ['two that differ', 'position: Use Redis\nposition: Use PostgreSQL\n'],
    ['a blank to fill in', '---\nposition: <your position>\n---\nText.'],
    ['a text further down', `${'A long text. '.repeat(40)}\n\nposition: Use Redis\n`],
  ])('is not read from %s', async (_, text) => {
    expect(await positionOf(text)).toBeNull();
  });

  it.each([
    ['a table', '| Field | Value |\n| --- | --- |\n| Position | Use Redis |\n| Confidence | 0.8 |\n\nText.'],
    ['a table of one row', '| Position | Confidence |\n| --- | --- |\n| **Use Redis** | 80% |\n\nText.'],
    ['a heading before it', '## My contribution\n\n**Position**: Use Redis\n\nText.'],
    ['a tag around all of it', '<answer>\nposition: Use Redis\n\nText.\n</answer>'],
    ['a list', '- **Position:** Use Redis\n- **Confidence:** 0.8\n\nText.'],
    ['a byte order mark', '\uFEFFposition: Use Redis\nconfidence: 0.8\n\nText.'],
    ['CRLF', 'Sure.\r\n\r\n---\r\nposition: "Use Redis"\r\n---\r\nText.'],
    ['a block that is not closed', '---\nposition: Use Redis\nconfidence: 0.8\n\nText.'],
    ['JSON without a fence', '{"Position": "Use Redis", "confidence": 0.8}\n\nText.'],
  ])('is read from %s', async (_, text) => {
    expect(await positionOf(text)).toBe('Use Redis');
  });

  it('takes yes and no, lists and their absence as people write them', async () => {
    const read = async (form: string) => (await readVerdict(`position: x\n${form}\n\nText.`, FLAGS)).verdict;
    expect(await read('agreed: Yes\ndone: oui\nblocking: none')).toEqual({
      position: 'x',
      agreed: true,
      done: true,
      blocking: [],
    });
    expect((await read('blocking:\n- No backup\n- "No rollback"')).blocking).toEqual([
      'No backup',
      'No rollback',
    ]);
    expect((await read('blocking: [No backup, "a, b"]')).blocking).toEqual(['No backup', 'a, b']);
  });

  it('is no claim, and its confidence stands in no view', () => {
    for (const { id, text } of of('position')) {
      const [first] = splitClaims(text);
      expect(text.slice(first?.start, first?.end), id).toMatch(/^(?:The queue should|La file doit)/);
      expect(withoutConfidence(text), id).not.toMatch(/confiden|confiance|0[.,][78]|80%/i);
    }
  });

  it('is looked for in linear time', { timeout: 30_000 }, () => {
    const n = 300_000;
    for (const text of [
      '---\n'.repeat(n),
      '<think>\n</think>\n'.repeat(n / 4),
      '<think>\n'.repeat(n),
      `{"a":${'['.repeat(n)}`,
      `| ${'| '.repeat(n)}\n| --- |\n`,
      'position: x\n'.repeat(n),
      `position:${' '.repeat(n)}x`,
      `${'**'.repeat(n)}position: x`,
      '"'.repeat(n),
      '“'.repeat(n),
    ])
      expect(formOf(text)?.end ?? 0).toBeLessThanOrEqual(text.length);
  });
});
