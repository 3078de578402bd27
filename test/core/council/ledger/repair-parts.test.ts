import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeRound } from '../../../../src/core/council/ledger/ledger.ts';
import { joinParts, splitParts } from '../../../../src/core/council/ledger/text/spoken-words.ts';
import { createNameResolver } from '../../../../src/core/council/naming/labels.ts';
import { EMPTY_LEDGER } from '../../../../src/core/council/state/state.ts';
import type { Contribution, Ledger } from '../../../../src/core/council/state/state.ts';
import { PHASES } from '../../../../src/core/council/state/allowed-values.ts';
import { rulesOf, said, stateOf } from '../fixtures.ts';

const ORDER = ['ada', 'bob'];

/** The ledger of a play, in which everybody says one text or several, one after the other. */
function ledgerOf(tours: Record<string, string[]>[]): { ledger: Ledger; contributions: Contribution[] } {
  const state = stateOf({ anonymous: false, rules: rulesOf(), ledger: EMPTY_LEDGER }, ORDER);
  const contributions = tours.flatMap((texts, at) =>
    Object.entries(texts).map(([by, parts]): Contribution => {
      const joined = joinParts(parts.map((part) => Buffer.from(part)));
      const one = said(by, joined.bytes.toString('utf8'), at + 1, PHASES[at]);
      return parts.length > 1 ? { ...one, parts: joined.parts } : one;
    }),
  );
  const ledger = tours.reduce<Ledger>((before, _, at) => {
    const heard = contributions.filter(({ tour }) => tour <= at + 1);
    const council = { state: { ...state, ledger: before }, brief: 'Which?', contributions: heard };
    return closeRound(council, { phase: PHASES[at]!, tour: at + 1 }, createNameResolver(state));
  }, EMPTY_LEDGER);
  return { ledger, contributions };
}

const COLLECT = {
  ada: ['The queue should live in PostgreSQL.\n\nRedis would be new to everybody on call.'],
  bob: ['Polling a table wastes the disk.'],
};
const wordsAt = (
  contributions: Contribution[],
  by: string,
  span: { tour: number; start: number; end: number },
) => contributions.find((c) => c.by === by && c.tour === span.tour)!.text.slice(span.start, span.end);

describe('a contribution in parts', () => {
  it('makes no claims of what was added in COLLECT', () => {
    const position = '---\nposition: Use PostgreSQL\n---\n\nAnd another thing, said too late.';
    const { ledger } = ledgerOf([{ ...COLLECT, ada: [COLLECT.ada[0]!, position] }]);
    expect(ledger).toEqual(ledgerOf([COLLECT]).ledger);
  });

  it('answers with what was added only what had no answer', () => {
    const challenge = '@ada.1 Who says that it keeps up?\n\n@ada.2 Nobody has asked them.';
    const { ledger, contributions } = ledgerOf([
      COLLECT,
      { bob: [challenge] },
      {
        ada: [
          'c1 rejected: it was measured.\n\n```\nan open fence',
          'c1 conceded: no.\n\nc2 conceded: true.',
        ],
      },
    ]);
    expect(ledger.challenges.map(({ id, status }) => [id, status])).toEqual([
      ['c1', 'rejected'],
      ['c2', 'conceded'],
    ]);
    expect(wordsAt(contributions, 'ada', ledger.challenges[1]!.answer!)).toBe('c2 conceded: true.');
  });

  it('puts the right quote in the place of one that stood nowhere', () => {
    const wrong =
      '@ada.1\n> The queue must never live in a table\n\nWhy not?\n\n@ada.2 Nobody has asked them.';
    const right = '@ada.1\n> The queue should live in PostgreSQL.\n\nWhy there?';
    const { ledger, contributions } = ledgerOf([COLLECT, { ada: ['@bob.1 How much?'], bob: [wrong, right] }]);
    expect(ledger.challenges.map(({ id, by, target, quote }) => [id, by, target, quote])).toEqual([
      ['c1', 'ada', 'bob.1', 'none'],
      ['c2', 'bob', 'ada.2', 'none'],
      ['c3', 'bob', 'ada.1', 'verified'],
    ]);
    expect(wordsAt(contributions, 'bob', ledger.challenges[2]!)).toContain('Why there?');
  });

  it('reads no challenge in what was added for something else', () => {
    const { ledger } = ledgerOf([COLLECT, { bob: ['@ada.1 Why?', 'vote: P1\n\n@ada.2 Why?'] }]);
    expect(ledger.challenges.map(({ target }) => target)).toEqual(['ada.1']);
  });

  it('keeps a wrong quote that nothing takes the place of', () => {
    const wrong = '> The queue must never live in a table\n\nWhy not?';
    const { ledger } = ledgerOf([COLLECT, { bob: [wrong, 'Sorry, I made that up.'] }]);
    expect(ledger.challenges.map(({ quote }) => quote)).toEqual(['not_found']);
  });
});

describe('joining parts', () => {
  it('keeps every word, and gives the same parts back', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 3 }), (texts) => {
        const joined = joinParts(texts.map((one) => Buffer.from(one)));
        const parts = splitParts({ text: joined.bytes.toString('utf8'), parts: joined.parts });
        expect(parts.join('')).toBe(joined.bytes.toString('utf8'));
        parts.forEach((part, at) => {
          expect(part.startsWith(texts[at]!)).toBe(true);
          expect(part.slice(texts[at]!.length)).toMatch(at < texts.length - 1 ? /^\n{0,2}$/ : /^$/);
          if (at < texts.length - 1) expect(part.endsWith('\n\n')).toBe(true);
        });
      }),
    );
  });

  it('takes a text whose lengths do not fit as one: somebody has edited it', () => {
    expect(splitParts({ text: 'edited by hand', parts: [3, 4] })).toEqual(['edited by hand']);
    expect(splitParts({ text: 'in one go' })).toEqual(['in one go']);
  });
});
