// Tells which files git would ignore, from the .gitignore files themselves.
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { READ_LIMITS } from '../../base/limits.ts';
import { kindAt } from '../../store/local/project.ts';
import { readBytes } from '../../store/local/read.ts';

/** What the ignore files of a folder and of those above it say; the nearest one last. */
export type Rules = readonly { folder: string; rules: ignore.Ignore }[];

/** The rules that hold in `folder`: its own and those of the folders above it, up to `top`. Throws what reading throws. */
export function collectIgnoreRules(folder: string, top: string): Rules {
  const above = folder === top || dirname(folder) === folder ? [] : collectIgnoreRules(dirname(folder), top);
  return addFolderIgnoreRules(folder, above);
}

/** The rules of the folders above, and those of this one. */
export function addFolderIgnoreRules(folder: string, above: Rules): Rules {
  // In submodules and other work trees it is a file, and what it leads to is not looked at.
  const hasOwn = kindAt(join(folder, '.git')) === 'folder';
  const names = hasOwn ? ['.gitignore', '.git/info/exclude'] : ['.gitignore'];
  const texts = names.flatMap(
    (name) => readBytes(join(folder, name), { limit: READ_LIMITS.settings })?.toString('utf8') ?? [],
  );
  // Like git on Linux: names differ by their case.
  return texts.length === 0
    ? above
    : [...above, { folder, rules: ignore({ ignorecase: false }).add(texts.toReversed().join('\n')) }];
}

/** True when the nearest rule about a path says that it is ignored. */
export function isIgnored(path: string, isFolder: boolean, rules: Rules): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(
      `${relative(folder, path).split(sep).join('/')}${isFolder ? '/' : ''}`,
    );
    if (ignored || unignored) return ignored;
  }
  return false;
}

/** Like `isIgnored`, with every folder from `top` down to the path: nothing below one that is ignored can be taken back. */
export function isBelowIgnored(path: string, isFolder: boolean, top: string): boolean {
  const names = relative(top, path).split(sep);
  let at = top;
  return names.some((name, depth) => {
    const rules = collectIgnoreRules(at, top);
    at = join(at, name);
    return isIgnored(at, isFolder || depth < names.length - 1, rules);
  });
}
