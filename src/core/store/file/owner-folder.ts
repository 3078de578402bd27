// File driver: a folder of one kind in the private folder of its owner, where what belongs to one project is kept outside of it.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { attempt, makeDir } from '../local/disk.ts';
import type { Temps } from '../local/temps.ts';
import { openTempFolder } from '../local/temps.ts';
import { OWNER_ONLY, privateRoot, refuseInside, requirePrivate } from './private-dir.ts';

export interface OwnerPlace {
  env: NodeJS.ProcessEnv;
  projectRoot: string;
}

/** `$XDG_STATE_HOME/council/<kind>`. Everything throws `unsafe_private_dir`, `io`. */
export interface OwnerFolder {
  temps: Temps;
  dir: string;
  /** What this project's file or folder in it is called: a hash of its real path. */
  project(): string;
  /** Makes `folder`, which is `dir` or lies below it, and checks that no other user can change what is on the way. */
  makeFolder(folder: string): string;
  /** False when there is none: `folder` is checked as above. */
  isThere(folder: string): boolean;
}

/** The folder of one kind of record in the private folder of the user. Nothing is made before `makeFolder`. */
export function ownerFolder({ env, projectRoot }: OwnerPlace, kind: string): OwnerFolder {
  const root = privateRoot(env);
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
      if (!attempt('look at', folder, () => fs.lstatSync(folder, { throwIfNoEntry: false }))) return false;
      requireWay(folder);
      return true;
    },
  };
}
