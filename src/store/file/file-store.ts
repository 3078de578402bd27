import { dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { decodeText } from '../../base/text.ts';
import { commitTombstone, commitVersion, orWarn } from './commit.ts';
import { discard, isFolder, warnOnStderr } from '../local/disk.ts';
import { withLock } from './lock.ts';
import { glance, importedHead, lookAt } from './read-head.ts';
import { judge, project } from './projection.ts';
import { sizeOf } from '../local/read.ts';
import type { Shelf, ShelfOptions } from './layout.ts';
import { shelfIn } from './layout.ts';
import { requireStamped, stampOf, toBytes, toText } from './stamped.ts';
import type { Store } from '../documents.ts';
import { applyChange } from '../update.ts';
import { listVersions, readRevision } from './versions.ts';
import { watchRevisions } from './watch.ts';
import { elapsed } from '../local/system.ts';

/** The default store: one state file per document for people, and its history beside it. */
export interface FileStore extends Store {
  /** The state file that people open. */
  projectionPath(key: string): string;
  /** True while the state file holds a hand edit: commits go on, the file is left alone. */
  isEdited(key: string): boolean;
  /** True when a state block can be read in the state file: without one a hand edit cannot be adopted. */
  holdsState(key: string): boolean;
  /** The text of the hand edit, for adopting it: commit it (stamped anew), then `dropEdit`. Throws `invalid_text` when it is not UTF-8. */
  editedText(key: string): string | undefined;
  /** Shows the head again. A hand edit is kept under `.edits/` first; returns that path. */
  dropEdit(key: string): string | undefined;
}

/** Sweeping looks at every temp file: a long-lived writer need not do it at every commit. */
const SWEEP_EVERY_MS = 1000;

/**
 * Documents in `dir` (absolute): `<prefix><key>.md` shows the newest revision, `.versions/<key>/` holds the last fifty.
 * `readStamp` tells what the engine wrote from what a person changed. `warn` hears, once each, what a person should know.
 */
export function fileStore(
  options: Omit<ShelfOptions, 'warn'> & { warn?: (message: string) => void },
): FileStore {
  const shelf = shelfIn({ ...options, warn: options.warn ?? warnOnStderr });
  let sweptAt = -Infinity;

  function open(key: string, use: 'read' | 'write'): void {
    requireId(key, 'council name');
    shelf.guard(key);
    sweep(use);
  }
  function sweep(use: 'read' | 'write'): void {
    const due = use === 'write' ? elapsed() - sweptAt > SWEEP_EVERY_MS : sweptAt === -Infinity;
    if (!due) return;
    sweptAt = elapsed();
    orWarn(shelf, 'Old temp files could not be swept', () => shelf.temps.sweep());
  }

  /** Keys whose state file is there, and those without one that are live all the same. */
  function candidates(prefix: string): string[] {
    shelf.guard();
    const shown = shelf.keysWithProjection().filter((key) => key.startsWith(prefix));
    const known = new Set(shown);
    const hidden = shelf
      .keysWithHistory()
      .filter((key) => key.startsWith(prefix) && !known.has(key) && mayBeLive(key));
    return [...shown, ...hidden].sort();
  }
  /** Also when it cannot be told: reading it will say why, and the others are listed. */
  function mayBeLive(key: string): boolean {
    try {
      shelf.guard(key);
      return importedHead(shelf, key).live;
    } catch (error) {
      if (error instanceof CouncilError) return true;
      throw error;
    }
  }

  /** The heads of all keys with a prefix that have a history, or a state file that can start one; `shown`: there is one. */
  function heads(prefix: string): Map<string, { revision: number; live: boolean; shown: boolean }> {
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

  function commit(key: string, text: string, expected: number): number {
    const bytes = toBytes(key, text);
    requireStamped(shelf, key, text, expected + 1);
    // Without that revision here it may be in a state file that waits to be imported.
    if (expected === 0 || sizeOf(shelf.version(key, expected)) === undefined) importedHead(shelf, key);
    return commitVersion(shelf, key, bytes, expected);
  }

  return {
    async read(key) {
      open(key, 'read');
      const seen = glance(shelf, key);
      if (seen) return seen;
      const { head, text, shown } = lookAt(shelf, key);
      const current = text === undefined ? !shown : shown?.equals(head.bytes);
      if (!current) orWarn(shelf, `${shelf.projection(key)} is out of date`, () => project(shelf, key, head));
      return text === undefined ? undefined : { text, revision: head.revision };
    },
    async revision(key) {
      open(key, 'read');
      return importedHead(shelf, key).revision;
    },
    async commit(key, text, expectedRevision) {
      open(key, 'write');
      return commit(key, text, expectedRevision);
    },
    async list(prefix = '', { look = true } = {}) {
      sweep('read');
      if (!look) return candidates(prefix);
      const found = [...heads(prefix)];
      // A removal that was interrupted left its state file; nobody will ask for that key by name again.
      for (const [key, { revision, live, shown }] of found)
        if (!live && revision > 0 && shown)
          orWarn(shelf, `${shelf.projection(key)} is out of date`, () =>
            project(shelf, key, readRevision(shelf, key, revision)),
          );
      return found.flatMap(([key, { live }]) => (live ? [key] : [])).sort();
    },
    watch(prefix, onChange) {
      const revisions = (): Map<string, number> =>
        new Map([...heads(prefix)].map(([key, { revision }]) => [key, revision]));
      return watchRevisions([dirname(shelf.histories), shelf.histories], revisions, onChange);
    },
    async versions(key) {
      open(key, 'read');
      importedHead(shelf, key);
      return listVersions(shelf, key);
    },
    async readVersion(key, revision) {
      open(key, 'read');
      importedHead(shelf, key);
      if (!Number.isSafeInteger(revision)) return undefined;
      const { bytes, removed } = readRevision(shelf, key, revision);
      if (bytes.length === 0 || removed) return undefined;
      const text = toText(bytes);
      if (text !== undefined) return text;
      throw new CouncilError('corrupt', `${shelf.version(key, revision)} is damaged: it is not UTF-8.`, {
        hint: `See what else is kept: council history --name ${key}`,
      });
    },
    async remove(key, expectedRevision) {
      open(key, 'write');
      importedHead(shelf, key);
      return commitTombstone(shelf, key, expectedRevision);
    },
    async update(key, change) {
      open(key, 'write');
      const attempt = () =>
        applyChange(
          key,
          change,
          () => {
            const { head, text } = lookAt(shelf, key);
            return {
              live: text === undefined ? undefined : { text, revision: head.revision },
              revision: head.revision,
            };
          },
          (text, expected) => commit(key, text, expected),
        );
      return marked(shelf, key, () => withLock(shelf.history(key), attempt, { warn: shelf.warn }));
    },
    projectionPath: (key) => shelf.projection(requireId(key, 'council name')),
    isEdited(key) {
      open(key, 'read');
      const { head, shown } = lookAt(shelf, key);
      return judge(shelf, key, shown, head) === 'edited';
    },
    holdsState(key) {
      open(key, 'read');
      const { shown } = lookAt(shelf, key);
      return shown !== undefined && stampOf(shelf, shown) !== undefined;
    },
    editedText(key) {
      open(key, 'read');
      const { head, shown } = lookAt(shelf, key);
      return shown && judge(shelf, key, shown, head) === 'edited'
        ? decodeText(shown, shelf.projection(key))
        : undefined;
    },
    dropEdit(key) {
      open(key, 'write');
      return project(shelf, key, lookAt(shelf, key).head, { evict: true }).kept;
    },
  };
}

/**
 * Runs an action that locks while a marker says who may hold the lock: whoever sweeps the marker of a dead process frees
 * the lock, and nobody waits for it to go stale. Should it be another's by then, that costs fairness only.
 */
async function marked<T>(shelf: Shelf, key: string, action: () => Promise<T>): Promise<T> {
  const marker = leaveMarker(shelf, key);
  try {
    return await action();
  } finally {
    if (marker !== undefined) discard(marker);
  }
}

function leaveMarker(shelf: Shelf, key: string): string | undefined {
  if (!isFolder(shelf.histories)) return undefined;
  try {
    return shelf.temps.write(new Uint8Array(), { label: `lock-${key}`, durable: false });
  } catch (error) {
    // On a full disk the commit says so; a change that turns out to be none needs no space.
    if (error instanceof CouncilError && error.code === 'io') return undefined;
    throw error;
  }
}
