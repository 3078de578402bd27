import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { endGroup, groupExists } from '../../../../src/core/agents/runners/process-group.ts';

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

  it('answers at once when there is no such group', async () => {
    const { pid, exited } = await group('');
    process.kill(pid, 'SIGKILL');
    await exited;
    const started = performance.now();
    expect(await endGroup(pid, 5000)).toBe(true);
    expect(performance.now() - started).toBeLessThan(100);
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
