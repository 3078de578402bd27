import fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CouncilError } from '../base/errors.ts';
import { cutFrontMatter } from '../base/front-matter-block.ts';
import { decodeText } from '../base/text.ts';
import { attempt, fsyncDir, makeDir, namesIn, readBytes, warnOnStderr } from './disk.ts';
import { placeOnce, tempsIn } from './temps.ts';

const ATTRIBUTES = ['memory/shared/*.md -text', 'conseils/*.md -text'];
const IGNORED = ['.versions', '.tmp', '.edits', '.quarantine'].map((name) => `memory/shared/${name}/`);

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
  const named = root ?? (env.COUNCIL_ROOT || undefined);
  if (named !== undefined)
    return requireFolder(resolve(cwd, named), root === undefined ? 'COUNCIL_ROOT' : '--root');
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const project = projectAt(folder);
    if (kindOf(project.councilFile) === 'file' || kindOf(project.shared) === 'folder') return project;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The layout of a project in `root`, whether it exists or not. */
export function projectAt(root: string): Project {
  return {
    root,
    shared: join(root, 'memory', 'shared'),
    archives: join(root, 'conseils'),
    agents: join(root, 'agents'),
    modes: join(root, 'modes'),
    councilFile: join(root, 'COUNCIL.md'),
  };
}

function requireFolder(path: string, source: string): Project {
  if (kindOf(path) === 'folder') return projectAt(path);
  throw new CouncilError('no_project', `${source} names ${path}, which is not a folder.`, {
    hint: 'Name a folder that exists, or create it and run: council init',
  });
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stat = fs.statSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  return stat.isDirectory() ? 'folder' : 'file';
}

/** The folder of council's own package.json: where its templates are. Works from the sources and from the bundle. */
export function packageDir(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const bytes = readBytes(join(folder, 'package.json'));
    if (bytes && (JSON.parse(bytes.toString()) as { name?: unknown }).name === 'council') return folder;
    if (dirname(folder) === folder) {
      throw new CouncilError('failed', `council's own package.json was not found above ${from}.`, {
        hint: 'Install council again.',
      });
    }
  }
}

/** The text of a UTF-8 file, undefined when there is none. Throws `io`, and `invalid_text` for anything but text. */
export function readTextFile(path: string): string | undefined {
  const bytes = readBytes(path);
  return bytes && decodeText(bytes, path);
}

/**
 * The Markdown files of a folder, sorted by name; none when the folder does not exist. A file that cannot be read hides
 * no other: `report` hears why.
 */
export function markdownFiles(
  dir: string,
  report: (problem: string) => void = warnOnStderr,
): { path: string; text: string }[] {
  return namesIn(dir)
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => {
      const path = join(dir, name);
      try {
        const text = readTextFile(path);
        return text === undefined ? [] : [{ path, text }];
      } catch (error) {
        if (!(error instanceof CouncilError)) throw error;
        report(error.message);
        return [];
      }
    });
}

/**
 * Prepares a folder for councils: memory/shared/, conseils/, agents/, COUNCIL.md from the template of the language, and the lines git needs.
 * Overwrites nothing and can be run again. Returns what was created or extended, as paths relative to `root`. Throws `io`.
 */
export function initProject(
  root: string,
  {
    lang,
    template = join(packageDir(), 'templates', lang === 'fr' ? 'COUNCIL.fr.md' : 'COUNCIL.md'),
  }: { lang?: string; template?: string } = {},
): { created: string[] } {
  const { councilFile, shared } = projectAt(root);
  const created = ['memory/shared/', 'conseils/', 'agents/'].filter((folder) =>
    makeMissing(join(root, folder)),
  );
  if (!fs.existsSync(councilFile)) {
    // Whole or not at all: half a file would be there for good, because nothing is overwritten.
    placeOnce(
      tempsIn(join(shared, '.tmp')),
      councilFile,
      Buffer.from(inLanguage(readTemplate(template), lang)),
    );
    created.push('COUNCIL.md');
  }
  if (addLines(join(root, '.gitattributes'), ATTRIBUTES)) created.push('.gitattributes');
  if (addLines(join(root, '.gitignore'), IGNORED)) created.push('.gitignore');
  fsyncDir(root);
  return { created };
}

function makeMissing(path: string): boolean {
  const missing = !fs.existsSync(path);
  if (missing) makeDir(path);
  return missing;
}

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

/** Appends the lines that a file does not have yet; false when it has them all. */
function addLines(path: string, lines: string[]): boolean {
  const text = readBytes(path)?.toString() ?? '';
  const present = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = lines.filter((line) => !present.has(line));
  if (missing.length === 0) return false;
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  attempt('write', path, () => fs.appendFileSync(path, `${start}${missing.join('\n')}\n`));
  return true;
}
