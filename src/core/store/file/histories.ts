// File driver: imports the history of a document from another store.
import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { requireId, sha256 } from '../../base/ids.ts';
import { asIoError, attempt, fsyncDir, isFolder, writeNew } from '../local/disk.ts';
import { removeFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';
import type { ArrivingRevision, Histories } from '../documents.ts';
import { createLayout, VERSION_NAME } from './layout.ts';
import type { Layout, LayoutOptions } from './layout.ts';
import { readImportedHead } from './read-head.ts';
import { readStampOfBytes, renderTombstone } from './stamps.ts';
import { readRevision } from './versions.ts';

const isOurs = (name: string): boolean => VERSION_NAME.test(name);

/** Opens the histories of a folder of documents; the options are those of its store. */
export function openFileHistories(options: LayoutOptions): Histories {
  const layout = createLayout(options);
  return {
    keys: async () => layout.keysWithHistory().filter((key) => isFolder(layout.history(key))),
    async hash(key, revision) {
      layout.guard(requireId(key, 'council name'));
      const { bytes, removed } = readRevision(layout, key, revision);
      return bytes.length === 0 || removed ? undefined : sha256(bytes);
    },
    async receive(key, revisions) {
      layout.guard(requireId(key, 'council name'));
      const { revision, live } = readImportedHead(layout, key);
      if (revision === revisions.length && !live) return;
      if (live || revision > revisions.length) throw createOtherHistoryError(key);
      placeHistory(layout, key, revisions, revision);
    },
  };
}

const createOtherHistoryError = (key: string): CouncilError =>
  new CouncilError('conflict', `Somebody has begun another "${key}" in the files of the project.`, {
    hint: 'Run the same command again.',
  });

/** Builds the history aside and moves it in one step: half a history would look complete. */
function placeHistory(
  layout: Layout,
  key: string,
  revisions: readonly ArrivingRevision[],
  known: number,
): void {
  const aside = layout.temps.path();
  const history = layout.history(key);
  try {
    layout.makeFolder(layout.histories);
    attempt('create the folder', aside, () => fs.mkdirSync(aside));
    for (const one of revisions) buildRevision(layout, key, aside, one, revisions);
    fsyncDir(aside);
    // The existing ended history is part of the imported one; after an interruption it is imported again.
    if (known > 0) {
      const before = layout.temps.path();
      fs.renameSync(history, before);
      fs.renameSync(aside, history);
      fsyncDir(layout.histories);
      removeFolder(before, isOurs);
      return;
    }
    fs.renameSync(aside, history);
    fsyncDir(layout.histories);
  } catch (error) {
    removeFolder(aside, isOurs);
    if (['ENOTEMPTY', 'EEXIST'].includes(getSystemCode(error) ?? '')) throw createOtherHistoryError(key);
    throw asIoError(error, 'take in', history);
  }
}

/** Builds one revision, reads it back and compares it. A revision without a text keeps the existing one. */
function buildRevision(
  layout: Layout,
  key: string,
  aside: string,
  { revision, at, text }: ArrivingRevision,
  all: readonly ArrivingRevision[],
): void {
  const path = join(aside, `${revision}.md`);
  const bytes = text === undefined ? findMissingRevisionBytes(layout, key, revision, all) : Buffer.from(text);
  writeNew(path, bytes, { durable: bytes.length > 0 });
  if (!readBytes(path)?.equals(bytes))
    throw new CouncilError(
      'corrupt',
      `Revision ${revision} of "${key}" was written otherwise than it came.`,
      {
        hint: 'Check the disk, then run the same command again.',
      },
    );
  const date = new Date(at);
  attempt('date', path, () => fs.utimesSync(path, date, date));
}

/** Returns the bytes for a revision without a text: existing ones, the tombstone for the last, or none. */
function findMissingRevisionBytes(
  layout: Layout,
  key: string,
  revision: number,
  all: readonly ArrivingRevision[],
): Buffer {
  const here = readBytes(layout.version(key, revision));
  if (here && here.length > 0) return here;
  if (revision !== all.length) return Buffer.alloc(0);
  const before = all.at(-2)?.text;
  const id = before === undefined ? null : (readStampOfBytes(layout, Buffer.from(before))?.id ?? null);
  return renderTombstone({ key, revision, id });
}
