// Finds what programs that sync have left, in all that is kept beside the councils, and by what folder a project is synced.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { takeCensus } from '../census.ts';
import type { Copy } from '../census.ts';
import type { ReadStamp } from '../documents.ts';
import { attempt, isFolder, listFolderNames } from '../local/disk.ts';
import { parseMessageDay } from '../message-log.ts';
import { findCopies } from './branches.ts';
import { createLayout } from './layout.ts';

/** Copies of messages, and of documents that are no councils. `shared` is `memory/shared`. Throws `io`. */
export const inspectCopies = (shared: string, readStamp: ReadStamp): Copy[] => [
  ...listFolders(join(shared, '.versions'), '.').flatMap((dir) =>
    findCopies(createLayout({ dir, root: shared, prefix: '', readStamp, warn: () => undefined })),
  ),
  ...listFolders(join(shared, 'channels'))
    .flatMap((channel) => [channel, ...listFolders(channel)])
    .flatMap(copiedMessages),
];

const listFolders = (dir: string, beginning = ''): string[] =>
  listFolderNames(dir)
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(dir, name))
    .filter(isFolder);

const copiedMessages = (dir: string): Copy[] =>
  [
    ...takeCensus(listFolderNames(dir), {
      keyOf: (name) => (parseMessageDay(name) === undefined ? undefined : name),
    }),
  ].flatMap(([name, { kind, of }]) => (kind === 'copy' ? { path: join(dir, name), of: join(dir, of) } : []));

/** What tells that a folder is synced: a name in it, or its own. */
const SYNCED: readonly { by: string; holds?: readonly string[]; isCalled?: RegExp }[] = [
  { by: 'Syncthing', holds: ['.stfolder'] },
  { by: 'Dropbox', holds: ['.dropbox.cache', '.dropbox'], isCalled: /^Dropbox(?: \(.+\))?$/ },
  { by: 'iCloud', isCalled: /^Mobile Documents$/ },
  { by: 'OneDrive', holds: ['.849C9593-D756-4E56-8D6E-42412F2A707B'], isCalled: /^OneDrive(?: - .+|-.+)?$/ },
  { by: 'Google Drive', holds: ['.tmp.drivedownload'], isCalled: /^(?:Google ?Drive|GoogleDrive-.+)$/ },
  { by: 'Nextcloud', holds: ['.nextcloudsync.log', '.owncloudsync.log'] },
  { by: 'Resilio Sync', holds: ['.sync/ID'] },
  { by: 'a cloud', isCalled: /^CloudStorage$/ },
];

/** The folder at or above `path` that a program syncs; undefined where none is known. Throws `io`. */
export function findSyncedFolder(path: string): { folder: string; by: string } | undefined {
  for (let folder = attempt('resolve', path, () => fs.realpathSync(path)); ; folder = dirname(folder)) {
    const name = folder.slice(dirname(folder).length).replace(/^[\\/]/, '');
    const found = SYNCED.find(
      ({ holds = [], isCalled }) =>
        isCalled?.test(name) === true || holds.some((one) => fs.existsSync(join(folder, one))),
    );
    if (found) return { folder, by: found.by };
    if (dirname(folder) === folder) return undefined;
  }
}
