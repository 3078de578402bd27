// Opens files for reading: only regular files, with size limits.
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { quoteShellWord } from '../../base/text.ts';
import { nameWhenAway } from '../census.ts';
import { asIoError, attempt, isThere, lstatPath, useAndClose } from './disk.ts';

// The only place where council opens a file for reading.

interface ReadOptions {
  /** Maximum bytes to read; see READ_LIMITS. */
  limit?: number;
  /** `refuse` for files that only council writes: it makes no links there. */
  links?: 'follow' | 'refuse';
}

// Opening a FIFO without a writer would block, and a terminal could become this process's own. Windows has
// neither flag.
const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0, O_NOFOLLOW = 0 } = fs.constants;
const FLAGS = {
  follow: O_RDONLY | O_NONBLOCK | O_NOCTTY,
  refuse: O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW,
};
/** A file larger than its stat size is read in chunks of at least this (files of /proc say 0). */
const LEAST_ROOM = 4096;

/**
 * Reads a regular file; undefined if there is none. Throws `not_a_file` for anything else (at once, without
 * blocking), `too_large` before more than `limit` bytes are in memory, `io`.
 */
export function readBytes(
  path: string,
  { limit = READ_LIMITS.own, links = 'follow' }: ReadOptions = {},
): Buffer | undefined {
  return openRegularFile(path, links, (fd, size) => {
    if (size > limit) throw createTooLargeError(path, size, limit);
    return attempt('read', path, () => readAll(fd, path, size, limit));
  });
}

function readAll(fd: number, path: string, size: number, limit: number): Buffer {
  // One byte more than expected, so that a read of nothing shows the end.
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  for (let at = 0; ;) {
    const got = fs.readSync(fd, buffer, at, buffer.length - at, null);
    if (got === 0) return buffer.subarray(0, at);
    at += got;
    if (at > limit) throw createTooLargeError(path, at, limit);
    if (at < buffer.length) continue;
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(2 * at, LEAST_ROOM), limit + 1));
    buffer.copy(larger);
    buffer = larger;
  }
}

/**
 * Reads a small file into `scratch` and returns its length; undefined if there is none, or if it does not
 * fit. Without allocations, reading a thousand files takes half the time. Throws `not_a_file`, `io`.
 */
export function fillBuffer(scratch: Buffer, path: string): number | undefined {
  const length = fillFromFile(scratch, path);
  return length !== undefined && length < scratch.length ? length : undefined;
}

/** Reads up to `length` bytes from the start of a file; undefined if there is none. Throws `not_a_file`, `io`. */
export function readStart(path: string, length: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(length);
  const filled = fillFromFile(buffer, path);
  return filled === undefined ? undefined : buffer.subarray(0, filled);
}

const fillFromFile = (buffer: Buffer, path: string): number | undefined =>
  openRegularFile(path, 'follow', (fd) => attempt('read', path, () => fs.readSync(fd, buffer)));

const PIECE = 64 * 1024;

/**
 * Yields a regular file in chunks, without a size limit. Throws `not_a_file`, `io`, and `usage` if there is
 * none.
 */
export function* readPieces(path: string): Generator<Uint8Array> {
  const fd = openPath(path, 'follow');
  if (fd === undefined)
    throw new CouncilError('usage', `There is no file ${path}.`, {
      hint: 'Give the path of a text file, or - for stdin.',
    });
  try {
    const stat = attempt('look at', path, () => fs.fstatSync(fd));
    if (!stat.isFile()) throw createNotAFileError(path, describeFileKind(stat));
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const got = attempt('read', path, () => fs.readSync(fd, piece));
      if (got === 0) return;
      yield piece.subarray(0, got);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Returns the size in bytes of a file written by council; undefined if there is none. Throws `not_a_file` for
 * anything else, including a link, and `io`.
 */
export function measureFileSize(path: string): number | undefined {
  const stat = lstatPath(path);
  if (stat && !stat.isFile()) throw createNotAFileError(path, describeFileKind(stat));
  return stat ? stat.size : requireNotPutAway(path);
}

/** An offloaded file is not missing: otherwise its document would start again. */
function requireNotPutAway(path: string): undefined {
  const sign = join(dirname(path), nameWhenAway(basename(path)));
  if (!isThere(sign)) return undefined;
  throw new CouncilError('io', `${path} was put away by iCloud: its content is not on this machine.`, {
    hint: `Fetch it: brctl download ${quoteShellWord(path)}. Better: keep the project outside of folders that are synced.`,
    details: { path },
  });
}

/** Opens a regular file and passes its descriptor and size. Undefined if there is none. */
function openRegularFile<T>(
  path: string,
  links: 'follow' | 'refuse',
  use: (fd: number, size: number) => T,
): T | undefined {
  const fd = openPath(path, links);
  if (fd === undefined) return undefined;
  return useAndClose(fd, path, () => {
    // By descriptor, since the path may have been replaced.
    const stat = attempt('look at', path, () => fs.fstatSync(fd));
    if (!stat.isFile()) throw createNotAFileError(path, describeFileKind(stat));
    return use(fd, stat.size);
  });
}

function openPath(path: string, links: 'follow' | 'refuse'): number | undefined {
  try {
    return fs.openSync(path, FLAGS[links]);
  } catch (error) {
    const code = getSystemCode(error);
    const kind = describeObstacle(path, code);
    if (kind !== undefined) throw createNotAFileError(path, kind);
    if (code === 'ENOENT') return requireNotPutAway(path);
    throw asIoError(error, 'read', path);
  }
}

/** Describes a path that could not be opened, if that is the reason. */
function describeObstacle(path: string, code: string | undefined): string | undefined {
  if (code !== 'ENOENT' && code !== 'ELOOP' && code !== 'ENXIO') return undefined;
  const stat = lstatPath(path);
  if (!stat || stat.isFile()) return undefined;
  if (!stat.isSymbolicLink()) return describeFileKind(stat);
  if (code === 'ENOENT') return 'a link that leads nowhere';
  if (code === 'ENXIO') return 'a link to a socket or device';
  return isCircle(path) ? 'a link that leads in a circle' : 'a link';
}

/** Resolves all links of a path. Throws `io`. */
export const resolveAllLinks = (path: string): string =>
  attempt('look at', path, () => fs.realpathSync(path));

function isCircle(path: string): boolean {
  try {
    fs.statSync(path);
    return false;
  } catch (error) {
    return getSystemCode(error) === 'ELOOP';
  }
}

function describeFileKind(stat: fs.Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isSymbolicLink()) return 'a link';
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

function createNotAFileError(path: string, kind: string): CouncilError {
  return new CouncilError('not_a_file', `${path} is ${kind}, not a plain file.`, {
    hint: 'Move it away, or put a file in its place: ls -l shows what it is.',
    details: { path, kind },
  });
}

function createTooLargeError(path: string, bytes: number, limit: number): CouncilError {
  return new CouncilError('too_large', `${path} has ${bytes} bytes or more; the limit is ${limit}.`, {
    hint: 'Shorten it, or move it away.',
    details: { path, bytes, limit },
  });
}
