import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';
import { onTerminal } from '../helpers/pty.ts';

describe('what a person in front of tasks reads', () => {
  it('ends with 2 where a task to watch is not there, and at once where none is open', async () => {
    const project = await withWorkers({});
    const unknown = await project.council(['task', 'watch', 'T9']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('There is no task "T9".');
    const idle = await project.council(['task', 'watch']);
    expect(idle).toMatchObject({ code: 0 });
    expect(idle.stdout).toContain('council task list --all');
    const onScreen = onTerminal(project, ['task', 'watch', 'T9']);
    expect((await onScreen.ended).code).toBe(2);
  });

  it('says once why a task failed, and then what one can do', async () => {
    const project = await withWorkers({
      ada: { council: 'capabilities: [summarize]', steps: [{ say: 'x' }] },
    });
    const { code, stdout, stderr } = await project.council(['task', 'run', 'Fly', '--needs', 'web_search']);
    expect(code).toBe(1);
    expect(stderr).toContain('T1: failed (E19): no worker can do web_search');
    expect(stdout).not.toContain('E19');
    expect(stdout).toContain('council agents add NAME --capability web_search -- COMMAND');
    expect(stdout).toContain('council task retry S1/T1');
  });

  it('names the failed task that keeps others waiting, and how to go on', async () => {
    const project = await withWorkers({
      ada: { council: 'capabilities: [summarize]', steps: [{ say: 'M1|W9>O1|S|T1|P1|D|-|0|S1|-|x' }] },
    });
    project.write('PLAN.md', '- T1: Read it\n- T2: Sum it up\n  - after: T1\n- T3: Send it\n  - after: T2\n');
    const { code, stdout } = await project.council(['task', 'plan', 'PLAN.md']);
    expect(code).toBe(1);
    expect(stdout).toContain('S1/T1: failed (E41): it wrote as W9, and is W1 here: Read it');
    expect(stdout).toContain('S1/T2: waits for T1, which failed: Sum it up');
    expect(stdout).toContain('S1/T3: waits for T2: Send it');
    expect(stdout).toContain('What waits goes on after: council task retry S1/T1');
    const retried = await project.council(['task', 'retry', 'T2']);
    expect(retried.stderr).toContain('T2 is not over: only what failed or was cancelled is retried.');
  });

  it('keeps the table of the workers inside of a narrow terminal', async () => {
    const worker = { council: 'capabilities: [web_search, summarize]', steps: [] };
    const project = await withWorkers({ 'a-worker-with-a-name': worker, bob: worker });
    const screen = onTerminal(project, ['task', 'run', 'x', '--needs', 'file_ops,summarize', '--explain'], {
      columns: 40,
    });
    expect((await screen.ended).code).toBe(0);
    expect((await screen.lines()).join('\n')).toContain('matched: summarize');
  });

  it('says that an answer is missing, that one was taken, and by whom a task was cancelled', async () => {
    const asks = 'M1|W1>User|D|T1|P1|N|-|0|S1|-|question=Which colour?;opt1=red;opt2=blue';
    const project = await withWorkers({ ada: { steps: [{ say: asks }, { say: 'blue it is' }] } });
    const running = project.council(['task', 'run', 'Choose']);
    await expect
      .poll(async () => (await project.council(['task', 'list'])).stdout, { timeout: 20_000 })
      .toContain('Which colour?');
    const empty = await project.council(['task', 'answer', 'T1']);
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.stderr).toContain('The answer is missing.\nOptions: 1 red, 2 blue');
    expect((await project.council(['task', 'answer', 'T1', '2'])).stdout).toContain('S1/T1: answered.');
    expect((await running).stdout).toContain('blue it is');
    const none = await project.council(['protocol', 'parse'], { input: 'M1|O1>W1|R\n' });
    expect(none.stdout + none.stderr).toContain('the line must be 11 segments');
  });
});
