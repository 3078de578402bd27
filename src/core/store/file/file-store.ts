// File driver: documents as state files with a version history.
import { setTimeout as wait } from 'node:timers/promises';
import { CouncilError, ignoreRefusal } from '../../base/errors.ts';
import { requireId } from '../../base/ids.ts';
import { decodeText } from '../../base/text.ts';
import { runInSpan } from '../../base/trace.ts';
import { findBranches } from './branches.ts';
import { commitTombstone, commitVersion, tryOrWarn } from './commit.ts';
import { discard, isFolder, warnOnStderr } from '../local/disk.ts';
import { runInTurn, runLocked } from './lock.ts';
import { listShownOrLiveKeys, listLiveKeysAndDropLeftovers, createRevisionReader } from './list-documents.ts';
import { tryReadHead, readImportedHead, readRepairedHead, readShownHead } from './read-head.ts';
import { judgeProjection, projectHead } from './projection.ts';
import { measureFileSize } from '../local/read.ts';
import type { Layout, LayoutOptions } from './layout.ts';
import { createLayout } from './layout.ts';
import { requireStamped, readStampOfBytes, toText } from './stamps.ts';
import type { Change, Documents, Stored, Updated, HandEdits } from '../documents.ts';
import { applyChange, toBytes } from '../update.ts';
import { listVersions, readRevision } from './versions.ts';
import { watchRevisions } from './watch.ts';
import { measureUptime } from '../local/system.ts';

/** Sweeping looks at every temp file: a long-lived writer need not do it on every commit. */
const SWEEP_EVERY_MS = 1000;
const LONGEST_PAUSE_MS = 500;

/**
 * Opens the documents in `dir` (absolute): `<prefix><key>.md` shows the newest revision, `.versions/<key>/`
 * contains the last fifty. `readStamp` distinguishes what the engine wrote from a person's changes. `warn`
 * receives each warning once.
 */
export function fileStore(
  options: Omit<LayoutOptions, 'warn'> & { warn?: (message: string) => void },
): Documents & HandEdits {
  const layout = createLayout({ ...options, warn: options.warn ?? warnOnStderr });
  const door = createStoreDoor(layout);
  return { ...createFileDocuments(layout, door), ...createFileHandEdits(layout, door) };
}

/** Checks at the start of every use of the store. */
interface StoreGuard {
  /** Throws `invalid_id`, and `unsafe_path` if the history of `key` is not council's own. */
  open(key: string, use: 'read' | 'write'): void;
  /** Deletes temp files of dead processes, if it is time for it. */
  sweep(use: 'read' | 'write'): void;
}

function createStoreDoor(layout: Layout): StoreGuard {
  let sweptAt = -Infinity;
  function sweep(use: 'read' | 'write'): void {
    const due = use === 'write' ? measureUptime() - sweptAt > SWEEP_EVERY_MS : sweptAt === -Infinity;
    if (!due) return;
    sweptAt = measureUptime();
    tryOrWarn(layout, 'Old temp files could not be swept', () => layout.temps.sweep());
  }
  return {
    open(key, use) {
      requireId(key, 'council name');
      layout.guard(key);
      sweep(use);
    },
    sweep,
  };
}

function createFileDocuments(layout: Layout, { open, sweep }: StoreGuard): Documents {
  return {
    async read(key) {
      open(key, 'read');
      return readLive(layout, key);
    },
    async revision(key) {
      open(key, 'read');
      return readImportedHead(layout, key).revision;
    },
    async commit(key, text, expectedRevision) {
      open(key, 'write');
      return runInSpan('council.commit', { 'council.document': key }, async (tell) => {
        const revision = commitText(layout, key, text, expectedRevision);
        tell({ 'council.revision': revision });
        return revision;
      });
    },
    async list(prefix = '', { look = true } = {}) {
      sweep('read');
      return look ? listLiveKeysAndDropLeftovers(layout, prefix) : listShownOrLiveKeys(layout, prefix);
    },
    watch: (prefix, onChange) =>
      watchRevisions(layout.watched, createRevisionReader(layout, prefix), onChange),
    async versions(key) {
      open(key, 'read');
      readImportedHead(layout, key);
      return listVersions(layout, key);
    },
    async readVersion(key, revision) {
      open(key, 'read');
      return readRevisionText(layout, key, revision);
    },
    async remove(key, expectedRevision) {
      open(key, 'write');
      return removeDocument(layout, key, expectedRevision);
    },
    async update(key, change) {
      open(key, 'write');
      return runInSpan('council.commit', { 'council.document': key }, async (tell) => {
        const updated = await updateDocument(layout, key, change);
        tell({ 'council.revision': updated.revision, 'council.committed': updated.committed });
        return updated;
      });
    },
  };
}

function createFileHandEdits(layout: Layout, { open }: StoreGuard): HandEdits {
  return {
    projectionPath: (key) => layout.projection(requireId(key, 'council name')),
    async isEdited(key) {
      open(key, 'read');
      if (readShownHead(layout, key)) return false;
      const { head, shown } = readRepairedHead(layout, key);
      return judgeProjection(layout, key, shown, head) === 'edited';
    },
    async holdsState(key) {
      open(key, 'read');
      const { shown } = readRepairedHead(layout, key);
      return shown !== undefined && readStampOfBytes(layout, shown) !== undefined;
    },
    async editedText(key) {
      open(key, 'read');
      const { head, shown } = readRepairedHead(layout, key);
      return shown && judgeProjection(layout, key, shown, head) === 'edited'
        ? decodeText(shown, layout.projection(key))
        : undefined;
    },
    async branches(wanted) {
      return findBranches(layout, wanted);
    },
    async dropEdit(key) {
      open(key, 'write');
      return projectHead(layout, key, readRepairedHead(layout, key).head, { evict: true });
    },
  };
}

/** Returns the live text, and rewrites an outdated state file. */
function readLive(layout: Layout, key: string): Stored | undefined {
  const seen = tryReadHead(layout, key);
  if (seen) return seen;
  const { head, text, shown } = readRepairedHead(layout, key);
  const current = text === undefined ? !shown : shown?.equals(head.bytes) || !layout.isShown(head.bytes);
  if (!current)
    tryOrWarn(layout, `${layout.projection(key)} is out of date`, () => projectHead(layout, key, head));
  return text === undefined ? undefined : { text, revision: head.revision };
}

function readRevisionText(layout: Layout, key: string, revision: number): string | undefined {
  readImportedHead(layout, key);
  if (!Number.isSafeInteger(revision)) return undefined;
  const { bytes, removed } = readRevision(layout, key, revision);
  if (bytes.length === 0 || removed) return undefined;
  const text = toText(bytes);
  if (text !== undefined) return text;
  throw new CouncilError('corrupt', `${layout.version(key, revision)} is damaged: it is not UTF-8.`, {
    hint: `See what else is kept: council history --name ${key}`,
  });
}

function commitText(layout: Layout, key: string, text: string, expected: number): number {
  const bytes = toBytes(key, text);
  requireStamped(layout, key, { bytes, text }, expected + 1);
  // Without that revision here, it may be in a state file to import.
  if (expected === 0 || measureFileSize(layout.version(key, expected)) === undefined)
    readImportedHead(layout, key);
  return commitVersion(layout, key, bytes, expected);
}

function removeDocument(layout: Layout, key: string, expected: number): number {
  readImportedHead(layout, key);
  return commitTombstone(layout, key, expected);
}

async function updateDocument(layout: Layout, key: string, change: Change): Promise<Updated> {
  await waitForOthers(layout, key);
  let began = 0;
  const look = () => {
    began = measureUptime();
    const { head, text } = readRepairedHead(layout, key);
    const live = text === undefined ? undefined : { text, revision: head.revision };
    return { live, revision: head.revision };
  };
  const commitAndRecord = (text: string, expected: number): number => {
    const revision = commitText(layout, key, text, expected);
    layout.updated.set(key, { at: measureUptime(), took: measureUptime() - began });
    return revision;
  };
  const attempt = () => applyChange(key, change, look, commitAndRecord);
  if (!layout.isCrowded(key)) return runInTurn(layout.history(key), attempt);
  return runWithMarker(layout, key, () => runLocked(layout.history(key), attempt, { warn: layout.warn }));
}

/**
 * After a commit the next one waits as long as it took: changes ready by then are written with it (`amend`).
 * So commits take at most half of the time, even in a council of a thousand, where each commit writes
 * everything. A first one never waits.
 */
async function waitForOthers(layout: Layout, key: string): Promise<void> {
  const last = layout.updated.get(key);
  const left = last ? last.at + Math.min(last.took, LONGEST_PAUSE_MS) - measureUptime() : 0;
  if (left >= 1) await wait(left);
}

/**
 * Runs an action that locks. Meanwhile a marker names the process that may have the lock: once the marker of
 * a dead process is swept, its lock is freed, and no process waits for it to go stale. If another process has
 * the lock by then, only the order of waiting processes changes.
 */
async function runWithMarker<T>(layout: Layout, key: string, action: () => Promise<T>): Promise<T> {
  const marker = leaveMarker(layout, key);
  try {
    return await action();
  } finally {
    if (marker !== undefined) discard(marker);
  }
}

function leaveMarker(layout: Layout, key: string): string | undefined {
  if (!isFolder(layout.histories)) return undefined;
  // On a full disk the commit reports it; an action without a change needs no space.
  return ignoreRefusal(
    () => layout.temps.write(new Uint8Array(), { label: `lock-${key}`, durable: false }),
    'io',
  );
}
