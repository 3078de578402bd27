// Finds and reads the modes of the project and of council itself, and says which files of agents and modes are copies that a program that syncs has made.
import { basename, join, parse as parsePath } from 'node:path';
import { createUnknownNameError } from '../base/unknown-name.ts';
import { parseMode } from '../council/state/mode.ts';
import type { Mode } from '../council/state/mode.ts';
import { takeCensus, readOriginalName, tellOfCopy } from '../store/census.ts';
import type { Copy } from '../store/census.ts';
import { readMarkdownFiles, findPackageDir } from '../store/local/project.ts';
import type { MarkdownFile, Project } from '../store/local/project.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { listFolderNames } from '../store/local/disk.ts';
import type { App } from './app.ts';

export type FoundMode = MarkdownFile & { name: string };

/** The modes of the project and of council itself; a project's own file wins, and no copy of it is a mode. */
export function findModes(project: Project): FoundMode[] {
  const files = readMarkdownFiles(project.modes);
  const census = takeCensusOfFiles(files);
  const own = files.filter(({ path }) => census.get(basename(path))?.kind === 'own');
  const ours = readMarkdownFiles(join(findPackageDir(), 'templates', 'modes'));
  const found = new Map<string, FoundMode>();
  for (const file of [...own, ...ours]) {
    const { name } = parsePath(file.path);
    if (!found.has(name)) found.set(name, { name, ...file });
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** What other programs have put beside a project's own modes. Nothing in a mode says which one it is: its file's name does. */
export function listCopiedModes({ modes }: Project): Copy[] {
  return [...takeCensusOfFiles(readMarkdownFiles(modes))].flatMap(([name, { kind, of }]) =>
    kind === 'copy' ? { path: join(modes, name), of: join(modes, of) } : [],
  );
}

const takeCensusOfFiles = (files: MarkdownFile[]): ReturnType<typeof takeCensus> =>
  takeCensus(
    files.map(({ path }) => basename(path)),
    { parseKey: (name) => name },
  );

/** Throws `invalid_mode`, or why the file cannot be read. */
export function readMode({ text, path, problem }: FoundMode): Mode {
  if (problem) throw problem;
  return parseMode(text, path);
}

/** A function that gives a mode by name; it throws `unknown_mode` with the names that exist, or `invalid_mode`. */
export function createModeLoader(project: Project): (name: string) => Mode {
  let modes: FoundMode[] | undefined;
  const read = new Map<string, Mode>();
  return (name) => {
    const known = read.get(name);
    if (known) return known;
    modes ??= findModes(project);
    const found = modes.find((mode) => mode.name === name);
    if (found) {
      const mode = readMode(found);
      read.set(name, mode);
      return mode;
    }
    throw createUnknownNameError(
      'mode',
      name,
      modes.map((mode) => mode.name),
    );
  };
}

type ProjectLocation = { project: Project };

/** Every command that goes by agents and modes says which files it has passed over. */
export function tellCopies(app: App, { project }: ProjectLocation, agents: AgentRegistry): void {
  for (const copy of [...agents.copies(), ...listCopiedModes(project)]) app.note(tellOfCopy(copy));
}

/** Whether a look at the names alone shows a file as a program that syncs puts it there: what needs no agents does not read them. */
export const mayHoldCopies = ({ project }: ProjectLocation): boolean =>
  [project.agents, project.modes].some((folder) =>
    listFolderNames(folder).some((name) => readOriginalName(name) !== undefined),
  );
