// Guardian shell that ends launched process groups when council itself is killed.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { identifyProcess } from '../../store/local/liveness.ts';
import { killGroup } from './process-group.ts';
import { running } from './running-groups.ts';

/**
 * Ends the launched groups when council itself is gone, also by SIGKILL: then its end of the pipe closes, which is the
 * only thing that such a death leaves behind. Line by line it hears of groups that begin and end. A group whose leader
 * was started at another time than the one that was told is a stranger's. SIGTERM first, SIGKILL for what is left after
 * two seconds. The signals that end a session must not end it before it has done its work.
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
tell() {
  for one in $groups; do
    group=\${one%%:*} start=\${one#*:}
    if [ -n "$start" ]; then
      now=$(started "$group") && [ "$now" != "$start" ] && continue
    fi
    kill -s "$1" -- "-$group" 2>/dev/null && found=yes
  done
}
tell TERM
for second in 1 2; do
  found=
  tell 0
  [ -n "$found" ] || exit 0
  sleep 1
done
tell KILL
`;

let guardian: ChildProcess | undefined;

/**
 * Starts what ends the launched groups when this process is gone, unless it is there: one small shell for the whole
 * process. Windows needs none: it ends what council has started along with it. Where there is no /bin/sh, a group that
 * outlives council is ended by the next tick.
 */
export function startGuardian(): void {
  if (guardian || process.platform === 'win32') return;
  // A session of its own: what ends the terminal's must not reach it. It holds no file of council's but the pipe.
  const started: ChildProcess = spawn('/bin/sh', ['-c', GUARDIAN, 'council-guardian'], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guardian = started;
  const gone = (): void => {
    if (guardian === started) guardian = undefined;
  };
  started.once('exit', gone);
  started.once('error', gone);
  // It may be gone while it is told something; the next launch starts another one.
  started.stdin?.on('error', gone);
  started.unref();
  (started.stdin as Socket | null)?.unref();
  for (const pgid of running.keys()) announce(pgid);
}

/** Has a group that was just launched end with this process, however this process ends. */
export function guard(pgid: number): void {
  if (running.size === 0) process.on('exit', killGroups);
  running.set(pgid, process.platform === 'linux' ? identifyProcess(pgid).startTime : '');
  announce(pgid);
}

/** Stops guarding a group that has ended: the system may reuse its number. */
export function unguard(pgid: number): void {
  if (running.delete(pgid)) guardian?.stdin?.write(`- ${pgid}\n`);
  if (running.size === 0) process.off('exit', killGroups);
}

const announce = (pgid: number): void => void guardian?.stdin?.write(`+ ${pgid} ${running.get(pgid)}\n`);

/** For a process that leaves now. */
function killGroups(): void {
  for (const pgid of running.keys()) killGroup(pgid);
}
