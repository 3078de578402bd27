// The trust book: which programs of a project its owner allows, kept outside the project.
import fs from 'node:fs';
import { join } from 'node:path';
import { toUnknownRecord, tryParseJson } from '../../base/text.ts';
import { sha256OfParts } from '../../base/ids.ts';
import { attempt, isThere, fsyncDir, makeDir, listFolderNames, resolveRealPath } from '../local/disk.ts';
import { removeFolder } from '../local/folders.ts';
import { requireFileName } from '../names.ts';
import { OWNER_ONLY, refuseInside, requirePrivate } from './private-dir.ts';
import { readBytes } from '../local/read.ts';
import { replaceFile, openTempFolder } from '../local/temps.ts';
import type { Temps } from '../local/temps.ts';
import { requireUserFolder } from '../local/system.ts';

/** The owner's trust in one project. */
export interface Trust {
  /** True if this user prepared the folder with council: it did not come from elsewhere. */
  prepared: boolean;
  /** When it was trusted or prepared, ISO 8601. */
  since: string;
}

/** A program that may run: `sha256` is the hash of the exact command that was trusted. */
export interface TrustedItem {
  key: string;
  sha256: string;
  /** The command as it was shown. */
  runs: string;
  at: string;
}

/** The owner's decisions about what may run in one project, kept outside of it. */
export interface TrustBook {
  /** Undefined for a folder that was never trusted, and for one that replaced another. */
  project(): Trust | undefined;
  find(key: string): TrustedItem | undefined;
  list(): TrustedItem[];
  /**
   * Durable when it returns. Items replace earlier ones of the same key; `prepared` marks the folder as this
   * user's own. Throws `unsafe_private_dir`, `io`.
   */
  grant(items: Pick<TrustedItem, 'key' | 'sha256' | 'runs'>[], at: string, prepared?: boolean): void;
  /** Forgets everything about the folder; false if there was nothing. */
  revoke(): boolean;
}

const PROJECT = 'project.json';
const VARIABLE = 'XDG_CONFIG_HOME';
/** Maximum characters of a displayed command: only the hash counts. */
const LONGEST_SHOWN = 2000;

/** Returns `$XDG_CONFIG_HOME`, by default `~/.config`. Ignores a relative value, which is inside the project. */
export const getConfigHome = (env: NodeJS.ProcessEnv): string => requireUserFolder(env, VARIABLE, '.config');

/** Returns `$XDG_CONFIG_HOME/council/trust`, by default `~/.config/council/trust`. */
export const trustRoot = (env: NodeJS.ProcessEnv): string => join(getConfigHome(env), 'council', 'trust');

/**
 * The book of the project in `root`: a folder with one file for the project and one for each program that may
 * run, so that concurrent processes do not undo each other's changes.
 */
export function trustBook({ env, root }: { env: NodeJS.ProcessEnv; root: string }): TrustBook {
  const all = trustRoot(env);
  const temps = openTempFolder(join(all, '.tmp'), { root: all, ...OWNER_ONLY });

  /** Returns the path of this folder's book, existing or not. */
  function place(): string {
    refuseInside(all, root, VARIABLE);
    return join(all, identifyFolder(root));
  }
  /** Returns the path of an existing book; undefined if there is none. */
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
        writeJson(temps, join(dir, PROJECT), {
          root: resolveRoot(root),
          prepared,
          since: known?.since ?? at,
        });
      for (const { key, sha256: hash, runs } of items)
        writeJson(temps, join(dir, nameTrustFile(key)), {
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

function writeJson(temps: Temps, path: string, value: unknown): void {
  replaceFile(temps, path, Buffer.from(`${JSON.stringify(value, null, 2)}\n`));
}

/** Reads a book; `existing` returns its folder, if there is one. */
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
 * Identifies a folder: one that was moved, copied or replaced is a different one. Inode numbers are reused,
 * so the time of birth counts; device numbers change with a restart, so they count only if no birth is known.
 */
function identifyFolder(root: string): string {
  const { dev, ino, birthtimeNs } = attempt('look at', root, () => fs.statSync(root, { bigint: true }));
  const birth = birthtimeNs > 0n ? `born ${birthtimeNs}` : `on ${dev}`;
  return sha256OfParts([resolveRoot(root), String(ino), birth]).slice(0, 32);
}

const resolveRoot = (root: string): string => attempt('resolve', root, () => resolveRealPath(root));

/** Returns `agent-henry.json` for `agent:henry`. */
const nameTrustFile = (key: string): string => requireFileName(`${key.replace(':', '-')}.json`);

/** A damaged file counts as missing: the owner is asked again. */
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
