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

it('waits for the coordinator alone where there is one', () => {
  const text = shown({ coordinator: 'maman', synthesizer: participant({ title: 'Maman' }) });
  expect(text).toMatch(/deadline/);
  expect(text.match(/WAITING/g)).toHaveLength(1);
  expect(text).toContain('Maman (maman), coordinator: WAITING');
});
