import { expect, it } from 'vitest';
import { quoteAndWords } from '../../../../src/core/council/ledger/text/marks.ts';

it.each([
  [
    '> La loi change\n> en mars.\n\nPas avant **avril**, dit [le site](https://x.example/a).',
    'La loi change en mars.',
    'Pas avant avril, dit le site.',
  ],
  [
    'Against ana.1:\r\n\r\n  > **Buy** it `now`\r\n- [ ] _Who_ pays?\r\n',
    'Buy it now',
    'Against ana.1: Who pays?',
  ],
  ['No quote at all, 3 * 4 * 5 and snake_case_name.', '', 'No quote at all, 3 * 4 * 5 and snake_case_name.'],
  ['> only this', 'only this', ''],
  ['> one\n\nno\n\n> two\n\nno again', 'one', 'no no again'],
  ['**bold** [x and __open', '', 'bold [x and __open'],
  ['', '', ''],
])('tells a quote from what is said to it, as plain words: %j', (text, quote, words) => {
  expect(quoteAndWords(text)).toEqual({ quote, words });
});
