// An append-only log of lines: a file per day, `YYYY-MM-DD.ndjson`, continued in `YYYY-MM-DD.1.ndjson` and so on
// when full.
import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../../core/base/errors.ts';
import { dropRepeats } from '../../core/base/memoize.ts';
import {
  attempt,
  useAndClose,
  listFolderNames,
  unlinkIfThere,
  warnOnStderr,
} from '../../core/store/local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../../core/store/local/folders.ts';
import { readBytes, measureFileSize } from '../../core/store/local/read.ts';
import { watchFolders } from '../../core/store/file/watch.ts';

/** Limits of a day log. */
export const DAY_LOG_LIMITS = {
  /** A file of this size is continued in another one of the same day. */
  fileBytes: 8 * 1024 * 1024,
  /** The oldest files are deleted if the total is larger, or if they are older. */
  allBytes: 256 * 1024 * 1024,
  days: 30,
} as const;

/**
 * An append-only log of lines by UTC day; the oldest are deleted. It only reports events: failures are warned
 * about, and stop nothing. One contract suite runs on every implementation.
 */
export interface DayLog {
  /**
   * Appends a line (without its end) to the day of `at`, in milliseconds since the epoch; atomically, also
   * with many writers. Never rejects.
   */
  append(at: number, line: string): Promise<void>;
  /** Reads the lines from a day on (`2026-01-11`), in order of arrival; newest first with `newest`. */
  read(options?: { from?: string; newest?: boolean }): AsyncIterable<string>;
  /**
   * Calls `onLine` with each line added from now on. Keeps the process alive until the returned function
   * stops it.
   */
  follow(onLine: (line: string) => void): () => void;
}

/** Formats the UTC day of a time as `2026-01-11`. */
export const formatUtcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

const NAME = /^(\d{4}-\d{2}-\d{2})(?:\.(\d{1,6}))?\.ndjson$/;
const DAY_MS = 86_400_000;
const LINE_END = 10;
/** A link would lead elsewhere; opening a FIFO would block. Windows has neither flag. */
const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
const FLAGS = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

interface DayLogOptions {
  /** Absolute path of the folder. */
  dir: string;
  /** The project's folder: no link is followed below it. */
  root: string;
  /** Receives each warning for people once. */
  warn?: (message: string) => void;
  limits?: { fileBytes: number; allBytes: number; days: number };
}

/** One file of the log. */
interface Part {
  day: string;
  number: number;
}

const nameLogPart = ({ day, number }: Part): string =>
  number === 0 ? `${day}.ndjson` : `${day}.${number}.ndjson`;

/** Opens the log. Files are never renamed, so a slow writer loses no line. */
export function dayLogFiles({
  dir,
  root,
  warn = warnOnStderr,
  limits = DAY_LOG_LIMITS,
}: DayLogOptions): DayLog {
  const warnOnce = dropRepeats(warn);
  let newest: Part | undefined;
  /** Reports what cannot be read or written, and skips it. */
  const warnOnError = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      warnOnce(`The log of messages: ${error.message}`);
      return undefined;
    }
  };
  const listParts = (): Part[] => warnOnError(() => (hasOwnFolder(root, dir) ? listLogParts(dir) : [])) ?? [];
  const readPartLines = (part: Part): string[] =>
    warnOnError(() => readWholeLines(join(dir, nameLogPart(part)))) ?? [];
  return {
    async append(at, line) {
      warnOnError(() => {
        if (!hasOwnFolder(root, dir)) makeOwnFolder(root, dir);
        const day = formatUtcDay(at);
        if (newest?.day !== day)
          newest = listLogParts(dir).findLast((part) => part.day === day) ?? { day, number: 0 };
        let size: number | undefined;
        while ((size = addLine(join(dir, nameLogPart(newest)), line, limits.fileBytes)) === undefined)
          newest = { day, number: newest.number + 1 };
        if (size === 0) sweepDayFiles(dir, at, limits);
      });
    },
    async *read({ from = '', newest: isBack = false } = {}) {
      const wanted = listParts().filter(({ day }) => day >= from);
      for (const part of isBack ? wanted.toReversed() : wanted) {
        const lines = readPartLines(part);
        yield* isBack ? lines.toReversed() : lines;
      }
    },
    follow: (onLine) => followLog(dir, listParts, onLine, warnOnError),
  };
}

const listLogParts = (dir: string): Part[] =>
  listFolderNames(dir)
    .flatMap((name) => {
      const [, day, number = '0'] = NAME.exec(name) ?? [];
      return day === undefined ? [] : [{ day, number: Number(number) }];
    })
    .sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1));

/**
 * Appends a line in one write, which the system does not interleave with others. Returns the previous size of
 * the file; undefined if it is full. A line truncated by a full disk or the end of a process is terminated
 * first.
 */
function addLine(path: string, line: string, fileBytes: number): number | undefined {
  const fd = attempt('open', path, () => fs.openSync(path, FLAGS, 0o666));
  return useAndClose(fd, path, () =>
    attempt('write', path, () => {
      const stat = fs.fstatSync(fd);
      if (!stat.isFile())
        throw new CouncilError('not_a_file', `${path} is no file, and is left alone.`, {
          hint: 'Move it away: ls -l shows what it is.',
        });
      if (stat.size >= fileBytes) return undefined;
      const bytes = Buffer.from(`${isCut(fd, stat.size) ? '\n' : ''}${line}\n`);
      if (fs.writeSync(fd, bytes) < bytes.length)
        throw new CouncilError('io', `Cannot write ${path}: no space is left for a whole line.`, {
          hint: 'Free some space.',
        });
      return stat.size;
    }),
  );
}

function isCut(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== LINE_END;
}

/** Returns the complete lines of a file, without one still being written. */
function readWholeLines(path: string): string[] {
  const text = (readBytes(path, { links: 'refuse' }) ?? Buffer.alloc(0)).toString();
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
}

/** Deletes the oldest files beyond the limits; never the newest. */
function sweepDayFiles(
  dir: string,
  at: number,
  { allBytes, days }: { allBytes: number; days: number },
): void {
  const first = formatUtcDay(at - days * DAY_MS);
  let sum = 0;
  for (const [back, part] of listLogParts(dir).reverse().entries()) {
    const path = join(dir, nameLogPart(part));
    sum += attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }))?.size ?? 0;
    if (back > 0 && (part.day < first || sum > allBytes)) unlinkIfThere(path);
  }
}

/** Follows the files from their current end. */
function followLog(
  dir: string,
  parts: () => Part[],
  onLine: (line: string) => void,
  orTell: <T>(act: () => T) => T | undefined,
): () => void {
  const sizes = new Map(
    parts().map((part) => [
      nameLogPart(part),
      orTell(() => measureFileSize(join(dir, nameLogPart(part)))) ?? 0,
    ]),
  );
  return watchFolders(
    () => [dir],
    () => {
      for (const name of parts().slice(-2).map(nameLogPart)) {
        const from = sizes.get(name) ?? 0;
        const bytes = orTell(() => readNewBytes(join(dir, name), from)) ?? Buffer.alloc(0);
        const end = bytes.lastIndexOf(LINE_END) + 1;
        sizes.set(name, from + end);
        for (const line of bytes.subarray(0, end).toString().split('\n')) if (line !== '') onLine(line);
      }
    },
  );
}

function readNewBytes(path: string, from: number): Buffer | undefined {
  const size = measureFileSize(path);
  return size === undefined || size <= from
    ? undefined
    : readBytes(path, { links: 'refuse' })?.subarray(from);
}
