import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAgentHealth, readHealthStamp } from '../../src/core/store/agent-health.ts';
import type { CostReport } from '../../src/core/archive/cost.ts';
import { fileStore } from '../../src/core/store/file/file-store.ts';
import { newProject, until } from '../helpers/cli.ts';
import { identifyThisProcess } from '../../src/core/store/local/liveness.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ran, Ticked } from '../helpers/documents.ts';
import { exported, stateOf } from '../helpers/look.ts';
import { addAgent, addSpeaker, launches } from '../helpers/speakers.ts';

const bookOf = (project: Project) =>
  openAgentHealth(
    fileStore({
      dir: join(project.root, 'memory/shared/.versions/.health'),
      prefix: '',
      readStamp: readHealthStamp,
      warn: (message) => expect.unreachable(message),
    }),
    identifyThisProcess().host,
  );

/** Three failures on record, and a pause that ends so many milliseconds from now. */
const pause = (project: Project, id: string, ms: number, limit: { isLimit?: true } = {}) =>
  bookOf(project).change(id, () => ({
    next: {
      ...limit,
      failures: 3,
      at: new Date(Date.now() - 1000).toISOString(),
      until: new Date(Date.now() + ms).toISOString(),
      reason: 'exit code 1',
    },
    result: null,
  }));

describe.concurrent('limits, as commands show them', () => {
  it('takes budgets from the options, and says for whom they count an estimate', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addAgent(project, 'ana');
    const { code, stderr } = await project.council([
      'start',
      'Go?',
      '--budget-usd',
      '2.5',
      '--budget-tokens',
      '9000',
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'For ada the budget counts an estimate, by the lengths of prompt and answer: a plain command reports neither',
    );
    expect(await stateOf(project)).toMatchObject({ budget: { usd: 2.5, tokens: 9000, agents: {} } });
    for (const [flag, value] of [
      ['--budget-usd', '0'],
      ['--budget-usd', 'much'],
      ['--budget-tokens', '-1'],
      ['--budget-tokens', '1.5'],
    ] as const) {
      const refused = await project.council(['start', 'Go?', '--name', 'other', flag, value]);
      expect({ code: refused.code, said: refused.stderr.includes(flag) }).toEqual({ code: 2, said: true });
    }
  });

  it('sums what launches used up, and counts apart what they did not tell', async () => {
    const project = await newProject();
    expect((await project.council(['cost'])).stdout).toContain('No program was launched.');
    addSpeaker(project, 'ada');
    addSpeaker(project, 'bob', { COLLECT: [{ exit: 1 }, { say: 'Yes.' }] });
    const { json } = await project.council<Ran>(['run', 'Go?', '--mode', 'synthesis', '--json']);
    await project.council(['start', 'Next?', '--mode', 'synthesis']);
    await project.council(['tick']);
    const blind = await project.council<CostReport>(['cost', '--json']);
    expect(blind.json).toMatchObject({
      by: 'agent',
      since: null,
      rows: [
        { key: 'bob', launches: 2, costUsd: null },
        { key: 'ada', launches: 1, unknownTokens: 1 },
      ],
      total: { launches: 3, unknownCost: 3 },
    });
    await project.council(['tick', '--no-launch']);
    const by = async (key: string) =>
      (await project.council<CostReport>(['cost', '--by', key, '--json'])).json.rows.map((r) => r.key).sort();
    const archive = /conseils\/(.*)\.md/.exec(json.archive)![1]!;
    const listed = await by('council');
    expect(listed).toContain(archive);
    expect(listed).toHaveLength(2);
    expect(await by('model')).toEqual([null]);
    fs.copyFileSync(join(project.root, json.archive), join(project.root, 'conseils', '9999-01-01-copy.md'));
    expect((await by('council')).length, 'a copied archive is no second council').toBe(2);
    fs.rmSync(join(project.root, 'conseils', '9999-01-01-copy.md'));
    expect(await by('day')).toEqual([new Date().toISOString().slice(0, 10)]);
    const { stdout } = await project.council(['cost']);
    expect(stdout).toMatch(/^agent +Launches +Input tokens/);
    expect(stdout).toContain('Launches that reported no tokens: ');
    expect((await project.council(['cost', '--since', '2999-01-01'])).stdout).toContain(
      'No program was launched.',
    );
    expect((await project.council(['cost', '--since', '2026-02-30'])).code).toBe(2);
    expect((await project.council(['cost', '--by', 'mood'])).code).toBe(2);
  });

  it('shows what a failing program printed, once the phase is not blind', async () => {
    const project = await newProject();
    addSpeaker(project, 'crash', { any: { stderr: 'Warning: low disk\nError: no quota left', exit: 3 } });
    addAgent(project, 'ana');
    await project.council(['start', 'Go?', '--mode', 'synthesis']);
    const tick = await project.council(['tick']);
    const blind = await project.council(['status']);
    const state = project.read('memory/shared/council-active-conversation.md').toString();
    for (const text of [tick.stdout, tick.stderr, blind.stdout, state]) expect(text).not.toContain('quota');
    expect(blind.stdout).toContain('absent: exit code 3');
    await project.council(['respond', 'ana'], { input: 'Yes.' });
    await project.council(['tick', '--no-launch']);
    const { stdout } = await project.council(['status']);
    expect(stdout).toContain('Absent in COLLECT: crash (exit code 3: Error: no quota left)');
    expect(stdout).toMatch(/\| Warning: low disk\n +\| Error: no quota left/);
    expect((await stateOf(project)).absences).toMatchObject([
      { stderr: expect.stringContaining('low disk') as string },
    ]);

    await project.council(['start', 'Open?', '--open', '--name', 'open', '--mode', 'synthesis']);
    await bookOf(project).change('crash', () => ({ next: undefined, result: null }));
    await project.council(['tick', '--name', 'open']);
    const open = await project.council(['status', '--name', 'open']);
    expect(open.stdout).toMatch(/absent: exit code 3: Error: no quota left\n +\| Warning: low disk/);
  });

  it('keeps an agent that failed three times out of the next council, and shows it', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { exit: 1 } });
    addAgent(project, 'ana');
    await project.council(['start', 'One?', '--name', 'one']);
    await project.council(['tick']);
    expect(launches(project)).toHaveLength(3);
    await project.council(['start', 'Two?', '--name', 'two']);
    const { json, code } = await project.council<Ticked>(['tick', '--name', 'two', '--json']);
    expect({ code, council: json.councils[0] }).toMatchObject({
      code: 0,
      council: {
        launched: [],
        failed: [{ id: 'ada', kind: 'paused', reason: expect.stringMatching(/^paused until /) as string }],
      },
    });
    expect(launches(project)).toHaveLength(3);
    expect(await stateOf(project, 'two')).toMatchObject({
      participants: { ada: { status: 'WAITING', attempts: 0 } },
      paused: { ada: { reason: 'exit code 1' } },
    });
    expect((await project.council(['status', '--name', 'two'])).stdout).toMatch(
      /Paused until \S+: ada \(exit code 1\)/,
    );
    const check = await project.council(['agents', 'check', 'ada']);
    expect(check.code).toBe(0);
    expect(check.stdout).toMatch(
      /The last 3 launches failed \(exit code 1\): no council launches it for another \d+s/,
    );
    // It is no council, and git does not see it.
    expect((await project.council<{ councils: unknown[] }>(['status', '--json'])).json.councils).toHaveLength(
      2,
    );
    expect(project.read('.gitignore').toString()).toContain('memory/shared/.versions/');
  });

  it('waits in `run` for the end of a limit, then tries once more', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada', { any: { say: 'Back again.' } });
    await pause(project, 'ada', 3000, { isLimit: true });
    const { code, json } = await project.council<Ran>(['run', 'Go?', '--mode', 'synthesis', '--json']);
    expect(code).toBe(0);
    expect((await exported(project, json.archive)).contributions.map((c) => c.text)).toEqual(['Back again.']);
    expect(await bookOf(project).read()).toEqual({});
  });

  it('is launched again by a heartbeat when its pause ends', async () => {
    const project = await newProject();
    addSpeaker(project, 'ada');
    addAgent(project, 'ana');
    await project.council(['start', 'Go?']);
    await pause(project, 'ada', 4000);
    const never = '0 0 1 1 *';
    const heartbeat = project.launch(['heartbeat', '--every', never, '--active', never]);
    await until('ada was asked', () => heartbeat.output().includes('ada responded'));
    heartbeat.child.kill('SIGINT');
    await heartbeat.ended;
  });

  it.each([{}, { isLimit: true } as const])(
    'launches nobody who is paused beyond the phase: %o',
    async (limit) => {
      const project = await newProject();
      addSpeaker(project, 'ada');
      await pause(project, 'ada', 50_000, limit);
      const args = ['run', 'Go?', '--mode', 'synthesis', '--timeout', '2s', '--json'];
      const { code, json } = await project.council<Ran>(args);
      expect({ code, status: json.status }).toEqual({ code: 1, status: 'COMPLETED' });
      expect(launches(project)).toEqual([]);
    },
  );
});
