// PostgreSQL driver: opens a database, with every port that is kept in it.
import type { AccessTokens } from '../../core/store/access-tokens.ts';
import type { Archives } from '../../core/store/archives.ts';
import type { Documents } from '../../core/store/documents.ts';
import type { DueIndex } from '../../core/store/due-index.ts';
import type { Heartbeats } from '../../core/store/heartbeats.ts';
import type { Histories } from '../../core/store/histories.ts';
import type { LateFiles } from '../../core/store/late-files.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import type { Pins } from '../../core/store/pins.ts';
import type { Presences } from '../../core/store/presences.ts';
import type { PrivateTexts } from '../../core/store/private-texts.ts';
import { postgresAccessTokens } from './access-tokens.ts';
import { postgresArchives } from './archives.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { postgresDocuments } from './documents.ts';
import { postgresDueIndex } from './due-index.ts';
import { postgresHeartbeats } from './heartbeats.ts';
import { hintsIn } from './hints.ts';
import { postgresHistories } from './histories.ts';
import { postgresLateFiles } from './late-files.ts';
import { listenerOn } from './listener.ts';
import { postgresMessageLog } from './message-log.ts';
import { postgresPins } from './pins.ts';
import type { Place } from './place.ts';
import { postgresPresences } from './presences.ts';
import { postgresPrivateTexts } from './private-texts.ts';
import type { Facts } from './room.ts';

export { judgeServer } from './judge-server.ts';
export { findSockets } from './sockets.ts';
export { inspectAt, migrateAt } from './visit.ts';

export interface PostgresOptions {
  place: Place;
  /** A way to the server past any pooler, for what listens. */
  direct: Place;
  /** How many connections this process may have, beside the one that listens. */
  size: number;
  /** How long a statement may take, in milliseconds; 0 is as long as it takes. */
  answerMs?: number | undefined;
  /** Who writes, for the history. */
  actor: string;
  /** What is written beside a council, so that nobody has to read it for that. */
  factsOf(text: string): Facts;
  /** Whose archive a text is. */
  conversationOf(archive: string): string | undefined;
}

/** What is kept in the database of a project. */
export interface PostgresStore {
  database: Database;
  /** Documents of a kind; `council` are the councils themselves. */
  documents(kind: string): Documents;
  histories(kind: string): Histories;
  archives: Archives;
  lateFiles: LateFiles;
  messages: MessageLog;
  presences: Presences;
  due: DueIndex;
  heartbeats: Heartbeats;
  pins: Pins;
  /** Over those of this machine. */
  privateTexts(local: PrivateTexts): PrivateTexts;
  /** Beside those of this machine. */
  accessTokens(local: AccessTokens): AccessTokens;
}

/** The rows of one project in a schema: there is one project in each, and the tests have many. */
export const PROJECT = 'council';

/** Opens the database of a project. Throws what `openDatabase` throws. */
export async function openPostgres(options: PostgresOptions, project = PROJECT): Promise<PostgresStore> {
  const { place, direct, size, answerMs, actor, factsOf, conversationOf } = options;
  const database = await openDatabase(place, size, answerMs);
  const listener = listenerOn(database, direct);
  const kept = new Map<string, Documents>();
  const roomOf = (kind: string): string => (kind === 'council' ? project : `${project}/${kind}`);
  const documentsOf = (kind: string): Documents => {
    const name = roomOf(kind);
    const hints = hintsIn(name, database, listener);
    const facts = kind === 'council' ? factsOf : () => ({});
    return postgresDocuments(
      { database, name, actor, factsOf: facts, committed: hints.committed },
      hints.watch,
    );
  };
  return {
    database,
    documents(kind) {
      const documents = kept.get(kind) ?? documentsOf(kind);
      kept.set(kind, documents);
      return documents;
    },
    histories: (kind) => postgresHistories({ database, name: roomOf(kind), actor }),
    archives: postgresArchives({ database, project, conversationOf }),
    lateFiles: postgresLateFiles(database, project),
    messages: postgresMessageLog(database, project, listener),
    presences: postgresPresences(database, project),
    due: postgresDueIndex(database, project),
    heartbeats: postgresHeartbeats(database, project),
    pins: postgresPins(database, project),
    privateTexts: (local) => postgresPrivateTexts(database, local),
    accessTokens: (local) => postgresAccessTokens(database, project, local),
  };
}
