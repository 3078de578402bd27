import { expect, it } from 'vitest';
import { groupAbsences } from '../../../src/core/archive/cost.ts';
import type { Absence } from '../../../src/core/council/state/state.ts';

const at = '2026-11-22T13:00:00.000Z';
const absent = (participant: string, tour: number, reason: string, stderr?: string): Absence =>
  ({ participant, phase: tour === 1 ? 'COLLECT' : 'CHALLENGE', tour, reason, at, stderr }) as Absence;

it('are told once for each participant and reason, with the fullest of its reasons', () => {
  const full = 'failed: not logged in (exit code 1); log in with: gemini. It said: Please login first';
  const groups = groupAbsences([
    absent('gemini', 1, full, 'Please login first\n'),
    absent('opencode', 1, 'failed: exit code 2', 'broken\n'),
    absent(
      'gemini',
      2,
      'failed: not logged in (exit code 1); log in with: gemini (known from an earlier launch)',
    ),
    absent('opencode', 2, 'failed: exit code 2', 'broken'),
    absent('gemini', 3, 'timeout'),
  ]);
  expect(
    groups.map(({ participant, reason, rounds, printed }) => [
      participant,
      reason,
      rounds.map(({ tour }) => tour),
      printed,
    ]),
  ).toEqual([
    ['gemini', full, [1, 2], []],
    ['opencode', 'failed: exit code 2', [1, 2], ['broken']],
    ['gemini', 'timeout', [3], []],
  ]);
});
