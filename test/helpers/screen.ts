// A screen of a pseudo-terminal as text that is the same in every run, to be compared with a stored one.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Cell } from './pty.ts';

const STORED = join(import.meta.dirname, '..', 'fixtures', 'screens');

/** Compares a screen with the stored one of that name; `SCREENS=write` stores it anew. */
export function expectScreen(name: string, screen: string): void {
  const path = join(STORED, `${name}.txt`);
  if (process.env.SCREENS === 'write') {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, screen);
    return;
  }
  expect(screen, `${path} (SCREENS=write vitest run test/e2e/screens.test.ts writes them anew)`).toBe(
    fs.readFileSync(path, 'utf8'),
  );
}

/** Lines as they were written, before the terminal broke them, with what differs from run to run made the same, and broken again. */
export function settled(lines: Cell[][], columns: number, root: string): string {
  const texts = inOrder(lines.map((cells) => same(styled(cells), root)));
  return `${texts.flatMap((text) => broken(text, columns)).join('\n')}\n`;
}

function same(text: string, root: string): string {
  return (
    text
      .replaceAll(root, '/project')
      .replace(/\/\S*council-(?:demo|e2e)-\w+(?:\/project)?/g, '/project')
      .replace(/\b\d{4}-\d\d-\d\d-/g, '2026-01-05-')
      .replace(/(?<!\d)([01]\d|2[0-3]):[0-5]\d(?!\d)/g, '09:00')
      .replace(/\bin (?:\d+ ms|\d+(?:m\d+)?s)(?!\w)/g, 'in 1s')
      .replace(/; (?:\d+ms|\d+(?:m\d+)?s)\)/g, '; 5s)')
      .replace(/\bin \d+ s\b/g, 'in 3 s')
      .replace(/ {2}\d+ s {2}/g, '  3 s  ')
      .replace(/\b(?:59|60) (min|s) left \(\S+\)/g, '60 $1 left (09:00)')
      .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '⠋')
      .replace(/Participant [A-Z]\b/g, 'Participant X')
      // Names that stand for letters of the coordinator stand in the order of the letters, which are drawn.
      .replace(
        /\((?:(?:Henry|Echo|Sage|Nova)(?:, )?){2,}\)/g,
        (names) => `(${names.slice(1, -1).split(', ').sort().join(', ')})`,
      )
  );
}

/** What somebody has said. Other lines further in go on with the one above. */
const HEARD = /^ {2}(?:[a-z][\w-]*|the coordinator): /;

/** Those who answer at the same time do so in any order: each line of a mark with what is said below it. */
function inOrder(lines: string[]): string[] {
  const sorted: string[] = [];
  let group: string[] = [];
  const flush = (): void => {
    sorted.push(...group.sort().flatMap((entry) => entry.split('\n')));
    group = [];
  };
  for (const line of lines) {
    if (/^(?:\{\w+\})?[✔✖]/.test(line)) group.push(line);
    else if (
      line.startsWith('  ') &&
      (group.at(-1)?.endsWith(' bytes in 1s') || (group.length > 0 && !HEARD.test(line)))
    )
      group.push(`${group.pop()}\n${line}`);
    else {
      flush();
      sorted.push(line);
    }
  }
  flush();
  return sorted;
}

/** A line with the styles in braces: "{green}✔{} ada responded". */
function styled(cells: Cell[]): string {
  let text = '';
  let current = '';
  for (const { char, style } of cells) {
    if (style !== current) text += `{${style}}`;
    current = style;
    text += char;
  }
  return (current === '' ? text : `${text}{}`).replace(/[ ]+((?:\{\})?)$/, '$1');
}

/** Broken where a terminal of so many columns breaks it; styles take no room. */
function broken(text: string, columns: number): string[] {
  const lines = [''];
  let used = 0;
  for (const part of text.match(/\{[\w ]*\}|./gsu) ?? []) {
    if (!/^\{[\w ]*\}$/.test(part)) used += 1;
    if (used > columns) {
      lines.push('');
      used = 1;
    }
    lines[lines.length - 1] += part;
  }
  return lines;
}
