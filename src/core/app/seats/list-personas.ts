// Action `personas` of `agents`: the personas of a project, the whole text of one, and the tables they sit at.
import type { App } from '../app.ts';
import { loadConfig, workspaceHere } from '../workspace.ts';
import { findPersonas, requirePersona } from './personas.ts';
import type { Persona } from './personas.ts';
import { tables } from './tables.ts';

export interface PersonasDocument {
  personas: Persona[];
  /** The personas of each table, by its name. */
  tables: Record<string, string[]>;
}

/** Throws `usage` for a name that no persona has. */
export async function listPersonas(app: App, name: string | undefined): Promise<PersonasDocument> {
  const workspace = workspaceHere(app);
  const { lang } = await loadConfig(app, workspace, {});
  const personas = findPersonas(workspace.project, lang);
  return { personas: name === undefined ? personas : [requirePersona(personas, name)], tables };
}
