// File driver: the private folder for sealed texts and spools.
import fs from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CouncilError, getSystemCode, ignoreRefusal } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import {
  asIoError,
  attempt,
  isFolder,
  isThere,
  makeDir,
  listFolderNames,
  resolveRealPath,
  replacePath,
  unlinkIfThere,
} from '../local/disk.ts';
import { listFolderEntries, removeFolder } from '../local/folders.ts';
import { isConversationId, requireConversationId, requireFileName } from '../names.ts';
import { readBytes, measureFileSize } from '../local/read.ts';
import { placeOnce, openTempFolder } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import { KEPT_AFTER_ARCHIVE_MS } from '../small-files.ts';
import type { PrivateTexts } from '../small-files.ts';
import { findUserFolder, requireUserFolder } from '../local/system.ts';

export const OWNER_ONLY = { fileMode: 0o600, dirMode: 0o700 };
/** The file in a conversation's folder with the time it was archived. */
const ARCHIVED = '.archived';
/** File names in a conversation's folder. */
const OUR_FILE = /^(\.archived|[A-Za-z0-9][A-Za-z0-9._-]{0,199})$/;
/** The folder for texts that belong to no known council. */
const KEPT = 'kept';

interface PrivatePlace {
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}

/** The private folder on the disk, with a folder per conversation and one for kept texts. */
interface PrivateFolder {
  root: string;
  temps: Temps;
  /** Throws `unsafe_private_dir`; checks only once, before the first use. */
  check(): void;
  /** Returns a folder in it, after checking that no other user can read it; undefined if there is none. */
  findFolder(name: string): string | undefined;
  /** The same, created if missing. */
  makeFolder(name: string): string;
  put(dir: string, name: string, bytes: Uint8Array, options?: { durable?: boolean }): string;
}

/**
 * The private folder `$XDG_STATE_HOME/council` (default `~/.local/state/council`), created on first use. Its
 * operations reject with `unsafe_private_dir` if it is inside the project or readable by others.
 */
export function openPrivateDir(place: PrivatePlace): PrivateTexts {
  const folder = createPrivateFolder(place);
  const findTextFolder = (conversationId: string): string | undefined =>
    folder.findFolder(requireConversationId(conversationId));
  return {
    write: async (conversationId, name, bytes, options) =>
      folder.put(
        folder.makeFolder(requireConversationId(conversationId)),
        requireFileName(name),
        bytes,
        options,
      ),
    async read(conversationId, name) {
      const dir = findTextFolder(conversationId);
      return dir === undefined ? undefined : readBytes(join(dir, requireFileName(name)), { links: 'refuse' });
    },
    async list(conversationId) {
      const dir = findTextFolder(conversationId);
      return dir ? listFolderNames(dir).filter((name) => name !== ARCHIVED) : [];
    },
    async size(conversationId, name) {
      const dir = findTextFolder(conversationId);
      return dir === undefined ? undefined : measureFileSize(join(dir, requireFileName(name)));
    },
    path: (conversationId, name) =>
      join(folder.root, requireConversationId(conversationId), requireFileName(name)),
    keep: async (name, bytes) => folder.put(folder.makeFolder(KEPT), requireFileName(name), bytes),
    async listKept() {
      const dir = folder.findFolder(KEPT);
      return dir
        ? listFolderNames(dir).map((name) => ({ name, bytes: measureFileSize(join(dir, name)) ?? 0 }))
        : [];
    },
    async markArchived(conversationId, at) {
      const dir = findTextFolder(conversationId);
      if (dir && !fs.existsSync(join(dir, ARCHIVED))) folder.put(dir, ARCHIVED, Buffer.from(at));
    },
    async remove(conversationId, name) {
      const dir = findTextFolder(conversationId);
      if (dir !== undefined) unlinkIfThere(join(dir, requireFileName(name)));
    },
    sweep: async (now) => sweepArchivedFolders(folder, now),
    get mark() {
      return sha256(resolveExistingPart(folder.root)).slice(0, 16);
    },
  };
}

function createPrivateFolder({ env, projectRoot }: PrivatePlace): PrivateFolder {
  const root = getPrivateRoot(env);
  const temps = openTempFolder(join(root, '.tmp'), { root, holding: OUR_FILE, ...OWNER_ONLY });
  let checked = false;
  /** Folders whose names this process has made durable: once is enough. */
  const known = new Set<string>();

  function check(): void {
    if (checked) return;
    refuseInside(root, projectRoot);
    if (fs.existsSync(root)) {
      requirePrivate(resolveRealPath(root));
      temps.sweep();
    }
    checked = true;
  }
  function findFolder(name: string): string | undefined {
    check();
    const dir = join(root, name);
    if (!isThere(dir)) return undefined;
    requirePrivate(dir);
    return dir;
  }
  function makeFolder(name: string): string {
    const dir = join(root, name);
    if (known.has(dir) && findFolder(name) !== undefined) return dir;
    check();
    makeDir(root, OWNER_ONLY.dirMode);
    requirePrivate(resolveRealPath(root));
    makeDir(dir, OWNER_ONLY.dirMode);
    requirePrivate(dir);
    known.add(dir);
    return dir;
  }
  return { root, temps, check, findFolder, makeFolder, put: (...what) => putText(temps, ...what) };
}

function putText(
  temps: Temps,
  dir: string,
  name: string,
  bytes: Uint8Array,
  { durable = true }: { durable?: boolean } = {},
): string {
  const path = join(dir, name);
  if (placeOnce(temps, path, bytes, durable)) return path;
  throw new CouncilError(
    'failed',
    `${path} exists already with other content (${bytes.length} bytes were to be written).`,
    {
      hint: 'Private files are never overwritten; look at the one that is there.',
    },
  );
}

function sweepArchivedFolders({ root, temps, check }: PrivateFolder, now: number): string[] {
  check();
  return listFolderNames(root).filter((name) => {
    const dir = join(root, name);
    if (!isConversationId(name) || !isFolder(dir)) return false;
    const mark = readMark(join(dir, ARCHIVED));
    // An unreadable date compares as false: without a valid mark nothing is deleted.
    if (!(now - Date.parse(mark ?? '') > KEPT_AFTER_ARCHIVE_MS)) return false;
    // Files not written by council are never deleted.
    if (!listFolderEntries(dir).every((entry) => entry.isFile() && OUR_FILE.test(entry.name))) return false;
    // Moved first: a crash in the middle must not leave a folder without its mark.
    const aside = temps.path();
    replacePath(dir, aside);
    return removeFolder(aside, (file) => OUR_FILE.test(file));
  });
}

/** Returns undefined for an unreadable mark, too: then nothing is deleted. */
function readMark(path: string): string | undefined {
  return ignoreRefusal(() => readBytes(path, { limit: 100, links: 'refuse' })?.toString());
}

/** Returns the path of the private folder, existing or not. */
export const getPrivateRoot = (env: NodeJS.ProcessEnv): string =>
  join(requireUserFolder(env, 'XDG_STATE_HOME', '.local/state'), 'council');

/** Like `getPrivateRoot`, but undefined for a user without a home, or a process whose variables are hidden. */
export function findPrivateRoot(env: NodeJS.ProcessEnv): string | undefined {
  const state = findUserFolder(env, 'XDG_STATE_HOME', '.local/state');
  return state === undefined ? undefined : join(state, 'council');
}

/** Throws `unsafe_private_dir` if the private folder, which `variable` can move, is inside the project. */
export function refuseInside(root: string, projectRoot: string, variable = 'XDG_STATE_HOME'): void {
  const way = relative(resolveExistingPart(projectRoot), resolveExistingPart(root));
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  throw new CouncilError(
    'unsafe_private_dir',
    `The private folder ${root} lies inside the project ${projectRoot}, where every participant could read it.`,
    {
      hint: `Set ${variable} to a folder outside the project.`,
    },
  );
}

/** Resolves the existing part of a path, and appends the rest. */
function resolveExistingPart(path: string): string {
  try {
    return resolveRealPath(path);
  } catch (error) {
    if (getSystemCode(error) !== 'ENOENT') throw asIoError(error, 'resolve', path);
    return dirname(path) === path
      ? path
      : resolve(resolveExistingPart(dirname(path)), relative(dirname(path), path));
  }
}

/** Refuses a folder that is a link or owned by another user; removes others' permissions from an own one. */
export function requirePrivate(dir: string, variable = 'XDG_STATE_HOME'): void {
  const stat = attempt('look at', dir, () => fs.lstatSync(dir));
  const uid = process.getuid?.();
  const fault = !stat.isDirectory()
    ? 'is not a folder'
    : uid !== undefined && stat.uid !== uid
      ? `belongs to another user (uid ${stat.uid})`
      : undefined;
  if (fault !== undefined) {
    throw new CouncilError('unsafe_private_dir', `The private folder ${dir} ${fault}.`, {
      hint: `Move it away, or set ${variable} to a folder of your own.`,
    });
  }
  if (process.platform !== 'win32' && (stat.mode & 0o077) !== 0) closeToOthers(dir);
}

/** Uses a descriptor: even if the path is replaced meanwhile, a link is not followed. */
function closeToOthers(dir: string): void {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  attempt('close to others', dir, () => {
    const fd = fs.openSync(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      fs.fchmodSync(fd, OWNER_ONLY.dirMode);
    } finally {
      fs.closeSync(fd);
    }
  });
}
