// Single file system calls with clear errors.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { CouncilError, describeThrown, getSystemCode, ignoreSystemFault } from '../../base/errors.ts';
import { cleanForTerminal } from '../../base/terminal.ts';

// Every call uses the default import, at call time, so that tests can stop the process at any of them.

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

/** Converts a system error to a CouncilError `io` with code, action and path; returns other errors unchanged. */
export function asIoError(error: unknown, action: string, path: string): unknown {
  const code = getSystemCode(error);
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

/** Runs one file system call and converts its system error to `io`. */
export function attempt<T>(action: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw asIoError(error, action, path);
  }
}

/**
 * Creates a file that must not exist yet and writes all bytes; `durable` also waits for the disk. On an error
 * (`io`) the file is removed.
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
 * Uses an open file and closes it exactly once. An error on closing (a network file system, a quota) is
 * thrown as `io`, unless `use` has thrown, whose error is more useful.
 */
export function useAndClose<T>(fd: number, path: string, use: () => T): T {
  let result: T;
  try {
    result = use();
  } catch (error) {
    ignoreSystemFault(() => fs.closeSync(fd));
    throw error;
  }
  attempt('close', path, () => fs.closeSync(fd));
  return result;
}

/** Makes the names in a folder durable. Does nothing if the system cannot sync folders. Throws `io`. */
export function fsyncDir(path: string): void {
  if (process.platform === 'win32') return;
  const fd = attempt('open', path, () => fs.openSync(path, 'r'));
  useAndClose(fd, path, () => {
    try {
      fs.fsyncSync(fd);
    } catch (error) {
      if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(getSystemCode(error) ?? ''))
        throw asIoError(error, 'sync', path);
    }
  });
}

/**
 * Creates a hard link. Returns false if another file has the name. Throws `no_hard_links` if the file system
 * has none, and `io`.
 */
export function linkNew(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    const code = getSystemCode(error) ?? '';
    // A network file system may answer EEXIST to a repeated request whose first response was lost.
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
 * Creates a folder and its parents. If `durable`, syncs the parents even of an existing folder, because the
 * process that created it may not have done that yet. Throws `io`.
 */
export function makeDir(path: string, mode = 0o777, durable = true): void {
  attempt('create the folder', path, () => {
    try {
      makeUnlessThere(path, mode);
    } catch (error) {
      if (getSystemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      makeDir(dirname(path), mode, durable);
      // Only one retry: where folders cannot be created, such as in /proc, it fails again.
      makeUnlessThere(path, mode);
    }
    if (durable) fsyncDir(dirname(path));
  });
}

/**
 * Creates a folder and its parents, not durably. Throws the system's error. Node's recursive mkdir never ends
 * where folders cannot be created, such as in /proc.
 */
export function makeFolders(path: string, mode = 0o777): void {
  try {
    makeUnlessThere(path, mode);
  } catch (error) {
    if (getSystemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolders(dirname(path), mode);
    makeUnlessThere(path, mode);
  }
}

const makeUnlessThere = (path: string, mode: number): void =>
  void ignoreSystemFault(() => fs.mkdirSync(path, mode), 'EEXIST');

/**
 * Resolves an existing path. On Linux this is one system call, while Node's own loop checks each folder of
 * the path; a run resolves ninety paths. The loop is used for names that are not UTF-8, and on other systems.
 * Throws the system's error.
 */
export function resolveRealPath(path: string): string {
  const real = process.platform === 'linux' ? fs.realpathSync.native(path) : '\uFFFD';
  return real.includes('\uFFFD') ? fs.realpathSync(path) : real;
}

/** Lists the names in a folder, sorted; empty if it does not exist. Throws `io`. */
export function listFolderNames(path: string): string[] {
  try {
    return fs.readdirSync(path).sort();
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return [];
    throw asIoError(error, 'list', path);
  }
}

/** True for a folder, but not for a link to one. Throws `io`. */
export const isFolder = (path: string): boolean => lstatPath(path)?.isDirectory() === true;

/** Replaces a file atomically. Throws `io`. */
export function replacePath(from: string, to: string): void {
  attempt('replace', to, () => fs.renameSync(from, to));
}

/** Deletes a file; false if it did not exist. Throws `io`. */
export function unlinkIfThere(path: string): boolean {
  try {
    fs.unlinkSync(path);
    return true;
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return false;
    throw asIoError(error, 'delete', path);
  }
}

/** Deletes a temp file. If that fails it is swept later, and must not hide an earlier error. */
export const discard = (path: string): void => ignoreSystemFault(() => fs.unlinkSync(path));

/** The default receiver of warnings. */
export function warnOnStderr(message: string): void {
  process.stderr.write(`${cleanForTerminal(`council: ${message}`)}\n`);
}

/** Whether the name exists, including broken links. */
export const isThere = (path: string): boolean => lstatPath(path) !== undefined;

/** Looks at what has the name, a link itself included; undefined if nothing has it. Throws `io`. */
export const lstatPath = (path: string): fs.Stats | undefined =>
  attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));

/** As lstatPath, but follows links. */
export const statPath = (path: string): fs.Stats | undefined =>
  attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }));
