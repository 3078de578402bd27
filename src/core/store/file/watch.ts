// File driver: watches documents for new revisions.
import type { FSWatcher } from 'node:fs';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { SWEEP_MS } from '../due-index.ts';
import { measureUptime } from '../local/system.ts';
import { isOwnMount } from './inspect-folders.ts';
import { fingerprintFolder } from './keys.ts';

/** How often is looked all the same: where the system may not tell of everything, and where it does. */
const POLL_MS = 1000;
const SELDOM_MS = 10_000;
/** A commit moves several files: one look after the burst is enough. */
const SETTLE_MS = 15;

/**
 * Calls `onChange(key)` when a key's revision is another one than before. The system's events on `folders` are only a
 * reason to look; a look at these folders now and then finds what they miss. Keeps the process alive until the returned
 * function stops it.
 */
export function watchRevisions(
  folders: string[],
  revisions: () => Map<string, number>,
  onChange: (key: string) => void,
): () => void {
  let known = revisions();
  let seen: { marks: string | undefined; at: number } = { marks: undefined, at: -Infinity };
  const stop = watchFolders(() => folders, look);

  /** False when nothing could be seen. Every commit changes one of the folders; what is changed without one, a sweep finds. */
  function look(): boolean {
    const marks = fingerprintFolders(folders);
    const at = measureUptime();
    if (marks !== undefined && marks === seen.marks && at - seen.at < SWEEP_MS) return true;
    const [before, now] = [known, revisionsNow()];
    if (!now) return false;
    seen = { marks, at };
    known = now;
    for (const [key, revision] of known) if (before.get(key) !== revision) onChange(key);
    return true;
  }
  function revisionsNow(): Map<string, number> | undefined {
    try {
      return revisions();
    } catch (error) {
      // A disk that fails for a moment must not end the watch: the next look tries again.
      if (error instanceof CouncilError) return undefined;
      throw error;
    }
  }
  return stop;
}

/** Undefined where one of them may just be changing, or cannot be looked at. */
function fingerprintFolders(folders: readonly string[]): string | undefined {
  try {
    const marks = folders.map((folder) => fingerprintFolder(folder, Date.now()));
    return marks.includes(undefined) ? undefined : marks.join();
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}

/**
 * Calls `look` soon after something happened in one of the folders (their list is asked for each time), and every ten seconds
 * in any case. Every second where events cannot be relied on: no watches are left in the system, another machine may change a
 * folder without notice here, or the last look returned false because it could not see. Keeps the process alive until the
 * returned function stops it.
 */
export function watchFolders(folders: () => string[], look: () => boolean | void): () => void {
  let settling: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let isOver = false;
  const events = watchFolderEvents(folders, wake);

  function wake(): void {
    settling ??= setTimeout(() => {
      settling = undefined;
      // Before the look: what comes into a folder that has just been made wakes again, or is seen by it.
      const isTold = events.attach();
      schedulePoll(look() !== false && isTold ? SELDOM_MS : POLL_MS);
    }, SETTLE_MS);
  }
  function schedulePoll(ms: number): void {
    clearTimeout(poll);
    // A look may have stopped it.
    if (isOver) return;
    poll = setTimeout(wake, ms);
  }

  schedulePoll(events.attach() ? SELDOM_MS : POLL_MS);
  return () => {
    isOver = true;
    clearTimeout(poll);
    clearTimeout(settling);
    events.close();
  };
}

/**
 * The system's watchers of some folders; `attach` starts those that are missing and ends those that are no longer wanted.
 * It returns whether the system tells of everything that happens in them.
 */
function watchFolderEvents(folders: () => string[], wake: () => void): { attach(): boolean; close(): void } {
  const watchers = new Map<string, FSWatcher>();
  const told = new Map<string, boolean>();
  return {
    attach() {
      const named = folders();
      let wanted: string[];
      do {
        wanted = named.map(findNearestFolder);
        for (const [folder, watcher] of watchers)
          if (!wanted.includes(folder)) {
            watcher.close();
            watchers.delete(folder);
          }
        for (const folder of wanted) {
          if (watchers.has(folder)) continue;
          const watcher = startWatcher(folder, wake, () => watchers.delete(folder));
          if (!watcher) continue;
          watchers.set(folder, watcher);
          told.set(folder, isOwnMount(folder));
        }
        // One may have been made before the folder above it was watched.
      } while (!isDeepStrictEqual(named.map(findNearestFolder), wanted));
      return wanted.every((folder) => watchers.has(folder) && told.get(folder));
    },
    close() {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** The folder; where it is not there yet, the nearest one above it, in which it or one on the way to it will appear. */
function findNearestFolder(folder: string): string {
  let found = folder;
  while (!fs.existsSync(found) && dirname(found) !== found) found = dirname(found);
  return found;
}

/** Undefined when the folder has just gone or the system has no watches left: polling goes on without. */
function startWatcher(folder: string, wake: () => void, onLost: () => void): FSWatcher | undefined {
  try {
    const watcher = fs.watch(folder, wake);
    watcher.on('error', () => {
      watcher.close();
      onLost();
    });
    return watcher;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
