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
    expect(stdout).toContain('Raise its budget: council task retry S1/T1 --budget 150\n');
    expect(stdout).toMatch(/Or ask for less.*\nOr give it up/);
    const small = await project.council(['task', 'run', 'x'.repeat(100), '--budget', '20']);
    expect(small.stdout).toContain('council task retry S2/T2 --budget 25\n');
  });

  it('is the third at the most', async () => {
    const part = { say: 'M9|W1>W2|X|T1|P1|R|-|1|S1|-|call=dig' };
    const project = await withWorkers({
      ada: { steps: [part] },
      bob: { steps: [{ say: 'M9|W2>W1|S|T1|P1|D|-|1|S1|-|ok' }] },
    });
    const { json } = await run(project, 'dig', '--to', 'ada');
    expect(json.task).toMatchObject({ state: 'F', error: { code: 'E99' } });
    const lines = await project.exchange('T1');
    expect(lines.filter((line) => line.includes('|X|'))).toHaveLength(4);
    expect(lines.at(-1)).toMatch(/^M\d+\|O1>W1\|E\|T1\|P1\|F\|E99\|0\|S1\|-\|desc=max_children$/);
    expect(project.prompts('bob')).toHaveLength(3);
  });
});
