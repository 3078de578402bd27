// The kinds of documents that the team room stores beside the councils: their store settings, and how to open
// them.
import { openProjectStorage } from '../core/app/storage/project-storage.ts';
import type { DocumentKind, DocumentSettings, StorageApp } from '../core/app/storage/ports.ts';
import type { Workspace } from '../core/app/workspace.ts';
import { createJsonStampReader } from '../core/store/documents.ts';
import type { Documents } from '../core/store/documents.ts';
import { isOnItsWay, isTaskKey } from './tasks/store.ts';

export const KINDS = {
  approvals: { readStamp: createJsonStampReader('approvals') },
  deliveries: { readStamp: createJsonStampReader('deliveries') },
  duty: { readStamp: createJsonStampReader('duty'), isShown: () => false },
  mail: { readStamp: createJsonStampReader('mailbox') },
  registry: { readStamp: createJsonStampReader('registry') },
  reservations: { readStamp: createJsonStampReader('reservations') },
  tasks: {
    readStamp: createJsonStampReader('tasks'),
    // The second copy, used to repair a damaged one, is kept only for documents that will not change any more.
    isShown: (bytes) => !isOnItsWay(new TextDecoder().decode(bytes)),
    isCrowded: (key) => !isTaskKey(key),
  },
} satisfies Partial<Record<DocumentKind, DocumentSettings>>;

export const openDocuments = (
  app: StorageApp,
  { project }: Pick<Workspace, 'project'>,
  kind: keyof typeof KINDS,
): Documents => openProjectStorage(app, project).documents(kind, KINDS[kind]);
