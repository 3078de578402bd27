import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newProject, until } from '../helpers/cli.ts';
import type { Project } from '../helpers/cli.ts';
import type { Ticked } from '../helpers/documents.ts';
import { stateOf } from '../helpers/look.ts';
import { machine } from '../helpers/set-clock.ts';
import { addAgent } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Two people, and a notify command that writes down what it is told. */
async function table(): Promise<{ project: Project; notices(): Record<string, unknown>[] }> {
  const project = await newProject();
  for (const id of ['ana', 'bob']) addAgent(project, id);
  const log = join(project.outside, 'notices');
  const notify = `cat >> ${log}; echo >> ${log}`;
  project.write('COUNCIL.md', `---\nnotify: [sh, -c, ${JSON.stringify(notify)}]\n---\n`);
  const notices = () =>
    fs
      .readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { project, notices };
}

const left = async (project: Project): Promise<number> =>
  Date.parse((await stateOf(project)).timeoutAt) - Date.now();

// Only Linux tells a boot from the next one while its clock is set.
describe.runIf(process.platform === 'linux')('a clock that is set', { concurrent: true }, () => {
  it('fault 9: a phase opened under a clock that was behind does not close unheard', async () => {
    const { project, notices } = await table();
    await project.council(['start', 'When?', '--timeout', '1h'], machine({ CLOCK_AHEAD: -2 * DAY }));
    const before = await project.council(['status']);
    expect(before.stdout).toContain('the next tick moves the deadline');
    const tick = await project.council<Ticked>(['tick', '--json']);
    expect(tick.json.councils[0]).toMatchObject({ from: 'COLLECT', to: 'COLLECT', transitions: [] });
    const rest = await left(project);
    expect(rest).toBeGreaterThan(HOUR / 2);
    expect(rest).toBeLessThanOrEqual(HOUR + 10_000);
    const why = 'the clock was set forward by 2d while the phase was open';
    expect((await project.council(['status'])).stdout).toContain(why);
    expect(notices().at(-1)).toMatchObject({
      event: 'deadline_moved',
      phase: 'COLLECT',
      tour: 1,
      reason: 'clock',
      deadline: (await stateOf(project)).timeoutAt,
      people: ['ana', 'bob'],
    });
    // The next tick finds clocks that agree.
    const { revision } = await stateOf(project);
    expect((await project.council(['tick'])).code).toBe(0);
    expect((await stateOf(project)).revision).toBe(revision);
    expect((await project.council(['respond', 'ana'], { input: 'Heard.' })).code).toBe(0);
  });

  it('fault 9: one that was ahead does not hold a phase open', async () => {
    const { project } = await table();
    await project.council(['start', 'When?', '--timeout', '1h'], machine({ CLOCK_AHEAD: 3650 * DAY }));
    expect(await left(project)).toBeGreaterThan(3000 * DAY);
    const { stderr } = await project.council(['tick']);
    expect(stderr).toContain('the clock was set back by 3650d while the phase was open');
    expect(await left(project)).toBeLessThanOrEqual(HOUR + 10_000);
  });

  it('fault 9: a deadline that passed while the machine was off is put off, once', async () => {
    const { project, notices } = await table();
    await project.council(['start', 'When?', '--timeout', '1h']);
    const later = (days: number, boot: string) => machine({ CLOCK_AHEAD: days * DAY, CLOCK_BOOT: boot });
    const first = await project.council<Ticked>(['tick', '--json'], later(2, 'second'));
    expect(first.json.councils[0]).toMatchObject({ to: 'COLLECT', transitions: [] });
    expect(notices().at(-1)).toMatchObject({ event: 'deadline_moved', reason: 'off' });
    const state = await stateOf(project);
    expect(state.phaseClock).toMatchObject({ bootId: 'second', moved: { why: 'off' } });
    expect((await left(project)) - 2 * DAY).toBeGreaterThan(HOUR / 2);
    const next = await project.council<Ticked>(['tick', '--json'], later(4, 'third'));
    expect(next.json.councils[0]).toMatchObject({ to: 'SYNTHESIZE', reason: 'timeout' });
  });

  it('fault 9: a machine that sleeps through the deadline takes no launch its time', async () => {
    const project = await newProject();
    const go = join(project.outside, 'go');
    const program = `const t = setInterval(() => { if (require('fs').existsSync(${JSON.stringify(go)})) { clearInterval(t); console.log('Heard.'); } }, 20)`;
    project.write(
      'agents/slow.md',
      `---\nname: slow\ncouncil:\n  command: [node, -e, ${JSON.stringify(program)}]\n---\n`,
    );
    addAgent(project, 'ana');
    await project.council(['start', 'When?', '--timeout', '1h']);
    const launch = project.launch(['tick']);
    const leased = async () => (await stateOf(project)).participants.slow!.lease !== null;
    await until('slow is being asked', leased);
    const asleep = machine({ CLOCK_AHEAD: 8 * HOUR, CLOCK_ASLEEP: 8 * HOUR });
    const tick = await project.council(['tick'], asleep);
    expect(tick.stderr).toContain('the machine slept for 8h while somebody was being asked');
    expect(tick.stdout).toContain(': still in COLLECT');
    fs.writeFileSync(go, '');
    expect((await launch.ended).stderr).toContain('slow responded');
  });
});

describe.concurrent('a launch and the time it has', () => {
  long('fault 9: does not end when council was stopped for longer than its limit', async () => {
    const project = await newProject();
    const [go, begun, ended] = ['go', 'begun', 'ended'].map((name) => join(project.outside, name));
    project.write(
      'slow.cjs',
      `const fs = require('fs');
       fs.writeFileSync(${JSON.stringify(begun)}, '');
       process.on('SIGTERM', () => { fs.writeFileSync(${JSON.stringify(ended)}, ''); process.exit(1); });
       setInterval(() => { if (fs.existsSync(${JSON.stringify(go)})) { console.log('Heard.'); process.exit(0); } }, 20);`,
    );
    project.write(
      'agents/slow.md',
      '---\nname: slow\ncouncil:\n  timeout: 8s\n  inactivity: 8s\n  command: [node, slow.cjs]\n---\n',
    );
    await project.council(['start', 'When?', '--agents', 'slow', '--timeout', '1h']);
    const launch = project.launch(['tick']);
    await until('slow is at work', () => fs.existsSync(begun!));
    launch.child.kill('SIGSTOP');
    const stopped = performance.now();
    await until('the limit is over', () => performance.now() - stopped > 8500);
    launch.child.kill('SIGCONT');
    // A limit that counts the stop ends the launch at once.
    await until(
      'council has looked at its clock',
      () => fs.existsSync(ended!) || performance.now() - stopped > 10_000,
    );
    fs.writeFileSync(go!, '');
    const { stderr } = await launch.ended;
    expect(stderr).toContain('slow responded');
    expect(stderr).not.toContain('failed');
  });
});
