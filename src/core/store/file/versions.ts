// File driver: finds, reads, lists and prunes versions.
import fs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { attempt, discard, fsyncDir, linkNew, listFolderNames, replacePath } from '../local/disk.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { nameFromSign, nameWhenAway } from '../census.ts';
import type { Layout } from './layout.ts';
import { readSoundStamp, readStampOfBytes, readTombstone, TOMBSTONE_BYTES } from './stamps.ts';
import { isKept, isThinned, KEPT_VERSIONS } from '../documents.ts';
import type { Stamp, Version } from '../documents.ts';

/** A revision of a key, usually the newest; revision 0: the key never existed. */
export interface Head {
  revision: number;
  bytes: Buffer;
  /** True for a tombstone. No bytes and no tombstone: something else than council emptied the file. */
  removed: boolean;
}

/** A crash may have left a few more to prune; one commit prunes at most this many. */
const PRUNED_AT_ONCE = 100;
const NOTHING = Buffer.alloc(0);
/** Every revision uses a file name, so this bounds the number that a state file or a version can claim. */
export const HIGHEST_REVISION = 10_000;

/**
 * Finds the newest revision of a key and its size in bytes. The names of versions have no gaps and are never
 * freed, so the search may start at any existing revision: at `hint`, or at the head last seen by this
 * process.
 */
export function findHead(layout: Layout, key: string, hint = 0): { revision: number; size: number } {
  const size = (revision: number): number | undefined => measureFileSize(layout.version(key, revision));
  let [low, lowSize] = [0, 0];
  for (const start of [hint, layout.seen.get(key) ?? 0]) {
    const found = start > low ? size(start) : undefined;
    if (found !== undefined) [low, lowSize] = [start, found];
  }
  let step = 1;
  let missing = low + 1;
  for (let next = size(missing); next !== undefined; next = size(missing)) {
    [low, lowSize, step] = [missing, next, step * 2];
    missing = low + step;
  }
  while (missing - low > 1) {
    const middle = Math.floor((low + missing) / 2);
    const found = size(middle);
    if (found === undefined) missing = middle;
    else [low, lowSize] = [middle, found];
  }
  layout.seen.set(key, low);
  // Perhaps pruned, because fifty others were committed meanwhile.
  if (low > 0 && lowSize === 0 && size(low + 1) !== undefined) return findHead(layout, key);
  return { revision: low, size: lowSize };
}

/** Reads the newest revision. */
export function readHead(layout: Layout, key: string, hint = 0): Head {
  const { revision } = findHead(layout, key, hint);
  if (revision === 0) return { revision, bytes: NOTHING, removed: false };
  const head = readRevision(layout, key, revision);
  layout.recent = { path: layout.version(key, revision), bytes: head.bytes };
  const overtaken =
    head.bytes.length === 0 && measureFileSize(layout.version(key, revision + 1)) !== undefined;
  return overtaken ? readHead(layout, key) : head;
}

export function readRevision(layout: Layout, key: string, revision: number): Head {
  const bytes = readBytes(layout.version(key, revision), { links: 'refuse' }) ?? NOTHING;
  return { revision, bytes, removed: readTombstone(bytes, key, revision) !== undefined };
}

/**
 * Returns the stamp of a version that is what the engine put there: the text of that revision, or an earlier
 * one that was committed again because all later ones were damaged. Any other earlier text is a copied file.
 */
export function readVersionStamp(layout: Layout, key: string, { revision, bytes }: Head): Stamp | undefined {
  const stamp = readStampOfBytes(layout, bytes);
  if (!stamp?.intact || stamp.revision > revision) return undefined;
  if (stamp.revision === revision) return stamp;
  if (stamp.revision === revision - 1) return undefined;
  for (let between = stamp.revision + 1; between < revision; between++) {
    const version = readRevision(layout, key, between);
    if (version.removed || readSoundStamp(layout, version.bytes, between)) return undefined;
  }
  return stamp;
}

/** Returns `head`, or a newer one committed since. */
export function readNewerHead(layout: Layout, key: string, head: Head): Head {
  return measureFileSize(layout.version(key, head.revision + 1)) === undefined
    ? head
    : readHead(layout, key, head.revision);
}

/**
 * Returns `found`, or the newest revision if the search ended early because a version was deleted. Gaps are
 * filled with empty files, because a free name could be linked a second time.
 */
export function closeGaps(layout: Layout, key: string, found: Head): Head {
  const numbers = listFolderNames(layout.history(key)).map((name) =>
    Number(/^([1-9]\d{0,8})\.md$/.exec(nameFromSign(name) ?? name)?.[1] ?? 0),
  );
  const newest = numbers.reduce((most, number) => Math.max(most, number), 0);
  if (newest <= found.revision) return found;
  if (newest - numbers.length > HIGHEST_REVISION) throw createTooFarError(layout, key, newest);
  const there = new Set(numbers);
  for (let revision = 1; revision < newest; revision++) {
    // A listing may include an entry created while it was read, and miss an earlier one; stat may miss a file
    // that is being emptied. Only the link is certain.
    if (there.has(revision) || measureFileSize(layout.version(key, revision)) !== undefined) continue;
    if (!takeFreeName(layout, layout.version(key, revision))) continue;
    layout.warn(`Revision ${revision} of "${key}" was missing, and newer ones are there: its text is lost.`);
  }
  return readHead(layout, key, newest);
}

/** Creates an empty file if there is none; false if the name is taken, so that nothing was missing. */
function takeFreeName(layout: Layout, path: string): boolean {
  const empty = layout.temps.write(NOTHING);
  try {
    if (!linkNew(empty, path)) return false;
    fsyncDir(dirname(path));
    return true;
  } finally {
    discard(empty);
  }
}

function createTooFarError(layout: Layout, key: string, newest: number): CouncilError {
  return new CouncilError(
    'corrupt',
    `${layout.version(key, newest)} does not belong to this history: too many are missing below it.`,
    {
      hint: 'Move that file away, then run the same command again.',
    },
  );
}

/** The revisions of a key, oldest first. */
export function listVersions(layout: Layout, key: string): Version[] {
  const { revision: newest } = findHead(layout, key);
  return Array.from({ length: newest }, (_, index) => {
    const path = layout.version(key, index + 1);
    const stat =
      attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false })) ?? statSign(path);
    const removed =
      stat.size > 0 && stat.size <= TOMBSTONE_BYTES && readRevision(layout, key, index + 1).removed;
    return { revision: index + 1, at: stat.mtime.toISOString(), bytes: removed ? 0 : stat.size };
  });
}

/** An offloaded file has only a placeholder. */
function statSign(path: string): { mtime: Date; size: number } {
  const sign = join(dirname(path), nameWhenAway(basename(path)));
  return { mtime: attempt('look at', path, () => fs.lstatSync(sign)).mtime, size: 0 };
}

/**
 * Empties the versions that need not keep their text beside the newest one, of `bytes`. Their names stay taken: a freed one
 * could be linked a second time by a process that was stopped for long.
 */
export function pruneVersions(layout: Layout, key: string, newest: number, bytes: number): void {
  const first = newest - KEPT_VERSIONS;
  const isThin = isThinned(bytes);
  for (
    let revision = isThin ? newest - 1 : first;
    revision > 0 && revision > first - PRUNED_AT_ONCE;
    revision--
  ) {
    if (isKept(revision, newest, bytes)) continue;
    const path = layout.version(key, revision);
    const stat = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
    if (!stat || (stat.size === 0 && !isThin)) return;
    if (stat.size === 0) continue;
    const empty = layout.temps.write(NOTHING, { durable: false });
    attempt('date', empty, () => fs.utimesSync(empty, stat.atime, stat.mtime));
    replacePath(empty, path);
  }
}
