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

describe('what nobody has said', () => {
  const verdictOf = async (text: string) => (await readVerdict(text, FLAGS)).verdict;

  it.each([
    '---\nposition: Keep it\nsummary: |\n  Ana wrote:\n  agreed: true\n  done: true\n  blocking: nobody asked\nnote: I disagree: strongly\n---\nNo.',
    '<thinking type="a">\nagreed: true\nposition: X\n</thinking>\nposition: Keep it\nagreed: false',
    '<think >\nagreed: true\nposition: X\n</think>\nposition: Keep it\nagreed: false',
    '<think>\n<think>x</think>\nagreed: true\nposition: X\n</think>\nposition: Keep it\nagreed: no',
    'position: Keep it\nblocking: None.\n\nText.',
    '| position | Keep it |\n|---|---|\n| agreed | no |\n\nText.',
  ])('is no vote: %j', async (text) => {
    expect(await verdictOf(text)).toEqual({ agreed: false, done: false, position: 'Keep it', blocking: [] });
  });

  it.each([
    'Here: <thinking>\nagreed: true\nposition: X\n</thinking>\nNo.',
    '<answer><think>\nposition: X\nagreed: true\n</think>\nNo.',
    'Bob said this, I reject it:\n\n    position: X\n    agreed: true\n\nNo.',
    '<blockquote>\nposition: X\nagreed: true\n</blockquote>\nI do not agree.',
    '<!--\nposition: X\nagreed: true\n-->\nI do not agree.',
    '---\nbob:\n  position: B\nposition:\n  mine: A\n---\nText.',
  ])('is no position: %j', async (text) => {
    expect(await verdictOf(text)).toMatchObject({ agreed: false, position: null });
  });

  it.each([
    '---\nposition: Redis\nconfidence level: 0.93\n---\nText.',
    '---\nposition: Redis\nconfidence_level: 0.93\n---\nText.',
    '{"position":"Redis","confidence":0.93,"confidence":0.93}\nBecause.',
    '{"position":"Redis","con\\u0066idence":0.93}\nBecause.',
    '| position | confidence |\n|--|--|\n| Redis | 0.93 |\n\nText.',
    '---\nposition: Redis\n**confidence**: 0.93\n---\nText.',
    '---\nposition: Redis\nconfiance\u00A0: 0.93\n---\nText.',
    '---\nposition: Redis\n"con\\x66idence": 0.93\n---\nText.',
    '---\nposition: Redis\n!!str confidence: 0.93\n---\nText.',
    'position: Redis\nconfidence:\n  0.93\n\nText.',
  ])('keeps how sure somebody is to themselves: %j', (text) => {
    expect(withoutConfidence(text)).not.toContain('0.93');
    expect(withoutConfidence(text)).toContain('Redis');
  });

  it('leaves the cell of a position alone', () => {
    const shown = withoutConfidence('| position | confidence |\n|--|--|\n| use 0.95 | 0.9 |\n\nText.');
    expect(shown).toContain('| use 0.95 |');
  });

  it.each([
    'ID: concede nothing.',
    'ID: I concede nothing.',
    'ID: I accept no part of this.',
    'ID: conceded by nobody.',
    'I concede ID only if bob shows numbers; he has not.',
    'ID: I concede if bob shows numbers. He has not, so rejected.',
    'ID — accept or reject? I will see.',
    'ID: accepted practice is to measure.',
    'ID: I accept that bob is loud, but the figure stands.',
    'ID conceded, but only if he measures.',
    '> Nobody measured this\n\nI accept that you think so. It was not.',
    '> Nobody measured this\n\nI accept this burden of proof gladly.',
    '> Nobody measured this\n\nI accept this only if you rerun it.',
    '> Nobody measured this\n\nI concede it? Never.',
    '<think>\n\nID conceded: maybe\n\n</think>\n\nThe figure stands.',
    'Well.\n\n<think>\n\nID conceded: maybe\n\n</think>\n\nThe figure stands.',
    '- bob says:\n  ```\n  ID conceded: yes\n  ```',
    '`ID conceded: yes` is what bob wants me to say, but no.',
    '<blockquote>\n\nID conceded: yes\n\n</blockquote>\n\nNo.',
    '| challenge | what bob wants | my remarks |\n| --- | --- | --- |\n| ID | conceded | none |',
  ])('concedes nothing: %j', (text) => {
    expect(answerRead(text)).toBe('ask');
  });

  it('is read from the column of answers', () => {
    const text =
      '| challenge | what bob wants | my answer |\n| --- | --- | --- |\n| ID | conceded | rejected |';
    expect(answerRead(text)).toBe('rejected');
  });

  it('costs linear time', { timeout: 60_000 }, () => {
    for (const text of [
      `| a | b |\n${' '.repeat(130_000)}x\n`,
      `| a | b |\n|--${' '.repeat(130_000)}x\n`,
      `| a | b |\n|--|--|\n| x | x${'*'.repeat(60_000)}x |\n`,
      `> ${','.repeat(60_000)}x\n\nNo.`,
      `> ${'\n'.repeat(60_000)}— x\n`,
      '<think>\n'.repeat(60_000),
      '<!--'.repeat(60_000),
    ]) {
      const began = process.cpuUsage();
      formOf(text);
      challengesOf(text);
      answerRead(text);
      const { user } = process.cpuUsage(began);
      expect(user / 1e6, JSON.stringify(text.slice(0, 40))).toBeLessThan(5);
    }
  });
});
