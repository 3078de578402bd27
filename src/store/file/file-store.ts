// File driver: documents as state files with a history of versions.
import { dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { decodeText } from '../../base/text.ts';
import { commitTombstone, commitVersion, orWarn } from './commit.ts';
import { discard, isFolder, warnOnStderr } from '../local/disk.ts';
import { withLock } from './lock.ts';
import { candidates, liveKeys, revisions } from './keys.ts';
import { glance, importedHead, lookAt } from './read-head.ts';
import { judge, project } from './projection.ts';
import { sizeOf } from '../local/read.ts';
import type { Shelf, ShelfOptions } from './layout.ts';
import { shelfIn } from './layout.ts';
import { requireStamped, stampOf, toText } from './stamped.ts';
import type { Change, Documents, Stored, Updated } from '../documents.ts';
import type { HandEdits } from '../hand-edits.ts';
import { applyChange, toBytes } from '../update.ts';
import { listVersions, readRevision } from './versions.ts';
import { watchRevisions } from './watch.ts';
import { elapsed } from '../local/system.ts';

/** Sweeping looks at every temp file: a long-lived writer need not do it at every commit. */
const SWEEP_EVERY_MS = 1000;

/**
 * Documents in `dir` (absolute): `<prefix><key>.md` shows the newest revision, `.versions/<key>/` holds the last fifty.
 * `readStamp` tells what the engine wrote from what a person changed. `warn` hears, once each, what a person should know.
 */
export function fileStore(
  options: Omit<ShelfOptions, 'warn'> & { warn?: (message: string) => void },
): Documents & HandEdits {
  const shelf = shelfIn({ ...options, warn: options.warn ?? warnOnStderr });
  const door = doorOf(shelf);
  return { ...documentsIn(shelf, door), ...handEditsIn(shelf, door) };
}

/** What every use of the store begins with. */
interface Door {
  /** Throws `invalid_id`, and `unsafe_path` where the history of `key` is not council's own. */
  open(key: string, use: 'read' | 'write'): void;
  /** Deletes what dead processes left, when it is time for it. */
  sweep(use: 'read' | 'write'): void;
}

function doorOf(shelf: Shelf): Door {
  let sweptAt = -Infinity;
  function sweep(use: 'read' | 'write'): void {
    const due = use === 'write' ? elapsed() - sweptAt > SWEEP_EVERY_MS : sweptAt === -Infinity;
    if (!due) return;
    sweptAt = elapsed();
    orWarn(shelf, 'Old temp files could not be swept', () => shelf.temps.sweep());
  }
  return {
    open(key, use) {
      requireId(key, 'council name');
      shelf.guard(key);
      sweep(use);
    },
    sweep,
  };
}

function documentsIn(shelf: Shelf, { open, sweep }: Door): Documents {
  return {
    async read(key) {
      open(key, 'read');
      return readLive(shelf, key);
    },
    async revision(key) {
      open(key, 'read');
      return importedHead(shelf, key).revision;
    },
    async commit(key, text, expectedRevision) {
      open(key, 'write');
      return commit(shelf, key, text, expectedRevision);
    },
    async list(prefix = '', { look = true } = {}) {
      sweep('read');
      return look ? liveKeys(shelf, prefix) : candidates(shelf, prefix);
    },
    watch: (prefix, onChange) =>
      watchRevisions([dirname(shelf.histories), shelf.histories], () => revisions(shelf, prefix), onChange),
    async versions(key) {
      open(key, 'read');
      importedHead(shelf, key);
      return listVersions(shelf, key);
    },
    async readVersion(key, revision) {
      open(key, 'read');
      return textOf(shelf, key, revision);
    },
    async remove(key, expectedRevision) {
      open(key, 'write');
      return remove(shelf, key, expectedRevision);
    },
    async update(key, change) {
      open(key, 'write');
      return update(shelf, key, change);
    },
  };
}

function handEditsIn(shelf: Shelf, { open }: Door): HandEdits {
  return {
    projectionPath: (key) => shelf.projection(requireId(key, 'council name')),
    async isEdited(key) {
      open(key, 'read');
      const { head, shown } = lookAt(shelf, key);
      return judge(shelf, key, shown, head) === 'edited';
    },
    async holdsState(key) {
      open(key, 'read');
      const { shown } = lookAt(shelf, key);
      return shown !== undefined && stampOf(shelf, shown) !== undefined;
    },
    async editedText(key) {
      open(key, 'read');
      const { head, shown } = lookAt(shelf, key);
      return shown && judge(shelf, key, shown, head) === 'edited'
        ? decodeText(shown, shelf.projection(key))
        : undefined;
    },
    async dropEdit(key) {
      open(key, 'write');
      return project(shelf, key, lookAt(shelf, key).head, { evict: true }).kept;
    },
  };
}

/** The live text; a state file that does not show it is written anew. */
function readLive(shelf: Shelf, key: string): Stored | undefined {
  const seen = glance(shelf, key);
  if (seen) return seen;
  const { head, text, shown } = lookAt(shelf, key);
  const current = text === undefined ? !shown : shown?.equals(head.bytes);
  if (!current) orWarn(shelf, `${shelf.projection(key)} is out of date`, () => project(shelf, key, head));
  return text === undefined ? undefined : { text, revision: head.revision };
}

function textOf(shelf: Shelf, key: string, revision: number): string | undefined {
  importedHead(shelf, key);
  if (!Number.isSafeInteger(revision)) return undefined;
  const { bytes, removed } = readRevision(shelf, key, revision);
  if (bytes.length === 0 || removed) return undefined;
  const text = toText(bytes);
  if (text !== undefined) return text;
  throw new CouncilError('corrupt', `${shelf.version(key, revision)} is damaged: it is not UTF-8.`, {
    hint: `See what else is kept: council history --name ${key}`,
  });
}

function commit(shelf: Shelf, key: string, text: string, expected: number): number {
  const bytes = toBytes(key, text);
  requireStamped(shelf, key, text, expected + 1);
  // Without that revision here it may be in a state file that waits to be imported.
  if (expected === 0 || sizeOf(shelf.version(key, expected)) === undefined) importedHead(shelf, key);
  return commitVersion(shelf, key, bytes, expected);
}

function remove(shelf: Shelf, key: string, expected: number): number {
  importedHead(shelf, key);
  return commitTombstone(shelf, key, expected);
}

function update(shelf: Shelf, key: string, change: Change): Promise<Updated> {
  const look = () => {
    const { head, text } = lookAt(shelf, key);
    const live = text === undefined ? undefined : { text, revision: head.revision };
    return { live, revision: head.revision };
  };
  const attempt = () =>
    applyChange(key, change, look, (text, expected) => commit(shelf, key, text, expected));
  return marked(shelf, key, () => withLock(shelf.history(key), attempt, { warn: shelf.warn }));
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
