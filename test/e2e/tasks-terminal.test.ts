import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';
import { onTerminal } from '../helpers/pty.ts';
import type { Project } from '../helpers/cli.ts';

/** A request that waits for approval. */
const ask = ({ root, env }: Project): Promise<unknown> =>
  promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../helpers/ask-approval.ts'), root, 'ada', '1', 'deploy'],
    { env: { ...env, NODE_NO_WARNINGS: '1' } },
  );

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
      .poll(async () => (await project.council(['task', 'list'])).stdout)
      .toContain('Which colour?');
    const empty = await project.council(['task', 'answer', 'T1']);
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.stderr).toContain('The answer is missing.\nOptions: 1 red, 2 blue');
    expect((await project.council(['task', 'answer', 'T1', '2'])).stdout).toContain('S1/T1: answered.');
    expect((await running).stdout).toContain('blue it is');
    const none = await project.council(['protocol', 'parse'], { input: 'M1|O1>W1|R\n' });
    expect(none.stdout + none.stderr).toContain('the line must be 11 segments');
  });

  it('shows a question once, in words that work whatever runs beside, and a record as read', async () => {
    const asks = 'M1|W1>User|D|T1|P1|R|-|0|S1|-|opt1=red as a rose;opt2=blue';
    const project = await withWorkers({
      ada: { steps: [{ say: asks }, { say: 'so be it' }] },
      ben: { steps: [{ exit: 3 }] },
    });
    const inbox = async (agent: string, ...more: string[]): Promise<string> =>
      (await project.council(['inbox', agent, ...more])).stdout;
    project.write('PLAN.md', '- T1: Choose\n  - to: ada\n');
    const running = project.council(['task', 'plan', 'PLAN.md']);
    await expect.poll(() => inbox('human')).toContain('council task answer S1/T1 1');
    expect((await inbox('human')).match(/red as a rose \/ blue\?/g)).toHaveLength(1);
    expect((await project.council(['task', 'answer', 'S1/T1', 'red'])).code).toBe(0);
    expect((await running).code).toBe(0);
    expect(await inbox('human', '--unread')).toBe('Nothing unread for human.\n');
    expect(await inbox('ada', '--unread')).toBe('Nothing unread for ada.\n');
    expect(await inbox('ada')).toContain('answer=red as a rose');
    expect(await inbox('ada')).not.toContain('unread');

    await project.council(['task', 'run', 'Break', '--needs', 'fly']);
    expect(await inbox('human', '--unread')).toContain(
      'S2/T1 failed (E19): no worker can do fly\n  To try again: council task retry S2/T1',
    );
    const { stdout } = await project.council(['channel', 'list']);
    expect(stdout).toMatch(/^task-s1-t1: \d\d:\d\d ada to orchestrator: so be it$/m);
  });

  it.each([40, 80, 200])(
    'breaks lists between words at %i columns',
    async (columns) => {
      const council = 'capabilities: [web_search, summarize, code_read]';
      const project = await withWorkers({
        'a-worker-with-a-name': { council, steps: [{ say: 'Nothing to be said about it.' }] },
      });
      await project.council(['task', 'run', 'Say something about what there is to be said about words']);
      await ask(project);
      const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);
      for (const args of [
        ['task', 'list'],
        ['task', 'log', 'T1'],
        ['task', 'trace', 'T1'],
        ['agents', 'list'],
        ['agents', 'metrics'],
        ['agents', 'health'],
        ['channel', 'list'],
        ['channel', 'show', 'task-s1-t1'],
        ['approvals'],
        ['audit', 'list'],
        ['inbox', 'a-worker-with-a-name'],
        ['log'],
        ['list'],
        ['modes'],
        ['who'],
        ['cost'],
        ['status'],
      ]) {
        const screen = onTerminal(project, args, { columns });
        expect((await screen.ended).code).toBe(0);
        const rows = await screen.cells();
        // What the terminal itself has broken is one row there: only a word that is too long.
        for (const row of rows.filter(({ length }) => length > columns))
          expect(
            row
              .map(({ char }) => char)
              .join('')
              .trim()
              .split(/\s+/),
            args.join(' '),
          ).toHaveLength(1);
        const shown = rows.map((row) => row.map(({ char }) => char).join('')).join('\n');
        expect(words(shown), args.join(' ')).toEqual(words((await project.council(args)).stdout));
      }
    },
    120_000,
  );
});
