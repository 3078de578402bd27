import { describe, expect, it } from 'vitest';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted } from '../helpers/scripted-workers.ts';

const run = (project: Scripted, ...args: string[]) =>
  project.council<{ task: { state: string; budget: number | null; error: { code: string } | null } }>([
    'task',
    'run',
    ...args,
    '--json',
  ]);

describe('a part that is handed on', () => {
  it('beyond the budget is refused, and done once that is raised', async () => {
    const project = await withWorkers({
      ada: {
        steps: [
          { say: 'M2|W1>W2|X|T1|P1|R|-|1|S1|B600|call=generate_tests;reason=specialized' },
          { say: 'M5|W1>W2|X|T1|P1|R|-|1|S1|B600|call=generate_tests;reason=specialized' },
          { say: 'M8|W1>O1|S|T1|P1|D|-|0|S1|B100|tests=3' },
        ],
      },
      bob: { steps: [{ say: 'M7|W2>W1|S|T1|P1|D|-|1|S1|B450|tests=3;coverage=85%' }] },
    });
    const { json, code } = await run(project, 'split', '--to', 'ada', '--budget', '500');
    expect(code).toBe(1);
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E17' } });
    const refused = [
      'M1|O1>W1|R|T1|P1|N|-|0|S1|B500|split',
      'M2|W1>W2|X|T1|P1|R|-|1|S1|B600|call=generate_tests;reason=specialized',
      'M3|O1>W1|E|T1|P1|F|E17|0|S1|B500|desc=budget insufficient;needed=600;have=500',
    ];
    expect(await project.exchange('T1')).toEqual(refused);
    expect(project.prompts('bob')).toHaveLength(0);

    const again = await project.council(['task', 'retry', 'S1/T1', '--budget', '1000']);
    expect(again.code, again.stderr).toBe(0);
    expect(await project.exchange('T1')).toEqual([
      ...refused,
      'M4|O1>W1|R|T1|P1|N|-|0|S1|B1000|split',
      'M5|W1>W2|X|T1|P1|R|-|1|S1|B600|call=generate_tests;reason=specialized',
      'M6|W1>O1|U|T1|P1|R|-|0|S1|B400|handoff=W2;reason=specialized',
      'M7|W2>W1|S|T1|P1|D|-|1|S1|B450|tests=3;coverage=85%',
      'M8|W1>O1|S|T1|P1|D|-|0|S1|B100|tests=3;pid=M7',
    ]);
  });

  it('tells a person to raise the budget, to ask for less, or to give it up', async () => {
    const project = await withWorkers({
      ada: {
        steps: [{ say: 'M2|W1>O1|E|T1|P1|F|E17|0|S1|B20|desc=budget insufficient;needed=150;have=20' }],
      },
    });
    const { stdout, code } = await project.council(['task', 'run', 'think', '--budget', '20']);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^1 raise the budget to 150 tokens\n2 simplify: .*\n3 abandon\nAnswer with: council task answer S1\/T1 1\n/,
    );
    const small = await run(project, 'x'.repeat(100), '--budget', '20');
    expect(small.code).toBe(1);
    expect(small.json.task).toMatchObject({
      state: 'F',
      error: { code: 'E17' },
      question: { of: 'human', options: ['raise the budget to 25 tokens', expect.any(String), 'abandon'] },
    });
    expect((await project.council(['inbox', 'human'])).stdout).toContain('council task answer S2/T2 1');
  });

  it('goes on as a person decides: with more, with something simpler, or not at all', async () => {
    const project = await withWorkers({ ada: { steps: [{ say: 'fine' }] } });
    const answer = (id: string, what: string) =>
      project.council<{ task: Record<string, unknown> }>(['task', 'answer', id, what, '--json']);
    const long = 'x'.repeat(100);
    await run(project, long, '--budget', '20');
    const wrong = await answer('T1', '4');
    expect([wrong.code, wrong.stdout]).toEqual([2, expect.stringContaining('none of the options')]);
    const raised = await answer('T1', '1');
    expect([raised.code, raised.json.task]).toMatchObject([0, { state: 'D', result: 'fine' }]);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>User|E|T1|P1|F|E17|0|S1|-|desc=budget insufficient;needed=25;have=20',
      'M2|User>O1|C|T1|P1|R|-|0|S1|-|choice=opt1',
      `M3|O1>W1|R|T1|P1|N|-|0|S1|B25|${long}`,
      'M4|W1>O1|S|T1|P1|D|-|0|S1|B25|fine',
    ]);
    expect((await project.council(['inbox', 'human'])).stdout).not.toContain('unread');

    project.write('notes.md', 'é😀'.repeat(400));
    await run(project, 'sum up', '--budget', '20', '--context', 'notes.md');
    expect((await answer('S2/T2', 'simpl')).json.task).toMatchObject({ state: 'D', budget: 20 });
    const prompt = project.prompts('ada').at(-1) ?? '';
    expect(prompt).toContain('A simple version is wanted');
    expect(prompt).toMatch(/<<<\n(?:é😀){24}é…\n>>>/u);

    await run(project, long, '--budget', '20');
    const given = await project.council(['task', 'answer', 'S3/T3', 'abandon']);
    expect([given.code, given.stdout]).toEqual([0, expect.stringContaining('S3/T3: given up')]);
    expect((await answer('S3/T3', '1')).code).toBe(1);
    expect(
      (await project.council<{ task: object }>(['task', 'show', 'T3', '--json'])).json.task,
    ).toMatchObject({ state: 'F', error: { code: 'E17' }, question: null });
  });

  it('is the third at the most', async () => {
    const part = { say: 'M9|W1>W2|X|T1|P1|R|-|1|S1|-|call=dig' };
    const project = await withWorkers({
      ada: { steps: [part] },
      bob: { steps: [{ say: 'M9|W2>W1|S|T1|P1|D|-|1|S1|-|ok' }] },
    });
    const { json } = await run(project, 'dig', '--to', 'ada');
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E99' } });
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|dig',
      'M2|W1>W2|X|T1|P1|R|-|1|S1|-|call=dig',
      'M3|W1>O1|U|T1|P1|R|-|0|S1|-|handoff=W2',
      'M4|W2>W1|S|T1|P1|D|-|1|S1|-|ok',
      'M5|W1>W2|X|T1|P1|R|-|1|S1|-|call=dig',
      'M6|W2>W1|S|T1|P1|D|-|1|S1|-|ok',
      'M7|W1>W2|X|T1|P1|R|-|1|S1|-|call=dig',
      'M8|W2>W1|S|T1|P1|D|-|1|S1|-|ok',
      'M9|W1>W2|X|T1|P1|R|-|1|S1|-|call=dig',
      'M10|O1>W1|E|T1|P1|F|E99|0|S1|-|desc=max_children',
    ]);
    expect(project.prompts('bob')).toHaveLength(3);
  });
});
