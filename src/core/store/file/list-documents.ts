// Lists the keys of documents and their newest revisions; skips unchanged histories by a fingerprint of the folder.
import { ignoreRefusal } from '../../base/errors.ts';
import { tryOrWarn } from './commit.ts';
import type { Layout } from './layout.ts';
import { projectHead } from './projection.ts';
import { readImportedHead } from './read-head.ts';
import { readRevision } from './versions.ts';
import { lstatPath } from '../local/disk.ts';

/** Returns the keys with a state file, and live keys without one, sorted. */
export function listShownOrLiveKeys(layout: Layout, prefix: string): string[] {
  layout.guard();
  const shown = layout.keysWithProjection().filter((key) => key.startsWith(prefix));
  const known = new Set(shown);
  const hidden = layout
    .keysWithHistory()
    .filter((key) => key.startsWith(prefix) && !known.has(key) && mayBeLive(layout, key));
  return [...shown, ...hidden].sort();
}

/** True also if unreadable, so that reading the key reports the error. */
function mayBeLive(layout: Layout, key: string): boolean {
  const isLive = ignoreRefusal(() => {
    layout.guard(key);
    return readImportedHead(layout, key).live;
  });
  return isLive ?? true;
}

/** Returns the keys with live text, sorted. Removes a state file that an interrupted removal left. */
export function listLiveKeysAndDropLeftovers(layout: Layout, prefix: string): string[] {
  const found = [...readHeads(layout, prefix)];
  // An interrupted removal left the state file; nothing will read that key by name again.
  for (const [key, { revision, live, shown }] of found)
    if (!live && revision > 0 && shown)
      tryOrWarn(layout, `${layout.projection(key)} is out of date`, () =>
        projectHead(layout, key, readRevision(layout, key, revision)),
      );
  return found.flatMap(([key, { live }]) => (live ? [key] : [])).sort();
}

/**
 * Returns a function that reads the newest revision of every key, ended ones included, skipping histories that
 * have not changed since its last call. An unreadable one is left out, with a warning.
 */
export function createRevisionReader(layout: Layout, prefix: string): () => Map<string, number> {
  let known = new Map<string, { mark: string | undefined; revision: number }>();
  return () => {
    layout.guard();
    const now = Date.now();
    const found: typeof known = new Map();
    for (const key of new Set([...layout.keysWithHistory(), ...layout.keysWithProjection()])) {
      if (!key.startsWith(prefix)) continue;
      const mark = fingerprintFolder(layout.history(key), now);
      const before = known.get(key);
      if (mark !== undefined && before?.mark === mark) found.set(key, before);
      else
        readHeadOrWarn(layout, key, ({ revision }) => {
          found.set(key, { mark, revision });
        });
    }
    known = found;
    return new Map([...found].map(([key, { revision }]) => [key, revision]));
  };
}

/**
 * Returns the heads of all keys with a prefix that have a history, or a state file that can start one;
 * `shown`: has a state file.
 */
function readHeads(
  layout: Layout,
  prefix: string,
): Map<string, { revision: number; live: boolean; shown: boolean }> {
  layout.guard();
  const shown = new Set(layout.keysWithProjection());
  const found = new Map<string, { revision: number; live: boolean; shown: boolean }>();
  for (const key of new Set([...layout.keysWithHistory(), ...shown])) {
    if (!key.startsWith(prefix)) continue;
    readHeadOrWarn(layout, key, (head) => {
      found.set(key, { ...head, shown: shown.has(key) });
    });
  }
  return found;
}

/** Reports an unreadable key and skips it. */
function readHeadOrWarn(
  layout: Layout,
  key: string,
  use: (head: ReturnType<typeof readImportedHead>) => void,
): void {
  const read = (): void => {
    layout.guard(key);
    use(readImportedHead(layout, key));
  };
  tryOrWarn(layout, `"${key}" is skipped`, read, { hinted: true });
}

/** File systems' clocks are coarse: two changes within this time may have the same timestamp. */
const TIMESTAMP_SETTLED_MS = 2000;

/** Whether a timestamp is old enough at `now` (both ms since the epoch) that any later change gets a different one. */
export const isTimestampSettled = (changedMs: number, now: number): boolean =>
  changedMs <= now - TIMESTAMP_SETTLED_MS;

/**
 * Returns the fingerprint of a folder whose ctime every commit changes. Undefined if it is missing, not a folder,
 * or was changed just before `now` (ms since the epoch). Take it before looking into the folder. Throws `io`.
 */
export function fingerprintFolder(path: string, now: number): string | undefined {
  const stat = lstatPath(path);
  if (!stat?.isDirectory() || !isTimestampSettled(stat.ctimeMs, now)) return undefined;
  return `${stat.ino} ${stat.ctimeMs}`;
}
