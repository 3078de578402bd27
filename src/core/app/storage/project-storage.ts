// Where the data of a project are kept: in its own files, or in another store that its settings name.
import type { Project } from '../../store/local/project.ts';
import { judgeFolder } from '../../store/file/judge-folder.ts';
import { refusingMoves, isReadable } from '../../store/trouble.ts';
import type { StoreTrouble } from '../../store/trouble.ts';
import { inFiles } from './files.ts';
import type { Keeping, KeepingApp } from './ports.ts';

/** Nothing is opened before it is needed. What is being moved elsewhere is not changed. Throws `invalid_config`. */
export function openProjectStorage(app: KeepingApp, project: Project): Keeping {
  const named = openNamedStore(app, project);
  const keeping = named ?? inFiles(app, project);
  const judge = async (): Promise<StoreTrouble | undefined> => {
    // Settings and agents lie in the folder, whatever keeps the councils.
    const folder = await judgeFolder(project.root);
    const isEnough = folder && !(named && isReadable(folder));
    return isEnough ? folder : keeping.judge();
  };
  return {
    ...keeping,
    judge,
    councils(readStamp) {
      const { store, edits } = keeping.councils(readStamp);
      return { store: refusingMoves(store), edits };
    },
    documents: (kind, settings) => refusingMoves(keeping.documents(kind, settings)),
  };
}

function openNamedStore(app: KeepingApp, project: Project): Keeping | undefined {
  for (const { openStore } of app.features) {
    const found = openStore?.(app, project);
    if (found) return found;
  }
  return undefined;
}
