import { describe, expect, it } from 'vitest';
import type { Archive } from '../../../src/core/archive/archive.ts';
import { EMPTY_LEDGER } from '../../../src/core/council/state/state.ts';
import { pageDocument } from '../../../src/server/page/document.ts';
import { choosePart } from '../../../src/server/page/parts.ts';
import type { AskedPart } from '../../../src/server/page/parts.ts';
import { renderPage } from '../../../src/server/page/render.ts';
import { showWholeArchive } from '../../../src/server/page/seen-council.ts';
import { buildSeenSoFar } from '../../../src/server/page/active-council.ts';
import { archived, longCouncil, playedRounds } from '../../helpers/page-sample.ts';

const ROUNDS = 24;
/** Each challenges what henry said in the first round, in whole kilobytes. */
const said = (round: number, by: string): string =>
  round === 1
    ? `- ${by} wants one table that is backed up every night.\n`
    : `@henry.1:\n\n> one table that is backed up\n\nSays ${by} in round ${round}. ${'Who restores it? '.repeat(60)}\n`;

const plain = (text: { text: string }): string => text.text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
/** The page that an address leads to, as `?round=3`; whole for null. */
function pageOf(archive: Archive): (query: string | null) => string {
  const drawn = new Map<string | null, string>();
  return (query) => {
    const { round, at, seats } = Object.fromEntries(new URLSearchParams(query ?? ''));
    const asked: AskedPart = {
      ...(round !== undefined && { round: Number(round) }),
      ...(at !== undefined && { at }),
      ...(seats !== undefined && { seats: Number(seats) }),
    };
    const html =
      drawn.get(query) ??
      renderPage(
        pageDocument(
          showWholeArchive(
            { archive },
            query === null ? undefined : (all, ledger) => choosePart(all, ledger, asked),
          ),
        ),
        plain,
      );
    drawn.set(query, html);
    return html;
  };
}
const idsOf = (html: string): string[] => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
/** Drawing a page for each of hundreds takes minutes. */
const takeSome = <T>(all: readonly T[]): T[] => all.filter((_, at) => at % Math.ceil(all.length / 4) === 0);
/** Every address on a page leads to what is there, and no two places of it have one name. */
function expectSound(html: string, page: (query: string) => string): void {
  const ids = idsOf(html);
  expect(ids.length).toBe(new Set(ids).size);
  const there = new Set(ids);
  const named = [...html.matchAll(/href="#([^"]+)"/g)].map(([, to]) => to!);
  expect(named.filter((to) => !there.has(to))).toEqual([]);
  for (const [, query, to] of takeSome([...html.matchAll(/href="(\?[^"#]+)#([^"]+)"/g)]))
    expect([query, to, idsOf(page(query!)).includes(to!)]).toEqual([query, to, true]);
}
/** Every contribution, claim and challenge, by its address. */
const addressesOf = ({ meta: { ledger }, contributions }: Archive): string[] => [
  ...contributions.map(({ tour, by }) => `said-${tour}-${by}`),
  ...ledger.claims.map(({ id }) => `claim-${id}`),
  ...ledger.challenges.map(({ id }) => `challenge-${id}`),
];

describe('the part of a council that a page shows', () => {
  const of = (sizes: number[]) =>
    sizes.map((size, at) => ({ tour: at + 1, by: 'ana', text: 'x'.repeat(size * 1024) }));
  const shown = (contributions: Parameters<typeof choosePart>[0], asked?: AskedPart) => {
    const part = choosePart(contributions, EMPTY_LEDGER, asked);
    return part && [...part.here].map(({ tour, from, by }) => `${tour}: ${from}-${from + by.length - 1}`);
  };

  it('is all of it where that is not too much', () => {
    expect(shown(of([1, 60, 60]))).toBe(null);
    expect(shown([])).toBe(null);
  });

  it('are the last rounds, or those from the one that is asked for on, and at least that one', () => {
    const long = of([50, 50, 50, 50, 50]);
    const last = ['5: 1-1', '4: 1-1'];
    expect(shown(long)).toEqual(last);
    expect(shown(long, { round: 2 })).toEqual(['2: 1-1', '3: 1-1']);
    expect(shown(long, { at: 'said-2-ana' })).toEqual(['2: 1-1', '3: 1-1']);
    for (const round of [0, 6, -1, 1.5, Number.NaN]) expect(shown(long, { round })).toEqual(last);
    for (const at of ['said-6-ana', 'said-2-ben', 'x', '']) expect(shown(long, { at })).toEqual(last);
    expect(shown(of([10, 900, 10]), { round: 2 })).toEqual(['2: 1-1']);
  });

  const many = (count: number, rounds: number) =>
    Array.from({ length: count * rounds }, (_, at) => ({
      tour: 1 + Math.floor(at / count),
      by: `a${(at % count) + 1}`,
      text: 'x',
    }));

  it('has no more than fifty contributions, in whole rounds where they fit', () => {
    expect(shown(many(8, 125))?.[5]).toBe('120: 1-8');
    expect(shown(many(8, 125), { round: 7 })?.map((one) => Number.parseInt(one, 10))).toEqual([
      7, 8, 9, 10, 11, 12,
    ]);
  });

  it('is a stretch of a round that has no room on one page: the last round from its beginning on', () => {
    const large = many(120, 3);
    expect(shown(large)).toEqual(['3: 1-50']);
    expect(shown(large, { round: 2 })).toEqual(['2: 1-50']);
    expect(shown(large, { at: 'said-2-a51' })).toEqual(['2: 51-100']);
    // What is left of the room goes to what follows, then to what comes before.
    expect(shown(large, { at: 'said-2-a101' })).toEqual(['2: 101-120']);
    // Long texts fill a page as well.
    const long = of([100, 20, 20]).map((one, at) => ({ ...one, tour: 1, by: `a${at + 1}` }));
    expect(shown(long)).toEqual(['1: 1-2']);
    expect(shown(long, { at: 'said-1-a3' })).toEqual(['1: 3-3']);
  });
});

describe('the page of a long council', () => {
  const archive = archived(longCouncil(ROUNDS, said));
  const page = pageOf(archive);
  const wordsOf = (html: string, round: number): boolean => html.includes(`id="said-${round}-sage"`);

  it('has its last rounds in full, and the others at an address', () => {
    const html = page('');
    expect([wordsOf(html, ROUNDS), wordsOf(html, 3)]).toEqual([true, false]);
    expect(html).toMatch(
      /<a href="\?round=3#round-3"\s*>CHALLENGE \(round 3\): show what was said \(8\)<\/a/,
    );
    const third = page('?round=3');
    expect([wordsOf(third, 3), wordsOf(third, ROUNDS)]).toEqual([true, false]);
  });

  it('leads nowhere that is not there, and to every contribution, claim and challenge', () => {
    for (const query of ['', '?round=1', '?round=3', `?round=${ROUNDS}`]) expectSound(page(query), page);
    const { challenges } = archive.meta.ledger;
    const open = challenges.filter(({ status }) => status === 'open' || status === 'unanswered').length;
    expect(page('')).toContain(`(${open})`);
    for (const id of takeSome(addressesOf(archive))) expect(idsOf(page(`?at=${id}`))).toContain(id);
  });

  it('names in the margin who challenges a claim on another page', () => {
    const first = page('?round=1');
    const [challenge] = archive.meta.ledger.challenges.filter(({ tour }) => tour > 15);
    expect(challenge).toBeDefined();
    const margin = first.slice(first.indexOf('id="claim-henry.1"'), first.indexOf('</article>'));
    expect(margin).toContain('<div class="words">');
    expect(margin).toMatch(/<p\s+class="challenge [a-z]+ beside"\s+id="challenge-/);
    expect(margin).toMatch(/and \d+ more/);
  });

  it('is whole in a file', () => {
    const html = page(null);
    for (let round = 2; round <= ROUNDS; round++) expect(wordsOf(html, round)).toBe(true);
    expect(html).not.toMatch(/href="\?/);
  });
});

describe('the page of a council of many', () => {
  const SEATS = 120;
  const ids = Array.from({ length: SEATS }, (_, at) => `a${at + 1}`);
  const say = (text: (id: string, next: string) => string) =>
    Object.fromEntries(
      ids.map((id, at) => [id, { position: `Position ${at % 3}`, text: text(id, ids[(at + 1) % SEATS]!) }]),
    );
  const archive = archived(
    playedRounds(Object.fromEntries(ids.map((id) => [id, `Agent ${id}`])), [
      ['COLLECT', say((id) => `- One table that ${id} can restore at night, and nothing beside it.`)],
      [
        'CHALLENGE',
        say((_, next) => `@${next}.1:\n\n> One table that ${next} can restore at night\n\nWho has tried?`),
      ],
      ['RESOLVE', say((id) => `- One table that ${id} can restore in the morning, and nothing beside it.`)],
    ]),
  );
  const page = pageOf(archive);
  const count = (html: string, what: string): number => html.split(what).length - 1;

  it('has fifty contributions, with the ways to the others of their round', () => {
    const html = page('');
    expect([count(html, '<article class="said'), html.includes('id="said-3-a1"')]).toEqual([50, true]);
    expect(html).toMatch(/<strong>1–50<\/strong>/);
    expect(html).toContain('<a href="?at=said-3-a51#said-3-a51">51–100</a>');
    expect(html).toContain('<a href="?at=said-3-a51#said-3-a51">Next: 51–100</a>');
    const last = page('?at=said-3-a120');
    expect(count(last, '<article class="said')).toBe(20);
    expect(last).not.toContain('Next:');
  });

  it('weighs as much as fifty contributions do, however many sit there', () => {
    const style = page(null).indexOf('</style>');
    const kilobytes = (query: string): number => (page(query).length - style) / 1024;
    for (const query of ['', '?round=1']) expect(kilobytes(query)).toBeLessThan(60);
    // A challenge stands with the claim that it is about, and the tables with a picture.
    for (const query of ['?round=2', '?at=said-2-a60', '?seats=1', '?seats=51'])
      expect(kilobytes(query)).toBeLessThan(100);
  });

  it('leads from everywhere to every contribution, claim and challenge', () => {
    for (const query of ['', '?round=1', '?at=said-2-a60', '?seats=1', '?seats=101'])
      expectSound(page(query), page);
    for (const id of takeSome(addressesOf(archive))) expect(idsOf(page(`?at=${id}`))).toContain(id);
  });

  it('shows what changed since a round that stands on another page', () => {
    expect(page('')).toContain('What changed since COLLECT, round 1');
    expect(page('')).toMatch(/<del>at<\/del><ins>in<\/ins>|<ins>in the morning<\/ins>/);
  });

  it('has rows for each participant on pages of their own, 50 a page', () => {
    expect(page('')).toContain('href="?seats=1"');
    expect(page('')).not.toContain('Who held which position in which round</');
    const rows = (query: string): number => count(page(query), '<tr');
    expect(page('?seats=51')).toContain('>Agent a51</th>');
    expect(page('?seats=60')).toBe(page('?seats=51'));
    expect(page('?seats=51')).not.toContain('>Agent a101</th>');
    expect(rows('?seats=51')).toBeGreaterThan(rows('?seats=101'));
    // Beyond the last one stands the last page.
    expect(page('?seats=9999')).toBe(page('?seats=101'));
  });
});

it('finds nobody by their own name while letters stand for names', () => {
  const ids = Array.from({ length: 120 }, (_, at) => `a${at + 1}`);
  const words = Object.fromEntries(ids.map((id) => [id, { text: '- One table.' }]));
  const council = playedRounds(
    Object.fromEntries(ids.map((id) => [id, `Agent ${id}`])),
    [
      ['COLLECT', words],
      ['CHALLENGE', words],
    ],
    { anonymous: true },
  );
  const open = { ...council, state: { ...council.state, currentPhase: 'RESOLVE' as const } };
  const here = (asked: AskedPart): string[] => {
    const { part } = buildSeenSoFar(open, (all, ledger) => choosePart(all, ledger, asked));
    return [...part!.here].flatMap(({ tour, by }) => by.map((id) => `said-${tour}-${id}`));
  };
  const usual = here({});
  for (const id of ids) {
    expect(here({ at: `said-1-${id}` })).toEqual(usual);
    expect(here({ at: `claim-${id}.1` })).toEqual(usual);
  }
  const shown = here({ round: 1 })[60 % 50];
  expect(ids.map((id) => `said-1-${id}`)).not.toContain(shown);
  expect(here({ at: shown! })).toContain(shown);
});
