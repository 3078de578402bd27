import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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
