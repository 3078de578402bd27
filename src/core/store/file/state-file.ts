// File driver: the state file's path, also through a link, and reading or removing it.
import fs from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { asIoError, attempt, unlinkIfThere } from '../local/disk.ts';
import { readBytes } from '../local/read.ts';
import type { Layout } from './layout.ts';

/**
 * The file that a key's state file is: itself, or what it leads to when somebody has made it a link. Whoever renames onto
 * that path leaves the link a link. Throws `unsafe_path` when it leads out of the project, or into a hidden folder: there
 * lie the histories.
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
