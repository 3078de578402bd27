import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isAlive, identifyThisProcess } from '../../../../src/core/store/local/liveness.ts';
import { until } from '../scratch.ts';

const me = identifyThisProcess();
const onLinux = it.runIf(process.platform === 'linux');

describe('liveness', () => {
  it('knows this process', () => {
    expect(me.pid).toBe(process.pid);
    expect(me.host.startsWith(hostname())).toBe(true);
    expect(isAlive(me)).toBe(true);
    expect(JSON.parse(JSON.stringify(me))).toEqual(me);
  });

  onLinux('tells start times in a form that file names can carry', () => {
    expect(me.startTime).toMatch(/^[0-9A-Za-z-]+$/);
    expect(me.bootId).not.toBe('');
  });

  it('cannot tell about another host', () => {
    expect(isAlive({ ...me, host: `${me.host}-other` })).toBeUndefined();
  });

  it('takes another boot, another start time and an unused pid for dead', () => {
    expect(isAlive({ ...me, pid: 2 ** 30 })).toBe(false);
    if (me.bootId !== '') expect(isAlive({ ...me, bootId: 'another' })).toBe(false);
    if (me.startTime !== '') expect(isAlive({ ...me, startTime: '1' })).toBe(false);
  });

  it('trusts the pid alone where nothing else is known', () => {
    expect(isAlive({ ...me, bootId: '', startTime: '' })).toBe(true);
  });

  it.each([0, -1, 1.5, NaN])('takes %d for no process', (pid) => {
    expect(isAlive({ ...me, pid })).toBe(false);
  });

  it('sees a process live and die', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const identity = { ...me, pid: child.pid!, startTime: '' };
    expect(isAlive(identity)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(identity)).toBe(false);
  });

  onLinux('takes a zombie for dead, whatever its name', async () => {
    // The shell's child ends soon, and the program that takes the shell's place never asks for it.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    try {
      await until(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '), 'a zombie');
      process.kill(pid, 0);
      expect(isAlive({ ...me, pid, startTime: '' })).toBe(false);
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
  });

  onLinux('reads the start time behind a name with brackets and spaces', async () => {
    const script = "process.title = 'a) R 1 (b'; console.log('up'); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(child.stdout, 'data');
      const stat = fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      expect(stat).toContain('a) R 1 (b');
      const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!;
      expect(isAlive({ ...me, pid: child.pid!, startTime })).toBe(true);
      expect(isAlive({ ...me, pid: child.pid!, startTime: `${startTime}0` })).toBe(false);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});
