// Single file system calls with clear errors.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { CouncilError, describeThrown, systemCode } from '../../base/errors.ts';
import { forTerminal } from '../../base/terminal.ts';

// Every call goes through the default import, at call time, so that the tests can stop the process at any of them.

const REASONS: Record<string, [reason: string, hint: string]> = {
  ENOSPC: ['no space is left on the device', 'Free some space, then run the same command again.'],
  EDQUOT: ['the disk quota is used up', 'Free some space, then run the same command again.'],
  EROFS: ['the file system is read-only', 'Mount it writable, or work in another folder.'],
  EACCES: ['permission denied', 'Check who owns the folder and its mode: ls -ld'],
  EPERM: ['the operation is not permitted', 'Check who owns the folder and its mode: ls -ld'],
  EIO: ['the device reports an error', 'Check the disk and the system log, and copy the project elsewhere.'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'Move that file away.'],
  EISDIR: ['it is a folder, not a file', 'Move that folder away.'],
  ENOENT: ['it does not exist (any more)', 'Check that nobody moved or deleted the folder, then try again.'],
  EMFILE: ['too many files are open', 'Raise the limit: ulimit -n'],
};
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'];

/** A system error as a CouncilError `io` that names code, action and path; any other error as it is. */
export function asIoError(error: unknown, action: string, path: string): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const [reason, hint] = REASONS[code] ?? [
    describeThrown(error),
    'Check the disk and the folder, then try again.',
  ];
  return new CouncilError('io', `Cannot ${action} ${path}: ${code}, ${reason}.`, {
    hint,
    details: { errno: code, path },
    cause: error,
  });
}

/** Runs one file system call; its system error comes out as `io`. */
export function attempt<T>(action: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asIoError(error, action, path);
  }
}

/**
 * Creates a file that must not exist yet and writes all of it; `durable` also waits until the bytes are on the disk.
 * Throws `io`, and then the file is gone again.
 */
export function writeNew(path: string, bytes: Uint8Array, { mode = 0o666, durable = true } = {}): void {
  const fd = attempt('create', path, () => fs.openSync(path, 'wx', mode));
  try {
    useAndClose(fd, path, () => {
      for (let at = 0; at < bytes.length;) at += fs.writeSync(fd, bytes, at);
      if (durable) fs.fsyncSync(fd);
    });
  } catch (error) {
    discard(path);
    throw asIoError(error, 'write', path);
  }
}

/**
 * Uses an open file and closes it, once. Closing may fail as well (a network file system, a quota): that is an `io` error
 * like any other, unless something has gone wrong before, which is what people need to hear.
 */
export function useAndClose<T>(fd: number, path: string, use: () => T): T {
  let result: T;
  try {
    result = use();
  } catch (error) {
    closeAnyway(fd);
    throw error;
  }
  attempt('close', path, () => fs.closeSync(fd));
  return result;
}

function closeAnyway(fd: number): void {
  try {
    fs.closeSync(fd);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Makes the names in a folder durable. Does nothing where folders cannot be synced. Throws `io`. */
export function fsyncDir(path: string): void {
  if (process.platform === 'win32') return;
  const fd = attempt('open', path, () => fs.openSync(path, 'r'));
  useAndClose(fd, path, () => {
    try {
      fs.fsyncSync(fd);
    } catch (error) {
      if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(systemCode(error) ?? ''))
        throw asIoError(error, 'sync', path);
    }
  });
}

/**
 * Gives a file a second name that must not exist yet. False when another file has that name already.
 * Throws `no_hard_links` where the file system has none, and `io`.
 */
export function linkNew(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    const code = systemCode(error) ?? '';
    // A network file system may answer EEXIST to a repeated request whose first answer was lost.
    if (code === 'EEXIST') return isSameFile(from, to);
    if (!NO_HARD_LINKS.includes(code)) throw asIoError(error, 'link', to);
    throw new CouncilError(
      'no_hard_links',
      `The file system of ${dirname(to)} has no hard links (${code}).`,
      {
        hint: 'Keep the project on a file system that has them (ext4, xfs, btrfs, apfs, ntfs); FAT and exFAT do not.',
        cause: error,
      },
    );
  }
}

function isSameFile(a: string, b: string): boolean {
  const stat = (path: string) =>
    attempt('look at', path, () => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }));
  const [one, other] = [stat(a), stat(b)];
  return (
    one !== undefined &&
    other !== undefined &&
    one.ino !== 0n &&
    one.ino === other.ino &&
    one.dev === other.dev
  );
}

/**
 * Creates a folder and its parents. Unless it need not be `durable`, the parents are synced even for a folder that was there,
 * because the process that made it may not have done that yet. Throws `io`.
 */
export function makeDir(path: string, mode = 0o777, durable = true): void {
  attempt('create the folder', path, () => {
    try {
      makeUnlessThere(path, mode);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      makeDir(dirname(path), mode, durable);
      // Once more only: where folders cannot be made, such as in /proc, it is the same as before.
      makeUnlessThere(path, mode);
    }
    if (durable) fsyncDir(dirname(path));
  });
}

/**
 * Creates a folder and its parents, for what need not be durable. Throws the system's error. Node's own way to do that never ends
 * where folders cannot be made, such as in /proc.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    makeUnlessThere(path, mode);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolders(dirname(path), mode);
    makeUnlessThere(path, mode);
  }
}

function makeUnlessThere(path: string, mode: number): void {
  try {
    fs.mkdirSync(path, mode);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

/**
 * The real path of what exists. On Linux this is one system call, where Node's own walk looks at each folder on the way; a run asks
 * ninety times. The walk remains for names that are not UTF-8, and for other systems. Throws the system's error.
 */
export function realPath(path: string): string {
  const real = process.platform === 'linux' ? fs.realpathSync.native(path) : '\uFFFD';
  return real.includes('\uFFFD') ? fs.realpathSync(path) : real;
}

/** The names in a folder, sorted; none when it does not exist. Throws `io`. */
export function listFolderNames(path: string): string[] {
  try {
    return fs.readdirSync(path).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw asIoError(error, 'list', path);
  }
}

/** True for a folder that is one itself, not a link to one. Throws `io`. */
export function isFolder(path: string): boolean {
  return (
    attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }))?.isDirectory() === true
  );
}

/** Puts a file in the place of another in one step. Throws `io`. */
export function replace(from: string, to: string): void {
  attempt('replace', to, () => fs.renameSync(from, to));
}

/** Deletes a file; false when it was not there. Throws `io`. */
export function unlinkIfThere(path: string): boolean {
  try {
    fs.unlinkSync(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw asIoError(error, 'delete', path);
  }
}

/** Deletes a temp file of ours. One that cannot be deleted now is swept later, and must not hide what went wrong before. */
export function discard(path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Where warnings go without a listener. */
export function warnOnStderr(message: string): void {
  process.stderr.write(`${forTerminal(`council: ${message}`)}\n`);
}

/** Whether something has this name, a link that leads nowhere included. */
export const isThere = (path: string): boolean =>
  attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false })) !== undefined;
