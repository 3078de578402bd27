// File driver: paths and shared state of a folder of documents.
import { join, basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { dropRepeats } from '../../base/memoize.ts';
import { isId } from '../../base/ids.ts';
import { asIoError, attempt, listFolderNames, lstatPath, unlinkIfThere } from '../local/disk.ts';
import { makeOwnFolder, hasOwnFolder, removeEmptyFolder } from '../local/folders.ts';
import type { ReadStamp, Stamp } from '../documents.ts';
import { measureUptime } from '../local/system.ts';
import { openTempFolder } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import fs from 'node:fs';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { readBytes } from '../local/read.ts';

/** File names of revisions, in a history and in one being built. */
export const VERSION_NAME = /^\d+\.md$/;

/** A file's bytes, text and stamp. */
export interface Content {
  bytes: Buffer;
  /** Undefined if the bytes are not UTF-8. */
  text: string | undefined;
  /** Undefined if there is none that can be read. */
  stamp: Stamp | undefined;
}

/** A folder of documents: its paths, and what the parts of the file store share. */
export interface Layout {
  readonly temps: Temps;
  readonly readStamp: ReadStamp;
  /** Whether a text gets a state file. Otherwise the state file of an earlier revision stays as it is. */
  readonly isShown: (bytes: Uint8Array) => boolean;
  /** Whether writers of a key from different processes queue up for a lock; their writes are safe either way. */
  readonly isCrowded: (key: string) => boolean;
  /** The folder of the state files. */
  readonly dir: string;
  /** Returns the key of a state file by its name; undefined for any other name. */
  parseKey(name: string): string | undefined;
  /** The folders to watch; every commit changes one of them. */
  readonly watched: string[];
  /** Warns people once; repetitions are dropped. */
  readonly warn: (message: string) => void;
  /** The newest known revision of a key: numbers only grow, so the search for the head can start there. */
  readonly seen: Map<string, number>;
  /** When this process last committed a change to a key, and how many ms that took. */
  readonly updated: Map<string, { at: number; took: number }>;
  /** The version that was read or written last: most commits compare the state file with it. */
  recent: { path: string; bytes: Buffer } | undefined;
  /** The content that was read or written last. */
  content: Content | undefined;
  /** The keys whose history this process has checked for gaps. */
  readonly checked: Set<string>;
  /** Whether this process has created, or found, the folder of histories. */
  isMade: boolean;
  /** The project's folder: its own folders may not be links; a state file may be a link to a file below it. */
  readonly root: string;
  /** Creates one of council's own folders. Throws `unsafe_path`, `io`. */
  makeFolder(path: string): void;
  /** Throws `unsafe_path` if the histories, or that of `key`, are reached through a link. */
  guard(key?: string): void;
  readonly histories: string;
  history(key: string): string;
  version(key: string, revision: number): string;
  /** The state file that people open: a copy of the newest revision. */
  projection(key: string): string;
  /** Folders for hand edits and damaged files. */
  edits: string;
  quarantine: string;
  /** Keys with a history, and keys with a state file, sorted. */
  keysWithHistory(): string[];
  keysWithProjection(): string[];
}

export interface LayoutOptions {
  /** Absolute path of `memory/shared`. */
  dir: string;
  /** The project's folder, which may be reached through links; `dir` by default. */
  root?: string;
  /** The prefix of the state files' names, such as "council-". */
  prefix: string;
  /** Which texts get a state file, too: all by default. Texts that are only passed through get none. */
  isShown?: (bytes: Uint8Array) => boolean;
  /** Which keys have so many writers that they take turns: all by default. Other writers retry. */
  isCrowded?: (key: string) => boolean;
  readStamp: ReadStamp;
  warn: (message: string) => void;
}

/** Creates a layout without touching the disk. */
export function createLayout({
  dir,
  root = dir,
  prefix,
  readStamp,
  isShown = () => true,
  isCrowded,
  warn,
}: LayoutOptions): Layout {
  const histories = join(dir, '.versions');
  const temporary = join(dir, '.tmp');
  const history = (key: string): string => join(histories, key);
  const parseKey = (name: string): string | undefined => {
    const key =
      name.startsWith(prefix) && name.endsWith('.md') ? name.slice(prefix.length, -'.md'.length) : '';
    return isId(key) ? key : undefined;
  };
  return {
    dir,
    parseKey,
    // The marker of a dead lock holder: frees its lock before it goes stale.
    temps: openTempFolder(temporary, {
      root,
      holding: VERSION_NAME,
      onSwept: (label) =>
        freeLock(label, (key) => (hasOwnFolder(root, histories) ? history(key) : undefined)),
    }),
    readStamp,
    isShown,
    isCrowded: isCrowded ?? (() => true),
    // A lock changes `histories`; without one the temp file changes `temporary`.
    watched: [dir, histories, ...(isCrowded ? [temporary] : [])],
    warn: dropRepeats(warn),
    seen: new Map(),
    updated: new Map(),
    checked: new Set(),
    isMade: false,
    root,
    makeFolder: (path) => makeOwnFolder(root, path),
    guard: createFolderGuard(root, histories),
    recent: undefined,
    content: undefined,
    histories,
    history,
    version: (key, revision) => join(histories, key, `${revision}.md`),
    projection: (key) => join(dir, `${prefix}${key}.md`),
    edits: join(dir, '.edits'),
    quarantine: join(dir, '.quarantine'),
    keysWithHistory: () => listFolderNames(histories).filter(isId),
    keysWithProjection: () => listFolderNames(dir).flatMap((name) => parseKey(name) ?? []),
  };
}

/** The lock is an empty folder. */
function freeLock(label: string, history: (key: string) => string | undefined): void {
  const key = label.replace(/^lock-/, '');
  const path = isId(key) ? history(key) : undefined;
  if (path !== undefined) removeEmptyFolder(`${path}.lock`);
}

/** How long a check of the parent folders is valid, for loops over ten thousand histories. */
const GUARDED_MS = 5;

function createFolderGuard(root: string, histories: string): Layout['guard'] {
  let lookedAt = -Infinity;
  return (key) => {
    if (key === undefined || measureUptime() - lookedAt > GUARDED_MS)
      lookedAt = hasOwnFolder(root, histories) ? measureUptime() : -Infinity;
    if (key !== undefined) hasOwnFolder(lookedAt === -Infinity ? root : histories, join(histories, key));
  };
}

/**
 * Returns the path of a key's state file. If a person has made it a link, returns its target, so that a
 * rename onto it leaves the link in place. Throws `unsafe_path` if it leads out of the project, or into a
 * hidden folder, which may contain the histories.
 */
export function resolveStateFile(layout: Layout, key: string): string {
  const path = layout.projection(key);
  const stat = lstatPath(path);
  if (!stat?.isSymbolicLink()) return path;
  const target = resolveLinkTarget(path);
  if (typeof target !== 'string') throw createLinkError(path, target.lost);
  const way = relative(
    attempt('resolve', layout.root, () => fs.realpathSync(layout.root)),
    target,
  );
  const isHidden = way.split(sep).some((part) => part.startsWith('.'));
  if (isHidden || isAbsolute(way)) throw createLinkError(path, `to ${target}`);
  return target;
}

/** Returns the bytes of the state file; undefined if there is none. Throws like `resolveStateFile`, and `io`. */
export const readState = (layout: Layout, key: string): Buffer | undefined =>
  readBytes(resolveStateFile(layout, key));

/** Deletes the state file, and the link to it if there is one. */
export function removeState(layout: Layout, key: string): void {
  unlinkIfThere(resolveStateFile(layout, key));
  unlinkIfThere(layout.projection(key));
}

/** Resolves a link to an absolute path, existing or not; its folder must exist. */
function resolveLinkTarget(path: string): string | { lost: 'in a circle' | 'nowhere' } {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (getSystemCode(error) === 'ELOOP') return { lost: 'in a circle' };
    if (getSystemCode(error) !== 'ENOENT') throw asIoError(error, 'resolve', path);
  }
  const next = resolve(
    dirname(path),
    attempt('read the link', path, () => fs.readlinkSync(path)),
  );
  const isLink = lstatPath(next)?.isSymbolicLink();
  if (isLink) return resolveLinkTarget(next);
  try {
    return join(fs.realpathSync(dirname(next)), basename(next));
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return { lost: 'nowhere' };
    throw asIoError(error, 'resolve', path);
  }
}

const createLinkError = (path: string, where: string): CouncilError =>
  new CouncilError(
    'unsafe_path',
    `${path} is a link that leads ${where}: council follows links inside the project only.`,
    {
      hint: `Take it away; the next command writes the file anew where there is a history: rm ${path}`,
      details: { path },
    },
  );
