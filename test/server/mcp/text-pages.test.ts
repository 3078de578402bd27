import { expect, it } from 'vitest';
import { splitTextPages } from '../../../src/server/mcp/tool-results.ts';

const FENCE = 'council-text-1a2b';

it('a text that fits is one page, an empty one too', () => {
  expect(splitTextPages('short\n\ntext', 40)).toEqual(['short\n\ntext']);
  expect(splitTextPages('', 40)).toEqual(['']);
});

it('pages hold the whole text, none longer than it may be', () => {
  const text = Array.from({ length: 90 }, (_, at) => `Paragraph ${at}: é 🦉 語.`).join('\n\n');
  const pages = splitTextPages(text, 200);
  expect(pages.join('')).toBe(text);
  for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(200);
  expect(pages.length).toBeGreaterThan(10);
});

it('what is fenced is fenced on each page', () => {
  const words = Array.from({ length: 50 }, (_, at) => `They wrote ${at}.`).join('\n');
  const pages = splitTextPages(`Yours.\n\nBEGIN ${FENCE}\n${words}\nEND ${FENCE}\n\nYours again.`, 150);
  for (const page of pages) {
    const outside = page.replace(new RegExp(`^BEGIN ${FENCE}\n[^]*?\nEND ${FENCE}$`, 'gm'), '');
    expect(outside).not.toContain('They wrote');
  }
  expect(pages.length).toBeGreaterThan(5);
});
