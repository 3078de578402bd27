// The ports of a project's storage, and the parts that compose them.
import type { Clock } from '../../base/clock.ts';
import type { AccessTokens } from '../../store/access-tokens.ts';
import type { Archives } from '../../store/archives.ts';
import type { Documents, ReadStamp, Histories, HandEdits } from '../../store/documents.ts';
import type { DueIndex } from '../../store/due-index.ts';
import type { Heartbeats } from '../../store/heartbeats.ts';
import type { LateFiles, Pins, Presences, PrivateTexts } from '../../store/small-files.ts';
import type { MessageLog } from '../../store/message-log.ts';
import type { StoreTrouble } from '../../store/availability.ts';
import type { App } from '../app.ts';

/** Kinds of documents stored beside the councils. */
export type DocumentKind =
  'approvals' | 'deliveries' | 'duty' | 'health' | 'mail' | 'registry' | 'reservations' | 'tasks' | 'todos';

/** What a driver must know about documents of a kind; everything except the stamp concerns files. */
export interface DocumentSettings {
  readStamp: ReadStamp;
  /** Whether a copy beside the history is worth it; without it, it always is. */
  isShown?: (bytes: Uint8Array) => boolean;
  /** Keys with very many documents; if absent, all. */
  isCrowded?: (key: string) => boolean;
}

/** The ports of a project, independent of its store. Nothing is opened before it is needed. */
export interface StoragePorts {
  councils(readStamp: ReadStamp): { store: Documents; edits: HandEdits };
  documents(kind: DocumentKind, settings: DocumentSettings): Documents;
  /** False if there never was a document of a kind, as far as known without opening anything. */
  mayHold(kind: DocumentKind): boolean;
  /** Opens the histories of a kind of documents, for moving them. */
  histories(kind: DocumentKind | 'council', settings: DocumentSettings): Histories;
  archives(): Archives;
  lateFiles(): LateFiles;
  privateTexts(): PrivateTexts;
  messages(): MessageLog;
  presences(): Presences;
  due(): DueIndex;
  /** Access tokens in the store, beside `local`, those of this machine; missing if a project is on one machine only. */
  accessTokens?(local: AccessTokens): AccessTokens;
  heartbeats(): Heartbeats;
  /** Pinned texts that councils were started with; missing if only one checkout plays them. */
  pins?(): Pins;
  /** The clock for deadlines and leases. */
  clock: Clock;
  /** Resolves once the clock can be read; throws if the store cannot be reached. */
  ready(): Promise<void>;
  /** Returns why the store cannot be used now, within two seconds and without writing; undefined if it can. */
  findTrouble(): Promise<StoreTrouble | undefined>;
  /** Closes the connections to the store at once: calls that still wait for it fail. */
  release(): void;
}

export type StorageApp = Pick<App, 'env' | 'features' | 'note'> & Partial<Pick<App, 'via' | 'caller'>>;

/** Reads which council an archive text belongs to; undefined if it is not in the usual place. */
export const extractConversationId = (archive: string): string | undefined =>
  /^conversationId: ["']?([0-9a-f-]{36})/m.exec(archive)?.[1];
