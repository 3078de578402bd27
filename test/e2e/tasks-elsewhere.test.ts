// `council task` against a server: what it says and how it ends is what it says on the machine itself.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Run } from '../helpers/cli.ts';
import { serving } from '../helpers/serve.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { ScriptedWorker } from '../helpers/scripted-workers.ts';

const WORKERS = (): Record<string, ScriptedWorker> => ({
  reader: { steps: [{ say: 'Three parts. 🦉' }], council: 'capabilities: [read]' },
  writer: { steps: [{ say: 'Ça y est.' }], council: 'capabilities: [write]' },
  broken: { steps: [{ exit: 3 }], council: 'capabilities: [break]' },
});

/** Two projects alike, one with a server, and a machine that has neither. */
async function alike() {
  const [near, there] = [await withWorkers(WORKERS()), await withWorkers(WORKERS())];
  for (const project of [near, there]) expect((await project.council(['trust', '--yes'])).code).toBe(0);
  const server = await serving(there);
  const far = await newProject({ init: false });
  const env = { COUNCIL_SERVER: server.url };
  const put = (name: string, text: string): void => {
    for (const { root } of [near, far]) fs.writeFileSync(join(root, name), text);
  };
  /** The same on both ways. */
  const both = async (...args: string[]): Promise<Run> => {
    const [here, elsewhere] = await Promise.all([near.council(args), far.council(args, { env })]);
    expect(told(elsewhere)).toEqual(told(here));
    return elsewhere;
  };
  return { near, there, far, env, server, put, both };
}
const told = ({ code, stdout, stderr }: Run) => ({ code, out: settled(stdout), err: settled(stderr) });
const settled = (text: string): string =>
  text
    .replace(/\d\d\d\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\d{8}_\d{6}/g, 'DAY_TIME')
    .replace(/\b\d+(\.\d+)? ?(s|ms|min)\b/g, 'SPAN')
    .replace(/\b\d\d:\d\d(:\d\d)?\b/g, 'CLOCK')
    .replace(/"(ms|durationMs|startedMs|at)": ?\d+/g, '"$1":0');

describe.concurrent('tasks against a server', () => {
  it('wait for a machine with the labels of their worker: what the caller has is not what the server has', async () => {
    const there = await withWorkers({
      llama: { steps: [{ say: 'Dessiné.' }], council: 'runs-on: [gpu]' },
    });
    await there.council(['trust', '--yes']);
    const server = await serving(there);
    const far = await newProject({ init: false });
    const env = { COUNCIL_SERVER: server.url, COUNCIL_LABELS: 'gpu' };
    const asking = far.launch(['task', 'run', 'Dessine 🦉', '--labels', 'gpu'], { env });
    const standing = 'S1/T1: waits: no heartbeat has the label gpu';
    await until('it waits', async () =>
      (await far.council(['task', 'list'], { env })).stdout.includes(standing),
    );
    expect(there.prompts('llama')).toEqual([]);
    for (const watching of [far.launch(['task', 'watch'], { env }), there.launch(['task', 'watch', 'T1'])]) {
      await until('it is watched', () => watching.output().includes('T1: '));
      watching.child.kill('SIGINT');
      const { code, stderr } = await watching.ended;
      expect([code, stderr]).toEqual([130, expect.stringContaining('Go on with: council task watch')]);
    }
    await there.council(['tick', '--labels', 'gpu']);
    await until('it is done', async () =>
      (await far.council(['task', 'show', 'T1'], { env })).stdout.includes('done by llama'),
    );
    expect(await asking.ended).toMatchObject({ code: 0, stdout: 'Dessiné.\n' });
    await server.stop();
  });

  it('wait for a person, are played then, and say of each state what helps', async () => {
    const there = await withWorkers({
      deployer: { steps: [{ say: 'Deployed.' }], council: 'risk: high' },
      broken: { steps: [{ exit: 3 }] },
    });
    await there.council(['trust', '--yes']);
    const server = await serving(there);
    const far = await newProject({ init: false });
    const env = { COUNCIL_SERVER: server.url };
    const asking = far.launch(['task', 'run', 'Deploy', '--to', 'deployer'], { env });
    const line = 'T1: waits for the approval a1: council approvals approve a1';
    await until('it waits', () => asking.output().includes(line));
    expect((await far.council(['approvals', 'approve', 'a1', '--as', 'eve'], { env })).code).toBe(0);
    const { code, stdout, stderr } = await asking.ended;
    expect([code, stdout]).toEqual([0, 'Deployed.\n']);
    expect(stderr.split('\n').filter((one) => one.includes('approval'))).toEqual([line]);
    expect((await far.council(['task', 'run', 'Break', '--to', 'broken'], { env })).code).toBe(1);
    const blocked = await far.council(['task', 'run', 'Deploy', '--to', 'deployer', '--after', 'S2/T2'], {
      env,
    });
    expect(blocked).toMatchObject({
      code: 1,
      stdout: 'S2/T3: waits for T2, which failed\nHow it goes on: council task list\n',
    });
    expect((await far.council(['task', 'list'], { env })).stdout).toContain('council task retry S2/T2');
    await server.stop();
  });

  it('are planned, done and looked at as on the machine itself', async () => {
    const { there, server, put, both } = await alike();
    put(
      'PLAN.md',
      '# Plan\n\n- T1: Read notes.md\n  - needs: read\n- T2: Write it up\n  - after: T1\n  - needs: write\n',
    );
    const planned = await both('task', 'plan', 'PLAN.md');
    expect([planned.code, planned.stdout, planned.stderr]).toEqual([
      0,
      expect.stringContaining('T2'),
      expect.stringContaining('T2'),
    ]);
    expect(there.prompts('writer')[0]).toContain('Three parts. 🦉');
    for (const args of [
      ['list'],
      ['list', '--json'],
      ['show', 'T2'],
      ['log', 'T2'],
      ['log', 'T2', '--format', 'line'],
      ['watch', 'T1'],
      ['watch', 'T9'],
      ['run', 'Read it again', '--needs', 'read', '--risk', 'high', '--concurrency', '2'],
      ['run', 'Read it', '--needs', 'read,fly', '--explain'],
      ['run', 'Fly', '--needs', 'fly'],
      ['run', 'Break it', '--to', 'broken', '--json'],
      ['plan', 'PLAN.md', '--json'],
    ])
      await both('task', ...args);
    await server.stop();
  });

  it('refuse a plan in the same words, and what only the machine itself may say', async () => {
    const { far, env, server, put, both } = await alike();
    put('BAD.md', '- T1: Read\n  - prio: P1\n  - priority: soon\n');
    put('EMPTY.md', 'Nothing to do.\n');
    put('ROUND.md', '- T1: a\n  - after: T2\n- T2: b\n  - after: T1\n');
    for (const file of ['BAD.md', 'EMPTY.md', 'ROUND.md', 'nowhere']) {
      expect((await both('task', 'plan', file)).code).not.toBe(0);
      await both('task', 'plan', file, '--json');
    }
    await both('task', 'plan');
    expect((await far.council(['task', 'plan', 'not/here.md'], { env })).stderr).toContain(
      'There is no file',
    );
    put('WRITES.md', '- T1: Change it\n  - isolate: worktree\n');
    for (const args of [
      ['plan', 'WRITES.md'],
      ['run', 'Change it', '--isolate', 'worktree'],
    ]) {
      const { code, stdout, stderr } = await far.council(['task', ...args], { env });
      expect({ args, code: code === 0, said: `${stdout}${stderr}` }).toEqual({
        args,
        code: false,
        said: expect.stringMatching(/lets no worker write: T1|takes no argument isolate/) as string,
      });
    }
    const secret = await far.council(
      ['task', 'run', 'Read', '--to', 'reader', '--context', '/etc/hostname'],
      {
        env,
      },
    );
    expect(secret.code).not.toBe(0);
    await server.stop();
  });

  it('keep plans of several machines apart that have the same name', async () => {
    const { there, server, far, env } = await alike();
    const plan = (text: string) => {
      fs.writeFileSync(join(far.root, 'PLAN.md'), text);
      return far.council<{ tasks: { session: string; result: string }[] }>(
        ['task', 'plan', 'PLAN.md', '--json'],
        { env },
      );
    };
    const first = await plan('- T1: One\n  - needs: read\n');
    const other = await plan('- T1: Two\n  - needs: read\n');
    const again = await plan('- T1: One\n  - needs: read\n');
    expect([first, other, again].map(({ json }) => json.tasks[0]!.session)).toEqual(['S1', 'S2', 'S1']);
    expect(there.prompts('reader')).toHaveLength(2);
    await server.stop();
  });

  it('are watched there until they are over', async () => {
    const { there, server, far, env } = await alike();
    there.write('scripts/reader.json', JSON.stringify([{ say: 'Done.', stay: 'until released' }]));
    const playing = far.launch(['task', 'run', 'Take your time', '--to', 'reader'], { env });
    await until('it is there', async () => (await there.council(['task', 'list'])).stdout.includes('T1'));
    const watched = far.launch(['task', 'watch'], { env });
    await until('it is watched', () => watched.output().includes('T1: '));
    there.write('scripts/reader-released', '');
    const watching = await watched.ended;
    expect([watching.code, watching.stdout]).toEqual([0, expect.stringContaining('S1/T1: done')]);
    expect(watching.stderr).toContain('T1: ');
    const { code, stdout } = await playing.ended;
    expect([code, stdout]).toEqual([0, 'Done.\n']);
    expect((await far.council(['task', 'watch'], { env })).stdout).toContain('No task is open.');
    await server.stop();
  });
});
