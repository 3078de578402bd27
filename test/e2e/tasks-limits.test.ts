import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted } from '../helpers/scripted-workers.ts';

const poll = <T>(look: () => T) => expect.poll(look, { interval: 50 });
const workerOf = async (project: Scripted, ...args: string[]): Promise<string> => {
  const { json, stderr } = await project.council<{ task: { state: string; worker: string } }>([
    'task',
    'run',
    'do it',
    ...args,
    '--json',
  ]);
  expect(json.task?.state, stderr).toBe('D');
  return json.task.worker;
};

async function why(project: Scripted, worker: string): Promise<string | null | undefined> {
  const { json } = await project.council<{ candidates: { worker: string; out: string | null }[] }>([
    'task',
    'run',
    'x',
    '--explain',
    '--json',
  ]);
  return json.candidates.find((one) => one.worker === worker)?.out;
}

describe('commands that have tasks done at the same time, or one after the other', () => {
  it('never have an agent work on more than its file allows', async () => {
    const project = await withWorkers({});
    const log = project.write('log', '');
    project.write(
      'work.sh',
      `cat > /dev/null\necho begin >> '${log}'\nsleep 0.2\necho end >> '${log}'\necho done\n`,
    );
    project.write('agents/ada.md', '---\nname: ada\ncouncil:\n  command: [sh, work.sh]\n---\n');
    const runs = await Promise.all(
      Array.from({ length: 4 }, (_, at) => project.council(['task', 'run', `do ${at}`])),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    const rows = project.read('log').toString().trimEnd().split('\n');
    expect(rows).toEqual(['begin', 'end', 'begin', 'end', 'begin', 'end', 'begin', 'end']);
    const { stdout } = await project.council(['task', 'log', 'T1', '--format', 'line']);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect((await project.council(['audit', 'verify'])).code).toBe(0);
  });

  it('take whoever was used longest ago, though another command used them', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'a' }] }, ben: { steps: [{ say: 'b' }] } });
    const used: string[] = [];
    for (let at = 0; at < 4; at++) used.push(await workerOf(project));
    expect(used).toEqual(['ada', 'ben', 'ada', 'ben']);
  });

  it('leave an agent in peace that was launched often enough in this minute', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: 'a' }], council: 'rate: 1' },
      ben: { steps: [{ say: 'b' }] },
    });
    expect([await workerOf(project), await workerOf(project), await workerOf(project)]).toEqual([
      'ada',
      'ben',
      'ben',
    ]);
    expect(await why(project, 'ada')).toBe('launched 1 time in this minute');
    const waiting = project.launch(['task', 'run', 'only ada', '--to', 'ada']);
    await poll(() => waiting.output()).toContain('T4: ada launched 1 time in this minute');
    waiting.child.kill('SIGINT');
    expect((await waiting.ended).code).toBe(130);
    expect((await project.council(['task', 'list'])).stdout).toContain('T4: waits for its turn');
  });

  it('turn to another provider where one has had enough', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: 'a' }], council: 'provider: mistral' },
      ben: { steps: [{ say: 'b' }], council: 'provider: mistral' },
      cem: { steps: [{ say: 'c' }], council: 'provider: ollama' },
    });
    const rules = project.read('COUNCIL.md').toString();
    project.write('COUNCIL.md', rules.replace(/^---\n/, '---\nproviderRates: { mistral: 1 }\n'));
    expect([await workerOf(project), await workerOf(project)]).toEqual(['ada', 'cem']);
    expect(await workerOf(project)).toBe('cem');
    expect(await why(project, 'ben')).toBe('waits: mistral was launched 1 time in this minute');
    project.write('COUNCIL.md', rules.replace(/^---\n/, '---\nproviderRates: { mistral: many }\n'));
    const refused = await project.council(['task', 'run', 'x', '--explain']);
    expect(refused.stderr).toContain('providerRates');
    expect(refused.code).not.toBe(0);
  });
});
