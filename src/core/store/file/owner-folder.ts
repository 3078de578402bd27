// File driver: a subfolder of the user's private folder, for data of a project that is kept outside of it.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { attempt, isThere, makeDir } from '../local/disk.ts';
import type { Temps } from '../local/temps.ts';
import { openTempFolder } from '../local/temps.ts';
import { OWNER_ONLY, getPrivateRoot, refuseInside, requirePrivate } from './private-dir.ts';

export interface OwnerPlace {
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}

/** `$XDG_STATE_HOME/council/<kind>`. All calls throw `unsafe_private_dir`, `io`. */
export interface OwnerFolder {
  temps: Temps;
  dir: string;
  /** The name of this project's file or folder in it: a hash of its real path. */
  project(): string;
  /** Creates `folder` (`dir` or below), and checks that no other user can change any folder on its path. */
  makeFolder(folder: string): string;
  /** False if it does not exist; the path of `folder` is checked as above. */
  isThere(folder: string): boolean;
}

/** Opens the private folder for one kind of record. Nothing is created before `makeFolder`. */
export function openOwnerFolder({ env, projectRoot }: OwnerPlace, kind: string): OwnerFolder {
  const root = getPrivateRoot(env);
  const dir = join(root, kind);
  let project: string | undefined;
  const requireWay = (folder: string): void => {
    if (folder !== root) requireWay(dirname(folder));
    requirePrivate(folder);
  };
  return {
    temps: openTempFolder(join(root, '.tmp'), { root, ...OWNER_ONLY }),
    dir,
    project: () =>
      (project ??= sha256(attempt('resolve', projectRoot, () => fs.realpathSync(projectRoot))).slice(0, 32)),
    makeFolder(folder) {
      refuseInside(root, projectRoot);
      makeDir(folder, OWNER_ONLY.dirMode);
      requireWay(folder);
      return folder;
    },
    isThere(folder) {
      refuseInside(root, projectRoot);
      if (!isThere(folder)) return false;
      requireWay(folder);
      return true;
    },
  };
}
