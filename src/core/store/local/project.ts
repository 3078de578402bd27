// Finds and initializes projects: layout, templates and Markdown files.
import fs from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { toUnknownRecord, decodeText } from '../../base/text.ts';
import { CouncilError, systemCode } from '../../base/errors.ts';
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { READ_LIMITS } from '../../base/limits.ts';
import { attempt, fsyncDir, isThere, listFolderNames } from './disk.ts';
import { tellGit } from './git.ts';
import { takeCensus } from '../census.ts';
import { makeOwnFolder, ownFolder } from './folders.ts';
import { readBytes } from './read.ts';
import { systemClock } from './system.ts';
import { placeOnce, openTempFolder } from './temps.ts';

/** Where everything of a project lies; all paths are absolute. */
export interface Project {
  root: string;
  /** State files and their histories: `memory/shared`. */
  shared: string;
  /** Finished councils: `conseils`. */
  archives: string;
  agents: string;
  /** The project's own modes; the folder need not exist. */
  modes: string;
  /** The project's own personas; the folder need not exist. */
  personas: string;
  /** COUNCIL.md; it need not exist. */
  councilFile: string;
}

/**
 * The project around `cwd`: the nearest folder upwards with COUNCIL.md or memory/shared/, undefined when there is none.
 * `root` (a flag), then `COUNCIL_ROOT`, name it outright; throws `no_project` when that folder does not exist.
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

/** The folder that is named as a project's, whether it is there or not; undefined where none is named. */
export function findNamedRoot({ cwd, env, root }: Parameters<typeof findProject>[0]): string | undefined {
  const named = root ?? (env.COUNCIL_ROOT || undefined);
  return named === undefined ? undefined : resolve(cwd, named);
}

/** Whether there is a project in this very folder. */
export function isProject(folder: string): boolean {
  const { councilFile, shared } = layOutProject(folder);
  return findPathKind(councilFile) === 'file' || findPathKind(shared) === 'folder';
}

/** The layout of a project in `root`, whether it exists or not. */
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
 * The project whose mail and reservations a project shares: in a linked worktree of git that of the main one, where it is a project
 * too; else itself.
 */
export function sharingProject(project: Project): Project {
  const { root } = project;
  const top = above(root).find((folder) => findPathKind(join(folder, '.git')) !== undefined);
  if (top === undefined || findPathKind(join(top, '.git')) !== 'file') return project;
  const gitDir = /^gitdir: (.+?)\r?\n?$/.exec(readTextFile(join(top, '.git')) ?? '')?.[1];
  const common = gitDir && readTextFile(join(resolve(top, gitDir), 'commondir'))?.trim();
  if (!gitDir || !common) return project;
  const shared = resolve(top, gitDir, common);
  const main = join(dirname(shared), relative(top, root));
  return basename(shared) === '.git' && isProject(main) ? layOutProject(main) : project;
}

const above = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...above(dirname(folder))];

function requireFolder(path: string, source: string): Project {
  if (findPathKind(path) === 'folder') return layOutProject(path);
  throw new CouncilError('no_project', `${source} names ${path}, which is not a folder.`, {
    hint: 'Name a folder that exists, or create it and run: council init',
  });
}

/** What a path leads to, through links; undefined where there is nothing, or nothing that may be looked at. */
export function findPathKind(path: string): 'file' | 'folder' | undefined {
  try {
    const stat = fs.statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    return stat.isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    // A link in a circle is there, and reading it fails with the reason; what may not be looked at is no project here.
    return code === 'ELOOP' ? 'file' : undefined;
  }
}

/** The folder of council's own package.json: where its templates are. Works from the sources and from the bundle. */
export function packageDir(from: string = import.meta.dirname): string {
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
 * The text of a UTF-8 file, undefined when there is none. Throws `not_a_file`, `too_large` beyond READ_LIMITS.settings, `io`,
 * and `invalid_text` for anything but text.
 */
export function readTextFile(path: string): string | undefined {
  const bytes = readBytes(path, { limit: READ_LIMITS.settings });
  return bytes && decodeText(bytes, path);
}

/** How many milliseconds ago a file was written; 0 for one that is not there. */
export function measureFileAge(path: string): number {
  const stat = attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }));
  return stat === undefined ? 0 : systemClock.now() - stat.mtimeMs;
}

/** A Markdown file, or why it cannot be read. */
export type MarkdownFile =
  { path: string; text: string; problem?: never } | { path: string; text?: never; problem: CouncilError };

/**
 * The Markdown files of a folder, sorted by name; none when the folder does not exist. A file that cannot be read hides
 * no other, and neither does a folder that is none. A README tells people about the folder; hidden files are no agents.
 */
export function markdownFiles(dir: string): MarkdownFile[] {
  const names = orProblem(() => listFolderNames(dir));
  if (names instanceof CouncilError) return [{ path: dir, problem: names }];
  const isPage = (name: string): boolean => name.endsWith('.md') && !/^readme\.md$/i.test(name);
  const census = takeCensus(names, { parseKey: (name) => (isPage(name) ? name : undefined) });
  return [...census]
    .flatMap(([name, { kind, of }]) => (kind === 'put-away' ? of : of === undefined ? [] : name))
    .flatMap((name): MarkdownFile[] => {
      const path = join(dir, name);
      const text = orProblem(() => readTextFile(path));
      if (text instanceof CouncilError) return [{ path, problem: text }];
      return text === undefined ? [] : [{ path, text }];
    });
}

function orProblem<T>(read: () => T): T | CouncilError {
  try {
    return read();
  } catch (error) {
    if (error instanceof CouncilError) return error;
    throw error;
  }
}

/** What preparing a folder led to. */
export interface Prepared {
  /** What was created or extended, as paths relative to the root. */
  created: string[];
  /** What could not be done, and what that means. */
  warnings: string[];
}

/**
 * Prepares a folder for councils: memory/shared/, conseils/, agents/, COUNCIL.md from the template of the language, and the lines git needs.
 * Overwrites nothing and can be run again. Without `rules`, COUNCIL.md is left to its owner. Throws `unsafe_path`, `io`.
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
    // It may be a link: council only reads there, until it is asked to add an agent.
    ...(!isThere(agents) && makeMissing(root, agents) ? ['agents/'] : []),
  ];
  if (rules && !isThere(councilFile)) {
    // Whole or not at all: half a file would be there for good, because nothing is overwritten.
    placeOnce(
      openTempFolder(join(shared, '.tmp'), { root }),
      councilFile,
      Buffer.from(inLanguage(readTemplate(template), lang)),
    );
    created.push('COUNCIL.md');
  }
  const git = tellGit(root);
  fsyncDir(root);
  return { created: [...created, ...git.created], warnings: git.warnings };
}

function makeMissing(root: string, path: string): boolean {
  const missing = !ownFolder(root, path);
  if (missing) makeOwnFolder(root, path);
  return missing;
}

const findTemplatePath = (lang: string | undefined): string =>
  join(packageDir(), 'templates', lang === 'fr' ? 'COUNCIL.fr.md' : 'COUNCIL.md');

/** The COUNCIL.md that a new project gets. */
export const councilTemplate = (lang: string | undefined): string =>
  inLanguage(readTemplate(findTemplatePath(lang)), lang);

function readTemplate(path: string): string {
  const text = readTextFile(path);
  if (text !== undefined) return text;
  throw new CouncilError('failed', `The template ${path} is missing.`, { hint: 'Install council again.' });
}

/** The template with `lang` set in its front matter. */
function inLanguage(template: string, lang: string | undefined): string {
  const block = cutFrontMatter(template);
  if (lang === undefined || !block) return template;
  const yaml = `lang: ${lang}\n${block.yaml.replace(/^lang:.*\n/m, '')}`;
  return template.slice(0, block.start) + yaml + template.slice(block.start + block.yaml.length);
}
