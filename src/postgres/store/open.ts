// PostgreSQL driver: opens a database, with all ports that are kept in it.
import type { AccessTokens } from '../../core/store/access-tokens.ts';
import type { Archives } from '../../core/store/archives.ts';
import type { Documents, Histories } from '../../core/store/documents.ts';
import type { DueIndex } from '../../core/store/due-index.ts';
import { FORGOTTEN_MS, readHeartbeat } from '../../core/store/heartbeats.ts';
import type { Heartbeats } from '../../core/store/heartbeats.ts';
import type { LateFiles, Pins, Presences, PrivateTexts } from '../../core/store/small-files.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import { createPostgresAccessTokens, createPostgresMessageLog } from './archives-and-messages.ts';
import { createPostgresArchives, createPostgresLateFiles } from './archives-and-messages.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { createPostgresDocuments } from './documents.ts';
import { createPostgresDueIndex } from './due-index.ts';
import { openRoomHints, createListener } from './change-hints.ts';
import { createPostgresHistories } from './commit.ts';
import type { DatabasePlace } from './place.ts';
import { createPostgresPrivateTexts } from './private-texts.ts';
import type { TextFacts } from './commit.ts';
import { requireId, sha256 } from '../../core/base/ids.ts';
import { CouncilError } from '../../core/base/errors.ts';
import { parseJsonSafely } from '../../core/base/text.ts';

export { findServerTrouble } from './find-server-trouble.ts';
export { findSockets } from './place.ts';
export { inspectDatabase, migrateDatabase } from './inspect-server.ts';

export interface PostgresOptions {
  place: DatabasePlace;
  /** The address of the server without a pooler, for LISTEN. */
  direct: DatabasePlace;
  /** Maximum connections of this process, besides the one that listens. */
  size: number;
  /** Query timeout in milliseconds; 0 for none. */
  answerMs?: number | undefined;
  /** The author of changes, for the history. */
  actor: string;
  /** Returns the facts stored next to a council, so that its text need not be read for them. */
  readFacts(text: string): TextFacts;
  /** Returns an archive's conversationId. */
  readConversation(archive: string): string | undefined;
}

/** The ports of a project's database. */
export interface PostgresStore {
  database: Database;
  /** Documents of a kind; `council` for the councils themselves. */
  documents(kind: string): Documents;
  histories(kind: string): Histories;
  archives: Archives;
  lateFiles: LateFiles;
  messages: MessageLog;
  presences: Presences;
  due: DueIndex;
  heartbeats: Heartbeats;
  pins: Pins;
  /** Uses this machine's for everything but sealed texts. */
  privateTexts(local: PrivateTexts): PrivateTexts;
  /** Includes this machine's. */
  accessTokens(local: AccessTokens): AccessTokens;
}

/** The key of a project's rows: a schema contains only one project, except in tests. */
export const PROJECT = 'council';

/** Opens the database of a project. Throws like `openDatabase`. */
export async function openPostgres(options: PostgresOptions, project = PROJECT): Promise<PostgresStore> {
  const { place, direct, size, answerMs, actor, readFacts, readConversation } = options;
  const database = await openDatabase(place, size, answerMs);
  const listener = createListener(database, direct);
  const kept = new Map<string, Documents>();
  const nameRoom = (kind: string): string => (kind === 'council' ? project : `${project}/${kind}`);
  const getDocuments = (kind: string): Documents => {
    const name = nameRoom(kind);
    const hints = openRoomHints(name, database, listener);
    const facts = kind === 'council' ? readFacts : () => ({});
    return createPostgresDocuments(
      { database, name, actor, readFacts: facts, onCommit: hints.tellCommit },
      hints.watch,
    );
  };
  return {
    database,
    documents(kind) {
      const documents = kept.get(kind) ?? getDocuments(kind);
      kept.set(kind, documents);
      return documents;
    },
    histories: (kind) => createPostgresHistories({ database, name: nameRoom(kind), actor }),
    archives: createPostgresArchives({ database, project, readConversation }),
    lateFiles: createPostgresLateFiles(database, project),
    messages: createPostgresMessageLog(database, project, listener),
    presences: createPostgresPresences(database, project),
    due: createPostgresDueIndex(database, project),
    heartbeats: createPostgresHeartbeats(database, project),
    pins: createPostgresPins(database, project),
    privateTexts: (local) => createPostgresPrivateTexts(database, local),
    accessTokens: (local) => createPostgresAccessTokens(database, project, local),
  };
}

// PostgreSQL driver: presences of agents.

function createPostgresPresences(database: Database, project: string): Presences {
  const table = database.name('presences');
  return {
    async write(agent, text) {
      await database.write(
        `INSERT INTO ${table} (project, agent, text) VALUES ($1, $2, $3)
ON CONFLICT (project, agent) DO UPDATE SET text = $3`,
        [project, requireId(agent, 'agent'), text],
      );
    },
    list: () =>
      database.read<{ agent: string; text: string }>(
        `SELECT agent, text FROM ${table} WHERE project = $1 ORDER BY agent`,
        [project],
      ),
  };
}

// PostgreSQL driver: pinned modes and house rules of councils.

function createPostgresPins(database: Database, project: string): Pins {
  const table = database.name('pins');
  return {
    async keep(text) {
      const hash = sha256(text);
      await database.write(
        `INSERT INTO ${table} (project, hash, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        [project, hash, text],
      );
      return hash;
    },
    async read(hash) {
      const [row] = await database.read<{ text: string }>(
        `SELECT text FROM ${table} WHERE project = $1 AND hash = $2`,
        [project, hash],
      );
      if (row && sha256(row.text) === hash) return row.text;
      throw new CouncilError(
        'corrupt',
        `The mode and house rules that the council was started with are ${row ? 'damaged' : 'missing'} in the database.`,
        { hint: `Bring back the row ${hash} of ${table} from a backup.` },
      );
    },
  };
}

// PostgreSQL driver: heartbeats, whose age is measured by the database's clock.

const MS = 'extract(epoch FROM clock_timestamp() - at) * 1000';

/** Host, labels and version have columns for people who query the table. */
function createPostgresHeartbeats(database: Database, project: string): Heartbeats {
  const table = database.name('heartbeats');
  return {
    async renew(heartbeat) {
      const { id, host, labels, version } = heartbeat;
      await database.write(
        `WITH old AS (DELETE FROM ${table} WHERE project = $1 AND id <> $2 AND ${MS} >= ${FORGOTTEN_MS})
INSERT INTO ${table} (project, id, at, host, labels, version, facts) VALUES ($1, $2, clock_timestamp(), $3, $4, $5, $6)
ON CONFLICT (project, id) DO UPDATE SET at = clock_timestamp(), labels = $4, facts = $6`,
        [project, requireId(id, 'heartbeat'), host, labels, version, JSON.stringify(heartbeat)],
      );
    },
    async list() {
      const rows = await database.read<{ facts: string; age: number }>(
        `SELECT facts, greatest(0, ${MS})::float8 AS age FROM ${table} WHERE project = $1 AND ${MS} < ${FORGOTTEN_MS} ORDER BY id`,
        [project],
      );
      return rows.flatMap(({ facts, age }) => {
        const heartbeat = readHeartbeat(parseJsonSafely(facts));
        return heartbeat ? [{ ...heartbeat, ageMs: Math.round(age) }] : [];
      });
    },
    async remove(id) {
      await database.write(`DELETE FROM ${table} WHERE project = $1 AND id = $2`, [project, id]);
    },
  };
}
