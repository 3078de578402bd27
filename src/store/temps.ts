import { crypto } from '../base/crypto.ts';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { attempt, discard, fsyncDir, linkNew, makeDir, namesIn, readBytes, writeNew } from './disk.ts';
import type { ProcessIdentity } from './liveness.ts';
import { isAlive, thisProcess } from './liveness.ts';

/** Temp files that carry their owner in their name, so that those of a dead process can be told and swept. */
export interface Temps {
  /** A fresh path of this process; its folder exists when this returns. */
  path(label?: string): string;
  /** A fresh file with these bytes; `durable` (the default) waits for the disk. Throws `io`. */
  write(bytes: Uint8Array, options?: { label?: string; durable?: boolean }): string;
  /** The names of what dead processes left; of another host, what is older than an hour. */
  stale(): string[];
  /** Deletes them. */
  sweep(): void;
}

const FOREIGN_AGE_MS = 3_600_000;
const NAME = /^([0-9a-f]{8})\.([0-9a-f]{8})\.(\d+)\.([0-9A-Za-z-]*)\.[0-9a-f]+(?:\.([a-z0-9-]+))?$/;

/**
 * The temp folder `dir`, made when first needed. `onSwept` hears the label of every labelled temp that was swept.
 * `fileMode` and `dirMode` keep private temps private.
 */
export function tempsIn(
  dir: string,
  {
    fileMode = 0o666,
    dirMode = 0o777,
    onSwept,
  }: { fileMode?: number; dirMode?: number; onSwept?: (label: string) => void } = {},
): Temps {
  let prefix: string | undefined;
  let count = 0;

  function path(label?: string): string {
    if (!fs.existsSync(dir)) makeDir(dir, dirMode);
    prefix ??= `${nameOf(thisProcess())}.${crypto().randomBytes(4).toString('hex')}`;
    return join(
      dir,
      `${prefix}${(count++).toString(16).padStart(4, '0')}${label === undefined ? '' : `.${label}`}`,
    );
  }

  function write(
    bytes: Uint8Array,
    { label, durable = true }: { label?: string; durable?: boolean } = {},
  ): string {
    const fresh = path(label);
    writeNew(fresh, bytes, { mode: fileMode, durable });
    return fresh;
  }

  function stale(): string[] {
    const verdicts = new Map<string, boolean | undefined>();
    return namesIn(dir).filter((name) => {
      const owner = name.split('.').slice(0, 4).join('.');
      if (!verdicts.has(owner)) verdicts.set(owner, ownerLives(name));
      const lives = verdicts.get(owner);
      return lives === false || (lives === undefined && isOld(join(dir, name)));
    });
  }

  function sweep(): void {
    for (const name of stale()) {
      const label = NAME.exec(name)?.[5];
      if (remove(join(dir, name)) && label !== undefined) onSwept?.(label);
    }
  }

  return { path, write, stale, sweep };
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

const short = (text: string): string => sha256(text).slice(0, 8);

const nameOf = ({ host, bootId, pid, startTime }: ProcessIdentity): string =>
  `${short(host)}.${short(bootId)}.${pid}.${startTime}`;

function ownerLives(name: string): boolean | undefined {
  const [, host, boot, pid, start] = NAME.exec(name) ?? [];
  const me = thisProcess();
  if (pid === undefined || host !== short(me.host)) return undefined;
  if (boot !== short(me.bootId)) return false;
  return isAlive({ ...me, pid: Number(pid), startTime: start ?? '' });
}

function isOld(path: string): boolean {
  const stat = attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }));
  return stat !== undefined && stat.mtimeMs < Date.now() - FOREIGN_AGE_MS;
}

/** False when somebody else swept it first, or when it is not ours to sweep. */
function remove(path: string): boolean {
  try {
    if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(path, { recursive: true });
    else fs.unlinkSync(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes(systemCode(error) ?? '')) return false;
    throw error;
  }
}
