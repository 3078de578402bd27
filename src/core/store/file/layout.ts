// File driver: paths and shared parts of a folder of documents.
import { join, basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { isId } from '../../base/ids.ts';
import { listFolderNames, asIoError, attempt, unlinkIfThere } from '../local/disk.ts';
import { makeOwnFolder, ownFolder, removeEmptyFolder } from '../local/folders.ts';
import type { ReadStamp, Stamp } from '../documents.ts';
import { measureUptime } from '../local/system.ts';
import { openTempFolder } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import fs from 'node:fs';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { readBytes } from '../local/read.ts';

/** Revisions, as they lie in a history and in one that is being built. */
export const VERSION_NAME = /^\d+\.md$/;

/** A file's bytes with what they say. */
export interface Content {
  bytes: Buffer;
  /** Undefined when the bytes are not UTF-8. */
  text: string | undefined;
  /** Undefined when there is none that can be read. */
  stamp: Stamp | undefined;
}

/** A folder of documents: where everything lies, and what the parts of the file store share. */
export interface Layout {
  readonly temps: Temps;
  readonly readStamp: ReadStamp;
  /** Whether a text gets a state file. One that does not leaves the state file of an earlier revision as it is. */
  readonly isShown: (bytes: Uint8Array) => boolean;
  /** Whether writers of a key from different processes queue up for a lock; what they write is safe either way. */
  readonly isCrowded: (key: string) => boolean;
  /** Where the state files lie. */
  readonly dir: string;
  /** The key of a state file, by its name; undefined for a name that no state file has. */
  parseKey(name: string): string | undefined;
  /** The folders; every commit changes one of them. */
  readonly watched: string[];
  /** Tells a person something once; repetitions are dropped. */
  readonly warn: (message: string) => void;
  /** The newest revision this process has seen of a key: numbers only grow, so looking for the head may start there. */
  readonly seen: Map<string, number>;
  /** When this process committed a change to a key last, and how many ms that took. */
  readonly updated: Map<string, { at: number; took: number }>;
  /** The version that was read or written last: most commits compare the state file with it. */
  recent: { path: string; bytes: Buffer } | undefined;
  /** What was read or written last, with what it says. */
  content: Content | undefined;
  /** The keys whose history this process has looked through for gaps. */
  readonly checked: Set<string>;
  /** The folder of histories was made, or found, by this process. */
  isMade: boolean;
  /** The project's folder: its own folders are never used through a link; a state file may be a link to a file below it. */
  readonly root: string;
  /** Makes a folder of council's own. Throws `unsafe_path`, `io`. */
  makeFolder(path: string): void;
  /** Throws `unsafe_path` unless the histories, and that of `key`, lie where they seem to. */
  guard(key?: string): void;
  readonly histories: string;
  history(key: string): string;
  version(key: string, revision: number): string;
  /** The state file that people open: a copy of the newest revision. */
  projection(key: string): string;
  /** Where hand edits and damaged files are kept: a path that is free. */
  edits: string;
  quarantine: string;
  /** Keys that have a history, and keys that have a state file, sorted. */
  keysWithHistory(): string[];
  keysWithProjection(): string[];
}

export interface LayoutOptions {
  /** Absolute path of `memory/shared`. */
  dir: string;
  /** The project's folder, which its user may reach through links; `dir` itself unless it is named. */
  root?: string;
  /** What the state files' names start with, such as "council-". */
  prefix: string;
  /** Which texts get a state file, beside their version: all, unless it is told. Texts that are only passed through get none. */
  isShown?: (bytes: Uint8Array) => boolean;
  /** Which keys so many write at once that they take turns: all, unless it is told. Other writers try again when another was faster. */
  isCrowded?: (key: string) => boolean;
  readStamp: ReadStamp;
  warn: (message: string) => void;
}

/** Lays out a layout; touches nothing on the disk. */
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
  const told = new Set<string>();
  const history = (key: string): string => join(histories, key);
  const parseKey = (name: string): string | undefined => {
    const key =
      name.startsWith(prefix) && name.endsWith('.md') ? name.slice(prefix.length, -'.md'.length) : '';
    return isId(key) ? key : undefined;
  };
  return {
    dir,
    parseKey,
    // The marker of a dead lock holder: that lock need not go stale first.
    temps: openTempFolder(temporary, {
      root,
      holding: VERSION_NAME,
      onSwept: (label) => freeLock(label, (key) => (ownFolder(root, histories) ? history(key) : undefined)),
    }),
    readStamp,
    isShown,
    isCrowded: isCrowded ?? (() => true),
    // A lock changes the second; without one the temp file does.
    watched: [dir, histories, ...(isCrowded ? [temporary] : [])],
    warn(message) {
      if (told.has(message)) return;
      told.add(message);
      warn(message);
    },
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

/** What holds the lock is an empty folder. */
function freeLock(label: string, history: (key: string) => string | undefined): void {
  const key = label.replace(/^lock-/, '');
  const path = isId(key) ? history(key) : undefined;
  if (path !== undefined) removeEmptyFolder(`${path}.lock`);
}

/** Going through ten thousand histories, the folders above need not be looked at before each. */
const GUARDED_MS = 5;

function createFolderGuard(root: string, histories: string): Layout['guard'] {
  let lookedAt = -Infinity;
  return (key) => {
    if (key === undefined || measureUptime() - lookedAt > GUARDED_MS)
      lookedAt = ownFolder(root, histories) ? measureUptime() : -Infinity;
    if (key !== undefined) ownFolder(lookedAt === -Infinity ? root : histories, join(histories, key));
  };
}

/**
 * The path of a key's state file: where a person has made it a link, the file that the link leads to, so that a rename onto it
 * leaves the link in place. Throws `unsafe_path` when it leads out of the project, or into a hidden folder: the histories lie
 * in one.
 */
export function stateFile(layout: Layout, key: string): string {
  const path = layout.projection(key);
  const stat = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  if (!stat?.isSymbolicLink()) return path;
  const target = resolveLinkTarget(path);
  if (typeof target !== 'string') throw refusal(path, target.lost);
  const way = relative(
    attempt('resolve', layout.root, () => fs.realpathSync(layout.root)),
    target,
  );
  const isHidden = way.split(sep).some((part) => part.startsWith('.'));
  if (isHidden || isAbsolute(way)) throw refusal(path, `to ${target}`);
  return target;
}

/** The bytes of the state file; undefined when there is none. Throws like `stateFile`, and `io`. */
export const readState = (layout: Layout, key: string): Buffer | undefined =>
  readBytes(stateFile(layout, key));

/** Takes the state file away, and the link to it where there is one. */
export function removeState(layout: Layout, key: string): void {
  unlinkIfThere(stateFile(layout, key));
  unlinkIfThere(layout.projection(key));
}

/** The absolute path that a link leads to, whether or not a file is there: its folder must be. */
function resolveLinkTarget(path: string): string | { lost: 'in a circle' | 'nowhere' } {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (systemCode(error) === 'ELOOP') return { lost: 'in a circle' };
    if (systemCode(error) !== 'ENOENT') throw asIoError(error, 'resolve', path);
  }
  const next = resolve(
    dirname(path),
    attempt('read the link', path, () => fs.readlinkSync(path)),
  );
  const isLink = attempt('look at', next, () =>
    fs.lstatSync(next, { throwIfNoEntry: false }),
  )?.isSymbolicLink();
  if (isLink) return resolveLinkTarget(next);
  try {
    return join(fs.realpathSync(dirname(next)), basename(next));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { lost: 'nowhere' };
    throw asIoError(error, 'resolve', path);
  }
}

const refusal = (path: string, where: string): CouncilError =>
  new CouncilError(
    'unsafe_path',
    `${path} is a link that leads ${where}: council follows links inside the project only.`,
    {
      hint: `Take it away; the next command writes the file anew where there is a history: rm ${path}`,
      details: { path },
    },
  );
