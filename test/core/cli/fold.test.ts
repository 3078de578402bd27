import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { cleanForOutput, styleForOutput } from '../../../src/core/base/terminal.ts';
import { foldLines } from '../../../src/core/cli/wrap.ts';

const LINES = [
  'S1/T1: done by counter, 22 characters: Count the words of notes.md',
  '    command; sh w/asks.sh; do_asks; project',
  'a1 pending (expires in 60 min) high risk, 設計者: launch the 🗂️ thing that was asked for',
  '  ・一行 がとても 長いので 折り返す必要があります ね',
].join('\n');

it.each([40, 80, 200])('breaks no word and fits %i columns', (columns) => {
  const text = foldLines(LINES, columns);
  for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  const words = (from: string): string[] => from.split(/\s+/).filter(Boolean);
  expect(words(text)).toEqual(words(LINES));
  expect(foldLines('a: short\n  b', columns)).toBe('a: short\n  b');
});

it('puts what goes on further in, and leaves a word whole that is too long', () => {
  expect(foldLines('one two three four five six seven', 20)).toBe('one two three four\n  five six seven');
  expect(foldLines('    one two three four five six', 24)).toBe('    one two three four\n      five six');
  const hash = 'f'.repeat(64);
  expect(foldLines(`hash ${hash} is it`, 30)).toBe(`hash\n  ${hash}\n  is it`);
});

it('counts no code of a style, and lets none through that is not ours', () => {
  const head = styleForOutput('bold', 'ana to ben', { validateStream: false });
  const shown = cleanForOutput(foldLines(`${head}: one \u001b[31mtwo three`, 21));
  expect(shown).toBe('\u001b[1mana to ben\u001b[22m: one\n  [31mtwo three');
  expect(foldLines(head, 10)).toBe(head);
});

it('leaves a command whole that has a line of its own, so that it can be copied', () => {
  const lines = 'Next:\n  council export 2026-11-23-where --format adr\n  -> council install, or another';
  expect(foldLines(lines, 20)).toBe(lines);
});
