// File driver: fingerprint of a folder of revisions, to skip one that has not changed.
import fs from 'node:fs';
import { attempt } from '../local/disk.ts';

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
