import { stripVTControlCharacters } from 'node:util';
import { describe, it, expect } from 'vitest';
import fc from 'fast-check';
import { buildArchivePage } from '../../../src/core/app/archives.ts';
import { composeArchive } from '../../../src/core/archive/compose-archive.ts';
import { renderMarkdown, showPage } from '../../../src/core/cli/render-markdown.ts';
import { cleanForOutput } from '../../../src/core/base/terminal.ts';
import stringWidth from 'string-width';
import { anyText } from '../council/fixtures.ts';
import { debate, finished, spoke } from '../archive/sample.ts';
import { countCases } from '../../helpers/long.ts';

const columns = (line: string): number => stringWidth(line);
/** As it leaves the process. */
const printed = async (markdown: string, width: number, color: boolean): Promise<string> =>
  cleanForOutput(await renderMarkdown(markdown, { width, color }));
const plain = (markdown: string, width = 40): Promise<string> => printed(markdown, width, false);

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;

describe('renderMarkdown', () => {
  it('lays out headings, paragraphs, lists, quotes, code and rules', async () => {
    const text = await plain(
      '# Title\nA *small* **bold** ~~old~~ `code` text\nthat is on\n\n- one\n  - two\n- [x] three\n\n7. seven\n8. eight\n\n> quoted\n> > twice\n\n```js\nconst  a = 1;\n```\n\n---\n',
    );
    expect(text).toBe(
      '# Title\n\nA small bold old `code` text\nthat is on\n\n- one\n  - two\n- [x] three\n\n7. seven\n8. eight\n\n│ quoted\n│\u0020\n│ │ twice\n\n    const  a = 1;\n\n'.replace(
        '│\u0020\n',
        '│ \n',
      ) + '─'.repeat(40),
    );
  });

  it('keeps the lines of an author who does not wrap, and joins those of one who does', async () => {
    expect(await plain('Cost: low\n**Risk**: high\nVerdict: go', 80)).toBe(
      'Cost: low\nRisk: high\nVerdict: go',
    );
    expect(
      await plain(
        'It costs little in the first two years, and it can\nbe undone within a day, as was shown in spring, so\ngo.',
        80,
      ),
    ).toBe(
      'It costs little in the first two years, and it can be undone within a day, as\nwas shown in spring, so go.',
    );
    expect(await plain('a\n'.repeat(200_000), 80)).toContain('a\na');
  });

  it('wraps at the width, indented parts included, and counts wide characters twice', async () => {
    const text = await plain(
      `${'word '.repeat(30)}\n\n- ${'item '.repeat(30)}\n\n> ${'quote '.repeat(30)}\n\n${'🦉 東京 '.repeat(20)}`,
      30,
    );
    const lines = text.split('\n');
    expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(30);
    expect(Math.max(...lines.map(columns))).toBeGreaterThan(24);
    expect(lines.filter((line) => line.startsWith('- ')).length).toBe(1);
    expect(lines.filter((line) => line.startsWith('  item')).length).toBeGreaterThan(3);
  });

  it.each([0, 1, 7, 40, 200])('stays inside %i columns where words and marks leave room', async (width) => {
    const words = '東京 🦉 👩‍💻 e\u0301te\u0301 **bold ｗｉｄｅ** word ';
    for (const color of [false, true]) {
      const lines = (await printed(words.repeat(30), width, color)).split('\n');
      // A word is not cut: the longest of these has eight columns.
      expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(Math.max(width, 8));
      expect(stripVTControlCharacters(lines.join(' ')).split(/\s+/)).toEqual(
        words.repeat(30).normalize().replaceAll('**', '').trim().split(/\s+/),
      );
    }
  });

  it('keeps a table inside the width and its columns in line', async () => {
    const text = await plain(
      `| Who | Position |\n| --- | --- |\n| 🦉 Henry | ${'long words '.repeat(10)} |\n| Sage | ${'x'.repeat(60)} |`,
      40,
    );
    const lines = text.split('\n');
    expect(lines[0]).toMatch(/^Who {6}│ Position$/);
    expect(Math.max(...lines.map(columns))).toBeLessThanOrEqual(40);
    const bars = lines
      .filter((line) => line.includes('│'))
      .map((line) => columns(line.slice(0, line.indexOf('│'))));
    expect(new Set(bars).size).toBe(1);
    expect(text.match(/x/g)!.length).toBe(60);
  });

  it('cuts no word of a table: a row that has no room for its columns stands on lines of its own', async () => {
    const table =
      '| Challenge | By | Against | Answer | Words |\n| --- | --- | --- | --- | --- |\n| c1 | ana | bob.1 | unanswered | Prices double every second year |\n| c2 | ben | | conceded in part | They fell |';
    const wide = (await plain(table, 60)).split('\n');
    expect(wide[0]).toBe('Challenge │ By  │ Against │ Answer         │ Words');
    expect(Math.max(...wide.map(columns))).toBeLessThanOrEqual(60);
    expect(await plain(table, 40)).toBe(
      'Challenge: c1\nBy: ana\nAgainst: bob.1\nAnswer: unanswered\nWords: Prices double every second year\n\nChallenge: c2\nBy: ben\nAgainst:\nAnswer: conceded in part\nWords: They fell',
    );
    for (const width of [20, 40, 50, 60, 80]) {
      const words = (await plain(table, width)).split(/[\s│─┼]+/);
      for (const word of ['Challenge', 'unanswered', 'conceded', 'Prices'])
        expect(words.join(' ')).toContain(word);
    }
  });

  it('shows where links lead, keeps hard breaks, and hides comments only', async () => {
    expect(await plain('[here](https://example.org) <https://example.org>', 80)).toBe(
      'here (https://example.org) https://example.org',
    );
    expect(await plain('one  \ntwo')).toBe('one\ntwo');
    expect(await plain('a <b>tag</b>\n\n<!-- secret -->\n\n<div>shown</div>')).toBe(
      'a <b>tag</b>\n\n<div>shown</div>',
    );
  });

  it('styles only on request, and every line ends its own styles', async () => {
    const markdown = `# Title\n\n**${'bold '.repeat(20).trim()}** and \`code\``;
    const colored = await printed(markdown, 30, true);
    expect(colored).toContain('\u001B[1m');
    expect(stripVTControlCharacters(colored)).toBe(await plain(markdown, 30));
    expect(await plain(markdown, 30)).not.toContain('\u001B');
  });

  it('lets no control character through, not even one written as an entity', async () => {
    const hostile =
      '\u001B[31mred\u001B[0m &#x1b;[2J &#x202e;txt `\u009B1m` [x](http://e.org/&#x1b;[31m)\n\n```\n\u001B]0;title\u0007\n```';
    for (const color of [false, true]) {
      const text = stripVTControlCharacters(await printed(hostile, 80, color));
      expect(text).not.toMatch(CONTROL);
    }
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => !CONTROL.test(await plain(text))),
      { numRuns: countCases(100) },
    );
  });

  it('copes with very deep quotes and very large texts', async () => {
    expect(await plain('>'.repeat(500) + ' deep')).toBe('>'.repeat(500) + ' deep');
    const large = 'line\n'.repeat(500_000);
    expect(await plain(large)).toBe(large);
    const brackets = '[a]('.repeat(20_000);
    expect(await plain(brackets)).toBe(brackets);
  });
});

describe('showPage', () => {
  it('shows the whole council without markers', async () => {
    const archive = composeArchive(
      finished([...debate(), spoke('sage', 3, '# Loud\n\n```\nnever closed')]),
      [],
    );
    const text = await showPage(buildArchivePage(archive), { width: 72, color: false });
    for (const part of [
      '# Tabs or spaces?',
      '## Who sat',
      '### 🦎 Lizard',
      'Still no formatter.',
      '## How it went',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('council-response');
    expect(text.match(/^# .*$/gm)).toEqual(['# Tabs or spaces?']);
  });
});
