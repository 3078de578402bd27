// Describes what a hand edit changes in the newest text, so that it can be made again.
import { oneLine } from '../../base/text.ts';

const SHOWN_LINES = 20;

/**
 * The lines of the newest text that the edit takes out (-), and those it brings (+), as far as a person wants to read them.
 * `base` is the text that was edited: without it, what others did since cannot be told from the edit.
 */
export function describeEdit(head: string, edited: string, base: string | undefined): string {
  const [before, after, made] = [head, edited, base].map((text) => text?.split(/\r?\n/));
  const only = (lines: string[] = [], others: string[] = []) => {
    const there = new Set(others);
    return lines.filter((line) => !there.has(line));
  };
  const addSign = (lines: string[], sign: string) => lines.map((line) => `${sign} ${oneLine(line, 120)}`);
  const dropped = new Set(only(made ?? before, after));
  const added = new Set(only(after, made ?? before));
  const lines = [
    ...addSign(
      only(before, after).filter((line) => dropped.has(line)),
      '-',
    ),
    ...addSign(
      only(after, before).filter((line) => added.has(line)),
      '+',
    ),
  ];
  const rest = lines.length > SHOWN_LINES ? [`… and ${lines.length - SHOWN_LINES} more lines`] : [];
  return [...lines.slice(0, SHOWN_LINES), ...rest].join('\n');
}
