// Temporary files that name their owner, and writing files atomically.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { crypto, sha256 } from '../../base/ids.ts';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { attempt, discard, fsyncDir, linkNew, listFolderNames, replace, writeNew } from './disk.ts';
import { listFolderEntries, makeOwnFolder, ownFolder, removeFolder } from './folders.ts';
import { isAlive, thisProcess } from './liveness.ts';
import type { ProcessIdentity } from './liveness.ts';
import { readBytes, measureFileSize } from './read.ts';

/** Temp files that carry their owner in their name, so that those of a dead process can be told and swept. */
export interface Temps {
  /** A fresh path of this process; its folder exists when this returns. */
  path(label?: string): string;
  /** A fresh file with these bytes; `durable` (the default) waits for the disk. Throws `io`. */
  write(bytes: Uint8Array, options?: { label?: string; durable?: boolean }): string;
  /** Deletes what dead processes left; of another host, what is older than an hour. */
  sweep(): void;
}

const FOREIGN_AGE_MS = 3_600_000;
const NAME = /^([0-9a-f]{8})\.([0-9a-f]{8})\.(\d+)\.([0-9A-Za-z-]*)\.[0-9a-f]+(?:\.([a-z0-9-]+))?$/;

interface TempOptions {
  /** The folder below which no link is followed; `dir` itself unless it is named. */
  root?: string;
  /** The names of the files that a temp folder may hold; without it, temp folders are not swept. */
  holding?: RegExp;
  /** Temp files of private texts are private, too. */
  fileMode?: number;
  dirMode?: number;
  /** Hears the label of every labelled temp that was swept. */
  onSwept?: (label: string) => void;
}

/** The temp folder `dir`, made when first needed. Everything throws `unsafe_path` where it is not council's own. */
export function openTempFolder(
  dir: string,
  { root = dir, holding, fileMode = 0o666, dirMode = 0o777, onSwept }: TempOptions = {},
): Temps {
  let prefix: string | undefined;
  let count = 0;

  function path(label?: string): string {
    if (!ownFolder(root, dir)) makeOwnFolder(root, dir, dirMode);
    prefix ??= `${nameTempOwner(thisProcess())}.${crypto().randomBytes(4).toString('hex')}`;
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
      if (remove(join(dir, name), holding) && label !== undefined) onSwept?.(label);
    }
  }

  return { path, write, sweep };
}

function listStaleTemps(root: string, dir: string): string[] {
  if (!ownFolder(root, dir)) return [];
  const verdicts = new Map<string, boolean | undefined>();
  return listFolderNames(dir).filter((name) => {
    if (!NAME.test(name)) return false;
    const owner = name.split('.').slice(0, 4).join('.');
    if (!verdicts.has(owner)) verdicts.set(owner, ownerLives(name));
    const lives = verdicts.get(owner);
    return lives === false || (lives === undefined && isOld(join(dir, name)));
  });
}

/**
 * Writes a file that appears whole or not at all, and is durable when this returns, if it is asked to be. False when there is
 * one of that name with other content, which stays. Throws `io`, `no_hard_links`.
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
 * Puts a file in the place of another one of that name, if there is one: readers see the one or the other. `durable` (the
 * default) waits for its bytes, not for its name: sync the folder for that. Throws `io`.
 */
export function replaceFile(temps: Temps, path: string, bytes: Uint8Array, durable = true): void {
  const temp = temps.write(bytes, { durable });
  try {
    replace(temp, path);
  } catch (error) {
    discard(temp);
    throw error;
  }
}

const short = (text: string): string => sha256(text).slice(0, 8);

const nameTempOwner = ({ host, bootId, pid, startTime }: ProcessIdentity): string =>
  `${short(host)}.${short(bootId)}.${pid}.${startTime}`;

function ownerLives(name: string): boolean | undefined {
  const [, host, boot, pid, start] = NAME.exec(name) ?? [];
  const me = thisProcess();
  if (pid === undefined || host !== short(me.host)) return undefined;
  if (boot !== short(me.bootId)) return false;
  return isAlive({ ...me, pid: Number(pid), startTime: start ?? '' });
}

function isOld(path: string): boolean {
  const stat = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
  return stat !== undefined && stat.mtimeMs < Date.now() - FOREIGN_AGE_MS;
}

/** False when another process swept it first, or when it is not ours to sweep: anything but a file, and a folder of such files. */
function remove(path: string, holding: RegExp | undefined): boolean {
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
    const code = systemCode(error) ?? (error instanceof CouncilError ? error.details.errno : undefined);
    if (['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes(String(code))) return false;
    throw error;
  }
}

/** Writes a file, in the place of another one if there is one. Throws `not_a_file` for anything else of that name, `io`. */
export function replaceTextFile(path: string, text: string): void {
  const before =
    measureFileSize(path) === undefined ? undefined : attempt('look at', path, () => fs.statSync(path));
  const temp = `${path}.${crypto().randomBytes(4).toString('hex')}.tmp`;
  writeNew(temp, Buffer.from(text), { mode: before?.mode });
  try {
    replace(temp, path);
  } catch (error) {
    discard(temp);
    throw error;
  }
}
