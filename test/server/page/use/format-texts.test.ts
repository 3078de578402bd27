import { describe, expect, it } from 'vitest';
import { formatTexts } from '../../../../src/server/page/use/format-texts.ts';
import type { MarkdownText } from '../../../../src/server/page/markdown/markdown-text.ts';

const text = (words: string): MarkdownText => ({ text: words, prefix: 'said-', level: 2, marks: [] });
/** Formatting it takes seconds, and a limit of a few milliseconds cannot be kept. */
const LONG = '['.repeat(60_000);

describe('the thread that formats', () => {
  it('gives each text its HTML, those with the same words as well', async () => {
    const texts = [text('**a**'), text('# b'), text('**a**'), text('')];
    const formatted = await formatTexts(texts);
    expect(texts.map((one) => formatted.get(one))).toEqual([
      '<p dir="auto"><strong>a</strong></p>',
      '<h3 dir="auto">b</h3>',
      '<p dir="auto"><strong>a</strong></p>',
      '',
    ]);
  });

  it('is the same one for the next texts, and another one for those who ask meanwhile', async () => {
    const [one, two] = await Promise.all([formatTexts([text('*a*')]), formatTexts([text('*b*')])]);
    expect([...one.values(), ...two.values()]).toEqual([
      '<p dir="auto"><em>a</em></p>',
      '<p dir="auto"><em>b</em></p>',
    ]);
    const limit = 60;
    const again = text('*c*');
    for (const texts of [[again], [text(LONG), again], [again]])
      expect((await formatTexts(texts, limit * texts.length)).get(again)).toMatch(/c/);
  });

  it('starts nothing for nothing', async () => {
    expect(await formatTexts([])).toEqual(new Map());
  });

  it('shows a text as it was written where time is over, and the others formatted', async () => {
    const texts = [text(LONG), text('*a*'), text(LONG)];
    const formatted = await formatTexts(texts, 60);
    expect(formatted.get(texts[0]!)).toBe(`<pre class="plain" dir="auto">${LONG}</pre>`);
    expect(formatted.get(texts[2]!)).toBe(`<pre class="plain" dir="auto">${LONG}</pre>`);
    expect(formatted.get(texts[1]!)).toMatch(/a/);
  });
});
