import { expect, it } from 'vitest';
import { renderHistory } from '../../../src/core/cli/commands/history.ts';
import type { Revision } from '../../../src/core/cli/commands/history.ts';

const NOW = Date.parse('2026-11-22T13:00:00.000Z');
const revision = (
  number: number,
  action: string,
  by: string | null = null,
  more: Partial<Revision> = {},
): Revision => ({
  revision: number,
  at: '2026-11-22T12:30:00.000Z',
  phase: 'COLLECT',
  actor: 'ana via cli',
  action,
  by,
  ...more,
});
const told = (...revisions: Revision[]): string[] =>
  renderHistory(revisions, NOW).map((line) => line.replace(/^ *(\S+) +\S+ +/, '$1 '));

it('tells what a minute of a phase has brought in one line, each deed with who did it', () => {
  expect(
    told(
      revision(1, 'start'),
      revision(2, 'launch', 'ada', { also: [{ action: 'launch', by: 'bob' }] }),
      revision(3, 'respond', 'ada'),
      revision(4, 'attempt_failed', 'bob'),
      revision(5, 'launch', 'bob'),
      revision(6, 'attempt_failed', 'bob'),
      revision(7, 'interrupted', 'ada'),
      revision(8, 'close', null, { phase: 'CHALLENGE' }),
    ),
  ).toEqual([
    '1-7 COLLECT: opened; asked ada, bob (2 times); ada answered; bob (2 times) failed; ada interrupted  (ana via cli)',
    '8 CHALLENGE: phase opened  (ana via cli)',
  ]);
});

it('gives the reason of a deed, keeps another actor apart, and tells what it does not know by its name', () => {
  expect(
    told(
      revision(1, 'excuse', 'bob', { why: 'on holiday' }),
      revision(2, 'excuse', 'ada', { why: 'ill' }),
      revision(3, 'reserve', null, { actor: 'bob via cli' }),
    ),
  ).toEqual([
    '1-2 COLLECT: bob excused ("on holiday"); ada excused ("ill")  (ana via cli)',
    '3 COLLECT: reserve  (bob via cli)',
  ]);
});
