import { expect, it } from 'vitest';
import { makeLegible, readDocument } from '../../src/panel/document.ts';
import { intricate } from '../helpers/intricate.ts';
import { expectBounded } from '../helpers/growth.ts';

it.each(Object.entries(intricate))('fault 19: the panel reads %s in bounded time', async (name, make) => {
  await expectBounded(name, () => {
    const { text, parsed } = readDocument(`# Title\n\n${make(256_000)}\n`);
    expect(parsed.length).toBe(text.length);
  });
});

it('fault 19: what the panel leaves out is counted', () => {
  expect(makeLegible('word '.repeat(20).concat('\n\n').repeat(10_000)).unread).toBeGreaterThan(1000);
  expect(makeLegible('- a\n\nb\n\n'.repeat(3000)).unread).toBe(1500);
  expect(makeLegible(`> a\n${'b\n'.repeat(3000)}`).unread).toBeGreaterThan(0);
  expect(makeLegible('- one\n  - two\n\nWords.\n\n'.repeat(500)).unread).toBe(0);
});
