// Finds, reads and lists the personas that take a seat, and the tables of them.
import { join, parse as parsePath } from 'node:path';
import { createFieldReader } from '../../agents/front-matter-fields.ts';
import { readFrontMatter } from '../../base/front-matter.ts';
import { createUnknownNameError } from '../../base/unknown-name.ts';
import type { Language } from '../../base/words/words.ts';
import { readMarkdownFiles, findPackageDir } from '../../store/local/project.ts';
import type { Project } from '../../store/local/project.ts';
import type { App } from '../app.ts';
import { loadConfig, openWorkspaceHere } from '../workspace.ts';
import tables from '../../../../templates/tables.json' with { type: 'json' };
import { parseSeat, renderSeat } from '../../agents/seat-notation.ts';

/** Who an agent may be: what it looks for, and what would convince it. */
export interface Persona {
  name: string;
  title: string;
  emoji: string;
  /** What it looks for, in a line. */
  description: string;
  /** The body of the agent's file. */
  text: string;
  path: string;
  /** It is a file of the project, and council has one of that name as well, which is not used. */
  replaces: boolean;
}

/** By name: files of the project's `personas/` before council's own, which speak the project's language. Throws as reading them does. */
export function findPersonas({ personas: folder }: Pick<Project, 'personas'>, lang: Language): Persona[] {
  const found = new Map<string, Persona>();
  const ours = readMarkdownFiles(join(findPackageDir(), 'templates', 'personas')).map((file) => {
    const [name = '', language = 'en'] = parsePath(file.path).name.split('.');
    return { ...file, name, isOurs: language === lang, isOwn: false };
  });
  const own = readMarkdownFiles(folder).map((file) => ({
    ...file,
    name: parsePath(file.path).name,
    isOurs: true,
    isOwn: true,
  }));
  for (const { name, path, text, problem, isOurs, isOwn } of [...own, ...ours]) {
    if (!isOurs || found.has(name)) continue;
    if (problem) throw problem;
    const replaces = isOwn && ours.some((one) => one.name === name);
    found.set(name, { ...readPersonaFile(name, path, text), replaces });
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function readPersonaFile(name: string, path: string, source: string): Omit<Persona, 'replaces'> {
  const { data, body } = readFrontMatter(source, path);
  const own = createFieldReader(data, path);
  const [title, emoji, description] = [own.text('title'), own.text('emoji'), own.text('description')];
  return {
    name,
    title: title ?? name,
    emoji: emoji ?? '',
    description: description ?? '',
    text: body.trim(),
    path,
  };
}

/** Throws `usage` with the personas that there are. */
export function requirePersona(personas: readonly Persona[], name: string): Persona {
  const found = personas.find((persona) => persona.name === name);
  if (found) return found;
  throw createUnknownNameError(
    'persona',
    name,
    personas.map((persona) => persona.name),
  );
}

export interface PersonasDocument {
  personas: Persona[];
  /** The personas of each table, by its name. */
  tables: Record<string, string[]>;
}

/** Throws `usage` for a name that no persona has. */
export async function listPersonas(app: App, name: string | undefined): Promise<PersonasDocument> {
  const workspace = openWorkspaceHere(app);
  const { lang } = await loadConfig(app, workspace, {});
  const personas = findPersonas(workspace.project, lang);
  return { personas: name === undefined ? personas : [requirePersona(personas, name)], tables };
}

export { tables };

type TableName = keyof typeof tables;
export const TABLES = Object.keys(tables) as TableName[];

/**
 * The entries of a table: each of its personas for one of `programs`, in turn, so that one which was named by several models
 * takes its second seat after all others have had their first. Entries with a persona of their own are no programs here.
 */
export function spreadTable(name: TableName, programs: readonly string[]): string[] {
  const program = (entry: string): string | null => parseSeat(entry).program;
  const isFirst = (entry: string, at: number): boolean =>
    programs.findIndex((other) => program(other) !== null && program(other) === program(entry)) >= at ||
    program(entry) === null;
  const differentFirst = [
    ...programs.filter(isFirst),
    ...programs.filter((entry, at) => !isFirst(entry, at)),
  ];
  return tables[name].map((persona, at) =>
    renderSeat({ ...parseSeat(differentFirst[at % differentFirst.length]!), persona }),
  );
}
