import { describe, expect, it } from 'vitest';
import type { Project } from '../helpers/cli.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';

const DONE = 'The notes have 13 words.';

/** The table of `--explain`, as data: worker, score, load, and why it is not chosen. */
async function explained({ council }: Pick<Project, 'council'>, needs: string): Promise<unknown[][]> {
  const { json } = await council<{
    candidates: { worker: string; score: number; load: number; out: string | null }[];
  }>(['task', 'run', 'Do it', '--needs', needs, '--explain', '--json']);
  return json.candidates.map(({ worker, score, load, out }) => [worker, score, load, out]);
}

/** Two workers whose files say the same. */
async function bench() {
  const project = await withWorkers({
    ada: { steps: [{ say: DONE }], council: 'capabilities: [plan]' },
    ben: { steps: [{ say: DONE }], council: 'capabilities: [plan]' },
  });
  const register = (line: string, ...more: string[]) =>
    project.council(['agents', 'register', ...more], { input: `${line}\n` });
  const explain = (needs: string) => explained(project, needs);
  const run = (needs: string, ...more: string[]) =>
    project.council<{ task: { worker: string; error: { code: string; text: string } } }>([
      ...['task', 'run', 'Do it', '--needs', needs, '--json', ...more],
    ]);
  return { ...project, register, explain, run };
}

describe('workers that joined, and tasks', () => {
  it('are chosen by what they said they can do, until they change it', async () => {
    const { register, explain, run, exchange } = await bench();
    await register('M1|W7>O1|J|T0|P1|N|-|0|S0|-|caps=web_search,translate;version=V5', '--as', 'ben');
    expect((await run('translate')).json.task.worker).toBe('ben');
    // Its id is the one that it has joined with.
    expect((await exchange('T1'))[0]).toMatch(/^M1\|O1>W7\|R\|/);
    await register('M2|W7>O1|K|T0|P1|N|-|0|S0|-|caps=plan', '--as', 'ben');
    expect(await explain('translate')).toEqual([
      ['ada', 0, 0, 'lacks translate'],
      ['ben', 0, 0, 'lacks translate'],
    ]);
  });

  it('come later when they say that they are busy, and not at all once they have left', async () => {
    const { register, explain, run } = await bench();
    // Who runs a task in a folder of their own trusts its workers.
    await run('plan');
    await register('M1|W1>O1|J|T0|P1|N|-|0|S0|-|caps=plan', '--as', 'ada');
    await register('M2|W1>O1|H|T0|-|R|-|0|S0|-|load=20%;queue=2', '--as', 'ada');
    expect(await explain('plan')).toEqual([
      ['ben', 1, 0, null],
      ['ada', 1, 2, null],
    ]);
    await register('M3|W1>O1|L|T0|-|-|-|0|S0|-|reason=done', '--as', 'ada');
    const gone = 'has left, or fell silent: it has to join again';
    expect(await explain('plan')).toContainEqual(['ada', 1, 0, gone]);
    const refused = await run('plan', '--to', 'ada');
    expect([refused.code, refused.json.task.error]).toEqual([1, { code: 'E30', text: `ada ${gone}` }]);
    expect((await run('plan')).json.task.worker).toBe('ben');
  });

  it('get nothing without a file that says how to start them, and that is told', async () => {
    const { register, explain, run, write } = await bench();
    await register('M1|W3>O1|J|T0|P1|N|-|0|S0|-|caps=translate;desc=From elsewhere');
    const why = 'has joined, but no agent file says how to start it: council agents add w3 -- PROGRAM';
    expect((await explain('translate'))[0]).toEqual(['W3', 1, 0, why]);
    const refused = await run('translate');
    expect([refused.code, refused.json.task.error]).toEqual([1, { code: 'E30', text: `W3 ${why}` }]);
    write(
      'agents/w3.md',
      "---\nname: w3\ncouncil:\n  command: ['${NODE}', scripts/worker.mjs, ada]\n---\nFrom elsewhere.\n",
    );
    expect((await run('translate')).json.task.worker).toBe('w3');
  });

  it('speak version 4, with its codes, where they joined with it', async () => {
    const project = await withWorkers({
      ada: { steps: [{ say: 'M2|W1>O1|E|T1|P1|F|E06|queue=3' }], council: 'capabilities: [plan]' },
      ben: { steps: [{ say: 'M4|W2>O1|S|T1|P1|D|-|done=yes' }], council: 'capabilities: [plan]' },
    });
    for (const [id, agent] of ['ada', 'ben'].entries())
      await project.council(['agents', 'register', '--as', agent], {
        input: `M1|W${id + 1}>O1|J|T0|-|-|-|0|S0|-|caps=plan;version=V4`,
      });
    const ran = await project.council(['task', 'run', 'call=plan', '--needs', 'plan']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|call=plan',
      'M2|W1>O1|E|T1|P1|F|E31|0|S1|-|queue=3',
      'M3|O1>W2|R|T1|P1|N|-|0|S1|-|call=plan;fallback_from=W1;reason=E31',
      'M4|W2>O1|S|T1|P1|D|-|0|S1|-|done=yes',
    ]);
    const [told = ''] = project.prompts('ben');
    expect(told.split('\n')).toContain('M3|O1>W2|R|T1|P1|N|-|call=plan;fallback_from=W1;reason=E31');
    expect(told).toContain('M2|W1>O1|E|T1|P1|F|E06|queue=3');
    // The one that was busy counts as such from now on.
    expect(await explained(project, 'plan')).toEqual([
      ['ben', 1, 0, null],
      ['ada', 1, 3, null],
    ]);
  });
});
