// Workers elsewhere do tasks: leased from a server, done on their own machine, recorded through the API.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { apiOf, serving } from '../helpers/serve.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted, ScriptedWorker } from '../helpers/scripted-workers.ts';

type Steps = ScriptedWorker['steps'];

async function tokenOf(project: Project, ...role: string[]): Promise<string> {
  const made = await project.council<{ token: string }>(['token', 'create', '--json', '--role', ...role]);
  expect(made.code).toBe(0);
  return made.json.token;
}

const GPU = 'runs-on: [gpu]\ncapabilities: [draw]';

/** A server whose own machine lacks the card, somebody who asks it, and its worker token. */
async function office(workers: Record<string, string> = { llama: GPU }) {
  const wrong = (council: string): ScriptedWorker => ({
    steps: [{ say: 'from the wrong machine' }],
    council,
  });
  const seated = Object.entries(workers).map(([id, council]) => [id, wrong(council)]);
  const project = await withWorkers(Object.fromEntries(seated) as Record<string, ScriptedWorker>);
  expect((await project.council(['trust', '--yes'])).code).toBe(0);
  const token = await tokenOf(project, 'worker');
  const asker = await tokenOf(project, 'member', '--as', 'ana');
  const server = await serving(project);
  const far = await newProject({ init: false });
  const env = { COUNCIL_SERVER: server.url, COUNCIL_TOKEN: asker };
  return {
    ...server,
    project,
    token,
    env,
    far,
    ask: <T>(...args: string[]) => far.council<T>(['task', ...args], { env }),
    /** Whoever asks on a command line, and waits. */
    waits: (...args: string[]) => far.launch(['task', ...args], { env }),
    /** Whoever asks over the API is told how it stands, and is not kept waiting. */
    give: (input: Record<string, unknown>) =>
      apiOf(server.url, asker).ok<{ task: { standing: string } }>('task', { action: 'run', ...input }),
  };
}
type Office = Awaited<ReturnType<typeof office>>;

/** A machine with the card: its own folder, its own agents, whom its owner trusts. */
async function machine(steps: Steps, council = '', trusted = true): Promise<Scripted> {
  const project = await withWorkers({ llama: { steps, council } });
  if (trusted) expect((await project.council(['trust', '--yes'])).code).toBe(0);
  return project;
}

const work = (at: Project, { url, token }: Pick<Office, 'url' | 'token'>) =>
  at.launch(['heartbeat', '--server', url, '--labels', 'gpu'], { env: { COUNCIL_TOKEN: token } });

/** Asked of the server itself, and not all the time: a command each time would keep the machine from everything else. */
async function standingOf({ url, env }: Office, id = 'T1'): Promise<string> {
  await new Promise((later) => setTimeout(later, 200));
  const api = apiOf(url, env.COUNCIL_TOKEN);
  return (await api.ok<{ task: { standing: string } }>('task', { action: 'show', text: id })).task.standing;
}

const pidsOf = (at: Scripted): number[] => {
  const file = join(at.root, 'scripts/llama-pids');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split(' ').map(Number) : [];
};

async function over(server: Office, ...beats: ReturnType<typeof work>[]): Promise<void> {
  for (const { child, ended } of beats) {
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
  expect((await server.stop()).code).toBe(0);
}

describe.concurrent('a worker of a server', () => {
  it('does tasks with its own agent in its own folder, and whoever asked for them gets the results', async () => {
    const server = await office();
    const gpu = await machine([
      { say: 'M1|W1>O1|U|T1|P1|R|-|0|S1|-|progress=40%\nDessiné : größer. 🦉', stay: 8000 },
      { say: 'Twice.' },
    ]);
    const asking = server.waits('run', 'Zeichne das 🦉', '--needs', 'draw');
    await until('it waits', () => asking.output().includes('needs a heartbeat with the label gpu'));
    expect(await standingOf(server)).toBe('waits: no heartbeat has the label gpu');
    const beat = work(gpu, server);
    await until('it says how far it is', async () => (await standingOf(server)).includes('works on it: 40%'));
    expect((await server.project.council(['task', 'list'])).stdout).not.toContain('no heartbeat');
    const { code, stdout, stderr } = await asking.ended;
    expect([code, stdout]).toEqual([0, 'Dessiné : größer. 🦉\n']);
    expect(stderr.match(/needs a heartbeat/g)).toHaveLength(1);
    const shown = await server.ask<{ task: { result: string; report: string } }>('show', 'T1', '--json');
    expect(shown.json.task.result).toBe('Dessiné : größer. 🦉');
    expect(server.project.read(shown.json.task.report).toString()).toContain('Dessiné : größer. 🦉');
    // What it goes by came with it: the result of another task.
    const again = await server.ask('run', 'Twice: #REF:T1:S', '--to', 'llama', '--after', 'T1');
    expect([again.code, again.stdout]).toEqual([0, 'Twice.\n']);
    // Somebody else's token, and a plan.
    const admin = { ...server.env, COUNCIL_TOKEN: await tokenOf(server.project, 'admin') };
    server.far.write(
      'PLAN.md',
      '- T1: Draw it\n  - needs: draw\n- T2: Draw that\n  - after: T1\n  - needs: draw\n',
    );
    const planned = await server.far.council(['task', 'plan', 'PLAN.md'], { env: admin });
    expect(planned).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('S2/T2: done by llama, 6 characters') as string,
    });
    const [first, second] = gpu.prompts('llama');
    expect(first).toContain('Zeichne das 🦉');
    expect(second).toContain('größer');
    expect(server.project.prompts('llama')).toEqual([]);
    expect(beat.output()).toContain('S1/T1: llama begins: Zeichne das 🦉');
    expect(beat.output()).toContain('S1/T1: done by llama, 19 characters');
    expect(fs.existsSync(join(gpu.root, 'memory/shared/.versions/.tasks'))).toBe(false);
    const audit = (await server.project.council(['audit', 'list', '--json'])).stdout;
    expect(audit).toContain('llama of ');
    await over(server, beat);
  });

  it('is waited for until Ctrl-C, which says how to wait again', async () => {
    const server = await office();
    const asking = server.waits('run', 'Draw', '--to', 'llama');
    await until('it waits', () => asking.output().includes('needs a heartbeat with the label gpu'));
    asking.child.kill('SIGINT');
    const { code, stderr } = await asking.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('council task play S1/T1')]);
    const again = server.waits('play', 'S1/T1');
    const beat = work(await machine([{ say: 'At last.' }]), server);
    expect(await again.ended).toMatchObject({ code: 0, stdout: 'At last.\n' });
    await over(server, beat);
  });

  it('asks back, and goes on with the answer', async () => {
    const server = await office();
    const gpu = await machine([
      { say: 'M1|W1>O1|C|T1|P1|R|-|0|S1|-|question=Which colour?;options=red,blue' },
      { say: 'Done in red.' },
    ]);
    await server.give({ text: 'Draw', to: 'llama' });
    const beat = work(gpu, server);
    await until('it asks', async () => (await standingOf(server)).includes('asks: Which colour?'));
    expect((await server.ask('answer', 'T1', '1')).code).toBe(0);
    await until('it is done', async () => (await standingOf(server)).includes('done by llama'));
    expect(gpu.prompts('llama')[1]).toContain('answer=red');
    await over(server, beat);
  });

  it('ends what is cancelled or held back, and begins again what is resumed', async () => {
    const server = await office();
    const gpu = await machine([{ stay: true }, { stay: true }, { say: 'At last.' }]);
    const beat = work(gpu, server);
    for (const [number, action] of [
      [1, 'cancel'],
      [2, 'pause'],
    ] as const) {
      fs.rmSync(join(gpu.root, 'scripts/llama-pids'), { force: true });
      await server.give({ text: 'Draw for ever', to: 'llama' });
      await until('it is at work', () => pidsOf(gpu).length === 2);
      const pids = pidsOf(gpu);
      expect((await server.ask(action, `T${number}`)).code).toBe(0);
      await until('all of it is ended', () => pids.every((pid) => !runs(pid)));
    }
    expect(await standingOf(server)).toContain('cancelled');
    await until('it is held', async () => (await standingOf(server, 'T2')).includes('is paused'));
    await until('it says so', () => beat.output().includes('S2/T2: is paused'));
    expect(gpu.prompts('llama')).toHaveLength(2);
    expect((await server.ask('resume', 'T2')).code).toBe(0);
    await until('it is done', async () => (await standingOf(server, 'T2')).includes('done by llama'));
    await over(server, beat);
  });

  it('that dies in the middle loses its task to another one, and the result counts once', async () => {
    const server = await office();
    const first = await machine([{ stay: true }]);
    const dying = work(first, server);
    await server.give({ text: 'Draw', to: 'llama' });
    await until('it is at work', () => pidsOf(first).length === 2);
    dying.child.kill('SIGKILL');
    const second = await machine([{ say: 'second' }]);
    const beat = work(second, server);
    await until('it is done', async () => (await standingOf(server)).includes('done by llama'));
    const { json } = await server.ask<{ task: { result: string } }>('show', 'T1', '--json');
    expect([json.task.result, second.prompts('llama').length]).toEqual(['second', 1]);
    await until('nothing of the first is left', () => pidsOf(first).every((pid) => !runs(pid)));
    await over(server, beat);
  });

  it('waits for a person where its own file says that this is risky, whatever that of the server says', async () => {
    const server = await office();
    const gpu = await machine([{ say: 'Done.' }], 'risk: high');
    const beat = work(gpu, server);
    await server.give({ text: 'Draw', to: 'llama' });
    await until('it waits', async () => (await standingOf(server)).startsWith('waits for the approval'));
    expect(gpu.prompts('llama')).toEqual([]);
    const [, id = ''] = /approval (\w+)/.exec(await standingOf(server)) ?? [];
    expect((await server.project.council(['approvals', 'approve', id, '--as', 'eve'])).code).toBe(0);
    await until('it is done', async () => (await standingOf(server)).includes('done by llama'));
    await over(server, beat);
  });

  it('keeps a result while its server is away, and hands it in when that is back', async () => {
    const server = await office();
    const gpu = await machine([{ say: 'kept', stay: 5000 }]);
    const beat = work(gpu, server);
    await server.give({ text: 'Draw', to: 'llama' });
    await until('it is at work', () => gpu.prompts('llama').length === 1);
    await server.stop();
    await until('it says so', () =>
      /S1\/T1: not handed in yet\. It is tried again\. Its answer lies in /.test(beat.output()),
    );
    const again = await serving(server.project, ['--port', new URL(server.url).port]);
    await until('it is done', async () => (await standingOf(server)).includes('done by llama'));
    expect(gpu.prompts('llama')).toHaveLength(1);
    await over({ ...server, stop: again.stop }, beat);
  });

  it('gets no task of an agent that it does not have, or does not trust, and fails none for the others', async () => {
    const server = await office({ llama: GPU, zoe: 'runs-on: [gpu]\ncapabilities: [sing]' });
    await server.give({ text: 'Draw', to: 'llama' });
    await server.give({ text: 'Sing', needs: ['sing'] });
    const stranger = await machine([{ say: 'Done.' }], '', false);
    const beat = work(stranger, server);
    await until('it stands', () => beat.output().includes('with no agent of its own. Ctrl-C'));
    await new Promise((later) => setTimeout(later, 5000));
    expect(stranger.prompts('llama')).toEqual([]);
    expect((await stranger.council(['trust', '--yes'])).code).toBe(0);
    await until('it is done', async () => (await standingOf(server)).includes('done by llama'));
    expect(await standingOf(server, 'T2')).toBe('waits: no heartbeat has the label gpu');
    await over(server, beat);
  });

  it('hands on what its agent says at its end, though the program failed, and tries again what failed', async () => {
    const server = await office();
    const gpu = await machine([
      { say: 'M1|W1>O1|E|T1|P1|F|E20|0|S1|-|desc=the card is busy', exit: 1 },
      { say: 'M1|W1>O1|E|T1|P1|F|E33|0|S1|-|desc=no such colour', exit: 2 },
    ]);
    const beat = work(gpu, server);
    await server.give({ text: 'Draw', to: 'llama' });
    await until('it has failed', async () => (await standingOf(server)).startsWith('failed'));
    expect(await standingOf(server)).toBe('failed (E33): no such colour');
    expect(gpu.prompts('llama')).toHaveLength(2);
    expect(gpu.prompts('llama')[1]).toContain('retry=1');
    await over(server, beat);
  });

  it('speaks with an agent that hears lines: what that asks is answered with its next launch', async () => {
    const server = await office();
    const gpu = await machine([]);
    gpu.write(
      'hear.sh',
      [
        'read -r line; echo "$line" >> heard',
        'case "$line" in',
        '  *answer=blue*) echo "M1|W1>O1|S|T1|P1|D|-|0|S1|-|colour=blue";;',
        '  *) echo "M1|W1>O1|C|T1|P1|R|-|0|S1|-|question=Which?;options=red,blue"; read -r more; [ -s "$COUNCIL_PROMPT" ] && echo prompt >> heard;;',
        'esac',
      ].join('\n'),
    );
    gpu.write(
      'agents/llama.md',
      '---\nname: llama\ncouncil:\n  command: [sh, hear.sh]\n  input: line\n---\n',
    );
    await gpu.council(['trust', '--yes']);
    const beat = work(gpu, server);
    await server.give({ text: 'Draw', to: 'llama' });
    await until('it asks', async () => (await standingOf(server)).includes('asks: Which?'));
    await server.ask('answer', 'T1', '2');
    await until('it is done', async () => (await standingOf(server)).includes('done by llama'));
    const heard = fs.readFileSync(join(gpu.root, 'heard'), 'utf8').trimEnd().split('\n');
    expect(heard).toEqual([
      expect.stringMatching(/^M1\|O1>W1\|R\|T1\|.*Draw$/),
      'prompt',
      expect.stringContaining('answer=blue'),
    ]);
    await over(server, beat);
  });
});
