import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { GUARDIAN } from '../../../../src/core/agents/runners/process-group.ts';
import { identifyProcess } from '../../../../src/core/store/local/liveness.ts';
import { runs, until } from '../../../helpers/cli.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A program that leads a group of its own. */
function leader(): { pid: number; start: string } {
  const child = spawn('/bin/sh', ['-c', 'while :; do sleep 0.1; done'], { detached: true, stdio: 'ignore' });
  started.push(child);
  return { pid: child.pid!, start: identifyProcess(child.pid!).startTime };
}

/** Tells the guardian these lines, and then that its owner is gone. */
async function told(lines: string[], shell = '/bin/sh'): Promise<void> {
  const child = spawn(shell, ['-c', GUARDIAN, 'council-guardian'], { stdio: ['pipe', 'ignore', 'inherit'] });
  started.push(child);
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  await once(child, 'exit');
}

const shells = ['/bin/sh', '/bin/dash', '/bin/bash'].filter((path) => fs.existsSync(path));

describe.skipIf(process.platform !== 'linux')('the guardian', () => {
  it.each(shells)('fault 11: ends what is on its list, and nothing else, under %s', async (shell) => {
    const [one, two, over, unknown] = [leader(), leader(), leader(), leader()];
    const lines = [one, over, two].map(({ pid, start }) => `+ ${pid} ${start}`);
    await told([...lines, `- ${over.pid}`], shell);
    await until('both have ended', () => !runs(one.pid) && !runs(two.pid));
    expect([over.pid, unknown.pid].map(runs)).toEqual([true, true]);
  });

  it.each(shells)('ends what a group has begun in a session of its own, under %s', async (shell) => {
    const deaf = `trap '' TERM; echo $$; while :; do sleep 0.1; done`;
    const child = spawn('/bin/sh', ['-c', `setsid sh -c "${deaf.replaceAll('$', '\\$')}" & wait`], {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const apart = Number(String(line));
    const other = leader();
    await told([`+ ${child.pid} ${identifyProcess(child.pid!).startTime}`], shell);
    await until('both have ended', () => !runs(child.pid!) && !runs(apart));
    expect(runs(other.pid)).toBe(true);
  });

  it('fault 11: leaves a stranger alone that has got the number of a group', async () => {
    const stranger = leader();
    const own = leader();
    await told([`+ ${stranger.pid} ${Number(stranger.start) - 1}`, `+ ${own.pid} ${own.start}`]);
    await until('its own has ended', () => !runs(own.pid));
    expect(runs(stranger.pid)).toBe(true);
  });

  it('fault 11: ends a group by its number where no start time is known', async () => {
    const own = leader();
    await told([`+ ${own.pid} `]);
    await until('it has ended', () => !runs(own.pid));
  });

  it('fault 11: has nothing to do when every group is over', async () => {
    const over = leader();
    await told([`+ ${over.pid} ${over.start}`, `- ${over.pid}`]);
    expect(runs(over.pid)).toBe(true);
  });
});
