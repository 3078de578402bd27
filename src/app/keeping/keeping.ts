// Where the data of a project are kept: in its own files, or in the PostgreSQL database that its settings name.
import type { Project } from '../../store/local/project.ts';
import { refusingMoves } from '../../store/moving.ts';
import { inDatabase } from './database.ts';
import { inFiles } from './files.ts';
import { databaseOf } from './named.ts';
import type { Keeping, KeepingApp } from './ports.ts';

/** Nothing is opened before it is needed. What is being moved elsewhere is not changed. Throws `invalid_config`. */
export function keepingOf(app: KeepingApp, project: Project): Keeping {
  const named = databaseOf(app.env, project);
  const keeping = named ? inDatabase(app, project, named) : inFiles(app, project);
  return {
    ...keeping,
    councils(readStamp) {
      const { store, edits } = keeping.councils(readStamp);
      return { store: refusingMoves(store), edits };
    },
    documents: (kind, settings) => refusingMoves(keeping.documents(kind, settings)),
  };
}
