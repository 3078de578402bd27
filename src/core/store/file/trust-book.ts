// The trust book: which programs of a project its owner allows, kept outside the project.
import fs from 'node:fs';
import { join } from 'node:path';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import { sha256OfParts } from '../../base/ids.ts';
import { attempt, isThere, fsyncDir, makeDir, listFolderNames, realPath } from '../local/disk.ts';
import { removeFolder } from '../local/folders.ts';
import { requireFileName } from '../names.ts';
import { OWNER_ONLY, refuseInside, requirePrivate } from './private-dir.ts';
import { readBytes } from '../local/read.ts';
import { replaceFile, openTempFolder } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import { userFolder } from '../local/system.ts';

/** What its owner has said about one project. */
export interface Trust {
  /** True when this user prepared the folder with council: it did not come from elsewhere. */
  prepared: boolean;
  /** When it was trusted or prepared, ISO 8601. */
  since: string;
}

/** One thing that may run: `sha256` is that of the very command that was trusted. */
export interface TrustedItem {
  key: string;
  sha256: string;
  /** The command in words, as it was shown. */
  runs: string;
  at: string;
}

/** The owner's word about what may run in one project, kept outside of it. */
export interface TrustBook {
  /** Undefined for a folder that was never trusted, and for one that stands in the place of another. */
  project(): Trust | undefined;
  find(key: string): TrustedItem | undefined;
  list(): TrustedItem[];
  /**
   * Durable when it returns. Items take the place of earlier ones of the same key; `prepared` marks the folder as this
   * user's own. Throws `unsafe_private_dir`, `io`.
   */
  grant(items: Pick<TrustedItem, 'key' | 'sha256' | 'runs'>[], at: string, prepared?: boolean): void;
  /** Forgets everything about the folder; false when there was nothing. */
  revoke(): boolean;
}

const PROJECT = 'project.json';
const VARIABLE = 'XDG_CONFIG_HOME';
/** Of a command in words: the hash is what counts. */
const LONGEST_SHOWN = 2000;

/** `$XDG_CONFIG_HOME`, by default `~/.config`. A relative one does not count: it would lie in the project. */
export const configHome = (env: NodeJS.ProcessEnv): string => userFolder(env, VARIABLE, '.config');

/** `$XDG_CONFIG_HOME/council/trust`, by default `~/.config/council/trust`. */
export const trustRoot = (env: NodeJS.ProcessEnv): string => join(configHome(env), 'council', 'trust');

/**
 * The book of the project in `root`: a folder of its own, with one file for the project and one for each thing that may
 * run, so that processes which write at the same time do not undo each other.
 */
export function trustBook({ env, root }: { env: NodeJS.ProcessEnv; root: string }): TrustBook {
  const all = trustRoot(env);
  const temps = openTempFolder(join(all, '.tmp'), { root: all, ...OWNER_ONLY });

  /** Where this folder's book is, or would be. */
  function place(): string {
    refuseInside(all, root, VARIABLE);
    return join(all, identifyFolder(root));
  }
  /** Where it is; undefined when there is none. */
  function findFolder(): string | undefined {
    const dir = place();
    if (!isThere(dir)) return undefined;
    for (const one of [all, dir]) requirePrivate(one, VARIABLE);
    return dir;
  }

  return {
    ...createTrustReader(findFolder),
    grant(items, at, prepared = false) {
      const known = createTrustReader(findFolder).project();
      const dir = place();
      makeDir(dir, OWNER_ONLY.dirMode);
      for (const one of [all, dir]) requirePrivate(one, VARIABLE);
      temps.sweep();
      if (!known || (prepared && !known.prepared))
        write(temps, join(dir, PROJECT), { root: realRoot(root), prepared, since: known?.since ?? at });
      for (const { key, sha256: hash, runs } of items)
        write(temps, join(dir, nameTrustFile(key)), {
          key,
          sha256: hash,
          runs: runs.slice(0, LONGEST_SHOWN),
          at,
        });
      fsyncDir(dir);
    },
    revoke() {
      const dir = findFolder();
      if (dir !== undefined) removeFolder(dir, (name) => name.endsWith('.json'));
      return dir !== undefined;
    },
  };
}

function write(temps: Temps, path: string, value: unknown): void {
  replaceFile(temps, path, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
}

/** What a book says; `existing` is its folder, where there is one. */
const createTrustReader = (
  existing: () => string | undefined,
): Pick<TrustBook, 'project' | 'find' | 'list'> => ({
  project() {
    const dir = existing();
    return dir === undefined ? undefined : asTrust(readJson(join(dir, PROJECT)));
  },
  find(key) {
    const dir = existing();
    const item = dir === undefined ? undefined : asItem(readJson(join(dir, nameTrustFile(key))));
    return item?.key === key ? item : undefined;
  },
  list() {
    const dir = existing();
    if (dir === undefined) return [];
    return listFolderNames(dir).flatMap((name) => asItem(readJson(join(dir, name))) ?? []);
  },
});

/**
 * Which folder it is: one that is moved, copied or put in the place of another is a different one. Inode numbers are used
 * again, so the time of birth counts; device numbers change with a restart, so they only count where no birth is told.
 */
function identifyFolder(root: string): string {
  const { dev, ino, birthtimeNs } = attempt('look at', root, () => fs.statSync(root, { bigint: true }));
  const birth = birthtimeNs > 0n ? `born ${birthtimeNs}` : `on ${dev}`;
  return sha256OfParts([realRoot(root), String(ino), birth]).slice(0, 32);
}

const realRoot = (root: string): string => attempt('resolve', root, () => realPath(root));

/** `agent:henry` as `agent-henry.json`. */
const nameTrustFile = (key: string): string => requireFileName(`${key.replace(':', '-')}.json`);

/** What cannot be read as it was written counts as never said: the owner is asked again. */
function readJson(path: string): Record<string, unknown> | undefined {
  const text = readBytes(path, { links: 'refuse' })?.toString('utf8');
  const value = text === undefined ? undefined : tryParseJson(text);
  return typeof value === 'object' && value !== null ? toUnknownRecord(value) : undefined;
}

const asTrust = (value: Record<string, unknown> | undefined): Trust | undefined =>
  value && { prepared: value.prepared === true, since: String(value.since) };

const asItem = (value: Record<string, unknown> | undefined): TrustedItem | undefined =>
  value && typeof value.key === 'string' && typeof value.sha256 === 'string'
    ? { key: value.key, sha256: value.sha256, runs: String(value.runs), at: String(value.at) }
    : undefined;
