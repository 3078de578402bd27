// File driver: imports state files without a history and repairs damaged heads.
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { quoteShellWord } from '../../base/text.ts';
import { commitVersion } from './commit.ts';
import { asIoError, attempt, discard, fsyncDir, linkNew, replacePath, writeNew } from '../local/disk.ts';
import { removeFolder } from '../local/folders.ts';
import { findMisplacement } from './misplaced.ts';
import { VERSION_NAME } from './layout.ts';
import type { Layout } from './layout.ts';
import { readClaimedRevision, readStampOfBytes, readTombstone } from './stamps.ts';
import type { Stamp } from '../documents.ts';
import { placeOnce } from '../local/temps.ts';
import type { Head } from './versions.ts';
import { HIGHEST_REVISION, readRevision, readVersionStamp } from './versions.ts';
import { KEPT_VERSIONS } from '../documents.ts';

/**
 * Starts the history of a state file that has none (a fresh clone), at the file's own revision. The history
 * is built aside and appears in one step; if another process was faster, its history stays. Throws
 * `hand_edit` if the file is not exactly what the engine wrote, or belongs to another name.
 */
export function importHistory(layout: Layout, key: string, shown: Buffer): void {
  const stamp = readImportableStamp(layout, shown);
  if (!stamp) throw createImportError(layout, key, shown);
  const refused = findMisplacement(layout, key, stamp);
  if (refused) throw refused;
  const aside = layout.temps.path();
  try {
    layout.makeFolder(layout.histories);
    attempt('create the folder', aside, () => fs.mkdirSync(aside));
    for (let revision = 1; revision < stamp.revision; revision++)
      writeNew(join(aside, `${revision}.md`), new Uint8Array(), { durable: false });
    writeNew(join(aside, `${stamp.revision}.md`), shown);
    fsyncDir(aside);
    fs.renameSync(aside, layout.history(key));
    fsyncDir(layout.histories);
  } catch (error) {
    removeFolder(aside, (name) => VERSION_NAME.test(name));
    if (['ENOTEMPTY', 'EEXIST'].includes(getSystemCode(error) ?? '')) return;
    throw asIoError(error, 'import', layout.history(key));
  }
}

/** Returns why `importHistory` would refuse a state file; undefined if it would not. */
export function findImportRefusal(layout: Layout, key: string, shown: Buffer): CouncilError | undefined {
  const stamp = readImportableStamp(layout, shown);
  return stamp ? findMisplacement(layout, key, stamp) : createImportError(layout, key, shown);
}

function readImportableStamp(layout: Layout, shown: Buffer): Stamp | undefined {
  const stamp = readStampOfBytes(layout, shown);
  const isSound = stamp?.intact && stamp.revision >= 1 && stamp.revision <= HIGHEST_REVISION;
  return isSound ? stamp : undefined;
}

function createImportError(layout: Layout, key: string, shown: Buffer): CouncilError {
  const path = layout.projection(key);
  const message =
    shown.length === 0
      ? `${path} is empty, and there is no history here to put it back from.`
      : `${path} has no history here, and it is not exactly as the engine wrote it.`;
  return new CouncilError('hand_edit', message, {
    hint: `Put the original back (from git or a backup), or give it up with: ${renderMoveAwayCommand(path)}`,
    details: { path },
  });
}

/** Returns the command that moves a file or folder out of the way. */
const renderMoveAwayCommand = (path: string): string =>
  `mv ${quoteShellWord(path)} ${quoteShellWord(`${path}.damaged`)}`;

/**
 * Restores the newest revision from a state file that is one ahead of the history: the version is linked
 * before the state file is written, so it must have been deleted. Returns false for any other file: an edit,
 * a copy, another clone's text.
 */
export function putBackLost(layout: Layout, key: string, head: Head, shown: Buffer): boolean {
  if (!isLostHead(layout, key, head, shown)) return false;
  const revision = head.revision + 1;
  const temp = layout.temps.write(shown);
  try {
    if (linkNew(temp, layout.version(key, revision)))
      layout.warn(
        `Revision ${revision} of "${key}" was missing; it was put back from ${layout.projection(key)}.`,
      );
    fsyncDir(layout.history(key));
  } finally {
    discard(temp);
  }
  return true;
}

/** True if an intact state file is the text that followed `head`, or the first one after a tombstone. */
export function isLostHead(layout: Layout, key: string, head: Head, shown: Buffer): boolean {
  if (head.revision === 0 || readClaimedRevision(shown) !== head.revision + 1) return false;
  const stamp = readStampOfBytes(layout, shown);
  if (!stamp?.intact || stamp.revision !== head.revision + 1) return false;
  if (head.removed)
    return (
      stamp.previous === undefined &&
      stamp.id !== findLastId(layout, key, head) &&
      findMisplacement(layout, key, stamp) === undefined
    );
  return (stamp.name ?? key) === key && isSuccessor(stamp, readStampOfBytes(layout, head.bytes));
}

/** False only if two texts show that one was not made from the other; unknown without a readable predecessor. */
function isSuccessor(stamp: Stamp, before: Stamp | undefined): boolean {
  if (!before?.intact) return true;
  return stamp.id === before.id && (stamp.previous === undefined || stamp.previous === before.hash);
}

/** Returns the identity of the document that a tombstone ended. */
const findLastId = (layout: Layout, key: string, { revision, bytes }: Head): string | null | undefined =>
  bytes.length > 0
    ? readTombstone(bytes, key, revision)?.id
    : readStampOfBytes(layout, readRevision(layout, key, revision - 1).bytes)?.id;

/**
 * Repairs a head whose bytes are not what the engine wrote: from the state file if that has the same
 * revision, else by committing the last good text again. The damaged bytes are kept. Throws `corrupt` if no
 * good text is left.
 */
export function repairHead(layout: Layout, key: string, head: Head, shown: Buffer | undefined): void {
  const said =
    head.bytes.length === 0
      ? `Revision ${head.revision} of "${key}" was found empty`
      : `Revision ${head.revision} of "${key}" was damaged on the disk (kept as ${quarantineHead(layout, key, head)})`;
  if (shown && holdsRevision(layout, key, shown, head.revision)) {
    const good = layout.temps.write(shown);
    replacePath(good, layout.version(key, head.revision));
    fsyncDir(layout.history(key));
    layout.warn(`${said} and was repaired from ${layout.projection(key)}.`);
    return;
  }
  const good = findNewestSoundText(layout, key, head.revision, shown);
  if (!good) throw createBeyondRepairError(layout, key, shown, said);
  const revision = commitVersion(layout, key, good.bytes, head.revision);
  layout.warn(
    `${said}. The text of revision ${good.revision} was put back as revision ${revision}; what came after it ${head.bytes.length === 0 ? 'is lost' : 'is only in the damaged copy'}.`,
  );
}

/** Returns what `repairHead` would throw; undefined if it would repair the head. Changes nothing. */
export function findRepairRefusal(
  layout: Layout,
  key: string,
  head: Head,
  shown: Buffer | undefined,
): CouncilError | undefined {
  const { revision, bytes } = head;
  if ((shown && holdsRevision(layout, key, shown, revision)) || findLastSoundVersion(layout, key, revision))
    return undefined;
  const found = bytes.length === 0 ? 'was found empty' : 'is damaged on the disk';
  return createBeyondRepairError(layout, key, shown, `Revision ${revision} of "${key}" ${found}`);
}

/** Nothing is lost by moving both away; an intact state file starts a new history. */
function createBeyondRepairError(
  layout: Layout,
  key: string,
  shown: Buffer | undefined,
  said: string,
): CouncilError {
  const [history, path] = [layout.history(key), layout.projection(key)];
  const aside = renderMoveAwayCommand(history);
  const isWhole = shown && findImportRefusal(layout, key, shown) === undefined;
  const goOn = isWhole
    ? `${path} is whole: to go on from its revision ${readClaimedRevision(shown)}, move the history away (${aside}).`
    : `Or, if git or a backup has ${path}: move the history away (${aside}), then put that file back.`;
  const giveUp = shown ? `${aside} && ${renderMoveAwayCommand(path)}` : aside;
  return new CouncilError('corrupt', `${said}, and no good text of it is left.`, {
    hint: `Put ${history} back from a backup. ${goOn}\nTo give the council up: ${giveUp}`,
    details: { path: history },
  });
}

/** True if the state file is an intact text of exactly that revision, from this history. */
function holdsRevision(layout: Layout, key: string, shown: Buffer, revision: number): boolean {
  const stamp = readStampOfBytes(layout, shown);
  if (!stamp?.intact || stamp.revision !== revision) return false;
  const before = readRevision(layout, key, revision - 1);
  return (
    (stamp.name ?? key) === key &&
    (before.removed || isSuccessor(stamp, readStampOfBytes(layout, before.bytes)))
  );
}

/** Returns the newest sound text below a revision: a version, or a later text in the state file. */
function findNewestSoundText(
  layout: Layout,
  key: string,
  below: number,
  shown: Buffer | undefined,
): Pick<Head, 'revision' | 'bytes'> | undefined {
  const good = findLastSoundVersion(layout, key, below);
  const stamp = shown && readStampOfBytes(layout, shown);
  if (!shown || !good || !stamp?.intact || stamp.revision <= good.revision || stamp.revision >= below)
    return good;
  return stamp.id === readStampOfBytes(layout, good.bytes)?.id && (stamp.name ?? key) === key
    ? { revision: stamp.revision, bytes: shown }
    : good;
}

/** Returns the newest sound version below a revision, after the last tombstone. */
function findLastSoundVersion(layout: Layout, key: string, below: number): Head | undefined {
  for (let revision = below - 1; revision > 0 && revision > below - KEPT_VERSIONS; revision--) {
    const version = readRevision(layout, key, revision);
    if (version.removed) return undefined;
    if (readVersionStamp(layout, key, version)) return version;
  }
  return undefined;
}

function quarantineHead(layout: Layout, key: string, { revision, bytes }: Head): string {
  layout.makeFolder(layout.quarantine);
  const path = join(
    layout.quarantine,
    `${basename(layout.projection(key), '.md')}-${revision}-${sha256(bytes).slice(0, 12)}.md`,
  );
  placeOnce(layout.temps, path, bytes);
  return path;
}
