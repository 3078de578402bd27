// Process groups: ending them and checking whether they still exist.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CouncilError, systemCode } from '../../base/errors.ts';

/** Milliseconds a group gets between SIGTERM and SIGKILL. */
export const GRACE_MS = 2000;
/** How long a killed group may take to disappear: the kernel needs a moment, not more. */
const KILLED_MS = 2000;
const WINDOWS = process.platform === 'win32';

/**
 * Ends a process group: SIGTERM, `graceMs` to go by itself, SIGKILL. On Windows the process tree of `pgid` is ended at
 * once. Returns true when nothing of it runs any more, at once when nothing did; false when something could not be ended.
 * The caller must know that `pgid` still is the group it means: numbers are used again after the last member is gone.
 * Throws `failed` for a number that cannot be a launched group (0, 1, or council's own).
 */
export async function endGroup(pgid: number, graceMs = GRACE_MS): Promise<boolean> {
  // kill(-1) reaches every process of the user, and the number may come from an edited file.
  if (!Number.isSafeInteger(pgid) || pgid < 2 || pgid === process.pid) {
    throw new CouncilError('failed', `Not a process group that can be ended: ${String(pgid)}.`, {
      hint: 'A launched program has a process id above 1: look at the leases in council status --json.',
    });
  }
  if (!groupExists(pgid)) return true;
  if (WINDOWS) {
    await endTree(pgid);
    return waitUntilGroupEnds(pgid, KILLED_MS);
  }
  send(pgid, 'SIGTERM');
  if (await waitUntilGroupEnds(pgid, graceMs)) return true;
  send(pgid, 'SIGKILL');
  return waitUntilGroupEnds(pgid, KILLED_MS);
}

/** Ends a process group now, and waits for nothing. False when there was none. */
export const killGroup = (pgid: number): boolean => send(pgid, 'SIGKILL');

/** True while a process group (on Windows: the process) has members, zombies included. */
export function groupExists(pgid: number): boolean {
  return send(pgid, 0);
}

/** Sends a signal to the whole group; false when there is no such group. */
function send(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(WINDOWS ? pgid : -pgid, signal);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ESRCH') return false;
    // Another user's processes, or zombies on macOS: the group exists, so keep waiting.
    if (code === 'EPERM') return true;
    throw error;
  }
}

async function waitUntilGroupEnds(pgid: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pause = 2; groupExists(pgid); pause = Math.min(pause * 2, 64)) {
    if (pause === 64 && (await onlyZombies(pgid))) return true;
    if (performance.now() >= until) return false;
    await delay(pause);
  }
  return true;
}

/**
 * True when every member has ended and only waits to be collected. In a container whose first process collects
 * nothing, orphans stay like that for ever and a signal still "reaches" them. Only Linux can tell.
 */
async function onlyZombies(pgid: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  // Node loads this part of itself when it is asked for: 2 ms, and most groups end before that.
  const pids = (await fs.promises.readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(pids.map((pid) => readMemberState(pid, pgid)));
  const members = states.filter((state) => state !== undefined);
  return members.length > 0 && members.every((state) => state === 'Z' || state === 'X');
}

/** The state letter of a process that belongs to the group, undefined for any other. */
async function readMemberState(pid: string, pgid: number): Promise<string | undefined> {
  try {
    const stat = await fs.promises.readFile(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may contain anything, so the fields are counted from its end.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) === pgid ? state : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ESRCH') return undefined;
    throw error;
  }
}

async function endTree(pid: number): Promise<void> {
  const { execa } = await import('execa');
  // It fails when the process has gone meanwhile; whether it has is what the caller looks at.
  await execa('taskkill', ['/PID', String(pid), '/T', '/F'], { reject: false, windowsHide: true });
}
