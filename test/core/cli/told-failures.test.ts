import { expect, it } from 'vitest';
import type { Progress } from '../../../src/core/app/app.ts';
import { dropToldFailures } from '../../../src/core/cli/live.ts';

const council = 'c';
const LOGIN = 'not logged in (exit code 1); log in with: gemini';
const failed = (reason: string, participant = 'gemini'): Progress => ({
  type: 'attempt_failed',
  council,
  participant,
  reason,
  attempt: 1,
  next: 'absent',
});
const absent = (reason: string): Progress =>
  ({
    type: 'notice',
    council,
    notice: { type: 'absent', participant: 'gemini', phase: 'COLLECT', tour: 1, reason },
  }) as Progress;

function told(...events: Progress[]): (string | undefined)[] {
  const filter = dropToldFailures();
  return events.map((event) => {
    const shown = filter(event);
    if (shown?.type === 'attempt_failed') return shown.reason;
    return shown?.type === 'notice' && shown.notice.type === 'absent' ? shown.notice.reason : shown?.type;
  });
}

it('tells what mends a failure once, and its name each time', () => {
  expect(
    told(failed(LOGIN), failed(`${LOGIN} (known from an earlier launch)`), failed(LOGIN, 'codex')),
  ).toEqual([LOGIN, 'not logged in (exit code 1)', LOGIN]);
});

it('tells of an absence only what its failure could not say while the phase was blind', () => {
  const said = `failed: ${LOGIN}. It said: Please login first`;
  expect(told(failed(LOGIN), absent(said), absent(said), absent(`failed: ${LOGIN}`))).toEqual([
    LOGIN,
    'failed: it said “Please login first”',
    undefined,
    undefined,
  ]);
});

it('tells an absence that no failure was told of', () => {
  expect(told(absent('timeout'), failed('exit code 1'), absent('failed: exit code 1: no such file'))).toEqual(
    ['timeout', 'exit code 1', 'failed: exit code 1: no such file'],
  );
});
