// File driver: watches documents for new revisions.
import type { FSWatcher } from 'node:fs';
import fs from 'node:fs';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { elapsed } from '../local/system.ts';
import { markOf } from './mark.ts';

const POLL_MS = 1000;
/** A commit moves several files: one look after the burst is enough. */
const SETTLE_MS = 15;

/** Every commit changes one of the folders; what is changed there without a commit is found after this time. */
const FULL_LOOK_MS = 30_000;

/**
 * Calls `onChange(key)` when a key's revision is another one than before. The system's events on `folders` are only a
 * reason to look; a look at these folders every second finds what they miss. Keeps the process alive until the returned
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

  function look(): void {
    const marks = marksOf(folders);
    const at = elapsed();
    if (marks !== undefined && marks === seen.marks && at - seen.at < FULL_LOOK_MS) return;
    seen = { marks, at };
    const before = known;
    known = revisionsOr(before);
    for (const [key, revision] of known) if (before.get(key) !== revision) onChange(key);
  }
  function revisionsOr(before: Map<string, number>): Map<string, number> {
    try {
      return revisions();
    } catch (error) {
      // A disk that fails for a moment must not end the watch: the next look tries again.
      if (error instanceof CouncilError) return before;
      throw error;
    }
  }
  return stop;
}

/** Undefined where one of them may just be changing, or cannot be looked at. */
function marksOf(folders: readonly string[]): string | undefined {
  try {
    const marks = folders.map((folder) => markOf(folder, Date.now()));
    return marks.includes(undefined) ? undefined : marks.join();
  } catch (error) {
    if (error instanceof CouncilError) return undefined;
    throw error;
  }
}

/**
 * Calls `look` soon after something happened in one of the folders, which are asked for anew each time, and every second all
 * the same. Keeps the process alive until the returned function stops it.
 */
export function watchFolders(folders: () => string[], look: () => void): () => void {
  let settling: NodeJS.Timeout | undefined;
  const events = eventsIn(folders, wake);

  function wake(): void {
    settling ??= setTimeout(() => {
      settling = undefined;
      // Before the look: what comes into a folder that has just been made wakes again, or is seen by it.
      events.attach();
      look();
    }, SETTLE_MS);
  }

  events.attach();
  const poll = setInterval(wake, POLL_MS);
  return () => {
    clearInterval(poll);
    clearTimeout(settling);
    events.close();
  };
}

/** The system's watchers of some folders; `attach` starts those that are missing and ends those that are no longer wanted. */
function eventsIn(folders: () => string[], wake: () => void): { attach(): void; close(): void } {
  const watchers = new Map<string, FSWatcher>();
  return {
    attach() {
      const wanted = folders();
      for (const [folder, watcher] of watchers)
        if (!wanted.includes(folder)) {
          watcher.close();
          watchers.delete(folder);
        }
      for (const folder of wanted) {
        if (watchers.has(folder)) continue;
        const watcher = startWatcher(folder, wake, () => watchers.delete(folder));
        if (watcher) watchers.set(folder, watcher);
      }
    },
    close() {
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}

/** Undefined when the folder is not there yet or the system has no watches left: polling goes on without. */
function startWatcher(folder: string, wake: () => void, lost: () => void): FSWatcher | undefined {
  try {
    const watcher = fs.watch(folder, wake);
    watcher.on('error', () => {
      watcher.close();
      lost();
    });
    return watcher;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
