// PostgreSQL driver: commits one revision, finds out whether a commit without an answer took effect, and imports
// the history of another store.

import { setTimeout as wait } from 'node:timers/promises';
import { CouncilError } from '../../core/base/errors.ts';
import { getCrypto, sha256, requireId } from '../../core/base/ids.ts';
import { toBytes } from '../../core/store/update.ts';
import { isStoreAway } from '../../core/store/availability.ts';
import { UnconfirmedError } from './client.ts';
import { asStoreError, classifyDatabaseError } from './failures.ts';
import type { ArrivingRevision, Histories } from '../../core/store/documents.ts';
import type { Database } from './database.ts';

/** Pauses before a statement is sent again: in total about as long as a server takes to restart. */
const RESENT_AFTER_MS = [50, 200, 400, 800, 1600, 3200, 6400];

/** Creates the revision for a text, or its end if null. Throws if the text itself is refused. */
export function createRevision(key: string, text: string | null, expected: number): RevisionDraft {
  const bytes = text === null ? 0 : requireKeepableText(key, text);
  const hash = text === null ? '' : sha256(text);
  return { key, text, hash, bytes, expected, commitId: getCrypto().randomUUID() };
}

/** Returns a text's size in bytes; throws if PostgreSQL cannot store it. */
function requireKeepableText(key: string, text: string): number {
  const bytes = toBytes(key, text).length;
  if (!text.includes('\0')) return bytes;
  throw new CouncilError('invalid_text', `The text of "${key}" contains a NUL character.`, {
    hint: 'PostgreSQL cannot keep one: take it out.',
  });
}

/** Commits a revision in a separate statement. Throws `conflict`, `commit_uncertain`, and the server's errors. */
export async function commitAlone(room: Room, revision: RevisionDraft): Promise<number> {
  try {
    return await sendRevision(room, revision, room.database.once);
  } catch (error) {
    return settleFailedCommit(room, revision, error);
  }
}

interface CommitRow {
  revision: number | null;
}

/** Sends the statement of a revision. Throws `conflict` if the head is at another revision. */
export async function sendRevision(
  room: Room,
  revision: RevisionDraft,
  query: <R extends object>(sql: string, values: readonly unknown[]) => Promise<R[]>,
): Promise<number> {
  const [row] = await query<CommitRow>(...buildCommitStatement(room, revision));
  if (typeof row?.revision === 'number') return row.revision;
  throw createConflictError(revision);
}

/**
 * Finds out whether a commit that failed with `error` took effect. After a lost connection, sends the same
 * statement again: it waits for the first if that is still running, and does nothing if that succeeded.
 */
export async function settleFailedCommit(
  room: Room,
  revision: RevisionDraft,
  error: unknown,
): Promise<number> {
  const { displayName } = room.database.place;
  if (error instanceof UnconfirmedError)
    throw createUncertainError(revision, displayName, 'no standby has confirmed it');
  // The server was found unreachable during the statement: sending again would only wait.
  if (isStoreAway(error)) throw createUncertainError(revision, displayName, 'the server does not answer');
  if (classifyDatabaseError(error) !== 'lost') throw asStoreError(error, displayName);
  for (const pause of RESENT_AFTER_MS) {
    await wait(pause);
    try {
      return await sendAgain(room, revision);
    } catch (again) {
      if (again instanceof UnconfirmedError)
        throw createUncertainError(revision, displayName, 'no standby has confirmed it');
      if (isStoreAway(again)) break;
      if (again instanceof CouncilError) throw again;
      const meaning = classifyDatabaseError(again);
      if (meaning === 'busy')
        throw createUncertainError(revision, displayName, 'a lock was not free in time');
      if (meaning === 'refused')
        throw createUncertainError(revision, displayName, 'the server refused to be asked again');
    }
  }
  throw createUncertainError(revision, displayName, 'the server cannot be reached');
}

async function sendAgain(room: Room, revision: RevisionDraft): Promise<number> {
  const { database } = room;
  const [row] = await database.once<CommitRow>(...buildCommitStatement(room, revision));
  if (typeof row?.revision === 'number') return row.revision;
  const [own] = await database.once<{ revision: number }>(
    `SELECT revision FROM ${database.name('versions')} WHERE commit_id = $1`,
    [revision.commitId],
  );
  if (own) return own.revision;
  throw createConflictError(revision);
}

function createConflictError({ key, expected }: RevisionDraft): CouncilError {
  return new CouncilError('conflict', `"${key}" is not at revision ${expected}: somebody else changed it.`, {
    hint: 'Run the same command again.',
    details: { expected },
  });
}

function createUncertainError(
  { key, expected }: RevisionDraft,
  displayName: string,
  why: string,
): CouncilError {
  return new CouncilError(
    'commit_uncertain',
    `Revision ${expected + 1} of "${key}" may or may not be committed in ${displayName}: ${why}.`,
    {
      hint: `Once the server answers, check whether the change is there: council status --name ${key}`,
      details: { revision: expected + 1 },
    },
  );
}

interface HistoryOptions {
  database: Database;
  /** The room of the documents. */
  name: string;
  actor: string;
}

/** Revisions without a head are invisible; the head is written last, as that of an ended document. */
export function createPostgresHistories({ database, name, actor }: HistoryOptions): Histories {
  const [heads, versions] = [database.name('heads'), database.name('versions')];
  return {
    async keys() {
      const rows = await database.read<{ key: string }>(
        `SELECT key FROM ${heads} WHERE project = $1 ORDER BY key`,
        [name],
      );
      return rows.map(({ key }) => key);
    },
    async hash(key, revision) {
      const [row] = await database.read<{ hash: string }>(
        `SELECT hash FROM ${versions} WHERE project = $1 AND key = $2 AND revision = $3 AND hash <> ''`,
        [name, requireId(key, 'council name'), revision],
      );
      return row?.hash;
    },
    async receive(key, revisions) {
      requireId(key, 'council name');
      for (const { revision, at, text } of revisions)
        await database.write(
          `INSERT INTO ${versions} (project, key, revision, at, actor, commit_id, text, hash)
VALUES ($1, $2, $3, $4, $5, gen_random_uuid(), $6, $7) ON CONFLICT (project, key, revision) DO NOTHING`,
          [name, key, revision, at, actor, text ?? null, text === undefined ? '' : sha256(text)],
        );
      await compare(database, [name, key], revisions);
      const rows = await database.write(
        `INSERT INTO ${heads} AS h (project, key, revision, live) VALUES ($1, $2, $3, false)
ON CONFLICT (project, key) DO UPDATE SET revision = $3 WHERE NOT h.live AND h.revision <= $3 RETURNING key`,
        [name, key, revisions.length],
      );
      if (rows.length > 0) return;
      throw new CouncilError(
        'conflict',
        `Somebody has begun another "${key}" in ${database.place.displayName}.`,
        {
          hint: 'Run the same command again.',
        },
      );
    },
  };
}

/** Compares with hashes computed by the server from the stored texts, not with stored hashes. */
async function compare(
  database: Database,
  of: readonly string[],
  revisions: readonly ArrivingRevision[],
): Promise<void> {
  const rows = await database.read<{ revision: number; hash: string | null }>(
    `SELECT revision, encode(sha256(convert_to(text, 'UTF8')), 'hex') AS hash FROM ${database.name('versions')}
WHERE project = $1 AND key = $2 AND revision <= $3`,
    [...of, revisions.length],
  );
  const there = new Map(rows.map(({ revision, hash }) => [revision, hash]));
  const wrong = revisions.find(({ revision, text }) =>
    text === undefined ? !there.has(revision) : there.get(revision) !== sha256(text),
  );
  // A text pruned in the database need not be restored.
  if (!wrong || (wrong.text !== undefined && (await wasPruned(database, of, wrong)))) return;
  throw new CouncilError(
    'corrupt',
    `Revision ${wrong.revision} of "${of[1]}" is another one in ${database.place.displayName} than where it comes from.`,
    {
      hint: 'Nothing of it was removed. Look at both: council history, with and without COUNCIL_DATABASE_URL',
    },
  );
}

async function wasPruned(
  database: Database,
  of: readonly string[],
  { revision, text = '' }: ArrivingRevision,
): Promise<boolean> {
  const rows = await database.read(
    `SELECT 1 FROM ${database.name('versions')} WHERE project = $1 AND key = $2 AND revision = $3 AND text IS NULL AND hash = $4`,
    [...of, revision, sha256(text)],
  );
  return rows.length > 0;
}

/** Facts stored next to a text, so that it need not be read for them. */
export interface TextFacts {
  conversation?: string;
  phase?: string;
  /** Nothing is due before this time, in milliseconds since the epoch, unless there is a commit. */
  dueAt?: number;
  /** If the council only waits, what it waits for, as JSON. */
  waits?: string;
  /** For a closing council: the path of its future archive. */
  archive?: string;
}

/** Documents of one kind, with their own revisions. */
export interface Room {
  database: Database;
  /** `council`, `tasks`, `mail` … */
  name: string;
  /** The author of changes, for the history. */
  actor: string;
  readFacts(text: string): TextFacts;
  /** Called for every commit of this process once it is acknowledged. */
  onCommit(key: string, revision: number): void;
}

/** A revision to be written; without a text, it ends the document. */
export interface RevisionDraft {
  key: string;
  text: string | null;
  hash: string;
  /** Of the text, as UTF-8. */
  bytes: number;
  expected: number;
  /** A UUID of this attempt. If the connection broke before the answer, a version with it proves the commit. */
  commitId: string;
}

/** Returns the statement that commits a revision; it yields NULL if the head differs. Sent twice, it commits once. */
function buildCommitStatement(
  { database, name, actor, readFacts }: Room,
  { key, text, hash, expected, commitId }: RevisionDraft,
): [sql: string, values: unknown[]] {
  const facts = text === null ? {} : readFacts(text);
  const { conversation = null, phase = null, dueAt, archive = null, waits = null } = facts;
  const due = dueAt === undefined ? null : new Date(dueAt);
  return [
    `SELECT ${database.name('commit_revision')}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS revision`,
    [name, key, expected, commitId, actor, text, hash, conversation, phase, due, archive, waits],
  ];
}
