// Which documents there are: by their state files, and by their histories.
import { CouncilError } from '../../base/errors.ts';
import { orWarn } from './commit.ts';
import type { Shelf } from './layout.ts';
import { project } from './projection.ts';
import { importedHead } from './read-head.ts';
import { readRevision } from './versions.ts';

/** The keys whose state file is there, and those without one that are live all the same, sorted. */
export function candidates(shelf: Shelf, prefix: string): string[] {
  shelf.guard();
  const shown = shelf.keysWithProjection().filter((key) => key.startsWith(prefix));
  const known = new Set(shown);
  const hidden = shelf
    .keysWithHistory()
    .filter((key) => key.startsWith(prefix) && !known.has(key) && mayBeLive(shelf, key));
  return [...shown, ...hidden].sort();
}

/** Also when it cannot be told: reading it will say why, and the others are listed. */
function mayBeLive(shelf: Shelf, key: string): boolean {
  try {
    shelf.guard(key);
    return importedHead(shelf, key).live;
  } catch (error) {
    if (error instanceof CouncilError) return true;
    throw error;
  }
}

/** The keys with live text, sorted. */
export function liveKeys(shelf: Shelf, prefix: string): string[] {
  const found = [...heads(shelf, prefix)];
  // A removal that was interrupted left its state file; nobody will ask for that key by name again.
  for (const [key, { revision, live, shown }] of found)
    if (!live && revision > 0 && shown)
      orWarn(shelf, `${shelf.projection(key)} is out of date`, () =>
        project(shelf, key, readRevision(shelf, key, revision)),
      );
  return found.flatMap(([key, { live }]) => (live ? [key] : [])).sort();
}

/** The newest revision of every key. */
export const revisions = (shelf: Shelf, prefix: string): Map<string, number> =>
  new Map([...heads(shelf, prefix)].map(([key, { revision }]) => [key, revision]));

/** The heads of all keys with a prefix that have a history, or a state file that can start one; `shown`: there is one. */
function heads(
  shelf: Shelf,
  prefix: string,
): Map<string, { revision: number; live: boolean; shown: boolean }> {
  shelf.guard();
  const shown = new Set(shelf.keysWithProjection());
  const found = new Map<string, { revision: number; live: boolean; shown: boolean }>();
  for (const key of new Set([...shelf.keysWithHistory(), ...shown])) {
    if (!key.startsWith(prefix)) continue;
    const add = (): void => {
      shelf.guard(key);
      found.set(key, { ...importedHead(shelf, key), shown: shown.has(key) });
    };
    orWarn(shelf, `"${key}" is skipped`, add, { hinted: true });
  }
  return found;
}
