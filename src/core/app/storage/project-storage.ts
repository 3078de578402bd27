// Opens the storage of a project: its own files, or another store named in its settings.
import type { Project } from '../../store/local/project.ts';
import { findFolderTrouble } from '../../store/file/find-folder-trouble.ts';
import { refuseMoves, isReadable, storeAway } from '../../store/availability.ts';
import type { StoreTrouble } from '../../store/availability.ts';
import type { StoragePorts, StorageApp, DocumentKind } from './ports.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryDueIndex } from '../../store/due-index.ts';
import { archiveFiles, openLateFiles } from '../../store/file/archive-files.ts';
import { openFileHistories } from '../../store/file/histories.ts';
import { fileStore } from '../../store/file/file-store.ts';
import { openHeartbeatFiles, openPresenceFiles } from '../../store/file/heartbeat-files.ts';

import { fingerprintFolder } from '../../store/file/list-documents.ts';
import { messageFiles } from '../../store/file/message-files.ts';
import { openPrivateDir } from '../../store/file/private-dir.ts';
import { findSharingProject } from '../../store/local/project.ts';
import type { Heartbeats } from '../../store/heartbeats.ts';
import { protectRoot } from '../../store/local/folders.ts';
import { systemClock } from '../../store/local/system.ts';
import { createOnceNote } from '../repeated-notices.ts';

/** Nothing is opened before it is needed. Data that is being moved is read-only. Throws `invalid_config`. */
export function openProjectStorage(app: StorageApp, project: Project): StoragePorts {
  const named = openNamedStore(app, project);
  const keeping = named ?? createFileStorage(app, project);
  const findTrouble = async (): Promise<StoreTrouble | undefined> => {
    // Settings and agents are in the folder, wherever the councils are stored.
    const folder = await findFolderTrouble(project.root);
    const isEnough = folder && !(named && isReadable(folder));
    return isEnough ? folder : keeping.findTrouble();
  };
  return {
    ...keeping,
    findTrouble,
    councils(readStamp) {
      const { store, edits } = keeping.councils(readStamp);
      return { store: refuseMoves(store), edits };
    },
    documents: (kind, settings) => refuseMoves(keeping.documents(kind, settings)),
  };
}

function openNamedStore(app: StorageApp, project: Project): StoragePorts | undefined {
  for (const { openStore } of app.features) {
    const found = openStore?.(app, project);
    if (found) return found;
  }
  return undefined;
}

/** Rows are written for as long as a process lasts: its folder may go meanwhile, and nothing is made in what stands there then. */
const guardHeartbeats = (rows: Heartbeats, root: string): Heartbeats => ({
  ...rows,
  async renew(row) {
    const trouble = await findFolderTrouble(root);
    if (trouble) throw storeAway(trouble);
    await rows.renew(row);
  },
});

/** Kinds of documents shared by the linked worktrees of a project, so that work in one is visible in the others. */
const SHARED_KINDS: readonly string[] = ['deliveries', 'mail', 'reservations'];

/** Storage of a project in files. Nothing is opened or created before it is used. */
export function createFileStorage(app: StorageApp, project: Project): StoragePorts {
  const { root, shared } = project;
  protectRoot(root);
  let main: Project | undefined;
  const common = (): { dir: string; root: string; warn: typeof warn } => {
    main ??= findSharingProject(project);
    protectRoot(main.root);
    return { dir: main.shared, root: main.root, warn };
  };
  const warn = (message: string): void => app.note(message);
  const at = { dir: shared, root, warn };
  // Beside the histories of councils: ignored by git, and not listed as councils.
  const getPlace = (kind: DocumentKind) => (SHARED_KINDS.includes(kind) ? common() : at);
  const getFolder = (kind: DocumentKind): string => join(getPlace(kind).dir, '.versions', `.${kind}`);
  const of = (kind: DocumentKind | 'council') =>
    kind === 'council'
      ? { ...at, prefix: 'council-' }
      : { ...getPlace(kind), dir: getFolder(kind), prefix: '' };
  const due = createMemoryDueIndex(async (name, now) =>
    fingerprintFolder(join(shared, '.versions', name), now),
  );
  return {
    councils(readStamp) {
      const store = fileStore({ ...of('council'), readStamp });
      return { store, edits: store };
    },
    documents: (kind, settings) => fileStore({ ...of(kind), ...settings }),
    mayHold: (kind) => existsSync(getFolder(kind)),
    histories: (kind, settings) => openFileHistories({ ...of(kind), ...settings }),
    archives: () => archiveFiles({ root, env: app.env }),
    lateFiles: () => openLateFiles(shared, root),
    privateTexts: () => openPrivateDir({ env: app.env, projectRoot: root }),
    messages: () => messageFiles({ ...common(), warn: createOnceNote(app.note) }),
    presences: () => openPresenceFiles(common().dir, common().root),
    due: () => due,
    heartbeats: () => guardHeartbeats(openHeartbeatFiles(shared, root), root),
    clock: systemClock,
    ready: () => Promise.resolve(),
    findTrouble: () => Promise.resolve(undefined),
    release: () => undefined,
  };
}
