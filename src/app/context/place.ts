// Where given files are looked for, and how they are called.
import { isAbsolute, join, relative, sep } from 'node:path';
import { projectAt } from '../../store/local/project.ts';
import type { App } from '../app.ts';
import { findWorkspace } from '../workspace.ts';

/** Where names are looked up, and what they may lead to. */
export interface Place {
  /** The folder that relative names start from. */
  from: string;
  root: string;
  /** Whoever sits at the terminal may name any file; everybody else those of the project. */
  isOwner: boolean;
  /** What council itself writes or puts into every prompt: nobody means it by naming a folder around it. */
  own: string[];
}

export function placeOf(app: App): Place {
  const { root } = findWorkspace(app)?.project ?? projectAt(app.cwd);
  const isOwner = app.via !== 'mcp';
  const own = ['memory/shared', 'conseils', 'COUNCIL.md', 'HEARTBEAT-COUNCIL.md'].map((name) =>
    join(root, name),
  );
  return { from: isOwner ? app.cwd : root, root, isOwner, own };
}

/** A path as it is told: relative to the project, with slashes. */
export const named = (path: string, { root }: Pick<Place, 'root'>): string =>
  (relative(root, path) || '.').split(sep).join('/');

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};
