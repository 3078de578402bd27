import { describe, expect, it } from 'vitest';
import { pageDocument } from '../../../src/server/page/document.ts';
import { renderPage } from '../../../src/server/page/render.ts';
import { roundsShown, showWholeArchive } from '../../../src/server/page/seen.ts';
import { archived, longCouncil } from '../../helpers/page-sample.ts';

const ROUNDS = 24;
/** Each challenges what henry said in the first round, in whole kilobytes. */
const said = (round: number, by: string): string =>
  round === 1
    ? `- ${by} wants one table that is backed up every night.\n`
    : `@henry.1:\n\n> one table that is backed up\n\nSays ${by} in round ${round}. ${'Who restores it? '.repeat(60)}\n`;

const archive = archived(longCouncil(ROUNDS, said));
const plain = (text: { text: string }): string => text.text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const drawn = new Map<number | undefined, string>();
function htmlFor(asked?: number): string {
  const html =
    drawn.get(asked) ??
    renderPage(pageDocument(showWholeArchive({ archive }, (all) => roundsShown(all, asked))), plain);
  drawn.set(asked, html);
  return html;
}
const wordsOf = (html: string, round: number): boolean => html.includes(`id="said-${round}-sage"`);

describe('the rounds of a page', () => {
  const of = (sizes: number[]) => sizes.map((size, at) => ({ tour: at + 1, text: 'x'.repeat(size * 1024) }));

  it('are all of them where it is not too much', () => {
    expect([...roundsShown(of([1, 60, 60]))].sort()).toEqual([1, 2, 3]);
    expect([...roundsShown([])]).toEqual([]);
  });

  it('are the last ones, or those from the one that is asked for on, and at least that one', () => {
    const long = of([50, 50, 50, 50, 50]);
    expect([...roundsShown(long)]).toEqual([5, 4]);
    expect([...roundsShown(long, 2)]).toEqual([2, 3]);
    expect([...roundsShown(long, 5)]).toEqual([5, 4]);
    for (const asked of [0, 6, -1, 1.5, Number.NaN]) expect([...roundsShown(long, asked)]).toEqual([5, 4]);
    expect([...roundsShown(of([10, 900, 10]), 2)]).toEqual([2]);
  });
});

it('has no more than fifty contributions of many short ones, in whole rounds', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ tour: 1 + Math.floor(at / 8), text: 'x' }));
  expect([...roundsShown(many)].sort((a, b) => a - b)).toEqual([120, 121, 122, 123, 124, 125]);
  expect([...roundsShown(many, 7)].sort((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12]);
  // A round of more is whole all the same.
  expect([...roundsShown(many.map(({ text }) => ({ tour: 1, text })))]).toEqual([1]);
});

describe('the page of a long council', () => {
  it('has its last rounds in full, and the others at an address', () => {
    const html = htmlFor();
    expect([wordsOf(html, ROUNDS), wordsOf(html, 3)]).toEqual([true, false]);
    expect(html).toContain('<a href="?round=3#round-3">CHALLENGE (round 3): show what was said (8)</a>');
    expect(html).toContain('<a href="?round=3#challenge-');
    const third = htmlFor(3);
    expect([wordsOf(third, 3), wordsOf(third, ROUNDS)]).toEqual([true, false]);
  });

  it('leads nowhere that is not there, and has every claim and challenge', () => {
    const { claims, challenges } = archive.meta.ledger;
    for (const asked of [undefined, 1, 3, ROUNDS]) {
      const html = htmlFor(asked);
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
      expect(ids.length).toBe(new Set(ids).size);
      const there = new Set(ids);
      const named = [
        ...[...html.matchAll(/href="#([^"]+)"/g)].map(([, to]) => to!),
        ...claims.map(({ id }) => `claim-${id}`),
        ...challenges.map(({ id }) => `challenge-${id}`),
      ];
      expect([asked, named.filter((to) => !there.has(to))]).toEqual([asked, []]);
      const unanswered = challenges.filter(
        ({ status }) => status === 'open' || status === 'unanswered',
      ).length;
      expect(html).toContain(`(${unanswered})`);
    }
    for (const [, round, to] of htmlFor().matchAll(/href="\?round=(\d+)#([^"]+)"/g))
      expect(htmlFor(Number(round))).toMatch(new RegExp(`\\sid="${to}"`));
  });

  it('is whole in a file', () => {
    const html = renderPage(pageDocument(showWholeArchive({ archive })), plain);
    for (let round = 2; round <= ROUNDS; round++) expect(wordsOf(html, round)).toBe(true);
    expect(html).not.toContain('?round=');
  });
});
