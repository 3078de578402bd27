// Which documents there are: by their state files, and by their histories, whose folders have a fingerprint each.
import { CouncilError } from '../../base/errors.ts';
import { orWarn } from './commit.ts';
import type { Layout } from './layout.ts';
import { project } from './projection.ts';
import { importedHead } from './read-head.ts';
import { readRevision } from './versions.ts';
import fs from 'node:fs';
import { attempt } from '../local/disk.ts';

/** The keys whose state file is there, and those without one that are live all the same, sorted. */
export function candidates(layout: Layout, prefix: string): string[] {
  layout.guard();
  const shown = layout.keysWithProjection().filter((key) => key.startsWith(prefix));
  const known = new Set(shown);
  const hidden = layout
    .keysWithHistory()
    .filter((key) => key.startsWith(prefix) && !known.has(key) && mayBeLive(layout, key));
  return [...shown, ...hidden].sort();
}

/** Also when it cannot be told: reading it will say why, and the others are listed. */
function mayBeLive(layout: Layout, key: string): boolean {
  try {
    layout.guard(key);
    return importedHead(layout, key).live;
  } catch (error) {
    if (error instanceof CouncilError) return true;
    throw error;
  }
}

/** The keys with live text, sorted. */
export function liveKeys(layout: Layout, prefix: string): string[] {
  const found = [...heads(layout, prefix)];
  // A removal that was interrupted left its state file; that key is not asked for by name again.
  for (const [key, { revision, live, shown }] of found)
    if (!live && revision > 0 && shown)
      orWarn(layout, `${layout.projection(key)} is out of date`, () =>
        project(layout, key, readRevision(layout, key, revision)),
      );
  return found.flatMap(([key, { live }]) => (live ? [key] : [])).sort();
}

/** Tells the newest revision of every key, again and again: it does not look into a history that has not changed since. */
export function revisionLooks(layout: Layout, prefix: string): () => Map<string, number> {
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
        onHead(layout, key, ({ revision }) => {
          found.set(key, { mark, revision });
        });
    }
    known = found;
    return new Map([...found].map(([key, { revision }]) => [key, revision]));
  };
}

/** The heads of all keys with a prefix that have a history, or a state file that can start one; `shown`: there is one. */
function heads(
  layout: Layout,
  prefix: string,
): Map<string, { revision: number; live: boolean; shown: boolean }> {
  layout.guard();
  const shown = new Set(layout.keysWithProjection());
  const found = new Map<string, { revision: number; live: boolean; shown: boolean }>();
  for (const key of new Set([...layout.keysWithHistory(), ...shown])) {
    if (!key.startsWith(prefix)) continue;
    onHead(layout, key, (head) => {
      found.set(key, { ...head, shown: shown.has(key) });
    });
  }
  return found;
}

/** One that cannot be read is told and left out. */
function onHead(layout: Layout, key: string, use: (head: ReturnType<typeof importedHead>) => void): void {
  const look = (): void => {
    layout.guard(key);
    use(importedHead(layout, key));
  };
  orWarn(layout, `"${key}" is skipped`, look, { hinted: true });
}

/** What changed so shortly before may have changed again within the same tick of a file system's clock. */
const SETTLED_MS = 2000;

/** Whether a change at `changedMs` would show beside a later one, seen from `now` (both ms since the epoch). */
export const isSettled = (changedMs: number, now: number): boolean => changedMs <= now - SETTLED_MS;

/**
 * Any commit changes it. Undefined where nothing can be told by the folder: it is missing, no folder, or has changed only
 * just before `now` (ms since the epoch). Take it before looking into the folder. Throws `io`.
 */
export function fingerprintFolder(path: string, now: number): string | undefined {
  const stat = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  if (!stat?.isDirectory() || !isSettled(stat.ctimeMs, now)) return undefined;
  return `${stat.ino} ${stat.ctimeMs}`;
}
