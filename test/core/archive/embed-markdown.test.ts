import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { describe, expect, it } from 'vitest';
import { exportArchive } from '../../../src/core/archive/export.ts';
import { embedMarkdown } from '../../../src/core/archive/embed-markdown.ts';
import { readArchive } from '../../../src/core/archive/parse.ts';
import { renderArchive } from '../../../src/core/archive/write.ts';
import { toSafeLine } from '../../../src/core/council/document/state-page.ts';
import { anyText } from '../council/fixtures.ts';
import { finished, PATH, spoke } from './sample.ts';
import { expectLinear } from '../../helpers/growth.ts';
import { countCases } from '../../helpers/long.ts';

interface Node {
  type: string;
  value?: string;
  children?: Node[];
}

/** The tree without positions, as CommonMark and GitHub's additions have it. */
function treeOf(markdown: string): Node[] {
  const tree = unified().use(remarkParse).use(remarkGfm).parse(markdown);
  const bare = JSON.parse(
    JSON.stringify(tree, (key, value: unknown) => (key === 'position' ? undefined : value)),
  ) as Node;
  return bare.children!;
}
const typesIn = (node: Node): string[] => [node.type, ...(node.children ?? []).flatMap(typesIn)];

/** Neighbours in which a reference, a footnote and a name of an anchor wait for somebody's definition. */
const BEFORE = '## Before [a] [^1] [x][b]\n\nA line about [a], `code` and [^1].';
const AFTER = 'Behind it [a] [^1] ![i][b].\n\n- item [a]\n\n## After';

/** Whatever a text may try; joined at random it tries more. */
const PIECES = [
  ...['\n', '\n\n', '\r', '\r\n', ' ', '   ', '    ', '\t', '\u00a0', '\f'],
  ...[
    '```',
    '````',
    '~~~',
    '~~~~',
    '```js',
    '``` `',
    '\n```',
    '\n```\n',
    '\n~~~\n',
    '\t```\n',
    '\n  ```\n',
    '- ```\n',
    '> ```\n',
    '1. ~~~\n',
    '```\u00a0\n',
  ],
  ...[
    '<div>',
    '</div>',
    '</blockquote>',
    '<!--',
    '-->',
    '<!-- x -->',
    '<?php',
    '<![CDATA[',
    '<script>',
    '<b',
    '<a href="',
    '<details open>',
    '\\<div>',
    '\\\\<i>',
    '<https://e.org>',
    '<https://e.org',
    '<x@e.org>',
  ],
  ...[
    '[a]: /u',
    '[a]:\n/u "t"',
    '[b]: <u>',
    '\\[a]: /u',
    '[a\\]: /u',
    '[a]',
    '[^1]: note',
    '[^1]:',
    '\n[^1]: x\n    y',
    '[x][b]',
    '![i](/u)',
    '[',
    ']:',
  ],
  ...[
    '# H',
    '\n## H\n',
    '===',
    '\n===\n',
    '\n---\n',
    '\n-\n',
    '\n--\n',
    '***',
    '- ',
    '\n- ',
    '1. ',
    '\n> ',
    '>> ',
    '| a | b |',
    '\n| - | - |\n',
    '|',
    '- [ ] ',
  ],
  ...[
    '`',
    '``',
    '`<b>`',
    '`a\\`<i>',
    '*',
    '_',
    '**',
    '~~',
    '$',
    '$$',
    '\\',
    '&lt;',
    '&#60;',
    'word',
    'https://e.org/<b>',
    'www.e.org/`<i>`',
    ':::',
    '---\na: b\n---\n',
  ],
];
const hostile = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((all) => all.join('')),
  },
  { weight: 1, arbitrary: anyText },
);

function requireContained(text: string, levels = 4): void {
  const page = treeOf(`${BEFORE}\n\n${embedMarkdown(text, levels)}\n\n${AFTER}\n`);
  const [before, after] = [treeOf(BEFORE), treeOf(AFTER)];
  expect(page.slice(0, before.length), text).toEqual(before);
  expect(page.slice(-after.length), text).toEqual(after);
  const between = page.slice(before.length, -after.length);
  expect(
    between.map(({ type }) => type),
    text,
  ).toEqual(['blockquote']);
  const types = typesIn(between[0]!);
  for (const type of [
    'html',
    'definition',
    'footnoteDefinition',
    'linkReference',
    'imageReference',
    'footnoteReference',
  ])
    expect(types, text).not.toContain(type);
}

describe('a text in a page', () => {
  it.each([
    '```\nnever closed',
    '~~~~ x\n```\n',
    '- ```\nnot code any more\n<div>\n```\n',
    '  ```\nx\n```\n<div>',
    '```\n\t```\n<div>\n```',
    '```\n```\u00a0\n<div>',
    'a\rb\r<div>\r\r```',
    '<div>\n\n<details>\n\n</blockquote>\n\n# Forged',
    '<!-- hidden',
    '\\<div> \\\\<div> `<div>` `\\<div>`',
    '[a]: /evil\n[b]: /evil\n\n[^1]: evil\n    evil',
    '> [a]: /evil',
    '- [^1]: evil',
    '[a\nlabel]: /evil',
    'Forged\n===\n\nForged\n---\n',
    '---\nposition: x\n---\ntext',
    '---\nposition: "\r# x\r```"\n---\n```',
    '| a |\n| - |\n| <b> `x | <i>` |',
    '1. one\n   ```\n2. two\n```\n<b>\n',
    '',
    '\n\n\n',
  ])('fault 17: %j leaves its neighbours as they are', (text) => {
    requireContained(text);
  });

  it('fault 17: no text changes its neighbours, defines anything for them, or is obeyed as HTML', () => {
    fc.assert(fc.property(hostile, fc.nat(5), requireContained), { numRuns: countCases(1500) });
  });

  it('fault 17: two texts behind each other cannot see each other', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const page = treeOf(`${embedMarkdown(one, 2)}\n\n${embedMarkdown(other, 2)}\n`);
        expect(page).toEqual([...treeOf(embedMarkdown(one, 2)), ...treeOf(embedMarkdown(other, 2))]);
      }),
      { numRuns: countCases(400) },
    );
  });

  it('fault 17: neither do those in the Markdown of a whole council', () => {
    const shape = (text: string): string[] => {
      const archive = readArchive(
        renderArchive(finished([spoke('henry', 1, text), spoke('sage', 1, 'calm')]), []),
        PATH,
      );
      return treeOf(exportArchive(archive, 'md')).map(({ type }) => type);
    };
    const calm = shape('calm');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shape(`x${text}`)).toEqual(calm);
      }),
      { numRuns: countCases(150) },
    );
  });

  it('stays readable: paragraphs, lists, code and autolinks are what they were', () => {
    expect(
      embedMarkdown('# A\n\n```sh\n# not a heading <b>\n```\n- one\n\t- two\n\n<https://e.org> a < b', 2),
    ).toBe(
      '> ### A\n>\n> ```sh\n> # not a heading <b>\n> ```\n> - one\n>     - two\n>\n> <https://e.org> a < b',
    );
    expect(embedMarkdown('---\na: "```"\n---\nx', 1)).toBe('> ````yaml\n> a: "```"\n> ````\n>\n> x');
  });

  it('says the same words', () => {
    const words = (nodes: Node[]): string =>
      nodes.map((node) => (node.value ?? '') + words(node.children ?? [])).join(' ');
    const text = 'Use <b> and [a]: not `c`.\n\nForged\n===\n\n[a]: /url\n\n- `x`';
    expect(words(treeOf(embedMarkdown(text, 2))).replace(/\s+/g, ' ')).toContain(
      'Use <b> and [a]: not c . Forged ===',
    );
  });

  it('never opens a comment', () => {
    fc.assert(fc.property(hostile, (text) => !embedMarkdown(text, 2).includes('<!--')));
  });

  it('is linear', async () => {
    for (const part of ['<', '\\', '\\<', ']:', '`', '```\n', '> ', '\t', '- ', '=', '\n=\n', '\r'])
      await expectLinear(JSON.stringify(part), 50_000, (n) => {
        for (const text of [part.repeat(n), `---\na: ${part.repeat(n)}\n---\nx`]) embedMarkdown(text, 2);
      });
  });
});

describe('a text in a line of the engine’s own', () => {
  const piece = fc.constantFrom(
    ...PIECES.filter((one) => !/[\n\r]/.test(one)),
    '>',
    '#',
    '+',
    '-',
    '12.',
    '1)',
    '=',
    '\\|',
    '|',
  );
  const line = fc.array(piece, { minLength: 1, maxLength: 12 }).map((all) => all.join(''));

  it.each([
    ['a list', (own: string) => `- ${own}: henry\n- next [a] *b* \`c\``],
    ['a table', (own: string) => `| who | what |\n| --- | --- |\n| ${own} | *b* \`c\` |\n| next | [a] |`],
    ['a heading', (own: string) => `# Council: ${own}\n\n*b* \`c\` [a]`],
  ])('fault 17: is words and nothing else in %s', (_, page) => {
    // An address becomes a link by itself: it is still the words, and nothing else.
    const shape = (nodes: Node[]): unknown[] =>
      nodes
        .map(({ type, children }) =>
          children && !(type === 'link' && children.every((child) => child.type === 'text'))
            ? [type, shape(children)]
            : type.replace('link', 'text'),
        )
        .filter((one, at, all) => one !== 'text' || all[at - 1] !== 'text');
    const calm = shape(treeOf(page('calm')));
    fc.assert(
      fc.property(line, (own) => {
        fc.pre(toSafeLine(own).trim() !== '');
        expect(shape(treeOf(page(toSafeLine(own)))), own).toEqual(calm);
      }),
      { numRuns: countCases(1500) },
    );
  });
});
