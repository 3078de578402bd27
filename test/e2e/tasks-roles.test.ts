import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';

describe('a task between agents with roles, keys and versions of their own', () => {
  it('stands whole in its channel: what the orchestrator carries may go from worker to worker', async () => {
    const council = (caps: string): string => `role: worker\ncapabilities: [${caps}]`;
    const project = await withWorkers({
      ada: {
        steps: [
          { say: 'M2|W1>W2|X|T1|P1|R|-|1|S1|-|call=generate_tests;reason=specialized' },
          { say: 'M5|W1>O1|S|T1|P1|D|-|0|S1|-|analysis=done' },
        ],
        council: council('analyze_code'),
      },
      ben: { steps: [{ say: 'M4|W2>W1|S|T1|P1|D|-|1|S1|-|tests=3' }], council: council('generate_tests') },
    });
    for (const id of ['ada', 'ben']) await project.council(['agents', 'key', id]);
    const ran = await project.council(['task', 'run', 'call=analyze_code', '--needs', 'analyze_code']);
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('could not be stored')]);
    const { channels } = (
      await project.council<{ channels: { name: string }[] }>(['channel', 'list', '--json'])
    ).json;
    const { name } = channels.find((one) => one.name.startsWith('task'))!;
    const shown = await project.council(['channel', 'show', name]);
    expect(shown.stderr).toBe('');
    for (const said of ['call=generate_tests', 'tests=3', 'analysis=done'])
      expect(shown.stdout).toContain(said);
  });

  it('is given in version 4 to a worker that joined with it', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: 'M2|W1>O1|S|T1|P1|D|-|old=fine' }], council: 'capabilities: [plan]' },
    });
    await project.council(['agents', 'register', '--as', 'ada'], {
      input: 'M1|W1>O1|J|T0|-|-|-|0|S0|-|caps=plan;version=V4',
    });
    expect((await project.council(['task', 'run', 'call=plan', '--needs', 'plan'])).code).toBe(0);
    const [prompt = ''] = project.prompts('ada');
    expect(prompt.split('\n')).toContain('M1|O1>W1|R|T1|P1|N|-|call=plan');
  });
});
