import { join } from 'node:path';
// Workers and files that do what they should not: hand on in a circle, decide for people, go away meanwhile.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLI, newProject } from '../helpers/cli.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted } from '../helpers/scripted-workers.ts';
import { openTurn, TASK } from '../helpers/in-turn.ts';

interface Shown {
  task: { id: string; state: string; error: { code: string; text: string } | null };
}
interface Listed {
  approvals: { id: string; status: string }[];
}

const poll = <T>(look: () => T | Promise<T>) => expect.poll(look, { interval: 50 });
const pending = async ({ council }: Scripted): Promise<string[]> =>
  (await council<Listed>(['approvals', '--json'])).json.approvals.flatMap(({ id, status }) =>
    status === 'pending' ? id : [],
  );

describe('a worker', () => {
  it('cannot hand on in a circle by telling a depth of 0 each time', async () => {
    const project = await withWorkers({
      ada: {
        steps: [{ say: 'M2|W1>W2|X|T1|P1|R|-|0|S1|-|call=dig;reason=not mine' }],
        council: 'max_depth: 1',
      },
      bob: {
        steps: [{ say: 'M3|W2>W1|X|T1|P1|R|-|0|S1|-|call=dig;reason=not mine either' }],
        council: 'max_depth: 1',
      },
    });
    const { json } = await project.council<Shown>(['task', 'run', 'dig', '--to', 'ada', '--json']);
    expect(json.task.state).toBe('F');
    const launches = project.prompts('ada').length + project.prompts('bob').length;
    // It hands on three parts, the most there may be, and is told each time that the other may not hand on again.
    expect(launches).toBe(7);
    expect((await project.exchange('T1')).join('\n')).toContain('|E16|');
  });

  it('grants no trust, answers no question and retries nothing', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'x' }] } });
    const env = openTurn(project, 'ada', TASK);
    await project.council(['task', 'run', 'x']);
    for (const args of [
      ['trust', '--yes'],
      ['trust', '--revoke'],
      ['task', 'retry', 'T1'],
      ['task', 'answer', 'T1', '1'],
      ['task', 'run', 'more'],
    ]) {
      const { json } = await project.council<{ error: { code: string } }>([...args, '--json'], { env });
      expect({ args, code: json.error.code }).toEqual({ args, code: 'forbidden' });
    }
    expect((await project.council(['trust', '--list'], { env })).code).toBe(0);
  });

  it('has nobody else launched, also when it clears its environment', async () => {
    const project = await newProject();
    const variables = ['PATH', 'HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_CONFIG_HOME'].map(
      (name) => `${name}='${project.env[name]}'`,
    );
    const call = `'${process.execPath}' '${CLI}' task run more --to ada --trust --root '${project.root}' 2>&1`;
    project.write('ada.sh', `cat > /dev/null\nenv -i ${variables.join(' ')} ${call}\necho over\n`);
    project.write('agents/ada.md', '---\nname: ada\ncouncil:\n  command: [sh, ada.sh]\n---\n');
    const { json } = await project.council<{ task: { result: string } }>(['task', 'run', 'x', '--json']);
    expect(json.task.result).toContain(
      'ada is in its turn (task T1): an agent in its turn cannot call task run.',
    );
    expect(json.task.result).toContain('over');
    const { json: all } = await project.council<{ tasks: unknown[] }>(['task', 'list', '--all', '--json']);
    expect(all.tasks).toHaveLength(1);
  });
});

describe('files of a task', () => {
  it('are named from where the person is', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'x' }] } });
    project.write('docs/list.txt', 'three\n');
    const cwd = `${project.root}/docs`;
    const { code, stderr } = await project.council(['task', 'run', 'x', '--context', 'list.txt'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(project.prompts('ada')[0]).toContain('three');
    expect((await project.council(['task', 'run', 'x', '--context', 'missing.txt'])).code).toBe(2);
    expect(project.prompts('ada')).toHaveLength(1);
  });

  it('are looked at before there is a task, and a task that is refused later says why', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'x' }] } });
    execFileSync('mkfifo', [`${project.root}/pipe`]);
    const { code, stderr } = await project.council(['task', 'run', 'x', '--context', 'pipe']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('is a FIFO');
    expect((await project.council(['task', 'list', '--all'])).stdout).toContain('No tasks yet');
    const refused = await project.council(['task', 'run', 'lies #REF:T77:S']);
    expect(refused.stderr).toContain('failed (E43): #REF:T77:S leads nowhere: there is no T77');
  });
});

describe('a question', () => {
  it('has one answer, whoever is fast: the others are refused, and nothing of theirs is kept', async () => {
    const asks = 'M1|W1>User|D|T1|P1|N|-|0|S1|-|question=Which colour?;opt1=red;opt2=green;opt3=blue';
    const project = await withWorkers({ ada: { steps: [{ say: asks }, { say: 'so be it' }] } });
    const running = project.council(['task', 'run', 'Choose']);
    await poll(async () => (await project.council(['task', 'list'])).stdout).toContain('Which colour?');
    const colours = ['red', 'green', 'blue'];
    const ended = await Promise.all(colours.map((one) => project.council(['task', 'answer', 'T1', one])));
    expect(ended.filter(({ code }) => code === 0)).toHaveLength(1);
    const chosen = colours[ended.findIndex(({ code }) => code === 0)];
    expect((await running).stdout).toContain('so be it');
    const told = (await project.council(['channel', 'show', 'task-s1-t1', '--json'])).stdout;
    expect([...told.matchAll(/answer=(\w+)/g)].map(([, colour]) => colour)).toEqual(
      expect.arrayContaining([chosen]),
    );
    for (const other of colours) if (other !== chosen) expect(told).not.toContain(`answer=${other}`);
  });
});

describe('a plan', () => {
  it('goes on where a file of one of its tasks is gone meanwhile', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: 'x' }], council: 'risk: high' },
      bob: { steps: [{ say: 'y' }] },
    });
    project.write('list.txt', 'one\n');
    const args = ['task', 'run', 'x', '--to', 'ada', '--context', 'list.txt', '--json'];
    const running = project.launch(args);
    await poll(async () => (await pending(project)).length).toBe(1);
    fs.rmSync(`${project.root}/list.txt`);
    await project.council(['approvals', 'approve', (await pending(project))[0] ?? '']);
    const { json } = (await running.ended) as { json: Shown };
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E43' } });
    expect(json.task.error?.text).toContain('list.txt');
    expect(project.prompts('ada')).toHaveLength(0);
  });
});

describe('a task whose agent was changed while nobody played', () => {
  it('waits until its owner trusts it, and is done then', async () => {
    const project = await newProject();
    const agent = (script: string): void => {
      project.write('agents/ada.md', `---\nname: ada\ncouncil:\n  command: [sh, ${script}]\n---\n`);
    };
    project.write('one.sh', 'cat > /dev/null\ntouch begun\nsleep 60\n');
    project.write('two.sh', 'cat > /dev/null\necho so be it\n');
    agent('one.sh');
    const running = project.launch(['task', 'run', 'x', '--json']);
    await poll(() => fs.existsSync(`${project.root}/begun`)).toBe(true);
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
    agent('two.sh');
    const tick = await project.council(['tick', '--until-idle']);
    expect(tick.stderr).toContain('T1: ada waits for trust: council trust');
    expect((await project.council(['trust', '--yes'])).code).toBe(0);
    await project.council(['tick', '--until-idle']);
    expect((await project.council(['task', 'show', 'T1'])).stdout).toContain('so be it');
  });
});

describe('a task that a person has rejected', () => {
  it('asks anew when it is retried', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'x' }], council: 'risk: high' } });
    const running = project.launch(['task', 'run', 'x', '--json']);
    await poll(async () => (await pending(project)).length).toBe(1);
    await project.council(['approvals', 'reject', 'a1', '--reason', 'not yet']);
    expect((await running.ended).code).toBe(1);
    const retried = project.launch(['task', 'retry', 'T1', '--json']);
    await poll(() => pending(project)).toEqual(['a2']);
    expect(project.prompts('ada')).toHaveLength(0);
    await project.council(['approvals', 'approve', 'a2']);
    expect((await retried.ended).code).toBe(0);
  });
});

describe('a task that is cancelled while it waits for an approval', () => {
  it('leaves nothing to approve, and asks anew when it is retried', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'x' }], council: 'risk: high' } });
    const running = project.launch(['task', 'run', 'x', '--json']);
    await poll(async () => (await pending(project)).length).toBe(1);
    expect((await project.council(['task', 'cancel', 'T1'])).code).toBe(0);
    expect((await running.ended).code).toBe(1);
    const late = await project.council(['approvals', 'approve', 'a1']);
    expect(late.stderr).toContain('a1 cannot be decided any more: it is rejected');
    expect((await project.council(['approvals'])).stdout).toContain('its task was cancelled');
    const retried = project.launch(['task', 'retry', 'T1', '--json']);
    await poll(() => pending(project)).toEqual(['a2']);
    expect(project.prompts('ada')).toHaveLength(0);
    await project.council(['approvals', 'approve', 'a2']);
    expect((await retried.ended).code).toBe(0);
  });
});

describe('a session that cannot be read', () => {
  it('keeps no tick from playing the others', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: 'x' }] },
      bob: { steps: [{ say: 'y' }], council: 'risk: high' },
    });
    for (const id of ['a1', 'a2']) {
      const running = project.launch(['task', 'run', 'deploy', '--to', 'bob']);
      await poll(async () => (await pending(project)).includes(id)).toBe(true);
      running.child.kill('SIGKILL');
      await running.ended;
    }
    const approved = await project.council(['approvals', 'approve', 'a2']);
    expect(approved).toMatchObject({ code: 0 });
    const kept = join(project.root, 'memory/shared/.versions/.tasks');
    execFileSync('mkfifo', [join(kept, 's1-t1.md')]);
    const tick = await project.council(['tick']);
    expect(tick.code).toBe(1);
    expect(tick.stderr).toContain('s1-t1.md is a FIFO');
    expect(tick.stderr).toContain('T2: done by bob');
  });
});

describe('what lies where council keeps its own', () => {
  it('stops nobody: reports that are no files are left out, and a record that is none is refused at once', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'twelve' }] } });
    project.write('PLAN.md', '- T1: Count\n- T2: Count again\n- T3: Once more\n');
    await project.council(['task', 'plan', 'PLAN.md']);
    const dir = join(project.root, 'memory/reports');
    const [first = '', second = ''] = fs.readdirSync(dir).sort();
    for (const name of [first, second]) fs.unlinkSync(join(dir, name));
    execFileSync('mkfifo', [join(dir, first)]);
    fs.symlinkSync('/etc/hostname', join(dir, second));
    const together = await project.council(['task', 'show', 'S1']);
    expect(together).toMatchObject({ code: 0 });
    expect(together.stderr).toContain(`memory/reports/${first} is left out: `);
    expect(together.stderr).toContain(`memory/reports/${second} is left out: `);
    expect(together.stdout).toContain('twelve');
    for (const action of ['metrics', 'health'])
      expect((await project.council(['agents', action])).stdout).toContain('ada: ');

    const trail = join(project.root, 'memory/audit/trail.ndjson');
    fs.renameSync(trail, `${trail}.kept`);
    execFileSync('mkfifo', [trail]);
    const refused = await project.council(['task', 'run', 'Count']);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('trail.ndjson is not a file');
  });
});
