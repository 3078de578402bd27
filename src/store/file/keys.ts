// Which documents there are: by their state files, and by their histories.
import { CouncilError } from '../../base/errors.ts';
import { orWarn } from './commit.ts';
import type { Layout } from './layout.ts';
import { project } from './projection.ts';
import { importedHead } from './read-head.ts';
import { readRevision } from './versions.ts';

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
  // A removal that was interrupted left its state file; nobody will ask for that key by name again.
  for (const [key, { revision, live, shown }] of found)
    if (!live && revision > 0 && shown)
      orWarn(layout, `${layout.projection(key)} is out of date`, () =>
        project(layout, key, readRevision(layout, key, revision)),
      );
  return found.flatMap(([key, { live }]) => (live ? [key] : [])).sort();
}

/** The newest revision of every key. */
export const revisions = (layout: Layout, prefix: string): Map<string, number> =>
  new Map([...heads(layout, prefix)].map(([key, { revision }]) => [key, revision]));

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
    const add = (): void => {
      layout.guard(key);
      found.set(key, { ...importedHead(layout, key), shown: shown.has(key) });
    };
    orWarn(layout, `"${key}" is skipped`, add, { hinted: true });
  }
  return found;
}
