// PostgreSQL driver: opens a database, with all ports that are kept in it. Lists the due councils by facts stored with
// their commits.
import type { AccessTokens } from '../../core/store/access-tokens.ts';
import type { Archives } from '../../core/store/archives.ts';
import type { Documents, Histories } from '../../core/store/documents.ts';
import type { DueIndex, DueQuery, DuePass, WaitingCouncil } from '../../core/store/due-index.ts';
import { FORGOTTEN_MS, readHeartbeat } from '../../core/store/heartbeats.ts';
import type { Heartbeats } from '../../core/store/heartbeats.ts';
import type { LateFiles, Pins, Presences, PrivateTexts } from '../../core/store/small-files.ts';
import type { MessageLog } from '../../core/store/message-log.ts';
import {
  createPostgresAccessTokens,
  createPostgresMessageLog,
  createPostgresArchives,
  createPostgresLateFiles,
} from './archives-and-messages.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database.ts';
import { createPostgresDocuments } from './documents.ts';
import { openRoomHints, createListener } from './change-hints.ts';
import { createPostgresHistories } from './commit.ts';
import type { DatabasePlace } from './place.ts';
import { createPostgresPrivateTexts } from './private-texts.ts';
import type { TextFacts } from './commit.ts';
import { requireId, sha256, getCrypto } from '../../core/base/ids.ts';
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

/** After this time, a claim has expired. */
const CLAIM = `interval '60 seconds'`;
/** now() is constant within a statement, so the index on due times can be used. */
const DUE = '(h.due_at IS NULL OR h.due_at <= now())';
const FREE = '(h.claim_until IS NULL OR h.claim_until < now())';
/** Milliseconds before looking again at councils claimed by another heartbeat. */
const CLAIMED_LOOK_MS = 1000;

/**
 * Uses the server's time and the due times stored with commits, so there is nothing to update or verify.
 * Concurrent passes each take what no other has claimed, which shares the work but guarantees nothing.
 */
export function createPostgresDueIndex(database: Database, project: string): DueIndex {
  return {
    async begin({ claim: isTaking = false }: DueQuery): Promise<DuePass> {
      const claim = isTaking ? getCrypto().randomUUID() : undefined;
      const due =
        claim === undefined
          ? await listDueKeys(database, project)
          : await claimDueKeys(database, project, claim);
      const [others] = await database.read<{ live: number; next: number | null; held: number }>(
        `SELECT (SELECT count(*) FROM ${database.name('heads')} h WHERE h.project = $1 AND h.live)::float8 AS live,
(SELECT (extract(epoch FROM min(h.due_at)) * 1000)::float8 FROM ${database.name('heads')} h
 WHERE h.project = $1 AND h.live AND h.due_at > now()) AS next,
(SELECT count(*) FROM ${database.name('heads')} h
 WHERE h.project = $1 AND h.live AND ${DUE} AND NOT ${FREE} AND h.claim IS DISTINCT FROM $2)::float8 AS held`,
        [project, claim ?? null],
      );
      // A council claimed by another heartbeat may wait for an agent that only this one may launch.
      const soon =
        claim !== undefined && (others?.held ?? 0) > 0 ? database.now() + CLAIMED_LOOK_MS : Infinity;
      const nextAt = Math.min(others?.next ?? Infinity, soon);
      return {
        due,
        resting: Math.max(0, (others?.live ?? 0) - due.length),
        nextAt: nextAt === Infinity ? undefined : nextAt,
        listWaiting: () => readWaitingRows(database, project, due),
        async end() {
          if (claim === undefined) return;
          await database.write(
            `UPDATE ${database.name('heads')} SET claim = NULL, claim_until = NULL WHERE project = $1 AND claim = $2 AND key = ANY ($3)`,
            [project, claim, due],
          );
        },
      };
    },
  };
}

async function listDueKeys(database: Database, project: string): Promise<string[]> {
  const rows = await database.read<{ key: string }>(
    `SELECT h.key FROM ${database.name('heads')} h WHERE h.project = $1 AND h.live AND ${DUE} ORDER BY h.key`,
    [project],
  );
  return rows.map(({ key }) => key);
}

async function claimDueKeys(database: Database, project: string, claim: string): Promise<string[]> {
  const heads = database.name('heads');
  const rows = await database.write<{ key: string }>(
    `WITH due AS (SELECT h.key FROM ${heads} h WHERE h.project = $1 AND h.live AND ${DUE} AND ${FREE} FOR UPDATE SKIP LOCKED)
UPDATE ${heads} h SET claim = $2, claim_until = now() + ${CLAIM} FROM due WHERE h.project = $1 AND h.key = due.key RETURNING h.key`,
    [project, claim],
  );
  return rows.map(({ key }) => key).sort();
}

async function readWaitingRows(
  database: Database,
  project: string,
  due: readonly string[],
): Promise<Map<string, WaitingCouncil>> {
  const rows = await database.read<{ key: string; waits: string }>(
    `SELECT h.key, v.waits FROM ${database.name('heads')} h JOIN ${database.name('versions')} v USING (project, key, revision)
WHERE h.project = $1 AND h.live AND v.waits IS NOT NULL ORDER BY h.key`,
    [project],
  );
  const taken = new Set(due);
  return new Map(
    rows
      .filter(({ key }) => !taken.has(key))
      .map(({ key, waits }) => [key, JSON.parse(waits) as WaitingCouncil]),
  );
}
