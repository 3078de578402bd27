// The ports of a project that is kept in its own files.
import { join } from 'node:path';
import { archiveFiles } from '../../store/file/archive-files.ts';
import { dueFile } from '../../store/file/due-index.ts';
import { fileStore } from '../../store/file/file-store.ts';
import { lateFiles } from '../../store/file/late.ts';
import { messageFiles } from '../../store/file/message-files.ts';
import { presenceFiles } from '../../store/file/presence-files.ts';
import { privateDir } from '../../store/file/private-dir.ts';
import type { Project } from '../../store/local/project.ts';
import { systemClock } from '../../store/local/system.ts';
import type { Keeping, KeepingApp } from './ports.ts';

export function inFiles(app: KeepingApp, { root, shared }: Project): Keeping {
  const warn = (message: string): void => app.note(message);
  const at = { dir: shared, root, warn };
  return {
    councils(readStamp) {
      const store = fileStore({ ...at, prefix: 'council-', readStamp });
      return { store, edits: store };
    },
    // Beside the histories: git ignores them there, and they are no councils.
    documents: (kind, settings) =>
      fileStore({ dir: join(shared, '.versions', `.${kind}`), root, prefix: '', ...settings, warn }),
    archives: () => archiveFiles({ root, env: app.env }),
    lateFiles: () => lateFiles(shared, root),
    privateTexts: () => privateDir({ env: app.env, projectRoot: root }),
    messages: () => messageFiles(at),
    presences: () => presenceFiles(shared, root),
    due: () => dueFile({ ...at, shown: (name) => join(shared, `council-${name}.md`) }),
    clock: systemClock,
    ready: () => Promise.resolve(),
  };
}
