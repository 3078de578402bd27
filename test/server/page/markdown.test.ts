import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convertMarkdownToHtml } from '../../../src/server/page/markdown/to-html.ts';
import type { QuoteMark } from '../../../src/server/page/markdown/markdown-text.ts';
import { HOSTILE } from '../../helpers/hostile-page.ts';
import { dangerIn, elementsIn, fragmentOf, textIn } from '../../helpers/html.ts';
import { countCases } from '../../helpers/long.ts';

const format = (
  text: string,
  { level = 4, marks = [] }: { level?: number; marks?: QuoteMark[] } = {},
): string => convertMarkdownToHtml({ text, prefix: 'said-1-ana-', level, marks });
const tree = (text: string) => fragmentOf(format(text));

describe('the Markdown of a page', () => {
  it('formats what people write', () => {
    const html = format(
      'A **bold** word, `code`, and a list:\n\n1. one\n2. two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |',
    );
    expect(html).toContain('<strong>bold</strong>');
    expect(elementsIn(fragmentOf(html)).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['p', 'code', 'ol', 'li', 'table', 'thead', 'th', 'td']),
    );
  });

  it('lets a table scroll by itself, by keyboard as well, and each block read in its own direction', () => {
    const [wide, inner] = ['div', 'table'].map((wanted) =>
      elementsIn(tree('| a | <b> |\n| - | - |\n| 1 | 2 |')).find(({ name }) => name === wanted),
    );
    const group = { class: 'wide', role: 'group', tabindex: '0', 'aria-label': 'a, <b>', dir: 'auto' };
    expect(wide!.attributes).toEqual(group);
    expect(inner!.attributes).toEqual({});
    const blocks = elementsIn(tree('# One\n\nTwo\n\n- three\n\n> four\n\n```\nfive\n```'));
    const auto = blocks.flatMap(({ name, attributes }) => (attributes.dir === 'auto' ? [name] : []));
    expect(auto).toEqual(['h5', 'p', 'ul', 'blockquote']);
  });

  it('keeps the lines of an author who does not wrap, as show does, and joins those of one who does', () => {
    const countBreaks = (text: string): number =>
      elementsIn(tree(text)).filter(({ name }) => name === 'br').length;
    expect(countBreaks('Buy: *two\nweeks*\nBuild: ten\nRent: one')).toBe(3);
    expect(countBreaks('- Buy: two\n  Build: ten')).toBe(1);
    expect(countBreaks('Hard  \nbreak\nhere')).toBe(2);
    const wrapped =
      'Whoever writes prose by hand breaks the lines where the\nnext word would not have fitted any more, such as here\nand there.';
    expect(countBreaks(wrapped)).toBe(0);
    expect(textIn(tree(wrapped))).toBe(wrapped);
  });

  it.each(HOSTILE)('makes nothing run or load: %j', (text) => {
    expect(dangerIn(tree(text))).toEqual([]);
    expect(dangerIn(tree(`> - ${text.replaceAll('\n', '\n>   ')}`))).toEqual([]);
    expect(dangerIn(tree(`words ${text} [link](${text} "${text}")`))).toEqual([]);
  });

  it('makes nothing of several hostile texts together', () => {
    const together = fc.array(fc.constantFrom(...HOSTILE, '\n', '\n\n', ' ', '> ', '- ', '`', '"'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(together, (texts) => {
        expect(dangerIn(tree(texts.join('')))).toEqual([]);
      }),
      { numRuns: countCases(300) },
    );
  });

  it('loses no word, whatever Markdown makes of the signs around it', () => {
    const words = fc.stringMatching(/^[a-z]{4,8}$/);
    const around = fc.constantFrom(
      ...[
        (w: string) => w,
        (w: string) => `**${w}**`,
        (w: string) => `<b title="${w}">`,
        (w: string) => `<!-- ${w} -->`,
      ],
      ...[
        (w: string) => `![${w}](x.png)`,
        (w: string) => `![x](${w}.png "${w}")`,
        (w: string) => `[x](y "${w}")`,
      ],
      ...[
        (w: string) => `[${w}](javascript:${w})`,
        (w: string) => `\n\n[x]: y "${w}"\n\n`,
        (w: string) => `\n\n[^${w}]: ${w}\n\n`,
      ],
      ...[
        (w: string) => `[^${w}]`,
        (w: string) => `\n\n\`\`\`${w} x\n${w}\n\`\`\`\n\n`,
        (w: string) => `\n\n<div>\n${w}\n</div>\n\n`,
      ],
      ...[
        (w: string) => `\n- [ ] ${w}\n`,
        (w: string) => `\n# ${w}\n`,
        (w: string) => `~~${w}~~`,
        (w: string) => `| ${w} |\n| --- |\n`,
      ],
      ...[
        (w: string) => `[${w}][x]`,
        (w: string) => `[](${w})`,
        (w: string) => `<${w}>`,
        (w: string) => `</${w}>`,
      ],
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(words, around), { minLength: 1, maxLength: 10 }), (pieces) => {
        const shown = textIn(tree(pieces.map(([word, put]) => put(word)).join(' ')));
        for (const [word] of pieces) expect(shown).toContain(word);
      }),
      { numRuns: countCases(400) },
    );
  });

  it('shows raw HTML as the text that it is', () => {
    expect(textIn(tree('See <b>this</b>.\n\n<div class="x">\nblock\n</div>'))).toBe(
      'See <b>this</b>.\n<div class="x">\nblock\n</div>',
    );
  });

  it('shows images as their words and address, and loads none', () => {
    expect(textIn(tree('![a chart](https://example.org/a.png "2026")'))).toBe(
      'a chart (https://example.org/a.png "2026")',
    );
  });

  it('shows task boxes, formulas and diagrams as text', () => {
    expect(textIn(tree('- [ ] open\n- [x] done'))).toContain('☐ open\n☑ done');
    expect(format('```mermaid\ngraph TD\n```')).toMatch(/<pre><code[^>]*>graph TD\n<\/code><\/pre>/);
    expect(textIn(tree('$x^2$ and $$y$$'))).toBe('$x^2$ and $$y$$');
  });

  it('tells where a link really leads, and tells nobody who follows it', () => {
    const links = (text: string) => elementsIn(tree(text)).filter(({ name }) => name === 'a');
    const [link] = links('[the plan](https://example.org:8080/a?b=c)');
    expect(link!.attributes).toEqual({
      href: 'https://example.org:8080/a?b=c',
      rel: 'noopener noreferrer nofollow ugc',
    });
    expect(textIn(tree('[the plan](https://example.org:8080/a)'))).toBe('the plan (example.org:8080)');
    expect(textIn(tree('[https://good.example](https://evil.example/x)'))).toBe(
      'https://good.example (evil.example)',
    );
    expect(textIn(tree('[x](https://good.example@evil.example/)'))).toBe('x (evil.example)');
    for (const address of ['https://good.example@evil.example/', 'https://good.example:443@evil.example/']) {
      expect(textIn(tree(`<${address}>`))).toBe(`${address} (evil.example)`);
      expect(textIn(tree(`[${address}](${address})`))).toBe(`${address} (evil.example)`);
    }
    expect(textIn(tree('[x](https://еvil.example/)'))).toMatch(/^x \(xn--/);
    expect(textIn(tree('https://example.org/a and www.example.org'))).toBe(
      'https://example.org/a and www.example.org',
    );
    expect(textIn(tree('[write](mailto:a@example.org)'))).toBe('write (a@example.org)');
    for (const address of [
      'javascript:alert(1)',
      'data:,x',
      'file:///etc/passwd',
      '//example.org',
      '../x',
      '#decision',
    ])
      expect(links(`[x](${address})`)).toEqual([]);
  });

  it('demotes headings below the one that they stand under, without a gap', () => {
    const levels = (text: string, level: number) =>
      elementsIn(fragmentOf(format(text, { level }))).flatMap(({ name }) =>
        /^h\d$/.test(name) ? [Number(name[1])] : [],
      );
    expect(levels('# a\n\n## b\n\n# c', 2)).toEqual([3, 4, 3]);
    expect(levels('### a\n\n###### b\n\n## c', 2)).toEqual([3, 4, 3]);
    expect(levels('# a\n\n## b\n\n### c', 4)).toEqual([5, 6, 6]);
    expect(levels('#\n\n> # quoted', 4)).toEqual([5]);
  });

  it('gives every id the prefix of its text, and links to it alone', () => {
    const elements = elementsIn(tree('One[^a].\n\n[^a]: Note.\n[^b]: Unused.'));
    expect(elements.flatMap(({ attributes }) => attributes.id ?? [])).toEqual([
      'said-1-ana-note-a',
      'said-1-ana-note-b',
    ]);
    expect(elements.find(({ name }) => name === 'a')!.attributes.href).toBe('#said-1-ana-note-a');
  });

  it('marks quoted words, with a link to who quotes them', () => {
    const text = 'Before, **Redis** costs 40 EUR, after.';
    const start = text.indexOf('Redis');
    const marks = [{ start, end: text.indexOf(', after'), challenge: 'c2', href: '#challenge-c2' }];
    const html = format(text, { marks });
    expect(html).toBe(
      '<p dir="auto">Before, <strong><mark>Redis</mark></strong><mark> costs 40 EUR</mark><a href="#challenge-c2" class="quoted-by">c2</a>, after.</p>',
    );
  });

  it('shows as it was written what is too long or too deep to format', () => {
    const plain = (text: string): boolean => format(text).startsWith('<pre class="plain"');
    expect(plain('x '.repeat(40_000))).toBe(true);
    expect(plain(`${'> '.repeat(3000)}x`)).toBe(true);
    expect(plain(`${'- '.repeat(500)}x`)).toBe(true);
    expect(plain(`${'*a '.repeat(200)}${'b* '.repeat(200)}`)).toBe(true);
    expect(textIn(tree(`${'> '.repeat(3000)}<b>&amp;`))).toBe(`${'> '.repeat(3000)}<b>&amp;`);
    expect(plain(`${'> '.repeat(20)}x`)).toBe(false);
  });

  it('shows a table as it was written whose short rows would be filled up with more cells than could be written out', () => {
    const plain = (text: string): boolean => format(text).startsWith('<pre class="plain"');
    const table = (columns: number, rows: number, before = ''): string =>
      `Figures:\n\n|${'a|'.repeat(columns)}\n|${' :-: |'.repeat(columns)}\n${'|x\n'.repeat(rows)}`
        .split('\n')
        .map((line) => before + line)
        .join('\n');
    for (const before of ['', '> ', '  ']) expect(plain(table(1500, 300, before))).toBe(true);
    expect(plain(table(1500, 300).replaceAll('\n', '\r\n'))).toBe(true);
    expect(plain(table(12, 200))).toBe(false);
    expect(plain(`${'a | b\n--|--\n1 | 2\n\n'.repeat(500)}`)).toBe(false);
    expect(plain('| a | b |\n'.repeat(3000))).toBe(false);
  });
});
