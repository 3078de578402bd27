import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endGroup, groupExists } from '../../../../src/core/agents/runners/process-group.ts';
import { runs, until } from '../../../helpers/cli.ts';

/** A group whose leader prints one line when it is ready. */
async function group(code: string): Promise<{ pid: number; exited: Promise<unknown[]> }> {
  const child = spawn(
    process.execPath,
    ['-e', `${code}; console.log('ready'); setInterval(() => {}, 1000)`],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return { pid: child.pid!, exited };
}

describe('endGroup', () => {
  it('ends a group that listens to SIGTERM', async () => {
    const { pid, exited } = await group('');
    expect(groupExists(pid)).toBe(true);
    expect(await endGroup(pid)).toBe(true);
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect(groupExists(pid)).toBe(false);
  });

  it('kills a group that does not, after the grace', async () => {
    const { pid, exited } = await group(`process.on('SIGTERM', () => {})`);
    const started = performance.now();
    expect(await endGroup(pid, 200)).toBe(true);
    expect(performance.now() - started).toBeGreaterThanOrEqual(199);
    expect(await exited).toEqual([null, 'SIGKILL']);
  });

  /** The pid of a child in a session of its own, which the leader prints, deaf to SIGTERM or not. */
  async function groupWithSession(isDeaf: boolean, isGrandchild: boolean) {
    const code = (inner: string): string => `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] });`;
    const child = `${isDeaf ? "process.on('SIGTERM', () => {});" : ''} console.log(process.pid); setInterval(() => {}, 1000)`;
    const between = `${code(child)} setInterval(() => {}, 1000)`;
    const leader = spawn(
      process.execPath,
      ['-e', `${code(isGrandchild ? between : child)} setInterval(() => {}, 1000)`],
      { detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(leader.stdout, 'data')) as [Buffer];
    return { pid: leader.pid!, child: Number(String(line)) };
  }

  it.skipIf(process.platform === 'win32').each([
    ['listens', false, false],
    ['does not listen', true, false],
    ['was begun by another such process', true, true],
  ])('ends a child in a session of its own that %s', async (_, isDeaf, isGrandchild) => {
    const { pid, child } = await groupWithSession(isDeaf, isGrandchild);
    expect(child).not.toBe(pid);
    expect(groupExists(child)).toBe(true);
    expect(await endGroup(pid, 400)).toBe(true);
    expect(groupExists(pid)).toBe(false);
    await until('the child has ended', () => !runs(child));
  });

  it.skipIf(!fs.existsSync('/proc') || !fs.existsSync('/bin/bash'))(
    'ends jobs that a shell left in groups of their own',
    async () => {
      const shell = spawn('/bin/bash', ['-c', 'set -m; sleep 60 & echo $!'], {
        detached: true,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exited = once(shell, 'exit');
      const [line] = (await once(shell.stdout, 'data')) as [Buffer];
      const job = Number(String(line));
      shell.stdout.destroy();
      await exited;
      expect(groupExists(job)).toBe(true);
      expect(await endGroup(shell.pid!)).toBe(true);
      expect(runs(job)).toBe(false);
    },
  );

  it('answers at once when there is no such group', async () => {
    const { pid, exited } = await group('');
    process.kill(pid, 'SIGKILL');
    await exited;
    // A wait would outlast the test.
    expect(await endGroup(pid, 3_600_000)).toBe(true);
  });

  it.each([0, 1, -1, -77, 1.5, Number.NaN, Number.POSITIVE_INFINITY, process.pid])(
    'refuses %d, which is no launched group',
    async (pgid) => {
      await expect(endGroup(pgid)).rejects.toMatchObject({
        code: 'failed',
        hint: expect.stringContaining('council status'),
      });
    },
  );
});
