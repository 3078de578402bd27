// File driver: commits a new revision or a tombstone.
import { dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { discard, fsyncDir, isFolder, linkNew } from '../local/disk.ts';
import { projectHead } from './projection.ts';
import { measureFileSize } from '../local/read.ts';
import type { Layout } from './layout.ts';
import { readStampOfBytes, renderTombstone } from './stamps.ts';
import { findHead, pruneVersions, readRevision } from './versions.ts';

const SAVED = 'The change is saved, but something after it failed';

/**
 * Makes `bytes` revision `expected + 1` of a key and returns that number. Durable when it returns. Throws
 * `conflict` if the head is not `expected`, `commit_uncertain` if the new name may not survive a power
 * failure, `no_hard_links`, `io`. Failures after the commit is durable are only warned about.
 */
export function commitVersion(
  layout: Layout,
  key: string,
  bytes: Buffer,
  expected: number,
  { removed = false } = {},
): number {
  const revision = expected + 1;
  const target = layout.version(key, revision);
  layout.guard(key);
  // Names are never freed, so the results of these two checks stay valid until the link.
  if (expected > 0 && measureFileSize(layout.version(key, expected)) === undefined)
    throw createConflictError(layout, key, expected);
  if (measureFileSize(target) !== undefined) throw createConflictError(layout, key, expected);
  if (expected === 0) makeHistory(layout, key);

  const isShown = !removed && layout.isShown(bytes);
  const version = layout.temps.write(bytes);
  let ready: string | undefined;
  try {
    if (isShown) ready = layout.temps.write(bytes);
    if (!linkNew(version, target)) throw createConflictError(layout, key, expected);
    makeCertain(dirname(target), key, revision);
  } catch (error) {
    if (ready !== undefined) discard(ready);
    throw error;
  } finally {
    discard(version);
  }
  layout.seen.set(key, revision);
  if (isShown || removed)
    tryOrWarn(layout, SAVED, () =>
      projectHead(layout, key, { revision, bytes, removed }, { ready, evict: removed }),
    );
  tryOrWarn(layout, SAVED, () => pruneVersions(layout, key, revision, bytes.length));
  layout.recent = { path: target, bytes };
  return revision;
}

/** Ends a key's live text with a tombstone and returns its revision. Throws like `commitVersion`. */
export function commitTombstone(layout: Layout, key: string, expected: number): number {
  const ended = readRevision(layout, key, expected);
  if (expected === 0 || ended.removed) throw createConflictError(layout, key, expected);
  const id = readStampOfBytes(layout, ended.bytes)?.id ?? null;
  const bytes = renderTombstone({ key, revision: expected + 1, id });
  return commitVersion(layout, key, bytes, expected, { removed: true });
}

/** Only creation makes folders, and syncs their names before anything can be committed into them. */
function makeHistory(layout: Layout, key: string): void {
  // The name of that folder has to be made durable once, even if another process created it.
  if (!layout.isMade || !isFolder(layout.histories)) layout.makeFolder(layout.histories);
  layout.isMade = true;
  layout.makeFolder(layout.history(key));
}

function makeCertain(dir: string, key: string, revision: number): void {
  try {
    fsyncDir(dir);
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const message = `Revision ${revision} of "${key}" is written, but a power cut may undo it: ${error.message}`;
    throw new CouncilError('commit_uncertain', message, {
      hint: `Check the disk, then look whether the change is there: council status --name ${key}`,
      details: { ...error.details, revision },
      cause: error,
    });
  }
}

function createConflictError(layout: Layout, key: string, expected: number): CouncilError {
  const { revision } = findHead(layout, key);
  return new CouncilError(
    'conflict',
    `"${key}" is at revision ${revision}, not at ${expected}: somebody else changed it.`,
    {
      hint: 'Run the same command again.',
      details: { revision, expected },
    },
  );
}

/**
 * Runs an optional step, because the documents themselves are safe: an `io` failure becomes a warning.
 * `hinted`: includes the hint, if it does not tell people to repeat a command that has succeeded.
 */
export function tryOrWarn(
  layout: Layout,
  what: string,
  action: () => unknown,
  { hinted = false }: { hinted?: boolean } = {},
): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof CouncilError)) throw error;
    const hint = hinted && error.hint ? `\n${error.hint}` : '';
    layout.warn(`${what}: ${error.message}${hint}`);
  }
}
