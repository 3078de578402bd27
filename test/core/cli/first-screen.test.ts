import { expect, it } from 'vitest';
import { showFirstScreen } from '../../../src/core/cli/wrap.ts';

const text = (lines: number): string => Array.from({ length: lines }, (_, at) => `line ${at + 1}`).join('\n');
const shown = (lines: number, rows: number): string[] =>
  showFirstScreen(`${text(lines)}\n`, { rows, rest: (count) => `… ${count} more lines: council show x` })
    .trimEnd()
    .split('\n');

it('leaves a text whole that fits, or that would lose one line only', () => {
  expect(shown(14, 20)).toHaveLength(14);
  expect(shown(15, 20)).toHaveLength(15);
});

it('cuts a longer one to the screen, with the command that shows the rest', () => {
  expect(shown(700, 20)).toEqual([...text(14).split('\n'), '… 686 more lines: council show x']);
});

it('shows a beginning also where what stands below fills the screen', () => {
  expect(shown(700, -30)).toHaveLength(13);
});
