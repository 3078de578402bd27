import { describe, expect, it } from 'vitest';
import { machine } from '../helpers/set-clock.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import type { Scripted, ScriptedWorker } from '../helpers/scripted-workers.ts';
import { openTurn, TASK } from '../helpers/in-turn.ts';

/** Each way that a task can go, as the lines of version 5 that were exchanged about it. */
const run = ({ council }: Scripted, ...args: string[]) => council(['task', 'run', ...args, '--json']);
const poll = <T>(look: () => T | Promise<T>) => expect.poll(look, { interval: 50 });

const risky: ScriptedWorker = { steps: [{ say: 'fertig' }], council: 'risk: high' };
interface Listed {
  approvals: { id: string; status: string }[];
}
const pending = async ({ council }: Scripted): Promise<string | undefined> =>
  (await council<Listed>(['approvals', 'list', '--json'])).json.approvals.find(
    ({ status }) => status === 'pending',
  )?.id;

describe('the exchange about a task', () => {
  it('whose worker falls silent', async () => {
    const project = await withWorkers({
      ada: { steps: [{ stay: true }, { say: 'wieder da' }], council: 'inactivity: 400ms' },
    });
    await run(project, 'lausche');
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|lausche',
      'M2|O1>W1|E|T1|P1|R|E22|0|S1|-|desc=printed nothing for 400ms',
      'M3|O1>W1|R|T1|P1|N|-|0|S1|-|lausche;retry=1;max=2',
      'M4|W1>O1|S|T1|P1|D|-|0|S1|-|wieder da;pid=M3',
    ]);
  });

  it('that is cancelled', async () => {
    const project = await withWorkers({ ada: { steps: [{ stay: true }] } });
    const running = project.launch(['task', 'run', 'warte', '--json']);
    await poll(async () => (await project.council(['task', 'log', 'T1'])).stdout).toContain('warte');
    await poll(() => project.prompts('ada').length).toBe(1);
    await project.council(['task', 'cancel', 'T1']);
    await running.ended;
    expect(await project.exchange('T1')).toEqual(['M1|O1>W1|R|T1|P1|N|-|0|S1|-|warte']);
  });

  it('that is paused, and resumed', async () => {
    const project = await withWorkers({ ada: { steps: [{ stay: true }, { say: 'fertig' }] } });
    const running = project.launch(['task', 'run', 'arbeite']);
    await poll(() => project.prompts('ada')).toHaveLength(1);
    const paused = await project.council(['task', 'pause', 'T1']);
    expect(paused.code, paused.stderr).toBe(0);
    await poll(() => running.output()).toContain('T1: is paused; go on with: council task resume S1/T1');
    expect((await project.council(['task', 'list'])).stdout).toContain('is paused');
    expect(project.prompts('ada')).toHaveLength(1);
    expect((await project.council(['task', 'resume', 'T1'])).code).toBe(0);
    expect((await running.ended).code, running.output()).toBe(0);
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|arbeite',
      'M2|O1>W1|R|T1|P1|N|-|0|S1|-|arbeite',
      'M3|W1>O1|S|T1|P1|D|-|0|S1|-|fertig;pid=M2',
    ]);
    expect((await project.council(['task', 'pause', 'T1'])).code).toBe(1);
    expect(
      (await project.council(['task', 'resume', 'T1'], { env: openTurn(project, 'ada', TASK) })).code,
    ).not.toBe(0);
  });

  it('while the breaker is open, and when its trial is due', async () => {
    const project = await withWorkers({
      ada: { steps: [{ exit: 1 }, { exit: 1 }, { exit: 1 }, { say: 'geht wieder' }] },
    });
    for (const _ of 'abc') await run(project, 'x');
    expect(await project.exchange('T3')).toEqual([
      'M1|O1>W1|R|T3|P1|N|-|0|S3|-|x',
      'M2|O1>W1|E|T3|P1|F|E99|0|S3|-|desc=exit code 1',
    ]);
    await run(project, 'x');
    expect(await project.exchange('T4')).toEqual([
      'M1|O1>User|E|T4|P1|F|E30|0|S4|-|desc=ada paused: 3 launches failed in a row: exit code 1',
    ]);
    // A minute later one launch is let through, and its success closes the breaker.
    const later = machine({ CLOCK_AHEAD: 61_000 });
    await project.council(['task', 'run', 'x'], later);
    expect(await project.exchange('T5')).toEqual([
      'M1|O1>W1|R|T5|P1|N|-|0|S5|-|x',
      'M2|W1>O1|S|T5|P1|D|-|0|S5|-|geht wieder',
    ]);
    await project.council(['task', 'run', 'x'], later);
    expect(await project.exchange('T6')).toHaveLength(2);
  });

  it('that a person rejects, or nobody approves in time', async () => {
    const project = await withWorkers({ ada: risky });
    const running = project.launch(['task', 'run', 'x', '--json']);
    await poll(async () => await pending(project)).toBeDefined();
    await project.council(['approvals', 'reject', (await pending(project))!, '--reason', 'nein']);
    await running.ended;
    expect(await project.exchange('T1')).toEqual(['']);
    project.write('COUNCIL.md', '---\napprovalTimeout: 1s\n---\n');
    await run(project, 'x');
    expect(await project.exchange('T2')).toEqual(['']);
  });

  it('whose request has changed before it was approved', async () => {
    const project = await withWorkers({ ada: risky });
    project.write('list.txt', 'eins\n');
    const running = project.launch(['task', 'run', 'x', '--context', 'list.txt', '--json']);
    await poll(async () => await pending(project)).toBeDefined();
    const first = (await pending(project))!;
    project.write('list.txt', 'eins\nzwei\n');
    await project.council(['approvals', 'approve', first]);
    await poll(async () => (await pending(project)) ?? first).not.toBe(first);
    expect(await project.exchange('T1')).toEqual(['']);
    await project.council(['approvals', 'approve', (await pending(project))!]);
    await running.ended;
    expect(await project.exchange('T1')).toEqual([
      'M1|O1>W1|R|T1|P1|N|-|0|S1|-|x',
      'M2|W1>O1|S|T1|P1|D|-|0|S1|-|fertig',
    ]);
  });
});
