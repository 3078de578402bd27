// Inspects the private folder without changing it, for the doctor.
import fs from 'node:fs';
import { join } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import { attempt, listFolderNames } from '../local/disk.ts';
import { privateRoot, refuseInside } from './private-dir.ts';

export interface PrivateFacts {
  path: string;
  /** Undefined before it is first needed. */
  kind: 'folder' | 'other' | undefined;
  /** The permission bits of the folder. */
  mode: number;
  /** Why it must not lie where it lies, or null. */
  inside: CouncilError | null;
  /** Files and folders in it that others may read or write. */
  loose: string[];
  /** Files and folders in it, or the folder itself, that belong to another user. */
  foreign: string[];
  /** Absolute paths of everything in it. */
  files: string[];
}

/** Looks at the private folder and changes nothing; using it takes the others' rights away. Throws `io`. */
export function inspectPrivate(env: NodeJS.ProcessEnv, projectRoot: string | undefined): PrivateFacts {
  const path = privateRoot(env);
  const facts: PrivateFacts = {
    path,
    kind: undefined,
    mode: 0,
    inside: projectRoot === undefined ? null : refusal(() => refuseInside(path, projectRoot)),
    loose: [],
    foreign: [],
    files: [],
  };
  const stat = attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }));
  if (!stat) return facts;
  facts.mode = stat.mode & 0o777;
  facts.kind = stat.isDirectory() ? 'folder' : 'other';
  if (facts.kind === 'other') return facts;
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) facts.foreign.push(path);
  facts.files = listFilesRecursively(path);
  for (const below of facts.files) {
    const own = attempt('look at', below, () => fs.lstatSync(below, { throwIfNoEntry: false }));
    if (!own) continue;
    if (uid !== undefined && own.uid !== uid) facts.foreign.push(below);
    if (!own.isSymbolicLink() && (own.mode & 0o077) !== 0) facts.loose.push(below);
  }
  return facts;
}

function listFilesRecursively(dir: string): string[] {
  return listFolderNames(dir).flatMap((name) => {
    const path = join(dir, name);
    const isFolder = fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    return isFolder ? [path, ...listFilesRecursively(path)] : [path];
  });
}

function refusal(check: () => void): CouncilError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  }
}
