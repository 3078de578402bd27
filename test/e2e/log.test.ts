import { execFile } from 'node:child_process';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import { openTurn } from '../helpers/in-turn.ts';
import { addAgent, addSpeaker, launches, setScript } from '../helpers/speakers.ts';

interface Log {
  entries: {
    timestamp: string;
    kind: string;
    event: string;
    status: string;
    from: string;
    to: string;
    agent?: string;
    council?: string;
    task?: string;
    context?: string;
  }[];
}

/** A council that was archived, one that is open and sealed, two tasks, and a question to a person. */
async function played(): Promise<Project> {
  const project = await newProject();
  project.write('yes.sh', 'cat > /dev/null; echo "Position: yes"\n');
  project.write('no.sh', 'cat > /dev/null; exit 3\n');
  for (const [id, script] of [
    ['ada', 'yes.sh'],
    ['bob', 'no.sh'],
  ])
    await project.council(['agents', 'add', id!, '--', 'sh', script!]);
  addAgent(project, 'per');
  await project.council(['task', 'run', 'Sum up', '--to', 'ada']);
  await project.council(['task', 'run', 'Sum up', '--to', 'bob']);
  await project.council(['run', 'Yes or no?', '--agents', 'ada', '--name', 'plan']);
  await project.council(['start', 'More?', '--agents', 'ada,per', '--name', 'more']);
  await project.council(['tick']);
  const asking = [
    join(import.meta.dirname, '../helpers/ask-approval.ts'),
    project.root,
    'ada',
    '1',
    'deploy',
  ];
  await promisify(execFile)(process.execPath, asking, { env: project.env });
  await project.council(['send', 'per', 'Which one?', '--type', 'clarify', '--from', 'ada']);
  return project;
}

describe('the log of a project', () => {
  it('is one record in the order of time, of all or of what is asked for', async () => {
    const project = await played();
    const log = async (...args: string[]) =>
      (await project.council<Log>(['log', ...args, '--limit', '1000', '--json'])).json.entries;
    const all = await log();
    expect(all.map(({ timestamp }) => timestamp)).toEqual(all.map(({ timestamp }) => timestamp).toSorted());
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set(['message', 'launch', 'attempt', 'question', 'approval', 'result']),
    );
    expect(await log('--kind', 'launch')).toEqual(all.filter(({ kind }) => kind === 'launch'));
    expect((await log('--kind', 'question')).map(({ from, to }) => [from, to])).toEqual([['ada', 'per']]);

    expect(await log('--kind', 'approval')).toMatchObject([{ event: 'requested', from: 'ada' }]);

    const ofTask = await log('T2');
    expect(await log('S2')).toEqual(ofTask);
    expect(new Set(ofTask.map(({ context, task }) => `${context}/${task}`))).toEqual(new Set(['S2/T2']));
    const told = ofTask.filter(({ kind }) => kind !== 'message');
    expect(told.map(({ kind, event }) => [kind, event])).toEqual([
      ['launch', 'begun'],
      ['attempt', 'failed'],
      ['result', 'failed'],
    ]);

    const ofPlan = (await log('plan')).filter(({ kind }) => kind !== 'message');
    expect(ofPlan.every(({ council }) => council === 'plan')).toBe(true);
    expect(ofPlan.map(({ event }) => event)).toContain('contributed');
    expect(ofPlan.at(-1)).toMatchObject({ kind: 'result', event: 'archived' });
    for (const { from, to, agent } of await log('bob')) expect([from, to, agent]).toContain('bob');
    expect((await log('general')).map(({ kind }) => kind)).toEqual(['question']);
    const lines = (await project.council(['log', 'S1/T1', '--format', 'line'])).stdout;
    expect(lines).toMatch(/^\[\d+\] \[INFO\] \[S1\] \[T1\] O1>W1 R - -$/m);
    expect(lines).toMatch(/^\[\d+\] \[INFO\] \[S1\] \[T1\] W1>O1 S - \S/m);
  });

  it('shows of a sealed phase who has spoken, and to an agent in its turn its own alone', async () => {
    const project = await played();
    const { json } = await project.council<Log>(['log', 'more', '--json']);
    const sealed = json.entries.filter(({ kind }) => kind !== 'message');
    expect(sealed.map(({ event, from }) => [event, from])).toContainEqual(['contributed', 'ada']);
    expect(JSON.stringify(sealed)).not.toContain('yes');
    const env = openTurn(project, 'bob');
    const own = (await project.council<Log>(['log', '--json', '--limit', '1000'], { env })).json.entries;
    expect(own.length).toBeGreaterThan(2);
    for (const { from, to, agent } of own) expect([from, to, agent]).toContain('bob');
    const views = [['log'], ['task', 'log', 'T1'], ['task', 'trace', 'T1'], ['audit']];
    for (const view of views)
      expect((await project.council([...view, '--agent', 'ada'], { env })).stderr).toContain(
        'bob speaks for itself, not for ada.',
      );
    const shown = await Promise.all(
      [...views, ['task', 'log', 'T2']].map((view) => project.council(view, { env })),
    );
    for (const { stdout } of shown) expect(stdout).not.toContain('ada');
    expect(shown.at(-1)!.stdout).toContain('orchestrator to bob (request)');
  });

  it('tells tasks of one id apart by their whole names', async () => {
    const project = await newProject();
    project.write('yes.sh', 'cat > /dev/null; echo yes\n');
    await project.council(['agents', 'add', 'ada', '--', 'sh', 'yes.sh']);
    for (const plan of ['a.md', 'b.md']) {
      project.write(plan, '- T7: Sum up\n');
      await project.council(['task', 'plan', plan]);
    }
    for (const argv of [
      ['log', 'T7'],
      ['audit', '--task', 'T7'],
      ['task', 'show', 'T7'],
      ['task', 'run', 'Next', '--after', 'T7'],
    ]) {
      const { code, stderr } = await project.council(argv);
      expect({ argv, code }).toEqual({ argv, code: 2 });
      expect(stderr).toContain('Several tasks are called T7: S2/T7, S1/T7.');
    }
    expect((await project.council(['task', 'show', 's1/t7'])).stdout).toMatch(/^S1\/T7: /);
  });

  it('shows an archive by its id, without the next council of that name, and what a person has ended as no failure', async () => {
    const project = await newProject();
    const script = { any: { hang: true } };
    addSpeaker(project, 'ada', script);
    const running = project.launch(['run', 'First?', '--agents', 'ada', '--name', 'plan']);
    await until('ada is at work', () => launches(project).length > 0);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    expect((await project.council(['history', '--name', 'plan'])).stdout).toContain('ada interrupted');
    const logs = await project.council(['logs', 'ada', 'plan']);
    expect(logs.stdout).toMatch(/attempt 1: interrupted .*; ended by SIGTERM\n--- stdout/);
    await project.council(['cancel', '--name', 'plan', '--why', 'enough']);
    setScript(project, 'ada', {});
    await project.council(['run', 'Second?', '--agents', 'ada', '--name', 'plan']);

    const [first] = project.archives().filter((path) => path.includes('first'));
    const { json } = await project.council<Log>(['log', basename(first!, '.md'), '--json']);
    const told = json.entries.filter(({ kind }) => kind !== 'message');
    expect(told.map(({ event, status }) => [event, status])).toEqual([
      ['begun', 'success'],
      ['interrupted', 'success'],
      ['absent', 'success'],
      ['archived', 'success'],
    ]);
    expect(json.entries.length).toBeGreaterThan(told.length);
    const part = await project.council<Log>(['log', 'first', '--json']);
    expect(part.json).toEqual(json);
    const last = await project.council<Log>(['log', 'last', '--json']);
    expect(last.json.entries.map(({ event }) => event)).toContain('archived');
    expect((await project.council(['log', 'nothing-of-that-name'])).code).toBe(2);
    const both = await project.council<Log>(['log', 'plan', '--json']);
    expect(both.json.entries.filter(({ event }) => event === 'archived')).toHaveLength(2);
    const archived = both.json.entries.findIndex(({ event }) => event === 'archived');
    expect(both.json.entries.length - archived).toBeGreaterThan(3);
    expect(json.entries.at(-1)!.timestamp < both.json.entries.at(-1)!.timestamp).toBe(true);
  });

  it('goes on with what comes, whatever it is', async () => {
    const project = await newProject();
    project.write('yes.sh', 'cat > /dev/null; echo "Position: yes"\n');
    await project.council(['agents', 'add', 'ada', '--', 'sh', 'yes.sh']);
    const following = project.launch(['log', '--follow', '--format', 'line']);
    await project.council(['send', 'ada', 'Hello']);
    await until('the message', () => following.output().includes('human>ada chat'));
    await project.council(['task', 'run', 'Sum up', '--to', 'ada']);
    await until('the result', () => following.output().includes('[S1] [T1] ada>orchestrator result'));
    following.child.kill('SIGINT');
    await following.ended;
    expect(following.output().match(/human>ada chat/g)).toHaveLength(1);
  });
});
