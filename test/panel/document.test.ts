import { describe, expect, it } from 'vitest';
import { makeLegible, readDocument } from '../../src/panel/document.ts';
import { findLineNumber, getLineText, findOccurrences, quoteAroundSpan } from '../../src/panel/place.ts';

const MIB = 1024 * 1024;
const fill = (text: string): string => text.repeat(Math.ceil(MIB / text.length)).slice(0, MIB);

describe('readDocument', () => {
  it('keeps every offset of the running text true, whatever the markup', () => {
    const brief =
      '# A *title*\r\n\r\n> one \\*two\\* &amp; `three`\r\n> four [five](six.md) ![seven](8.png)\r\n\r\n- nine\r\n  ten **eleven**\r\n';
    const document = readDocument(brief);
    for (const word of ['title', 'one', 'two', 'four', 'five', 'nine', 'ten', 'eleven']) {
      const block = document.blocks.find(({ text }) => text.includes(word));
      expect(block, word).toBeDefined();
      const start = (block?.start ?? 0) + (block?.text.indexOf(word) ?? 0);
      expect(brief.slice(start, start + word.length)).toBe(word);
    }
    expect(document.blocks.map(({ text }) => text).join(' ')).not.toMatch(/three|six|seven|8\.png|amp|>/);
  });

  it('knows headings with what stands above them', () => {
    const { headings } = readDocument('# A\n\n## B\n\n### C\n\n## D\n\n### C\n');
    expect(headings.map(({ text, parents }) => [...parents, text].join('/'))).toEqual([
      'A',
      'A/B',
      'A/B/C',
      'A/D',
      'A/D/C',
    ]);
  });

  it('does not count code, tables, front matter and HTML as prose', () => {
    const brief =
      '---\ntitle: no words here\n---\n\n<p>nor here</p>\n\n```js\nnor(here)\n```\n\n| nor | here |\n|--|--|\n| a | b |\n\nthree words here\n';
    expect(readDocument(brief).words).toBe(3);
  });

  it('counts characters as words where a script has no spaces', () => {
    expect(readDocument('這是一個測試。').words).toBe(6);
  });

  it.each([
    [
      'Le conseil réunit plusieurs personnes qui discutent ensemble avant de prendre une décision sur un sujet que chacun connaît. '.repeat(
        3,
      ),
      true,
    ],
    [
      'Der Rat ist ein Treffen von Menschen, die miteinander sprechen und dann zu einem Ergebnis kommen, das alle tragen können. '.repeat(
        3,
      ),
      false,
    ],
    [
      'The council is a meeting of people who talk to each other and then come to a result that they can live with. '.repeat(
        3,
      ),
      true,
    ],
    ['La cola pierde correos. Es una tabla de la base de datos. La alternativa es un archivo.', false],
    ['La coda perde posta. È una tabella del database. Un file è una delle alternative.', false],
    ['Trop court.', true],
  ])('tells what it can read from other languages: %s', (brief, isKnown) => {
    expect(readDocument(brief).isKnownLanguage).toBe(isKnown);
  });
});

describe('makeLegible', () => {
  it.each([
    ['blank lines', '\n'.repeat(MIB)],
    ['spaces', ' '.repeat(MIB)],
    ['one line', 'very fast '.repeat(MIB / 10)],
    ['nested quotations', '>'.repeat(MIB)],
    ['an endless paragraph', fill('<a \n')],
    ['very many headings', fill('# a\n\n')],
  ])('keeps all offsets of %s and reports what it blanks', (_name, brief) => {
    const { source, parsed, starts } = makeLegible(brief);
    expect(parsed.length).toBe(source.length);
    expect(brief.startsWith(source)).toBe(true);
    expect(starts.length).toBeLessThanOrEqual(MIB + 1);
  });

  it('counts the lines it could not read', () => {
    expect(makeLegible(`# A\n\n${'x'.repeat(40_000)}\n\nB\n`).unread).toBe(1);
    expect(makeLegible('word\n'.repeat(60_000)).unread).toBeGreaterThanOrEqual(10_000);
    expect(makeLegible('# A\n\nB\n').unread).toBe(0);
  });

  it('leaves out paragraphs that are nothing but marks, and keeps lists of links and code', () => {
    expect(makeLegible(`${'*a '.repeat(6000)}${'b*'.repeat(6000)}\n`).unread).toBe(1);
    expect(makeLegible(`[a${'*b\n'.repeat(3000)}`).unread).toBeGreaterThan(0);
    expect(makeLegible('- [a](#b) and [c](#d)\n'.repeat(1000)).unread).toBe(0);
    expect(makeLegible(`\`\`\`json\n${'[[1], [2]]\n'.repeat(1000)}\`\`\`\n`).unread).toBe(0);
  });

  it('leaves a code fence closed when it has to cut inside', () => {
    const brief = `\`\`\`\n${'let it be code\n'.repeat(10_000)}\`\`\`\n\n# After\n`;
    expect(readDocument(brief).headings.map(({ text }) => text)).toEqual(['After']);
  });

  it('knows a binary file, and does not mistake a stray control character for one', () => {
    expect(makeLegible('\u0000\u0001PNG\u0000'.repeat(20)).binary).toBe(true);
    expect(makeLegible('A bell \u0007 rings.').binary).toBe(false);
  });
});

describe('places', () => {
  it('counts lines as editors do', () => {
    const document = readDocument('a\r\nb\n\nc');
    expect([0, 3, 5, 6].map((offset) => findLineNumber(document, offset))).toEqual([1, 2, 3, 4]);
    expect([1, 2, 3, 4, 5].map((line) => getLineText(document, line))).toEqual(['a', 'b', '', 'c', '']);
  });

  it('drops a byte order mark without moving the first line', () => {
    const document = readDocument('\uFEFF# Title\n');
    expect(
      document.headings.map(({ start }) => quoteAroundSpan(document, { start, end: start + 7 })),
    ).toEqual(['# Title']);
  });

  it('quotes no character that a contribution must not carry, and never half of one', () => {
    const line = `${'🦉'.repeat(200)} very \u0000 fast \ud800 ${'🦉'.repeat(200)}`;
    const document = readDocument(line);
    const start = line.indexOf('very');
    const quote = quoteAroundSpan(document, { start, end: start + 4 });
    expect(quote).toContain('very');
    expect(quote.isWellFormed()).toBe(true);
    expect(quote).not.toContain('\u0000');
    expect(line).toContain(quote);
  });

  it('finds whole words only', () => {
    expect(findOccurrences(readDocument('Many too-many germany MANY'), 1, 'many').length).toBe(3);
  });
});
