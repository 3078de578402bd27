// Inspections for the doctor: the private folder, conflict copies, synced folders, and the file system.
import fs from 'node:fs';
import { join, dirname, sep } from 'node:path';
import { catchRefusal, ignoreSystemFault } from '../../base/errors.ts';
import type { CouncilError } from '../../base/errors.ts';
import { isId } from '../../base/ids.ts';
import { attempt, isFolder, listFolderNames, lstatPath, statPath } from '../local/disk.ts';
import { getPrivateRoot, refuseInside } from './private-dir.ts';
import { takeCensus } from '../census.ts';
import type { UnusedCopy } from '../census.ts';
import type { ReadStamp } from '../documents.ts';
import { parseMessageDay } from '../message-log.ts';
import type { Project } from '../local/project.ts';
import { findCopies, listFolderCopies } from './branches.ts';
import { createLayout } from './layout.ts';

export interface PrivateFacts {
  path: string;
  /** Undefined if it does not exist yet. */
  kind: 'folder' | 'other' | undefined;
  /** The permission bits of the folder. */
  mode: number;
  /** Why its location is not allowed, or null. */
  inside: CouncilError | null;
  /** Files and folders in it that others may read or write. */
  loose: string[];
  /** Files and folders in it, or the folder itself, owned by another user. */
  foreign: string[];
  /** Absolute paths of everything in it. */
  files: string[];
}

/** Inspects the private folder without changing it; using it would remove others' permissions. Throws `io`. */
export function inspectPrivate(env: NodeJS.ProcessEnv, projectRoot: string | undefined): PrivateFacts {
  const path = getPrivateRoot(env);
  const facts: PrivateFacts = {
    path,
    kind: undefined,
    mode: 0,
    inside: (projectRoot !== undefined && catchRefusal(() => refuseInside(path, projectRoot))) || null,
    loose: [],
    foreign: [],
    files: [],
  };
  const stat = statPath(path);
  if (!stat) return facts;
  facts.mode = stat.mode & 0o777;
  facts.kind = stat.isDirectory() ? 'folder' : 'other';
  if (facts.kind === 'other') return facts;
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) facts.foreign.push(path);
  facts.files = listFilesRecursively(path);
  for (const below of facts.files) {
    const own = lstatPath(below);
    if (!own) continue;
    if (uid !== undefined && own.uid !== uid) facts.foreign.push(below);
    if (!own.isSymbolicLink() && (own.mode & 0o077) !== 0) facts.loose.push(below);
  }
  return facts;
}

function listFilesRecursively(dir: string): string[] {
  return listFolderNames(dir).flatMap((name) => {
    const path = join(dir, name);
    const isFolder = fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder ? [path, ...listFilesRecursively(path)] : [path];
  });
}

/** Finds copies of council's folders, of messages, and of documents other than councils. Throws `io`. */
export function inspectCopies(project: Project, readStamp: ReadStamp): UnusedCopy[] {
  const { root, shared, archives, agents, modes, personas } = project;
  const own = [agents, modes, personas, archives, dirname(shared), shared, join(shared, 'channels')];
  return [
    ...[root, dirname(shared), shared].flatMap((parent) =>
      listFolderCopies(parent, (name) => own.includes(join(parent, name))),
    ),
    ...listFolders(join(shared, '.versions'), '.').flatMap((dir) =>
      findCopies(createLayout({ dir, root: shared, prefix: '', readStamp, warn: () => undefined })),
    ),
    ...listFolderCopies(join(shared, 'channels'), isId),
    ...listFolders(join(shared, 'channels'))
      .flatMap((channel) => [channel, ...listFolders(channel)])
      .flatMap(listCopiedMessages),
  ];
}

const listFolders = (dir: string, beginning = ''): string[] =>
  listFolderNames(dir)
    .filter((name) => name.startsWith(beginning))
    .map((name) => join(dir, name))
    .filter(isFolder);

const listCopiedMessages = (dir: string): UnusedCopy[] =>
  [
    ...takeCensus(listFolderNames(dir), {
      parseKey: (name) => (parseMessageDay(name) === undefined ? undefined : name),
    }),
  ].flatMap(([name, { kind, of }]) => (kind === 'copy' ? { path: join(dir, name), of: join(dir, of) } : []));

/** Signs of a synced folder: a name inside it, or its own. */
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

/** Returns the synced folder at or above `path`; undefined if none is known. Throws `io`. */
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

/** The file system of a folder. */
export interface MountFacts {
  /** Such as ext4 or nfs4; null if unknown. */
  type: string | null;
  /** True if another machine stores it; null if the type is not known. */
  network: boolean | null;
  /** Mounted read-only. */
  readOnly: boolean;
}

const NETWORK =
  /^(nfs\d?|cifs|smb\w*|ncpfs|9p|afs|coda|ceph|glusterfs|lustre|gpfs|beegfs|ocfs2|gfs2|davfs|virtiofs|vboxsf|fuse\.(sshfs|rclone|s3fs|gcsfuse|glusterfs|ceph.*|davfs2?|smb.*|vmhgfs.*))$/;

/** Queries the file system of `path` (an existing folder). Throws `io`. */
export function inspectMount(path: string): MountFacts {
  const real = attempt('resolve', path, () => fs.realpathSync(path));
  const mount = findMountOfPath(real, readMounts());
  return {
    type: mount?.type ?? null,
    network: mount === undefined ? null : NETWORK.test(mount.type),
    readOnly: mount?.readOnly ?? false,
  };
}

/** Whether only this machine changes a folder, so that the system reports every change; false if unknown. */
export function isOwnMount(folder: string): boolean {
  const mount = ignoreSystemFault(() => findMountOfPath(fs.realpathSync(folder), readMounts()));
  // fuse file systems are served by a program, which may fetch from anywhere.
  return mount !== undefined && !NETWORK.test(mount.type) && !mount.type.startsWith('fuse');
}

interface Mount {
  type: string;
  readOnly: boolean;
}

/** Finds the mount of `path`: the longest mount point above it, and of two on one point the later. */
export function findMountOfPath(path: string, mounts: string): Mount | undefined {
  let best: { point: string; mount: Mount } | undefined;
  for (const line of mounts.split('\n')) {
    const [, written, type, options] = line.split(' ');
    if (written === undefined || type === undefined) continue;
    // Spaces and backslashes in mount points are escaped as \040 and so on.
    const point = written.replace(/\\([0-7]{3})/g, (_, code: string) =>
      String.fromCharCode(parseInt(code, 8)),
    );
    const holds = path === point || path.startsWith(point.endsWith(sep) ? point : point + sep);
    if (!holds || point.length < (best?.point.length ?? 0)) continue;
    best = { point, mount: { type, readOnly: options?.split(',').includes('ro') === true } };
  }
  return best?.mount;
}

/** Only Linux has that file; elsewhere the type stays unknown. */
const readMounts = (): string =>
  ignoreSystemFault(() => fs.readFileSync('/proc/self/mounts').toString('utf8'), 'ENOENT') ?? '';
