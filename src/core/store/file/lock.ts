// File driver: an advisory lock file for fairness between writers.
import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { getSystemCode, ignoreSystemFault } from '../../base/errors.ts';
import { measureUptime } from '../local/system.ts';

/** How long to wait for a lock, and when an untouched one counts as abandoned. */
const PATIENCE_MS = 2000;
const STALE_MS = 5000;

interface LockOptions {
  /** Called if another process took the lock while it was in use. */
  warn: (message: string) => void;
  /** Milliseconds; 2000 except in tests. */
  patience?: number;
}

/** The lock library's file system, synchronous like all of a commit: hops to another thread take longer. */
const CALLS = {
  mkdirSync: fs.mkdirSync,
  realpathSync: fs.realpathSync,
  rmdirSync: fs.rmdirSync,
  statSync: fs.statSync,
  utimesSync: fs.utimesSync,
};

/**
 * Runs `action` with the lock `<path>.lock`, or without it after the timeout: the lock is for fairness, what
 * it protects must be safe without it. Throws only what `action` throws.
 */
export async function runLocked<T>(
  path: string,
  action: () => T | Promise<T>,
  options: LockOptions,
): Promise<T> {
  return runInTurn(
    path,
    async () => {
      const release = await acquireLock(path, options);
      try {
        return await action();
      } finally {
        if (release) releaseQuietly(release);
      }
    },
    options.patience,
  );
}

/** The same among callers in this process only. */
export async function runInTurn<T>(
  path: string,
  action: () => T | Promise<T>,
  patience = PATIENCE_MS,
): Promise<T> {
  const leave = await queueUp(path, patience);
  try {
    return await action();
  } finally {
    leave();
  }
}

const queues = new Map<string, Promise<void>>();

/**
 * Waits for earlier callers in this process, at most `patience` ms: in this queue they need not poll the
 * disk. Returns a function that lets the next one in.
 */
async function queueUp(path: string, patience: number): Promise<() => void> {
  const before = queues.get(path);
  const own = Promise.withResolvers<void>();
  const tail = (before ?? Promise.resolve()).then(() => own.promise);
  queues.set(path, tail);
  if (before) await Promise.race([before, wait(patience, undefined, { ref: false })]);
  return () => {
    if (queues.get(path) === tail) queues.delete(path);
    own.resolve();
  };
}

type Release = () => void;

async function acquireLock(
  path: string,
  { warn, patience = PATIENCE_MS }: LockOptions,
): Promise<Release | undefined> {
  const deadline = measureUptime() + patience;
  const onCompromised = (error: Error): void =>
    warn(
      `The lock ${path}.lock was lost while it was held (${error.message}); the change itself is checked all the same.`,
    );
  for (;;) {
    try {
      return lockfile.lockSync(path, {
        fs: CALLS,
        realpath: false,
        retries: 0,
        stale: STALE_MS,
        onCompromised,
      });
    } catch (error) {
      const code = getSystemCode(error);
      if (code === undefined) throw error;
      // Any other code (a full disk, no folder yet) will be reported by the commit, if it matters there.
      if (code !== 'ELOCKED' || measureUptime() > deadline) return undefined;
    }
    await wait(1 + Math.random() * 6);
  }
}

/** onCompromised has reported a lost lock; one that cannot be removed goes stale by itself. */
const releaseQuietly = (release: Release): void => ignoreSystemFault(release);
