import { expect, it } from 'vitest';
import { formattedOnce } from '../../../src/app/page/kept-formats.ts';
import type { formatTexts } from '../../../src/app/page/format-texts.ts';
import type { MarkdownText } from '../../../src/page/markdown/markdown-text.ts';

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

it('formats in turn for each who waits, and charges whoever it was for', async () => {
  const { format, order, begin } = formatter();
  const paid: string[] = [];
  const [ada, ben] = ['ada', 'ben'].map((who) => ({ charge: () => void paid.push(who) }));
  const pages = [1, 2, 3].map((page) => formattedOnce([text(`ada ${page}`)], ada!, format));
  pages.push(formattedOnce([text('ben')], ben!, format));
  begin();
  await Promise.all(pages);
  expect(order).toEqual(['ada 1', 'ada 2', 'ben', 'ada 3']);
  expect(paid).toEqual(['ada', 'ada', 'ben', 'ada']);
});

it('charges nobody for what is kept, and goes on after a failure', async () => {
  const { format, order, begin } = formatter();
  begin();
  const paid: number[] = [];
  const payer = { charge: (ms: number) => void paid.push(ms) };
  const broken = formattedOnce([text('broken')], payer, async () => Promise.reject(new Error('no thread')));
  await expect(broken).rejects.toThrow('no thread');
  for (let look = 0; look < 2; look++) await formattedOnce([text('again')], payer, format);
  expect(order).toEqual(['again']);
  expect(paid).toHaveLength(1);
});
