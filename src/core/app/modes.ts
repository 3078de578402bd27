// Finds and reads the modes of the project and of council itself, and detects conflict copies of agent and mode files made by sync programs.
import { basename, join, parse as parsePath } from 'node:path';
import { createUnknownNameError } from '../base/unknown-name.ts';
import { parseMode } from '../council/state/mode.ts';
import type { Mode } from '../council/state/mode.ts';
import { takeCensus, readOriginalName, tellOfCopy } from '../store/census.ts';
import type { UnusedCopy } from '../store/census.ts';
import { readMarkdownFiles, findPackageDir } from '../store/local/project.ts';
import type { MarkdownFile, Project } from '../store/local/project.ts';
import type { AgentRegistry } from '../agents/registry.ts';
import { listFolderNames } from '../store/local/disk.ts';
import type { App } from './app.ts';

export type FoundMode = MarkdownFile & { name: string };

/** Finds the modes of the project and of council itself. A project's file takes precedence; conflict copies do not count. */
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

/** Lists conflict copies beside a project's modes. They are recognized by file name, since a mode does not contain its name. */
export function listCopiedModes({ modes }: Project): UnusedCopy[] {
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

/** Returns a function that loads a mode by name. It throws `unknown_mode` with the existing names, or `invalid_mode`. */
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

/** Reports ignored copies, for commands that use agents or modes. */
export function tellCopies(app: App, { project }: ProjectLocation, agents: AgentRegistry): void {
  for (const copy of [...agents.copies(), ...listCopiedModes(project)]) app.note(tellOfCopy(copy));
}

/** Whether names alone reveal a sync program's copy, for commands that do not read agents. */
export const mayHoldCopies = ({ project }: ProjectLocation): boolean =>
  [project.agents, project.modes].some((folder) =>
    listFolderNames(folder).some((name) => readOriginalName(name) !== undefined),
  );
