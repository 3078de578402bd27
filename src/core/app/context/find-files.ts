// Finds the files for --file (files, folders and globs, in a stable order), and says how their paths are shown.
import { basename, dirname, join, relative, resolve, sep, isAbsolute } from 'node:path';
import ignore from 'ignore';
import { CouncilError } from '../../base/errors.ts';
import { parseGlob } from '../../base/glob.ts';
import { findPathKind, layOutProject } from '../../store/local/project.ts';
import { resolveAllLinks, readBytes } from '../../store/local/read.ts';
import { listFolderEntries } from '../../store/local/folders.ts';
import { findWorkTree } from '../../store/local/git.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import fs from 'node:fs';
import { attempt } from '../../store/local/disk.ts';
import { isRemote } from '../app.ts';
import type { App } from '../app.ts';
import { findWorkspace } from '../workspace.ts';

/** A found file, and whether it was named itself: only then is it an error if it is unusable. */
export interface Candidate {
  path: string;
  isNamed: boolean;
}

/** Why a file was left out. */
export const LEFT_OUT = {
  ignored: 'ignored by git',
  link: 'a symbolic link, which is not followed',
  secret: 'may hold secrets; name it to give it all the same',
  own: 'written by council itself',
  special: 'no regular file',
  binary: 'no text',
} as const;
export type LeftOut = { path: string; why: keyof typeof LEFT_OUT };

export interface Search {
  files: Candidate[];
  leftOut: LeftOut[];
}

/** A folder with more entries was probably named by mistake. */
const MOST_ENTRIES = 50_000;
const SECRET =
  /^(?:\.env(?:\.(?!example$|sample$|template$).*)?|\.npmrc|\.netrc|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|.*\.(?:pem|key|p12|pfx|jks|keystore))$/i;

/** Whether the name is typical of files with secrets, such as `.env` or `id_rsa`. */
export const mayHoldSecrets = (path: string): boolean => SECRET.test(basename(path));

/**
 * Resolves the given names, each file once: a file, all files below a folder, or the matches of a glob. In
 * folders and globs, skips files ignored by git, links, and likely secrets. Throws `usage` for a name without
 * files, and `forbidden` for files this caller may not read.
 */
export function findFiles(given: readonly string[], place: FileScope): Search {
  const found: Search = { files: [], leftOut: [] };
  for (const name of given) {
    const before = found.files.length;
    const omitted = found.leftOut.length;
    findOne(name, place, found);
    if (found.files.length === before) throw createNoFileError(name, found.leftOut.slice(omitted), place);
  }
  const seen = new Set<string>();
  const files = found.files.filter(({ path }) => !seen.has(path) && seen.add(path));
  const leftOut = new Map(found.leftOut.map((one) => [one.path, one]));
  return { files, leftOut: [...leftOut.values()].filter(({ path }) => !seen.has(path)) };
}

function findOne(name: string, place: FileScope, found: Search): void {
  // An unset shell variable would name the whole folder.
  if (name === '') return;
  const path = resolve(place.from, name);
  const kind = findPathKind(path);
  if (kind === 'folder') return walkFolder(requireAllowedPath(path, name, place), place, () => true, found);
  if (kind !== undefined)
    return void found.files.push({ path: requireAllowedPath(path, name, place, true), isNamed: true });
  const glob = parseGlob(name);
  if (!glob || findPathKind(resolve(place.from, glob.base)) !== 'folder') return;
  const folder = requireAllowedPath(resolve(place.from, glob.base), name, place);
  walkFolder(folder, place, (file) => glob.matches(relative(folder, file).split(sep).join('/')), found);
}

/**
 * Returns the path if this caller may read it. Remote callers get only files inside the project, through no
 * symbolic link; files in .git are for the owner, one by one.
 */
function requireAllowedPath(path: string, name: string, place: FileScope, isFile = false): string {
  const { isOwner, root } = place;
  if (!(isOwner && isFile) && isOfGit(path, place)) throw createFileForbiddenError(name, OF_GIT);
  if (isOwner) return path;
  if (!isInside(resolveAllLinks(path), resolveAllLinks(root)))
    throw createFileForbiddenError(name, 'it lies outside the project');
  if (isReachedByLink(path, root))
    throw createFileForbiddenError(name, 'it is reached through a symbolic link');
  if (isFile && mayHoldSecrets(path)) throw createFileForbiddenError(name, LEFT_OUT.secret);
  if (path !== root && isBelowIgnored(path, !isFile, findRulesTop(path, root)))
    throw createFileForbiddenError(name, 'git ignores it');
  return path;
}

const OF_GIT = "it belongs to git's own files, and a single one has to be named by its owner";

/** Returns where ignore rules for a path start: at the top of the work tree, also for nested repositories. */
function findRulesTop(path: string, root: string): string {
  if (isInside(path, root)) return findWorkTree(root)?.top ?? root;
  return findWorkTree(dirname(path))?.top ?? dirname(path);
}

function walkFolder(
  folder: string,
  place: FileScope,
  isWanted: (path: string) => boolean,
  found: Search,
): void {
  // The target of a link has the rules of its own location.
  const real = resolveAllLinks(folder);
  const root = resolveAllLinks(place.root);
  const top = findRulesTop(join(real, 'x'), root);
  // An ignored folder that was named itself is meant to be read.
  const isIgnoredItself = real !== top && isBelowIgnored(real, true, findRulesTop(real, root));
  const own = new Set(place.own.map((path) => join(root, relative(place.root, path))));
  const files: string[] = [];
  let entries = 0;
  const look = (at: string, rules: Rules): void => {
    for (const entry of listFolderEntries(at)) {
      if (++entries > MOST_ENTRIES) throw createTooManyError(formatProjectPath(folder, place));
      const path = join(at, entry.name);
      const isFolder = entry.isDirectory();
      if (isGitName(entry.name)) continue;
      const told = join(folder, relative(real, path));
      if (!isFolder && !isWanted(told)) continue;
      const why = own.has(path)
        ? 'own'
        : findLeftOutReason({ path, name: entry.name, isFolder, rules }, entry);
      if (why) found.leftOut.push({ path: told, why });
      else if (isFolder) look(path, addFolderIgnoreRules(path, rules));
      else files.push(told);
    }
  };
  look(real, isIgnoredItself ? addFolderIgnoreRules(real, []) : collectIgnoreRules(real, top));
  // By bytes, independent of the locale.
  const sorted = files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  found.files.push(...sorted.map((path) => ({ path, isNamed: false })));
}

interface FoundPath {
  path: string;
  name: string;
  isFolder: boolean;
  rules: Rules;
}

function findLeftOutReason(
  { path, name, isFolder, rules }: FoundPath,
  entry: { isFile(): boolean; isSymbolicLink(): boolean },
): LeftOut['why'] | undefined {
  if (isIgnored(path, isFolder, rules) || (isFolder && name === 'node_modules')) return 'ignored';
  if (isFolder) return undefined;
  if (entry.isSymbolicLink()) return 'link';
  if (!entry.isFile()) return 'special';
  return mayHoldSecrets(name) ? 'secret' : undefined;
}

function createNoFileError(name: string, leftOut: readonly LeftOut[], place: FileScope): CouncilError {
  const shown = JSON.stringify(name);
  const path = resolve(place.from, name);
  const isFolder = name !== '' && findPathKind(path) === 'folder';
  const isGlob = !isFolder && parseGlob(name) !== undefined;
  const what = isFolder
    ? `There is no file to give in ${shown}`
    : `${isGlob ? 'Nothing matches' : 'There is no file'} ${shown}`;
  const reasons = [...new Set(leftOut.map(({ why }) => LEFT_OUT[why]))].join('; ');
  return new CouncilError('usage', `${what}${reasons === '' ? '' : ` (left out: ${reasons})`}.`, {
    hint:
      !isGlob && /\s/.test(name.trim())
        ? 'Give a file or a folder. Words of your own stand in the question, or come through a pipe: echo "WORDS" | council ask "QUESTION"'
        : 'Give a file, a folder, or a glob in quotes, such as "src/**/*.ts".',
  });
}

const createTooManyError = (name: string): CouncilError =>
  new CouncilError('too_large', `${name} holds more than ${MOST_ENTRIES} files and folders.`, {
    hint: 'Name a smaller folder, or single files.',
  });

const createFileForbiddenError = (name: string, why: string): CouncilError =>
  new CouncilError('forbidden', `${JSON.stringify(name)} cannot be given from here: ${why}.`, {
    hint: 'Name files of the project, relative to its folder.',
  });

// Determines which files git would ignore, from the .gitignore files themselves.

/** The ignore rules of a folder and its parents; the nearest last. */
type Rules = readonly { folder: string; rules: ignore.Ignore }[];

/** Collects the rules for `folder`: its own and those of its parents, up to `top`. Throws what reading throws. */
function collectIgnoreRules(folder: string, top: string): Rules {
  const above = folder === top || dirname(folder) === folder ? [] : collectIgnoreRules(dirname(folder), top);
  return addFolderIgnoreRules(folder, above);
}

function addFolderIgnoreRules(folder: string, above: Rules): Rules {
  // In submodules and other work trees `.git` is a file, and its target is not read.
  const hasOwn = findPathKind(join(folder, '.git')) === 'folder';
  const names = hasOwn ? ['.gitignore', '.git/info/exclude'] : ['.gitignore'];
  const texts = names.flatMap(
    (name) => readBytes(join(folder, name), { limit: READ_LIMITS.settings })?.toString('utf8') ?? [],
  );
  // Like git on Linux: names are case-sensitive.
  return texts.length === 0
    ? above
    : [...above, { folder, rules: ignore({ ignorecase: false }).add(texts.toReversed().join('\n')) }];
}

/** True if the nearest rule that matches a path ignores it. */
function isIgnored(path: string, isFolder: boolean, rules: Rules): boolean {
  for (const { folder, rules: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(
      `${relative(folder, path).split(sep).join('/')}${isFolder ? '/' : ''}`,
    );
    if (ignored || unignored) return ignored;
  }
  return false;
}

/**
 * Like `isIgnored`, for every folder from `top` down to the path: nothing below an ignored folder can be
 * re-included.
 */
function isBelowIgnored(path: string, isFolder: boolean, top: string): boolean {
  const names = relative(top, path).split(sep);
  let at = top;
  return names.some((name, depth) => {
    const rules = collectIgnoreRules(at, top);
    at = join(at, name);
    return isIgnored(at, isFolder || depth < names.length - 1, rules);
  });
}

/** Where names are resolved, and which files are allowed. */
export interface FileScope {
  /** The base folder of relative names. */
  from: string;
  root: string;
  /** The local user may name any file; remote callers only those of the project. */
  isOwner: boolean;
  /** Files that council writes or adds to every prompt: skipped if a folder around them is named. */
  own: string[];
}

/**
 * Returns the caller's scope: the local user names any file, from the current folder; others only project
 * files.
 */
export function resolveFileScope(app: App): FileScope {
  const { root } = findWorkspace(app)?.project ?? layOutProject(app.cwd);
  const isOwner = !isRemote(app);
  const own = ['memory/shared', 'conseils', 'COUNCIL.md', 'HEARTBEAT-COUNCIL.md'].map((name) =>
    join(root, name),
  );
  return { from: isOwner ? app.cwd : root, root, isOwner, own };
}

/** Formats a path relative to the project, with slashes. */
export const formatProjectPath = (path: string, { root }: Pick<FileScope, 'root'>): string =>
  (relative(root, path) || '.').split(sep).join('/');

/** Whether a path is the folder or is below it, by names only: links are not followed. */
export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

/** Some file systems ignore case. */
export const isGitName = (name: string): boolean => name.toLowerCase() === '.git';

/** Whether a path, or its target, is in a `.git` or is one: settings there can contain passwords. */
export const isOfGit = (path: string, { root }: Pick<FileScope, 'root'>): boolean =>
  relative(root, path).split(sep).some(isGitName) ||
  relative(resolveAllLinks(root), resolveAllLinks(path)).split(sep).some(isGitName);

/** Whether part of the path from the project is a link, or the path is outside the project. */
export function isReachedByLink(path: string, root: string): boolean {
  if (!isInside(path, root)) return true;
  const names = relative(root, path).split(sep);
  return names.some((_, at) => {
    const part = join(root, ...names.slice(0, at + 1));
    return part !== root && attempt('look at', part, () => fs.lstatSync(part).isSymbolicLink());
  });
}
