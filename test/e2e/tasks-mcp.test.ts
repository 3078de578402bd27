import { describe, expect, it } from 'vitest';
import { overStdio } from '../helpers/mcp.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { ScriptedWorker } from '../helpers/scripted-workers.ts';
import { openTurn, TASK } from '../helpers/in-turn.ts';

interface Shown {
  task: {
    state: string;
    result: string | null;
    worker: string | null;
    standing: string;
    approval: string | null;
  };
}
interface Refused {
  error: { code: string; message: string; hint: string };
}

const ada: ScriptedWorker = { steps: [{ say: 'Fünf Wörter, « ça » inclus.' }] };

describe('the tool task', () => {
  it('runs a task with whom the owner trusts, and shows it', async () => {
    const project = await withWorkers({ ada });
    await project.council(['trust', '--yes']);
    const client = await overStdio('v2', project);
    const done = await client.call<Shown>('task', { action: 'run', text: 'Zähl die Wörter', to: 'ada' });
    expect(done.json.task).toMatchObject({
      state: 'D',
      worker: 'ada',
      result: 'Fünf Wörter, « ça » inclus.',
    });
    const { json: listed } = await client.call<{ tasks: unknown[] }>('task', { action: 'list' });
    expect(listed.tasks).toHaveLength(1);
    expect((await client.call<Shown>('task', { action: 'show', text: 'T1' })).json.task.state).toBe('D');
    const log = await client.call<{ lines: { line: string }[] }>('task', { action: 'log', text: 'T1' });
    expect(log.json.lines.map(({ line }) => line)).toEqual(await project.exchange('T1'));
    const audit = await project.council(['audit', 'list', '--json']);
    expect(audit.stdout).toContain('via mcp');
    await client.close();
  });

  it('trusts nobody, answers for nobody, and is not kept waiting for a person', async () => {
    const project = await withWorkers({ ada, bob: { ...ada, council: 'risk: high' } });
    const client = await overStdio('v2', project);
    for (const given of [{ to: 'ada' }, {}]) {
      const refused = await client.call<Refused>('task', { action: 'run', text: 'x', ...given });
      expect(refused).toMatchObject({ isError: true, json: { error: { code: 'untrusted' } } });
      expect(refused.json.error.hint).toContain('council trust');
    }
    expect(project.prompts('ada')).toEqual([]);
    expect((await client.call('task', { action: 'run', text: 'x', trust: true })).isError).toBe(true);
    await project.council(['trust', '--yes']);
    const waiting = await client.call<Shown>('task', { action: 'run', text: 'delete it', to: 'bob' });
    expect(waiting.isError).toBe(false);
    expect(waiting.json.task).toMatchObject({ state: 'N', approval: 'a1', result: null });
    expect(project.prompts('bob')).toEqual([]);
    for (const action of ['answer', 'cancel', 'retry', 'watch', 'plan'])
      expect(await client.call('task', { action, text: 'T1 1' })).toMatchObject({
        isError: true,
        json: { error: { code: 'forbidden' } },
      });
    await project.council(['approvals', 'approve', 'a1', '--as', 'zoe']);
    await project.council(['tick', '--until-idle']);
    expect((await client.call<Shown>('task', { action: 'show', text: 'T1' })).json.task.state).toBe('D');
    await client.close();
  });

  it('launches no worker inside of the turn of one', async () => {
    const project = await withWorkers({ ada });
    await project.council(['trust', '--yes']);
    const client = await overStdio('v2', project, openTurn(project, 'ada', TASK));
    const refused = await client.call<Refused>('task', { action: 'run', text: 'x' });
    expect(refused).toMatchObject({ isError: true, json: { error: { code: 'forbidden' } } });
    expect((await client.call('task', { action: 'list' })).isError).toBe(false);
    await client.close();
  });
});
