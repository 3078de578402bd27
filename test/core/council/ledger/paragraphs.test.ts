import fc from 'fast-check';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, it } from 'vitest';
import { findParagraphs } from '../../../../src/core/council/ledger/text/blocks.ts';
import { countCases } from '../../../helpers/long.ts';

const parser = unified().use(remarkParse).use(remarkGfm);
const parsed = (text: string) =>
  parser.parse(text).children.map(({ type, position }) => [type, position?.start.offset]);

const LINE = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      '',
      '',
      '',
      ' ',
      '   ',
      '    ',
      '\t',
      '- ',
      '1. ',
      '> ',
      '# ',
      '"',
      '“',
      '| ',
      '[^1]: ',
      '[a]: ',
    ),
    fc.constantFrom(
      '',
      'Do it',
      'Do it',
      'Now',
      'a | b',
      'été',
      'x:',
      'http://a.b',
      '<b>',
      '```',
      '===',
      '---',
      ':-- | --:',
      '*',
    ),
    fc.constantFrom('', '  ', '\t', ' #', '|', '\\'),
  )
  .map((parts) => parts.join(''));
const TEXT = fc
  .array(fc.tuple(LINE, fc.constantFrom('\n', '\r\n', '\r', '\n\n')), { maxLength: 8 })
  .map((lines) => lines.flat().join(''));

it('finds the paragraphs that a Markdown parser finds, or says that it cannot tell', () => {
  let told = 0;
  fc.assert(
    fc.property(TEXT, (text) => {
      const starts = findParagraphs(text);
      if (starts === undefined) return;
      if (starts.length > 0) told += 1;
      expect(parsed(text)).toEqual(starts.map((start) => ['paragraph', start]));
    }),
    { numRuns: countCases(5000) },
  );
  expect(told).toBeGreaterThan(countCases(100));
});

it.each([
  ['Do it, in small steps.\n', [0]],
  ['\n  Do it.\nNow.\r\n\r\n“Yes”, said Ana.', [3, 18]],
  ['', []],
])('tells for %j', (text, expected) => {
  expect(findParagraphs(text)).toEqual(expected);
});

it.each(['- Do it', 'Do it\n---', '1. Do it', '    Do it', '> Do it', '| a |', '<b>Do it</b>', '*Do* it'])(
  'leaves %j to the parser',
  (text) => {
    expect(findParagraphs(text)).toBeUndefined();
  },
);
