import { describe, expect, it } from 'vitest';
import type { PageDocument } from '../../../src/server/page/document.ts';
import { renderItems } from '../../../src/server/page/regions/items.ts';
import { html } from '../../../src/server/page/html.ts';
import { PAGE_STYLE } from '../../../src/server/page/style.ts';
import { documentOf, elementsIn } from '../../helpers/html.ts';

type Item = PageDocument['own']['items'][number];

const item = (standing: string, severity: string, text: string): Item => ({
  text: { text, prefix: 'own-', level: 2, marks: [] },
  code: null,
  facets: [
    { name: 'Standing', value: standing },
    { name: 'Severity', value: severity },
  ],
});
const render = (items: Item[]) =>
  elementsIn(documentOf(renderItems({ items }, { text: ({ text }) => html`<p>${text}</p>` }).toString()));

describe('what came out one by one', () => {
  const elements = render([
    item('Blocking', 'major', 'one'),
    item('Other', 'major', 'two'),
    item('Blocking', 'major', '<three>'),
  ]);

  it('has a box for each value that tells items apart, with its number', () => {
    expect(elements.filter(({ name }) => name === 'label').map(({ text }) => text.trim())).toEqual([
      'Blocking (2)',
      'Other (1)',
    ]);
  });

  it('is hidden by the box of its own value', () => {
    const rules = [...PAGE_STYLE.matchAll(/:has\(\.by-(\S+?):not\(:checked\)\) \.(\S+?)\{display:none\}/g)];
    expect(rules.every(([, box, hidden]) => box === hidden)).toBe(true);
    const items = elements.filter(({ name }) => name === 'article');
    expect(items.map(({ text }) => text.trim())).toEqual(['one', 'two', '<three>']);
    const boxes = elements.filter(({ name }) => name === 'input').map(({ attributes }) => attributes.class);
    expect(boxes).toEqual(['by-f0-0', 'by-f0-1']);
    expect(items.map(({ attributes }) => attributes.class)).toEqual([
      'item f0-0 f1-0',
      'item f0-1 f1-0',
      'item f0-0 f1-0',
    ]);
    expect(rules.map(([, box]) => box)).toEqual(expect.arrayContaining(['f0-0', 'f0-1', 'f1-0']));
  });

  it('has the lines that it is about as a change has them, and whatever they hold is text', () => {
    const code = {
      lines: [
        { mark: ' ' as const, number: 9, text: 'a()', isMeant: false },
        { mark: '-' as const, number: 10, text: 'b()', isMeant: false },
        { mark: '+' as const, number: 10, text: '<b onload=x>', isMeant: true },
      ],
      said: item('', '', 'Charges twice.').text,
    };
    const elements = render([{ ...item('Blocking', 'major', 'one'), code }]);
    const texts = (tag: string): string[] =>
      elements.filter(({ name }) => name === tag).map(({ text }) => text);
    expect(texts('pre')).toEqual([' 9   a()\n10 - b()\n10 + <b onload=x>\n']);
    expect(texts('mark')).toEqual(['10 + <b onload=x>']);
    expect(texts('p')).toEqual(['one', 'Charges twice.']);
  });
});
