// What a page costs by the size of its council, counted and not timed: how often a fact of it is looked at.
import { describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/core/archive/archive.ts';
import { locateVerifiedQuotes } from '../../../src/core/council/ledger/judge-quotes.ts';
import type { Challenge, Contribution } from '../../../src/core/council/state/state.ts';
import { runToEnd, pageDocument } from '../../../src/server/page/document.ts';
import { renderPage } from '../../../src/server/page/render.ts';
import { showWholeArchive } from '../../../src/server/page/seen-council.ts';
import { queueArchive } from '../../helpers/page-sample.ts';

/** The same object; every look at a field of it is counted. */
const counted = <T extends object>(one: T, count: { looks: number }): T =>
  new Proxy(one, {
    get(target, key) {
      count.looks++;
      return Reflect.get(target, key) as unknown;
    },
  });

/** The debate of eight at so many tables at once. */
function atTables(tables: number, count: { looks: number }): Archive {
  const archive = queueArchive();
  const { claims, challenges } = archive.meta.ledger;
  const here = (id: string, table: number): string => `${id}-${table}`;
  const atEach = <T extends { by: string }>(all: readonly T[], named: (one: T, table: number) => T): T[] =>
    Array.from({ length: tables }, (_, table) =>
      all.map((one) => counted({ ...named(one, table), by: here(one.by, table) }, count)),
    ).flat();
  return {
    ...archive,
    contributions: atEach(archive.contributions, (said) => said),
    meta: {
      ...archive.meta,
      participants: Array.from({ length: tables }, (_, table) =>
        archive.meta.participants.map((one) => ({ ...one, id: here(one.id, table) })),
      ).flat(),
      ledger: {
        ...archive.meta.ledger,
        claims: atEach(claims, (one, table) => ({ ...one, id: here(one.id, table) })),
        challenges: atEach(challenges, (one, table) => ({
          ...one,
          id: here(one.id, table),
          target: one.target && here(one.target, table),
          against: one.against && here(one.against, table),
        })),
      },
    },
  };
}

function looksOfPage(tables: number): number {
  const count = { looks: 0 };
  const page = pageDocument(showWholeArchive({ archive: atTables(tables, count) }));
  renderPage(page, () => '');
  return count.looks;
}

describe('a page', () => {
  it('looks at each fact as often in a large council as in a small one', () => {
    const [small, large] = [looksOfPage(10), looksOfPage(40)];
    expect(large / small).toBeLessThan(4.5);
  });
});

describe('the places of quotes', () => {
  const said = (by: string, tour: number, text: string): Contribution => ({
    ...{
      by,
      tour,
      phase: tour === 1 ? 'COLLECT' : 'CHALLENGE',
      at: '',
      bytes: text.length,
      sha256: '',
      text,
    },
  });
  const quoteOf = (at: number): string => `The queue number ${at} is one table that both servers read.`;

  it('are looked for once where many challenges share them', () => {
    const looksAt = (many: number): { looks: number; places: number } => {
      const theirs = Array.from({ length: many }, (_, at) => `- ${quoteOf(at)}`).join('\n');
      const mine = Array.from({ length: many }, (_, at) => `> ${quoteOf(at)}\n`).join('\n');
      const count = { looks: 0 };
      const challenges = Array.from({ length: many }, (_, at): Challenge => ({
        ...{ id: `c${at}`, by: 'ben', tour: 2, start: 0, end: mine.length, target: null },
        ...{ against: 'ana', quote: 'verified', status: 'open', answer: null },
      }));
      const places = runToEnd(
        locateVerifiedQuotes({
          contributions: [said('ana', 1, theirs), said('ben', 2, mine)].map((one) => counted(one, count)),
          claims: [],
          challenges,
          order: ['ana', 'ben'],
          shown: (text) => ({ text, places: [] }),
        }),
      );
      return { looks: count.looks, places: places.length };
    };
    expect(looksAt(10).places).toBe(100);
    expect(looksAt(40)).toEqual({ looks: looksAt(10).looks, places: 1600 });
  });

  it('are those of an earlier round, whoever has said the same since', () => {
    const words = quoteOf(1);
    const text = `> ${words}\n\nNo.`;
    const challenge: Challenge = {
      ...{ id: 'c1', by: 'ben', tour: 2, start: 0, end: text.length, target: 'ana.1' },
      ...{ against: 'ana', quote: 'verified', status: 'open', answer: null },
    };
    const place = (contributions: Contribution[]) =>
      runToEnd(
        locateVerifiedQuotes({
          contributions,
          claims: [],
          challenges: [challenge],
          order: ['ana', 'ben'],
          shown: (text) => ({ text, places: [] }),
        }),
      );
    const later = [said('ana', 2, words), said('ana', 3, words)];
    expect(place([said('ana', 1, 'Else.'), said('ben', 2, text), ...later])).toEqual([]);
    expect(place([said('ana', 1, words), said('ben', 2, text), ...later])).toEqual([
      { challenge: 'c1', by: 'ana', tour: 1, start: 0, end: words.length },
    ]);
  });

  it('are found in pieces: others are served after each text that is read', () => {
    const people = Array.from({ length: 8 }, (_, at) => `p${at}`);
    const first = people.map((by, at) => said(by, 1, quoteOf(at)));
    const second = people.map((by, at) => said(by, 2, `> ${quoteOf((at + 1) % 8)}\n\nNo.`));
    const pieces = locateVerifiedQuotes({
      ...{
        contributions: [...first, ...second],
        claims: [],
        order: people,
        shown: (text) => ({ text, places: [] }),
      },
      challenges: second.map(({ by, text }, at): Challenge => ({
        ...{ id: `c${at}`, by, tour: 2, start: 0, end: text.length, target: null },
        ...{ against: `p${(at + 1) % 8}`, quote: 'verified', status: 'open', answer: null },
      })),
    });
    let pauses = 0;
    let piece = pieces.next();
    for (; !piece.done; piece = pieces.next()) pauses += 1;
    expect(piece.value).toHaveLength(8);
    // One for each text that quotes, and one for each that is quoted.
    expect(pauses).toBe(16);
  });
});
