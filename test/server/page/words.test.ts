import { expect, it } from 'vitest';
import { loadWords } from '../../../src/core/base/words/words.ts';
import { loadPageWords } from '../../../src/server/page/words.ts';

it('keeps what French has around its signs of punctuation on one line, and changes nothing else', () => {
  const french = loadPageWords('fr');
  expect(french.site.unreadable).toBe('Le conseil «\u202F{name}\u202F» ne peut pas être lu\u202F: {reason}');
  expect(french.site.joinByHand).toContain('lien\u202F? ');
  expect(french.common.labelled).toBe('{label}\u202F: {value}');
  const plain = JSON.parse(JSON.stringify(french).replaceAll('\u202F', ' ')) as unknown;
  expect(plain).toMatchObject(loadWords('fr'));
  expect(loadPageWords('en')).toMatchObject(loadWords('en'));
});
