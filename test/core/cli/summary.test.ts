import { expect, it } from 'vitest';
import { performStatus } from '../../../src/core/cli/commands/status.ts';
import { createProcessCli } from '../../../src/core/cli/io.ts';
import { renderSummary } from '../../../src/core/cli/summary.ts';
import { debate, finished } from '../archive/sample.ts';
import { participant } from '../council/fixtures.ts';

const shown = (over: object): string => {
  const { state } = finished(debate(), { closing: null, ...over });
  const document = { ...state, path: 'memory/shared/council-test.md', edited: false };
  return renderSummary(document, { paint: (_style, text) => text });
};

it('waits for nobody in SYNTHESIZE without a coordinator', () => {
  const text = shown({ coordinator: null });
  expect(text).toContain(
    'SYNTHESIZE, round 4, COMPLETED; no synthesis is asked for: the next tick archives it',
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
  expect(text).toContain('Absent in COLLECT, CHALLENGE: sage (not logged in (exit code 1))');
});

it('says of who is absent why, and not that they are waited for', () => {
  const { state } = finished(debate(), {});
  const gone = { status: 'WAITING', absent: 'failed: no luck' } as const;
  const [first = ''] = state.order;
  const participants = { ...state.participants, [first]: participant({ title: 'Gone', ...gone }) };
  const text = shown({ currentPhase: 'CHALLENGE', participants });
  expect(text).toContain(`Gone (${first}): absent: no luck`);
});

it('waits for the coordinator alone where there is one', () => {
  const text = shown({ coordinator: 'maman', synthesizer: participant({ title: 'Maman' }) });
  expect(text).toMatch(/deadline/);
  expect(text.match(/WAITING/g)).toHaveLength(1);
  expect(text).toContain('Maman (maman), coordinator: WAITING');
  // Its id is a name that council gave.
  expect(text).toContain('Waiting for: Maman\n');
});

it('has a line for each of many councils of a server, and the words of few', async () => {
  const { state } = finished(debate(), { closing: null, coordinator: null });
  const document = { ...state, path: 'x.md', edited: false };
  const textOf = async (count: number): Promise<string> => {
    const councils = Array.from({ length: count }, (_, at) => ({ ...document, name: `c${at}` }));
    const server = async () => ({ document: { councils }, bytes: 0 });
    const cli = { ...createProcessCli({ json: false, root: undefined, features: [] }), server };
    return (await performStatus(cli, { name: undefined })).text;
  };
  const many = (await textOf(51)).split('\n');
  expect(many).toHaveLength(52);
  expect(many.at(-1)).toBe('51 councils are active. More about one: council status --name NAME');
  expect((await textOf(50)).split('\n').length).toBeGreaterThan(200);
});
