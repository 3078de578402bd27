// Process groups of launched programs: finding and ending them, and a guardian that does so if council is
// killed.
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { identifyProcess } from '../../store/local/liveness.ts';
import { listProcesses } from '../../store/local/processes.ts';

/** Running process groups launched by this process, with their leaders' start times to detect reused numbers. */
export const running = new Map<number, string>();

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;
/** How long a killed group may take to disappear: the kernel needs only a moment. */
const KILLED_MS = 2000;
const WINDOWS = process.platform === 'win32';

/**
 * Ends a process group, and the groups and sessions that its processes have started meanwhile (setsid, jobs
 * of a shell): SIGTERM to the group, then to the rest, SIGKILL after `graceMs`. A process in a session of its
 * own whose parent had already ended is not found. On Windows the process tree of `pgid` is ended at once.
 * Returns true once nothing of it runs any more, at once if nothing did; false if something could not be
 * ended. The caller must know that `pgid` is still the intended group: numbers are reused after the last
 * member is gone. Throws `failed` for a number that cannot be a launched group (0, 1, or council's own).
 */
export async function endGroup(pgid: number, graceMs = GRACE_MS): Promise<boolean> {
  // kill(-1) reaches every process of the user, and the number may come from an edited file.
  if (!Number.isSafeInteger(pgid) || pgid < 2 || pgid === process.pid) {
    throw new CouncilError('failed', `Not a process group that can be ended: ${String(pgid)}.`, {
      hint: 'A launched program has a process id above 1: look at the leases in council status --json.',
    });
  }
  if (WINDOWS) {
    if (groupExists(pgid)) await endTree(pgid);
    return waitUntilGroupsEnd([pgid], KILLED_MS);
  }
  // A process can be traced to its parents only while they live.
  const before = listFamily([pgid]);
  if (!before.some(groupExists)) return true;
  sendSignal(pgid, 'SIGTERM');
  // A program that shuts down by itself can end its children in order.
  await waitUntilGroupsEnd([pgid], graceMs / 2);
  const family = listFamily(before);
  for (const group of family) if (group !== pgid) sendSignal(group, 'SIGTERM');
  if (await waitUntilGroupsEnd(family, graceMs / 2)) return true;
  const left = listFamily(family);
  for (const group of left) sendSignal(group, 'SIGKILL');
  return waitUntilGroupsEnd(left, KILLED_MS);
}

/** Returns these groups, and those of all descendants and of sessions they started; never this process's own. */
function listFamily(groups: readonly number[]): number[] {
  const family = new Set(groups);
  const members = new Set<number>();
  const rows = listProcesses();
  const own = rows.find(({ pid }) => pid === process.pid)?.group;
  for (let before = -1; before < members.size;) {
    before = members.size;
    for (const { pid, parent, group, session } of rows) {
      if (members.has(pid) || group === own) continue;
      if (!family.has(group) && !family.has(session) && !members.has(parent)) continue;
      members.add(pid);
      family.add(group);
    }
  }
  return [...family];
}

/** True while a process group (on Windows: the process) has members, zombies included. */
export function groupExists(pgid: number): boolean {
  return sendSignal(pgid, 0);
}

/** Sends a signal to the whole group; false if there is no such group. */
function sendSignal(pgid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(WINDOWS ? pgid : -pgid, signal);
  } catch (error) {
    const code = getSystemCode(error);
    if (code === 'ESRCH') return false;
    // Another user's processes, or zombies on macOS: the group exists, so keep waiting.
    if (code === 'EPERM') return true;
    throw error;
  }
}

async function waitUntilGroupsEnd(groups: readonly number[], withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  for (let pause = 2; groups.some(groupExists); pause = Math.min(pause * 2, 64)) {
    if (pause === 64 && areOnlyZombies(groups)) return true;
    if (performance.now() >= until) return false;
    await delay(pause);
  }
  return true;
}

/**
 * True if all members are zombies. In a container whose init does not reap them, orphans stay zombies forever
 * and a signal still "reaches" them.
 */
function areOnlyZombies(groups: readonly number[]): boolean {
  const members = listProcesses().filter(({ group }) => groups.includes(group));
  return members.length > 0 && members.every(({ isZombie }) => isZombie);
}

async function endTree(pid: number): Promise<void> {
  const { execa } = await import('execa');
  // Fails if the process has already gone; the caller checks that.
  await execa('taskkill', ['/PID', String(pid), '/T', '/F'], { reject: false, windowsHide: true });
}

/**
 * Ends the launched groups once council itself is gone, even by SIGKILL: then its end of the pipe closes, the
 * only trace of such a death. Each line reports a group that starts or ends. A group whose leader has another
 * start time than reported belongs to someone else. Descendants of a group end with it, as with `endGroup`.
 * SIGTERM first, SIGKILL for the rest after two seconds. The signals that end a session are ignored until its
 * work is done.
 */
export const GUARDIAN = `
trap '' HUP INT TERM
groups=
while read -r what group start; do
  kept=
  for one in $groups; do
    case $one in "$group:"*) ;; *) kept="$kept $one" ;; esac
  done
  groups=$kept
  [ "$what" = + ] && groups="$groups $group:$start"
done
started() {
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- \${stat##*)}
  shift 19
  echo "$1"
}
rows() {
  if [ ! -e /proc/self/stat ]; then
    ps -A -o pid= -o ppid= -o pgid= | while read -r pid parent group; do echo "$pid:$parent:$group:$group"; done
    return
  fi
  for stat in /proc/[0-9]*/stat; do
    row=
    while IFS= read -r line || [ -n "$line" ]; do row="$row $line"; done 2>/dev/null <"$stat"
    [ -n "$row" ] || continue
    set -- \${row##*)}
    pid=\${stat%/stat}
    echo "\${pid#/proc/}:$2:$3:$4"
  done
}
for one in $groups; do
  group=\${one%%:*} start=\${one#*:}
  if [ -n "$start" ]; then
    now=$(started "$group") && [ "$now" != "$start" ] && continue
  fi
  family="$family $group"
done
grow() {
  all=$(rows)
  family=" $family " members=' ' before=
  while [ "$before" != "$members" ]; do
    before=$members
    for row in $all; do
      pid=\${row%%:*} row=\${row#*:}
      parent=\${row%%:*} row=\${row#*:}
      group=\${row%%:*} session=\${row#*:}
      case $members in *" $pid "*) continue ;; esac
      case "$family/$members" in *" $group "*/* | *" $session "*/* | */*" $parent "*) ;; *) continue ;; esac
      members="$members$pid "
      case $family in *" $group "*) ;; *) family="$family$group " ;; esac
    done
  done
}
tell() {
  for group in $family; do
    kill -s "$1" -- "-$group" 2>/dev/null && found=yes
  done
}
[ -n "$family" ] || exit 0
grow
tell TERM
for second in 1 2; do
  found=
  tell 0
  [ -n "$found" ] || exit 0
  sleep 1
done
grow
tell KILL
`;

let guardian: ChildProcess | undefined;

/**
 * Starts the guardian, one small shell per process, unless it runs already. Windows needs none: it ends
 * council's children along with it. Without /bin/sh, a group that outlives council is ended by the next tick.
 */
export function startGuardian(): void {
  if (guardian || process.platform === 'win32') return;
  // Has a session of its own, so that terminal signals do not reach it, and no open file but the pipe.
  const started: ChildProcess = spawn('/bin/sh', ['-c', GUARDIAN, 'council-guardian'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guardian = started;
  const forgetGuardian = (): void => {
    if (guardian === started) guardian = undefined;
  };
  started.once('exit', forgetGuardian);
  started.once('error', forgetGuardian);
  // It may be gone when written to; the next launch starts another one.
  started.stdin?.on('error', forgetGuardian);
  started.unref();
  (started.stdin as Socket | null)?.unref();
  for (const pgid of running.keys()) announceGroup(pgid);
}

/** Makes sure that a newly launched group ends with this process, however this process ends. */
export function guardGroup(pgid: number): void {
  if (running.size === 0) process.on('exit', killGroups);
  running.set(pgid, process.platform === 'linux' ? identifyProcess(pgid).startTime : '');
  announceGroup(pgid);
}

/** Stops guarding a group that has ended: the system may reuse its number. */
export function unguardGroup(pgid: number): void {
  if (running.delete(pgid)) guardian?.stdin?.write(`- ${pgid}\n`);
  if (running.size === 0) process.off('exit', killGroups);
}

const announceGroup = (pgid: number): void => void guardian?.stdin?.write(`+ ${pgid} ${running.get(pgid)}\n`);

/** Runs when the process exits. */
function killGroups(): void {
  for (const group of listFamily([...running.keys()])) sendSignal(group, 'SIGKILL');
}
