import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, runs, until } from '../helpers/cli.ts';
import type { Run } from '../helpers/cli.ts';
import type { Failed, Ran, Ticked } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { withWorkers } from '../helpers/scripted-workers.ts';
import { addAgent, addSpeaker, launches, setScript } from '../helpers/speakers.ts';
import { IS_SHORT, takeOneIn } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

/** A schedule that (but for New Year) does not come while a test runs: whatever happens, happens because something landed. */
const NEVER = ['--every', '0 0 1 1 *', '--active', '0 0 1 1 *'];

describe.concurrent('heartbeat', () => {
  it('takes a council from start to archive, waking when something lands', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addAgent(project, 'ana');
    const beat = project.launch(['heartbeat', ...NEVER]);
    await until('the heartbeat stands', () => beat.output().includes('Heartbeat in'));
    await project.council(['start', 'Wake up', '--mode', 'synthesis']);
    await until('ada is launched', () => launches(project).length === 1);
    expect((await project.council(['respond', 'ana'], { input: 'here' })).code).toBe(0);
    await until('the archive is there', () => project.archives().length === 1);
    expect(beat.child.exitCode).toBeNull();
    beat.child.kill('SIGTERM');
    const { code, signal, stdout, stderr } = await beat.ended;
    expect({ code, signal, stdout }).toEqual({ code: 0, signal: null, stdout: 'Heartbeat stopped.\n' });
    expect(stderr).toMatch(/ada responded[\s\S]*archived as conseils\//);
  });

  long('does tasks that go on: approved, or answered', async () => {
    const project = await withWorkers({
      deployer: { steps: [{ say: 'Deployed.' }], council: 'risk: high' },
      asker: {
        steps: [
          { say: 'M1|W1>O1|C|T2|P1|R|-|0|S2|-|question=Which colour?;options=red,blue' },
          { say: 'In red.' },
        ],
      },
    });
    expect((await project.council(['trust', '--yes'])).code).toBe(0);
    // Whoever asked for them is gone.
    for (const [to, line] of [
      ['deployer', 'waits for the approval a1'],
      ['asker', 'asks: Which colour?'],
    ] as const) {
      const asking = project.launch(['task', 'run', 'Do it', '--to', to]);
      await until('it waits', () => asking.output().includes(line));
      asking.child.kill('SIGINT');
      expect((await asking.ended).code).toBe(130);
    }
    const beat = project.launch(['heartbeat', ...NEVER]);
    await until('the heartbeat stands', () => beat.output().includes('Heartbeat in'));
    expect((await project.council(['approvals', 'approve', 'a1', '--as', 'eve'])).code).toBe(0);
    await until('the one is done', () => beat.output().includes('T1: done by deployer, 9 characters'));
    expect((await project.council(['task', 'answer', 'T2', '1'])).code).toBe(0);
    await until('the other is done', () => beat.output().includes('T2: done by asker, 7 characters'));
    beat.child.kill('SIGTERM');
    expect((await beat.ended).code).toBe(0);
  });

  long('knows agents and settings that came after it', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    const beat = project.launch(['heartbeat', ...NEVER]);
    await until('the heartbeat stands', () => beat.output().includes('Heartbeat in'));
    const archives = () => project.archives().length;
    await project.council(['start', 'Before', '--mode', 'synthesis']);
    await until('the first archive is there', () => archives() === 1);
    addSpeaker(project, 'ben');
    project.write('COUNCIL.md', '---\nunknown: 1\n---\nNew rules of the house.\n');
    await project.council(['start', 'After', '--mode', 'synthesis', '--agents', 'ben']);
    await until('the second archive is there', () => archives() === 2);
    beat.child.kill('SIGTERM');
    const { stderr } = await beat.ended;
    expect(stderr).toContain('ben responded');
    expect(launches(project).at(-1)!.input).toContain('New rules of the house.');
    expect(stderr.match(/"unknown" is not known/g)).toHaveLength(1);
  });

  it('closes a phase at its deadline by itself', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Deadline', '--mode', 'synthesis', '--timeout', '1s']);
    const beat = project.launch(['heartbeat', ...NEVER]);
    await until('the archive is there', () => project.archives().length === 1);
    beat.child.kill('SIGINT');
    expect((await beat.ended).code).toBe(0);
  });

  long('lets no program that takes its time hold up another council, or its own deadline', async () => {
    const project = await newProject();
    addSpeaker(project, 'slow', { any: { hang: true } });
    addSpeaker(project, 'quick');
    await project.council([
      'start',
      'Slow',
      '--name',
      'slow',
      '--mode',
      'synthesis',
      '--agents',
      'slow',
      '--timeout',
      '12s',
    ]);
    const beat = project.launch(['heartbeat', ...NEVER]);
    await until('slow is at work', () => launches(project).length === 1);
    await project.council(['start', 'Quick', '--name', 'quick', '--mode', 'synthesis', '--agents', 'quick']);
    const archives = () => project.archives();
    await until('the quick one is archived', () => archives().some((name) => name.includes('quick')));
    await until('the slow one is archived', () => archives().some((name) => name.includes('slow')));
    beat.child.kill('SIGTERM');
    expect((await beat.ended).code).toBe(0);
    expect(launches(project).filter((l) => runs(l.pid))).toEqual([]);
  });

  it.for(takeOneIn(2, ['SIGINT', 'SIGTERM'] as const))(
    'stops cleanly on %s while a program is at work',
    async (signal) => {
      const project = await newProject();
      addSpeaker(project, 'ada', { any: { hang: true } });
      await project.council(['start', 'Stop']);
      const beat = project.launch(['heartbeat', ...NEVER]);
      await until('ada is at work', () => launches(project).length === 1);
      beat.child.kill(signal);
      expect((await beat.ended).code).toBe(0);
      expect(launches(project).filter((l) => runs(l.pid))).toEqual([]);
      // Being interrupted says nothing about the agent.
      expect((await stateOf(project)).participants.ada).toMatchObject({
        status: 'WAITING',
        lease: null,
        attempts: 0,
        absent: null,
      });
    },
  );

  long('refuses what is no schedule', async () => {
    const project = await newProject();
    for (const flag of ['--every', '--active']) {
      const { code, stderr } = await project.council(['heartbeat', flag, 'sometimes']);
      expect({ code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`Not a cron expression for ${flag}`) as string,
      });
    }
  });
});

describe.concurrent('an interruption', () => {
  it('leaves a council that run --resume finishes, and no process behind', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: { say: 'kept' } });
    addSpeaker(project, 'ben', { COLLECT: { hang: true } });
    const run = project.launch(['run', 'Interrupt me', '--mode', 'synthesis', '--json']);
    await until(
      'ben is at work and ada has responded',
      () => launches(project).length === 2 && run.output().includes('ada responded'),
    );
    run.child.kill('SIGINT');
    const { code, json } = (await run.ended) as Run<Failed>;
    expect({ code, error: json.error.code }).toEqual({ code: 130, error: 'interrupted' });
    expect(json.error.hint).toContain('council run --resume');
    expect(launches(project).filter((l) => runs(l.pid))).toEqual([]);
    expect((await stateOf(project)).participants).toMatchObject({
      ada: { status: 'RESPONDED' },
      ben: { status: 'WAITING', lease: null, attempts: 0 },
    });
    setScript(project, 'ben', { COLLECT: { say: 'now I answer' } });
    const resumed = await project.council<Ran>(['run', '--resume', '--json']);
    expect(resumed).toMatchObject({ code: 0, json: { status: 'COMPLETED' } });
    const archive = await exported(project, resumed.json.archive);
    expect(archive.contributions.map((c) => c.text)).toEqual(['kept', 'now I answer']);
    expect(launches(project).filter((l) => l.id === 'ada')).toHaveLength(1);
  });

  long('of a tick ends with 130 as well', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { hang: true } });
    await project.council(['start', 'Interrupt me']);
    const tick = project.launch(['tick', '--json']);
    await until('ada is at work', () => launches(project).length === 1);
    tick.child.kill('SIGINT');
    const { code, json } = (await tick.ended) as Run<Failed>;
    expect({ code, error: json.error.code }).toEqual({ code: 130, error: 'interrupted' });
    expect(launches(project).filter((l) => runs(l.pid))).toEqual([]);
  });

  // Its guardian ends the program at once, the next tick where the guardian could not.
  it('by SIGKILL leaves no program, and the next tick launches once more', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { COLLECT: [{ hang: true }, { say: 'second life' }] });
    await project.council(['start', 'Kill me', '--mode', 'synthesis']);
    const tick = project.launch(['tick']);
    await until('ada is at work', () => launches(project).length === 1);
    tick.child.kill('SIGKILL');
    await tick.ended;
    const [orphan] = launches(project);
    const next = await project.council<Ticked>(['tick', '--json']);
    expect(next).toMatchObject({ code: 0, json: { councils: [{ launched: ['ada'], failed: [] }] } });
    expect(runs(orphan!.pid)).toBe(false);
    expect(launches(project)).toHaveLength(2);
    expect((await stateOf(project)).participants.ada).toMatchObject({
      status: 'RESPONDED',
      lease: null,
      attempts: 2,
    });
  });

  long('does not touch a program whose tick is alive', async () => {
    const project = await newProject();
    const release = join(project.outside, 'release');
    addSpeaker(project, 'ada', { any: { whenThere: release, say: 'slow' } });
    await project.council(['start', 'Two ticks']);
    const first = project.launch(['tick', '--json']);
    await until('ada is at work', () => launches(project).length === 1);
    const second = await project.council<Ticked>(['tick', '--json']);
    expect(second).toMatchObject({
      code: 0,
      json: { councils: [{ launched: [], failed: [], transitions: [] }] },
    });
    fs.writeFileSync(release, '');
    expect((await first.ended).json).toMatchObject({ councils: [{ launched: ['ada'], failed: [] }] });
    expect(launches(project)).toHaveLength(1);
  });
});
