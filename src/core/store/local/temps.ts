// Temporary files that name their owner, and writing files atomically.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { getCrypto, sha256 } from '../../base/ids.ts';
import { CouncilError, getSystemCode } from '../../base/errors.ts';
import { attempt, discard, fsyncDir, linkNew, listFolderNames, replacePath, writeNew } from './disk.ts';
import { listFolderEntries, makeOwnFolder, hasOwnFolder, removeFolder } from './folders.ts';
import { isAlive, identifyThisProcess } from './liveness.ts';
import type { ProcessIdentity } from './liveness.ts';
import { readBytes, measureFileSize } from './read.ts';

/** Temp files with their owner in the name, so that those of dead processes can be found and deleted. */
export interface Temps {
  /** Returns a fresh path of this process, and creates its folder. */
  path(label?: string): string;
  /** Writes a fresh file; `durable` (the default) waits for the disk. Throws `io`. */
  write(bytes: Uint8Array, options?: { label?: string; durable?: boolean }): string;
  /** Deletes temp files of dead processes; those of other hosts after an hour. */
  sweep(): void;
}

const FOREIGN_AGE_MS = 3_600_000;
const NAME = /^([0-9a-f]{8})\.([0-9a-f]{8})\.(\d+)\.([0-9A-Za-z-]*)\.[0-9a-f]+(?:\.([a-z0-9-]+))?$/;

interface TempOptions {
  /** The folder below which no link is followed; `dir` by default. */
  root?: string;
  /** Names of files allowed in a temp folder; if not set, temp folders are not swept. */
  holding?: RegExp;
  /** Temp files of private texts must be private, too. */
  fileMode?: number;
  dirMode?: number;
  /** Called with the label of every swept temp file that has one. */
  onSwept?: (label: string) => void;
}

/**
 * Opens the temp folder `dir`, created on first use. All calls throw `unsafe_path` if it is not council's
 * own.
 */
export function openTempFolder(
  dir: string,
  { root = dir, holding, fileMode = 0o666, dirMode = 0o777, onSwept }: TempOptions = {},
): Temps {
  let prefix: string | undefined;
  let count = 0;

  function path(label?: string): string {
    if (!hasOwnFolder(root, dir)) makeOwnFolder(root, dir, dirMode);
    prefix ??= `${nameTempOwner(identifyThisProcess())}.${getCrypto().randomBytes(4).toString('hex')}`;
    const name = `${prefix}${(count++).toString(16).padStart(4, '0')}`;
    return join(dir, label === undefined ? name : `${name}.${label}`);
  }

  function write(
    bytes: Uint8Array,
    { label, durable = true }: { label?: string; durable?: boolean } = {},
  ): string {
    const fresh = path(label);
    writeNew(fresh, bytes, { mode: fileMode, durable });
    return fresh;
  }

  function sweep(): void {
    for (const name of listStaleTemps(root, dir)) {
      const label = NAME.exec(name)?.[5];
      if (removeTemp(join(dir, name), holding) && label !== undefined) onSwept?.(label);
    }
  }

  return { path, write, sweep };
}

function listStaleTemps(root: string, dir: string): string[] {
  if (!hasOwnFolder(root, dir)) return [];
  const verdicts = new Map<string, boolean | undefined>();
  return listFolderNames(dir).filter((name) => {
    if (!NAME.test(name)) return false;
    const owner = name.split('.').slice(0, 4).join('.');
    if (!verdicts.has(owner)) verdicts.set(owner, isOwnerAlive(name));
    const lives = verdicts.get(owner);
    return lives === false || (lives === undefined && isOld(join(dir, name)));
  });
}

/**
 * Writes a file atomically, and durably if requested. Returns false if one of that name has other content,
 * which is kept. Throws `io`, `no_hard_links`.
 */
export function placeOnce(temps: Temps, path: string, bytes: Uint8Array, durable = true): boolean {
  const temp = temps.write(bytes, { durable });
  try {
    const placed = linkNew(temp, path) || readBytes(path)?.equals(bytes) === true;
    if (placed && durable) fsyncDir(dirname(path));
    return placed;
  } finally {
    discard(temp);
  }
}

/**
 * Replaces or creates a file atomically. `durable` (the default) waits for its bytes, not for its name: sync
 * the folder for that. Throws `io`.
 */
export function replaceFile(temps: Temps, path: string, bytes: Uint8Array, durable = true): void {
  const temp = temps.write(bytes, { durable });
  try {
    replacePath(temp, path);
  } catch (error) {
    discard(temp);
    throw error;
  }
}

const computeShortHash = (text: string): string => sha256(text).slice(0, 8);

const nameTempOwner = ({ host, bootId, pid, startTime }: ProcessIdentity): string =>
  `${computeShortHash(host)}.${computeShortHash(bootId)}.${pid}.${startTime}`;

function isOwnerAlive(name: string): boolean | undefined {
  const [, host, boot, pid, start] = NAME.exec(name) ?? [];
  const me = identifyThisProcess();
  if (pid === undefined || host !== computeShortHash(me.host)) return undefined;
  if (boot !== computeShortHash(me.bootId)) return false;
  return isAlive({ ...me, pid: Number(pid), startTime: start ?? '' });
}

function isOld(path: string): boolean {
  const stat = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  return stat !== undefined && stat.mtimeMs < Date.now() - FOREIGN_AGE_MS;
}

/** Returns false if another process swept it first, or if it is neither a file nor a folder of such files. */
function removeTemp(path: string, holding: RegExp | undefined): boolean {
  try {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) fs.unlinkSync(path);
    if (!stat?.isDirectory() || !holding) return stat?.isFile() ?? false;
    const isOurs = (name: string): boolean => holding.test(name);
    return (
      listFolderEntries(path).every((entry) => entry.isFile() && isOurs(entry.name)) &&
      removeFolder(path, isOurs)
    );
  } catch (error) {
    const code = getSystemCode(error) ?? (error instanceof CouncilError ? error.details.errno : undefined);
    if (['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes(String(code))) return false;
    throw error;
  }
}

/** Writes or replaces a file. Throws `not_a_file` for anything else of that name, `io`. */
export function replaceTextFile(path: string, text: string): void {
  const before =
    measureFileSize(path) === undefined ? undefined : attempt('look at', path, () => fs.statSync(path));
  const temp = `${path}.${getCrypto().randomBytes(4).toString('hex')}.tmp`;
  writeNew(temp, Buffer.from(text), { mode: before?.mode });
  try {
    replacePath(temp, path);
  } catch (error) {
    discard(temp);
    throw error;
  }
}
