// Where the data of a project are kept: in its own files, or in the PostgreSQL database that its settings name.
import type { Project } from '../../store/local/project.ts';
import { inDatabase } from './database.ts';
import { inFiles } from './files.ts';
import { databaseOf } from './named.ts';
import type { Keeping, KeepingApp } from './ports.ts';

/** Nothing is opened before it is needed. Throws `invalid_config`. */
export function keepingOf(app: KeepingApp, project: Project): Keeping {
  const named = databaseOf(app.env, project);
  return named ? inDatabase(app, project, named) : inFiles(app, project);
}
