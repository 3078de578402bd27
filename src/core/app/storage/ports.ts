// The ports of what is kept of a project, and what they are composed with.
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

/** What is kept beside the councils: each a kind of documents of its own. */
export type DocumentKind =
  'approvals' | 'deliveries' | 'duty' | 'health' | 'mail' | 'registry' | 'reservations' | 'tasks' | 'todos';

/** What a driver may know of documents of a kind; all but the stamp is about files. */
export interface DocumentSettings {
  readStamp: ReadStamp;
  /** Whether a copy beside the history is worth it; without it, it always is. */
  isShown?: (bytes: Uint8Array) => boolean;
  /** Keys with very many documents; if absent, all. */
  isCrowded?: (key: string) => boolean;
}

/** The ports of a project, whatever keeps it. Nothing is opened before it is needed. */
export interface Keeping {
  councils(readStamp: ReadStamp): { store: Documents; edits: HandEdits };
  documents(kind: DocumentKind, settings: DocumentSettings): Documents;
  /** False where there never was a document of a kind, as far as that can be told without opening anything. */
  mayHold(kind: DocumentKind): boolean;
  /** What is behind the documents of a kind: for moving them. */
  histories(kind: DocumentKind | 'council', settings: DocumentSettings): Histories;
  archives(): Archives;
  lateFiles(): LateFiles;
  privateTexts(): PrivateTexts;
  messages(): MessageLog;
  presences(): Presences;
  due(): DueIndex;
  /** Access tokens beside `local`, those of this machine; not there where a project lies on one machine only. */
  accessTokens?(local: AccessTokens): AccessTokens;
  heartbeats(): Heartbeats;
  /** What councils were started with; not there where one checkout plays them. */
  pins?(): Pins;
  /** The time that deadlines and leases are judged by. */
  clock: Clock;
  /** Resolves when the time can be read; throws where what keeps the project cannot be reached. */
  ready(): Promise<void>;
  /** Why it cannot be used now, found within two seconds and without writing anything; undefined where it can. */
  judge(): Promise<StoreTrouble | undefined>;
  /** Closes the connections to the store at once: calls that still wait for it fail. */
  release(): void;
}

export type KeepingApp = Pick<App, 'env' | 'features' | 'note'> & Partial<Pick<App, 'via' | 'caller'>>;

/** Whose archive a text is; undefined where it does not say so in the usual place. */
export const extractConversationId = (archive: string): string | undefined =>
  /^conversationId: ["']?([0-9a-f-]{36})/m.exec(archive)?.[1];
