import { expect, it } from 'vitest';
import { formatTextsOnce } from '../../../../src/server/page/use/format-texts.ts';
import type { formatTexts } from '../../../../src/server/page/use/format-texts.ts';
import type { MarkdownText } from '../../../../src/server/page/markdown/markdown-text.ts';

const text = (words: string): MarkdownText => ({ text: words, prefix: 'p-', level: 2, marks: [] });

/** Formats when it is told to, and remembers in which order. */
function formatter() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
  const order: string[] = [];
  const format: typeof formatTexts = async (texts) => {
    await begun;
    order.push(...texts.map((one) => one.text));
    return new Map(texts.map((one) => [one, `<p>${one.text}</p>`]));
  };
  return { format, order, begin: () => begin(undefined) };
}

it('formats one page after another', async () => {
  const { format, order, begin } = formatter();
  const pages = [1, 2, 3].map((page) => formatTextsOnce([text(`page ${page}`)], format));
  begin();
  await Promise.all(pages);
  expect(order).toEqual(['page 1', 'page 2', 'page 3']);
});

it('formats nothing that is kept, and goes on after a failure', async () => {
  const { format, order, begin } = formatter();
  begin();
  const broken = formatTextsOnce([text('broken')], async () => Promise.reject(new Error('no thread')));
  await expect(broken).rejects.toThrow('no thread');
  for (let look = 0; look < 2; look++) await formatTextsOnce([text('again')], format);
  expect(order).toEqual(['again']);
});
