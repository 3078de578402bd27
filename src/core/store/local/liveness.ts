// Identities of processes, and whether a process is still alive.
import { toUnknownRecord } from '../../base/text.ts';
import fs from 'node:fs';
import { hostname } from 'node:os';
import { getSystemCode } from '../../base/errors.ts';
import { asIoError } from './disk.ts';

/** Identity of a process, unique also after a reboot and if its pid is reused. */
export interface ProcessIdentity {
  /** Host name; in a container also its pid namespace, because pids are meaningless outside it. */
  host: string;
  /** Changes at every boot; empty if unknown. */
  bootId: string;
  pid: number;
  /**
   * As counted by the system (Linux: clock ticks since boot), in letters, digits and hyphens; empty if
   * unknown.
   */
  startTime: string;
}

/** The inode of Linux's initial pid namespace. */
const FIRST_PID_NAMESPACE = 'pid:[4026531836]';
const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL', 'ENOTDIR'];

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function identifyThisProcess(): ProcessIdentity {
  own ??= {
    host: identifyHost(),
    bootId: readBootId(),
    pid: process.pid,
    startTime: lookUp(process.pid)?.startTime ?? '',
  };
  return own;
}

/** Returns the identity of a process on this host, such as a newly launched program. */
export function identifyProcess(pid: number): ProcessIdentity {
  return { ...identifyThisProcess(), pid, startTime: lookUp(pid)?.startTime ?? '' };
}

/** Whether that process still runs; undefined if it belongs to another host. */
export function isAlive(identity: ProcessIdentity): boolean | undefined {
  const me = identifyThisProcess();
  if (identity.host !== me.host) return undefined;
  if (identity.bootId !== '' && me.bootId !== '' && identity.bootId !== me.bootId) return false;
  if (!isPidAlive(identity.pid)) return false;
  const found = lookUp(identity.pid);
  if (!found) return true;
  if (found.zombie) return false;
  return identity.startTime === '' || found.startTime === '' || identity.startTime === found.startTime;
}

function isPidAlive(pid: number): boolean {
  // kill(0) and negative numbers would address process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (getSystemCode(error) === 'ESRCH') return false;
    if (getSystemCode(error) === 'EPERM') return true;
    throw error;
  }
}

/** Returns what the system shows about a pid; undefined if nothing (another user's, or an unknown system). */
function lookUp(pid: number): { startTime: string; zombie: boolean } | undefined {
  if (process.platform === 'linux') {
    const stat = readSystemFile(`/proc/${pid}/stat`);
    // The command name in parentheses may contain spaces and parentheses: count after the last one (state is
    // field 3).
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields && { startTime: fields[19] ?? '', zombie: ['Z', 'X', 'x'].includes(fields[0] ?? '') };
  }
  if (process.platform === 'darwin') {
    const line = runSystemTool('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
    const [state = '', ...started] = line.split(/\s+/);
    return line === ''
      ? undefined
      : { startTime: started.join('-').replaceAll(':', '-'), zombie: state.startsWith('Z') };
  }
  return undefined;
}

/**
 * Whether this process may read from its terminal: in the background, reading would stop it. False if
 * unknown.
 */
export function isInForeground(): boolean {
  if (process.platform === 'linux') {
    const stat = readSystemFile('/proc/self/stat') ?? '';
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[2] !== undefined && fields[2] === fields[5];
  }
  // `+` marks foreground processes.
  return (
    process.platform === 'darwin' &&
    runSystemTool('ps', ['-o', 'stat=', '-p', String(process.pid)]).includes('+')
  );
}

function identifyHost(): string {
  const namespace = process.platform === 'linux' ? readSystemLink('/proc/self/ns/pid') : undefined;
  const inside = namespace && namespace !== FIRST_PID_NAMESPACE;
  return inside ? `${hostname()}#${namespace.replace(/\D/g, '')}` : hostname();
}

function readBootId(): string {
  if (process.platform === 'linux') return readSystemFile('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  if (process.platform === 'darwin')
    return /sec = (\d+)/.exec(runSystemTool('sysctl', ['-n', 'kern.boottime']))?.[1] ?? '';
  return '';
}

/** Reads a file of /proc; undefined if it is gone or another user's. */
export const readSystemFile = (path: string): string | undefined =>
  readUnlessGone(path, () => fs.readFileSync(path).toString('utf8'));
/** Reads a link of /proc; undefined if it is gone or another user's. */
export const readSystemLink = (path: string): string | undefined =>
  readUnlessGone(path, () => fs.readlinkSync(path));
/** Lists a folder of /proc; empty if it is gone or another user's. */
export const readSystemFolder = (path: string): string[] =>
  readUnlessGone(path, () => fs.readdirSync(path)) ?? [];

function readUnlessGone<T>(path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (GONE.includes(getSystemCode(error) ?? '')) return undefined;
    throw asIoError(error, 'read', path);
  }
}

/** Returns a system tool's output; empty if it fails, as ps does for a missing process. */
export function runSystemTool(command: string, args: string[]): string {
  try {
    return process
      .getBuiltinModule('node:child_process')
      .execFileSync(command, args, {
        encoding: 'utf8',
        env: { LC_ALL: 'C', PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      .trim();
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT' || typeof toUnknownRecord(error).status === 'number') return '';
    throw error;
  }
}
