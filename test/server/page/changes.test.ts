// What an author changed between two rounds.
import { expect, it } from 'vitest';
import { loadPageWords } from '../../../src/server/page/words.ts';
import type { PhaseName } from '../../../src/core/council/state/allowed-values.ts';
import { pairVersions } from '../../../src/server/page/document.ts';
import type { SaidTexts } from '../../../src/server/page/document.ts';
import { renderChanges } from '../../../src/server/page/regions/contributions.ts';
import type { RenderContext } from '../../../src/server/page/page-formats.ts';

const show = { w: loadPageWords('en'), lang: 'en' } as RenderContext;
const said = (by: string, phase: PhaseName, tour: number, text: string): SaidTexts =>
  ({ said: { by, phase, tour }, parts: [{ form: null, body: { text } }] }) as unknown as SaidTexts;
const changed = (old: string, now: string): string =>
  renderChanges(said('ana', 'COLLECT', 1, old), said('ana', 'RESOLVE', 3, now), show)?.toString() ?? '';

it('pairs an answer with the last one of its author, and leaves challenges out', () => {
  const all = [
    said('ana', 'COLLECT', 1, 'a'),
    said('ben', 'COLLECT', 1, 'b'),
    said('ana', 'CHALLENGE', 2, 'c'),
    said('ana', 'RESOLVE', 3, 'd'),
  ].map((one) => one.said);
  expect([...pairVersions(all)]).toEqual([[all[3], all[0]]]);
});

it('marks the words that came and went, without any markup of the author', () => {
  const html = changed(
    'We buy <b>the</b> billing system this year.',
    'We build <b>the</b> billing system this year.',
  );
  expect(html).toContain('<del>buy</del><ins>build</ins> &lt;b&gt;the&lt;/b&gt; billing system');
  expect(html).toContain('What changed since COLLECT, round 1');
});

it('says nothing of the same text, of another text, and of one that is very long', () => {
  expect(changed('the same', 'the same')).toBe('');
  expect(changed('Buy it, because it is there.', 'No.')).toBe('');
  expect(changed('word '.repeat(5000), 'word '.repeat(5001))).toBe('');
});
