// The names that a pattern of paths has in a project with links: what lies behind a link has two.
import fs from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { systemCode } from '../../../core/base/errors.ts';

/** The pattern, and the same with its beginning, as far as that is there, as the links in it lead: inside of the project only. */
export function spellings(root: string, pattern: string): string[] {
  const parts = pattern.split('/');
  const open = parts.findIndex((part) => /[*?[{]/.test(part));
  for (let count = open === -1 ? parts.length : open; count > 0; count--) {
    const real = findRealPath(join(root, ...parts.slice(0, count)));
    if (real === undefined) continue;
    const way = relative(findRealPath(root) ?? root, real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return [pattern];
    const spelled = [...way.split(sep), ...parts.slice(count)].filter((part) => part !== '').join('/');
    return [...new Set([pattern, spelled === '' ? '**' : spelled.normalize('NFC')])];
  }
  return [pattern];
}

function findRealPath(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
