import { expect, it } from 'vitest';
import { summary } from '../../src/cli/summary.ts';
import { debate, finished } from '../archive/sample.ts';
import { participant } from '../council/fixtures.ts';

const shown = (over: object): string => {
  const { state } = finished(debate(), { closing: null, ...over });
  const document = { ...state, path: 'memory/shared/council-test.md', edited: false };
  return summary(document, { paint: (_style, text) => text });
};

it('waits for nobody in SYNTHESIZE without a coordinator', () => {
  const text = shown({ coordinator: null });
  expect(text).toContain(
    'SYNTHESIZE, round 4, COMPLETED; nobody is to write a synthesis: the next tick archives it',
  );
  expect(text).not.toMatch(/deadline|WAITING|Nobody left/);
});

it('tells why somebody was absent once, and that it is over only when it is', () => {
  const reason = 'failed: not logged in (exit code 1)';
  const at = '2026-11-22T13:00:00.000Z';
  const absence = (phase: string, tour: number) => ({ participant: 'sage', phase, tour, at, reason });
  const text = shown({
    coordinator: 'maman',
    synthesizer: participant({ title: 'Maman' }),
    absences: [absence('COLLECT', 1), absence('CHALLENGE', 2)],
  });
  expect(text).toContain('SYNTHESIZE, round 4; ');
  expect(text.match(/not logged in.*/g)).toHaveLength(1);
  expect(text).toContain('Absent in COLLECT, CHALLENGE: sage (failed: not logged in (exit code 1))');
});

it('waits for the coordinator alone where there is one', () => {
  const text = shown({ coordinator: 'maman', synthesizer: participant({ title: 'Maman' }) });
  expect(text).toMatch(/deadline/);
  expect(text.match(/WAITING/g)).toHaveLength(1);
  expect(text).toContain('Maman (maman), coordinator: WAITING');
});
