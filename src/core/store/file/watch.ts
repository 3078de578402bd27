// File driver: watches documents for new revisions.
import type { FSWatcher } from 'node:fs';
import fs from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ignoreRefusal, ignoreSystemFault } from '../../base/errors.ts';
import { SWEEP_MS } from '../due-index.ts';
import { measureUptime } from '../local/system.ts';
import { isOwnMount } from './inspect-folders.ts';
import { fingerprintFolder } from './list-documents.ts';

/** Poll intervals: if the system may miss events, and if it reports all. */
const POLL_MS = 1000;
const SELDOM_MS = 10_000;
/** A commit moves several files: one look after the burst is enough. */
const SETTLE_MS = 15;

/**
 * Calls `onChange(key)` when a key's revision has changed. Events of the system on `folders` only trigger a
 * look; regular polling finds what they miss. Keeps the process alive until the returned function stops it.
 */
export function watchRevisions(
  folders: string[],
  revisions: () => Map<string, number>,
  onChange: (key: string) => void,
): () => void {
  let known = revisions();
  let seen: { marks: string | undefined; at: number } = { marks: undefined, at: -Infinity };
  const stop = watchFolders(() => folders, look);

  /** Returns false if it could not look. Every commit changes one of the folders; a sweep finds other changes. */
  function look(): boolean {
    const marks = fingerprintFolders(folders);
    const at = measureUptime();
    if (marks !== undefined && marks === seen.marks && at - seen.at < SWEEP_MS) return true;
    const [before, now] = [known, tryReadRevisions()];
    if (!now) return false;
    seen = { marks, at };
    known = now;
    for (const [key, revision] of known) if (before.get(key) !== revision) onChange(key);
    return true;
  }
  function tryReadRevisions(): Map<string, number> | undefined {
    // A temporary disk error must not end the watch: the next look tries again.
    return ignoreRefusal(revisions);
  }
  return stop;
}

/** Returns undefined if one of them may be changing right now, or cannot be read. */
function fingerprintFolders(folders: readonly string[]): string | undefined {
  const marks = ignoreRefusal(() => folders.map((folder) => fingerprintFolder(folder, Date.now())));
  return marks?.includes(undefined) ? undefined : marks?.join();
}

/**
 * Calls `look` soon after an event in one of the folders (listed again each time), and every ten seconds in
 * any case. Every second if events are unreliable: the system has no watches left, another machine may change
 * a folder unnoticed, or the last look returned false because it could not look. Keeps the process alive
 * until the returned function stops it.
 */
export function watchFolders(folders: () => string[], look: () => boolean | void): () => void {
  let settling: NodeJS.Timeout | undefined;
  let poll: NodeJS.Timeout | undefined;
  let isOver = false;
  const events = watchFolderEvents(folders, wake);

  function wake(): void {
    settling ??= setTimeout(() => {
      settling = undefined;
      // Before the look: an entry in a newly created folder triggers another event, or is seen by the look.
      const isTold = events.attach();
      schedulePoll(look() !== false && isTold ? SELDOM_MS : POLL_MS);
    }, SETTLE_MS);
  }
  function schedulePoll(ms: number): void {
    clearTimeout(poll);
    // `look` may have stopped the watch.
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
 * The system's watchers of some folders; `attach` starts missing ones and closes those no longer wanted. It
 * returns whether the system reports everything that happens in them.
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
        // One may have been created before its parent was watched.
      } while (!isDeepStrictEqual(named.map(findNearestFolder), wanted));
      return wanted.every((folder) => watchers.has(folder) && told.get(folder));
    },
    close() {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** Returns the folder, or its nearest existing ancestor, in which it will appear. */
function findNearestFolder(folder: string): string {
  let found = folder;
  while (!fs.existsSync(found) && dirname(found) !== found) found = dirname(found);
  return found;
}

/** Returns undefined if the folder is gone or the system has no watches left: polling continues without it. */
function startWatcher(folder: string, wake: () => void, onLost: () => void): FSWatcher | undefined {
  const watcher = ignoreSystemFault(() => fs.watch(folder, wake));
  watcher?.on('error', () => {
    watcher.close();
    onLost();
  });
  return watcher;
}
