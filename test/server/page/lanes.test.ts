import { describe, expect, it } from 'vitest';
import { loadPageWords } from '../../../src/server/page/words.ts';
import type { PhaseName } from '../../../src/core/council/state/allowed-values.ts';
import { describeLanes, renderPictureFile } from '../../../src/server/page/lanes/draw.ts';
import { foldRounds, layOutLanes } from '../../../src/server/page/lanes/layout.ts';
import { buildLanes } from '../../../src/server/page/lanes/lanes.ts';
import type { LaneRow } from '../../../src/server/page/lanes/lanes.ts';

import { HOSTILE } from '../../helpers/hostile-page.ts';
import { dangerIn, elementsIn, fragmentOf, textIn } from '../../helpers/html.ts';
import { archived, playedRounds, queueArchive } from '../../helpers/page-sample.ts';
import type { Round } from '../../helpers/page-sample.ts';

const en = loadPageWords('en');
const lanes = buildLanes(queueArchive())!;
const row = (id: string): LaneRow => lanes.rows.find((one) => one.id === id)!;

/** Rounds in which everybody votes as these letters say, one word a round. */
function voted(rounds: string[]): Round[] {
  const phase = (at: number): PhaseName => (at === 0 ? 'COLLECT' : at % 2 === 1 ? 'CHALLENGE' : 'RESOLVE');
  return rounds.map((letters, at) => [
    phase(at),
    Object.fromEntries(
      [...letters].flatMap((letter, seat) =>
        letter === '.' ? [] : [[`p${seat}`, { text: `Round ${at}.`, position: `Option ${letter}` }]],
      ),
    ),
  ]);
}
const archiveOf = (rounds: string[]) =>
  archived(
    playedRounds(
      Object.fromEntries([...rounds[0]!].map((_, seat) => [`p${seat}`, `P ${seat}`])),
      voted(rounds),
    ),
  );

describe('the lanes', () => {
  it.each([
    ['en', 'final'],
    ['fr', loadPageWords('fr').page.end],
  ] as const)('names the end only where the council has ended: %s', (lang, end) => {
    const drawn = (hasEnded: boolean) =>
      renderPictureFile(buildLanes(queueArchive(), hasEnded)!, { topic: 'Queue?', lang });
    expect(drawn(true)).toContain(`>${end}</text>`);
    expect(drawn(false)).not.toContain(`>${end}</text>`);
  });

  it('have a lane for each position that somebody held, the decided one first', () => {
    expect(lanes.lanes.map(({ number, isDecided }) => [number, isDecided])).toEqual([
      ['P2', true],
      ['P1', false],
      ['P3', false],
      ['P4', false],
    ]);
  });

  it('tell explained moves from unexplained ones, and who only stayed', () => {
    expect(row('sage').stops.map(({ number, kind, move }) => [number, kind, move?.explained])).toEqual([
      ['P4', 'stated', undefined],
      ['P2', 'stated', true],
      ['P2', 'stated', undefined],
    ]);
    expect(row('nova').stops[1]!.move).toEqual({ from: 'P3', explained: false, because: null });
    expect(row('codex').stops[2]).toEqual({ number: 'P2', kind: 'carried' });
  });

  it('end where a position counts, with joins and approvals', () => {
    expect(lanes.joins).toEqual([['P2', 'P3']]);
    expect(row('opencode')).toMatchObject({ end: 'P2', approves: ['P1'] });
    expect(row('gemini').approves).toEqual(['P4']);
  });

  it('are none where nobody took a position', () => {
    const silent: Round[] = [['COLLECT', { a: { text: 'Words.' }, b: { text: 'Words.' } }]];
    expect(buildLanes(archived(playedRounds({ a: 'A', b: 'B' }, silent)))).toBeNull();
  });

  it('keep a lane for those without a position', () => {
    const quiet = buildLanes(archiveOf(['a.', 'aa', 'aa']))!;
    expect(quiet.lanes.at(-1)!.number).toBe('');
    expect(quiet.rows[1]!.stops.map(({ number, kind }) => [number, kind])).toEqual([
      ['', 'silent'],
      ['P1', 'stated'],
      ['P1', 'stated'],
    ]);
  });

  it('fold quiet rounds, but neither the first nor the last', () => {
    const columns = (rounds: string[]) =>
      foldRounds(buildLanes(archiveOf(rounds))!).map(({ rounds: all }) => all.map(({ tour }) => tour));
    expect(columns(['ab', 'ab', 'ab'])).toEqual([[1], [2], [3]]);
    expect(columns(['ab', 'aa', 'aa', 'aa', 'aa', 'ab', 'ab'])).toEqual([[1], [2], [3, 4, 5], [6], [7]]);
  });

  it('draw more than eight positions in grey', () => {
    const many = buildLanes(archiveOf(['abcdefghijkl', 'abcdefghijkl']))!;
    expect(many.lanes.map(({ colour }) => colour)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0]);
  });

  it('let nobody share a place, and nobody leave a lane', () => {
    for (const rounds of [
      ['abcab', 'aabba', 'ccccc', 'abc.a'],
      ['aaaaaaaa', 'abababab', 'bbbbaaaa'],
    ]) {
      const layout = layOutLanes(buildLanes(archiveOf(rounds))!, 40, () => '');
      const columns = layout.rows[0]!.points.length;
      for (let at = 0; at < columns; at++) {
        const places = layout.rows.map(({ points }) => points[at]!);
        expect(new Set(places.map(({ y }) => y)).size).toBe(places.length);
        for (const { y, lane } of places) {
          expect(y).toBeGreaterThan(lane.top);
          expect(y).toBeLessThan(lane.top + lane.height);
        }
      }
      for (const { points } of layout.rows)
        points.slice(1).forEach((point, at) => {
          if (point.stop.number === points[at]!.stop.number) expect(point.y).toBe(points[at]!.y);
        });
    }
  });
});

describe('the picture', () => {
  const svg = renderPictureFile(lanes, { topic: 'Where should the job queue live?', lang: 'en' });

  it('says in words who moved', () => {
    expect(describeLanes(lanes, en)).toBe(
      'Sage: P4, then P2 in CHALLENGE (round 2), because of henry.1. Nova: P3, then P2 in CHALLENGE (round 2), unexplained. ' +
        'Claude: P4, then P2 in RESOLVE (round 3), because of henry.1. Codex: P1, then P2 in CHALLENGE (round 2), unexplained. ' +
        'Gemini: P4, then P2 in RESOLVE (round 3), unexplained. Stayed: Henry (P2), Ana (P2), OpenCode (P2).',
    );
    expect(svg).toContain(
      `<desc id="picture-desc">${describeLanes(lanes, en).replaceAll("'", '&#39;')}</desc>`,
    );
  });

  it('is one file without style attributes, script or anything from elsewhere', () => {
    expect(svg.startsWith('<svg')).toBe(true);
    expect(dangerIn(fragmentOf(svg))).toEqual([]);
    expect(svg).not.toMatch(/url\(|@import|href/);
  });

  it('draws what its legend explains', () => {
    const elements = elementsIn(fragmentOf(svg));
    const count = (pattern: RegExp) =>
      elements.filter(({ attributes }) => pattern.test(attributes.class ?? '')).length;
    expect(count(/\bhollow\b/)).toBe(3);
    expect(count(/\bdashed\b/)).toBe(3);
    expect(count(/\bdotted\b/)).toBe(1);
    expect(count(/\bcross\b/)).toBe(1);
    expect(count(/\bbracket\b/)).toBe(1);
    const text = textIn(fragmentOf(svg));
    for (const sign of [
      '● moved, with a reason',
      '○ moved, without one (dashed)',
      '× carried',
      '✓ P4',
      'P2 = P3',
    ])
      expect(text).toContain(sign);
  });

  it('is in the language of the council', () => {
    expect(renderPictureFile(lanes, { topic: 'Où ?', lang: 'fr' })).toContain(
      'Comment les positions ont évolué\u202F: Où ?',
    );
  });

  it.each(HOSTILE)('holds its words as words: %j', (text) => {
    const seats = { a: text, b: 'B' };
    const rounds: Round[] = [
      ['COLLECT', { a: { text: 'x', position: text }, b: { text: 'y', position: 'other' } }],
      ['CHALLENGE', { a: { text: 'x', position: 'other' }, b: { text: 'y', position: text } }],
    ];
    const drawn = renderPictureFile(buildLanes(archived(playedRounds(seats, rounds)))!, {
      topic: text,
      lang: 'en',
    });
    expect(dangerIn(fragmentOf(drawn))).toEqual([]);
    // No XML has these, and nobody sees them.
    expect(drawn).not.toMatch(/[\u202A-\u202E\uFFFE\uFFFF]/);
    expect(drawn.match(/<(?!\/?(?:svg|title|desc|style|rect|text|tspan|g|path|circle)\b)/g)).toBeNull();
  });
});
