// Finds and initializes projects: layout, templates and Markdown files.
import fs from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { toUnknownRecord, decodeText } from '../../base/text.ts';
import { CouncilError, catchRefusal, getSystemCode } from '../../base/errors.ts';
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { attempt, fsyncDir, isThere, listFolderNames, replacePath, unlinkIfThere, writeNew } from './disk.ts';
import { tellGit } from './git.ts';
import { takeCensus } from '../census.ts';
import { makeOwnFolder, hasOwnFolder } from './folders.ts';
import { readBytes } from './read.ts';
import { systemClock } from './system.ts';
import { placeOnce, openTempFolder } from './temps.ts';

/** The absolute paths of a project. */
export interface Project {
  root: string;
  /** State files and their histories: `memory/shared`. */
  shared: string;
  /** Finished councils: `conseils`. */
  archives: string;
  agents: string;
  /** The project's own modes; the folder may not exist. */
  modes: string;
  /** The project's own personas; the folder may not exist. */
  personas: string;
  /** COUNCIL.md; it may not exist. */
  councilFile: string;
}

/**
 * Finds the project around `cwd`: the nearest folder upwards with COUNCIL.md or memory/shared/; undefined if
 * there is none. `root` (a flag), then `COUNCIL_ROOT`, override the search; throws `no_project` if that
 * folder does not exist.
 */
export function findProject({
  cwd,
  env,
  root,
}: {
  cwd: string;
  env: NodeJS.ProcessEnv;
  root?: string | undefined;
}): Project | undefined {
  const named = findNamedRoot({ cwd, env, root });
  if (named !== undefined) return requireFolder(named, root === undefined ? 'COUNCIL_ROOT' : '--root');
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (isProject(folder)) return layOutProject(folder);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Returns the folder named as a project, existing or not; undefined if none is named. */
export function findNamedRoot({ cwd, env, root }: Parameters<typeof findProject>[0]): string | undefined {
  const named = root ?? (env.COUNCIL_ROOT || undefined);
  return named === undefined ? undefined : resolve(cwd, named);
}

export function isProject(folder: string): boolean {
  const { councilFile, shared } = layOutProject(folder);
  return findPathKind(councilFile) === 'file' || findPathKind(shared) === 'folder';
}

/** Returns the layout of a project in `root`, existing or not. */
export function layOutProject(root: string): Project {
  return {
    root,
    shared: join(root, 'memory', 'shared'),
    archives: join(root, 'conseils'),
    agents: join(root, 'agents'),
    modes: join(root, 'modes'),
    personas: join(root, 'personas'),
    councilFile: join(root, 'COUNCIL.md'),
  };
}

/**
 * Returns the project whose mail and reservations a project shares: in a linked git worktree that of the main
 * worktree, if it is a project too; else itself.
 */
export function findSharingProject(project: Project): Project {
  const { root } = project;
  const top = listFoldersAbove(root).find((folder) => findPathKind(join(folder, '.git')) !== undefined);
  if (top === undefined || findPathKind(join(top, '.git')) !== 'file') return project;
  const gitDir = /^gitdir: (.+?)\r?\n?$/.exec(readTextFile(join(top, '.git')) ?? '')?.[1];
  const common = gitDir && readTextFile(join(resolve(top, gitDir), 'commondir'))?.trim();
  if (!gitDir || !common) return project;
  const shared = resolve(top, gitDir, common);
  const main = join(dirname(shared), relative(top, root));
  return basename(shared) === '.git' && isProject(main) ? layOutProject(main) : project;
}

const listFoldersAbove = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...listFoldersAbove(dirname(folder))];

function requireFolder(path: string, source: string): Project {
  if (findPathKind(path) === 'folder') return layOutProject(path);
  throw new CouncilError('no_project', `${source} names ${path}, which is not a folder.`, {
    hint: 'Name a folder that exists, or create it and run: council init',
  });
}

/** Returns the type of a path's target, following links; undefined if it is missing or inaccessible. */
export function findPathKind(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    return stat.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = getSystemCode(error);
    if (code === undefined) throw error;
    // A circular link exists, and reading it fails with the reason; an inaccessible path counts as missing.
    return code === 'ELOOP' ? 'file' : undefined;
  }
}

/** Finds the folder of council's own package.json, which has its templates. Works from sources and bundle. */
export function findPackageDir(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const bytes = readBytes(join(folder, 'package.json'));
    if (bytes && toUnknownRecord(JSON.parse(bytes.toString())).name === 'council') return folder;
    if (dirname(folder) === folder) {
      throw new CouncilError('failed', `council's own package.json was not found above ${from}.`, {
        hint: 'Install council again.',
      });
    }
  }
}

/**
 * Reads a UTF-8 file; undefined if there is none. Throws `not_a_file`, `too_large` beyond
 * READ_LIMITS.settings, `io`, and `invalid_text` for anything but text.
 */
export function readTextFile(path: string): string | undefined {
  const bytes = readBytes(path, { limit: READ_LIMITS.settings });
  return bytes && decodeText(bytes, path);
}

/** Returns the milliseconds since a file was written; 0 if it does not exist. */
export function measureFileAge(path: string): number {
  const stat = attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }));
  return stat === undefined ? 0 : systemClock.now() - stat.mtimeMs;
}

/** A Markdown file, or why it cannot be read. */
export type MarkdownFile =
  { path: string; text: string; problem?: never } | { path: string; text?: never; problem: CouncilError };

/**
 * Lists the Markdown files of a folder, sorted by name; empty if the folder does not exist. An unreadable
 * file, or a folder that is none, is returned as a problem. Skips README and hidden files.
 */
export function readMarkdownFiles(dir: string): MarkdownFile[] {
  const names = catchRefusal(() => listFolderNames(dir));
  if (names instanceof CouncilError) return [{ path: dir, problem: names }];
  const isPage = (name: string): boolean => name.endsWith('.md') && !/^readme\.md$/i.test(name);
  const census = takeCensus(names, { parseKey: (name) => (isPage(name) ? name : undefined) });
  return [...census]
    .flatMap(([name, { kind, of }]) => (kind === 'put-away' ? of : of === undefined ? [] : name))
    .flatMap((name): MarkdownFile[] => {
      const path = join(dir, name);
      const text = catchRefusal(() => readTextFile(path));
      if (text instanceof CouncilError) return [{ path, problem: text }];
      return text === undefined ? [] : [{ path, text }];
    });
}

/** The result of preparing a folder. */
export interface Prepared {
  /** Created or extended files, relative to the root. */
  created: string[];
  /** What could not be done, with its consequences. */
  warnings: string[];
}

/**
 * Prepares a folder for councils: memory/shared/, conseils/, agents/, COUNCIL.md from the template of the
 * language, and the lines for git. Overwrites nothing and can be repeated. Without `rules`, COUNCIL.md is not
 * created. Throws `unsafe_path`, `io`.
 */
export function initProject(
  root: string,
  {
    lang,
    template = findTemplatePath(lang),
    rules = true,
  }: { lang?: string; template?: string; rules?: boolean } = {},
): Prepared {
  const { agents, archives, councilFile, shared } = layOutProject(root);
  const created = [
    ...(makeMissing(root, shared) ? ['memory/shared/'] : []),
    ...(makeMissing(root, archives) ? ['conseils/'] : []),
    // It may be a link: council only reads there, unless asked to add an agent.
    ...(!isThere(agents) && makeMissing(root, agents) ? ['agents/'] : []),
  ];
  if (rules && !isThere(councilFile)) {
    // Atomic: half a file would stay, because nothing is overwritten.
    placeOnce(
      openTempFolder(join(shared, '.tmp'), { root }),
      councilFile,
      Buffer.from(setTemplateLanguage(readTemplate(template), lang)),
    );
    created.push('COUNCIL.md');
  }
  const git = tellGit(root);
  fsyncDir(root);
  return { created: [...created, ...git.created], warnings: git.warnings };
}

function makeMissing(root: string, path: string): boolean {
  const missing = !hasOwnFolder(root, path);
  if (missing) makeOwnFolder(root, path);
  return missing;
}

const findTemplatePath = (lang: string | undefined): string =>
  join(findPackageDir(), 'templates', lang === 'fr' ? 'COUNCIL.fr.md' : 'COUNCIL.md');

/** Returns the COUNCIL.md of a new project. */
export const renderCouncilTemplate = (lang: string | undefined): string =>
  setTemplateLanguage(readTemplate(findTemplatePath(lang)), lang);

function readTemplate(path: string): string {
  const text = readTextFile(path);
  if (text !== undefined) return text;
  throw new CouncilError('failed', `The template ${path} is missing.`, { hint: 'Install council again.' });
}

/** Sets `lang` in the template's front matter. */
function setTemplateLanguage(template: string, lang: string | undefined): string {
  const block = cutFrontMatter(template);
  if (lang === undefined || !block) return template;
  const yaml = `lang: ${lang}\n${block.yaml.replace(/^lang:.*\n/m, '')}`;
  return template.slice(0, block.start) + yaml + template.slice(block.start + block.yaml.length);
}

/**
 * Writes a new file into the project's `agents/` and returns its path; undefined if the name is taken. Throws
 * `unsafe_path` if `agents/` is a link, since council only reads through links, and `io`.
 */
export function addAgentFile({ root, agents }: Project, id: string, text: string): string | undefined {
  const path = join(agents, `${id}.md`);
  makeOwnFolder(root, agents);
  try {
    writeNew(path, Buffer.from(text));
    return path;
  } catch (error) {
    if (error instanceof CouncilError && error.details.errno === 'EEXIST') return undefined;
    throw error;
  }
}

/** Replaces a file in the project's `agents/` atomically. Throws `unsafe_path` like `addAgentFile`, `io`. */
export function replaceAgentFile({ root, agents, shared }: Project, path: string, text: string): void {
  hasOwnFolder(root, agents);
  replacePath(openTempFolder(join(shared, '.tmp'), { root }).write(Buffer.from(text)), path);
  fsyncDir(agents);
}

/** Deletes a file, or a link, in the project's `agents/`. Throws `unsafe_path` like `addAgentFile`, `io`. */
export function removeAgentFile({ root }: Project, path: string): void {
  hasOwnFolder(root, dirname(path));
  unlinkIfThere(path);
}
