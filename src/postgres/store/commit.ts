// PostgreSQL driver: commits one revision of a room, finds out what became of a lost answer, and takes in the history of another store.

import { setTimeout as wait } from 'node:timers/promises';
import { CouncilError } from '../../core/base/errors.ts';
import { crypto, sha256, requireId } from '../../core/base/ids.ts';
import { sizeOfText } from '../../core/store/update.ts';
import { isStoreAway } from '../../core/store/trouble.ts';
import { UnconfirmedError } from './client.ts';
import { asStoreError, classifyDatabaseError } from './failures.ts';
import type { Arriving, Histories } from '../../core/store/documents.ts';
import type { Database } from './database.ts';

/** How long is waited before a statement is sent again: together as long as a server takes to come up again. */
const RESENT_AFTER_MS = [50, 200, 400, 800, 1600, 3200, 6400];

/** The revision that a text makes, or its end without one. Throws what the text itself is refused with. */
export function createRevision(key: string, text: string | null, expected: number): Revision {
  const bytes = text === null ? 0 : keepable(key, text);
  const hash = text === null ? '' : sha256(text);
  return { key, text, hash, bytes, expected, commitId: crypto().randomUUID() };
}

/** How many bytes a text has that can be kept. */
function keepable(key: string, text: string): number {
  const bytes = sizeOfText(key, text);
  if (!text.includes('\0')) return bytes;
  throw new CouncilError('invalid_text', `The text of "${key}" contains a NUL character.`, {
    hint: 'PostgreSQL cannot keep one: take it out.',
  });
}

/** Commits a revision in a statement of its own. Throws `conflict`, `commit_uncertain`, and what the server refuses. */
export async function commitAlone(room: Room, revision: Revision): Promise<number> {
  try {
    return await sendRevision(room, revision, room.database.once);
  } catch (error) {
    return settleFailedCommit(room, revision, error);
  }
}

interface CommitRow {
  revision: number | null;
}

/** Sends the statement of a revision. Throws `conflict` where the head is another one. */
export async function sendRevision(
  room: Room,
  revision: Revision,
  query: <R extends object>(sql: string, values: readonly unknown[]) => Promise<R[]>,
): Promise<number> {
  const [row] = await query<CommitRow>(...commitStatement(room, revision));
  if (typeof row?.revision === 'number') return row.revision;
  throw conflict(revision);
}

/**
 * What became of a commit that failed with `error`. After a lost connection the same statement goes out again: it waits for
 * the first one where that is still under way, and does nothing where that has succeeded.
 */
export async function settleFailedCommit(room: Room, revision: Revision, error: unknown): Promise<number> {
  const { told } = room.database.place;
  if (error instanceof UnconfirmedError) throw uncertain(revision, told, 'no standby has confirmed it');
  // It was judged while it was waited for: to send it anything again would only wait.
  if (isStoreAway(error)) throw uncertain(revision, told, 'the server does not answer');
  if (classifyDatabaseError(error) !== 'lost') throw asStoreError(error, told);
  for (const pause of RESENT_AFTER_MS) {
    await wait(pause);
    try {
      return await sentAgain(room, revision);
    } catch (again) {
      if (again instanceof UnconfirmedError) throw uncertain(revision, told, 'no standby has confirmed it');
      if (isStoreAway(again)) break;
      if (again instanceof CouncilError) throw again;
      const meaning = classifyDatabaseError(again);
      if (meaning === 'busy') throw uncertain(revision, told, 'a lock was not free in time');
      if (meaning === 'refused') throw uncertain(revision, told, 'the server refused to be asked again');
    }
  }
  throw uncertain(revision, told, 'the server cannot be reached');
}

async function sentAgain(room: Room, revision: Revision): Promise<number> {
  const { database } = room;
  const [row] = await database.once<CommitRow>(...commitStatement(room, revision));
  if (typeof row?.revision === 'number') return row.revision;
  const [own] = await database.once<{ revision: number }>(
    `SELECT revision FROM ${database.name('versions')} WHERE commit_id = $1`,
    [revision.commitId],
  );
  if (own) return own.revision;
  throw conflict(revision);
}

function conflict({ key, expected }: Revision): CouncilError {
  return new CouncilError('conflict', `"${key}" is not at revision ${expected}: somebody else changed it.`, {
    hint: 'Run the same command again.',
    details: { expected },
  });
}

function uncertain({ key, expected }: Revision, told: string, why: string): CouncilError {
  return new CouncilError(
    'commit_uncertain',
    `Revision ${expected + 1} of "${key}" may or may not be committed in ${told}: ${why}.`,
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

/** Revisions without a head are not seen; the head comes last, as that of a document that has ended. */
export function postgresHistories({ database, name, actor }: HistoryOptions): Histories {
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
      throw new CouncilError('conflict', `Somebody has begun another "${key}" in ${database.place.told}.`, {
        hint: 'Run the same command again.',
      });
    },
  };
}

/** The server counts and hashes what it has: nothing is taken on trust. */
async function compare(
  database: Database,
  of: readonly string[],
  revisions: readonly Arriving[],
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
  // A text that was pruned in the database long ago need not come back.
  if (!wrong || (wrong.text !== undefined && (await wasPruned(database, of, wrong)))) return;
  throw new CouncilError(
    'corrupt',
    `Revision ${wrong.revision} of "${of[1]}" is another one in ${database.place.told} than where it comes from.`,
    {
      hint: 'Nothing of it was removed. Look at both: council history, with and without COUNCIL_DATABASE_URL',
    },
  );
}

async function wasPruned(
  database: Database,
  of: readonly string[],
  { revision, text = '' }: Arriving,
): Promise<boolean> {
  const rows = await database.read(
    `SELECT 1 FROM ${database.name('versions')} WHERE project = $1 AND key = $2 AND revision = $3 AND text IS NULL AND hash = $4`,
    [...of, revision, sha256(text)],
  );
  return rows.length > 0;
}

/** What the driver writes beside a text, so that the text need not be read for it. */
export interface Facts {
  conversation?: string;
  phase?: string;
  /** Nothing happens to it before this time, in milliseconds since the epoch, unless there is a commit. */
  dueAt?: number;
  /** What it waits for, as JSON, where it only waits. */
  waits?: string;
  /** The path of the archive that it will have: a council that is closing. */
  archive?: string;
}

/** Documents of one kind, with revisions of their own. */
export interface Room {
  database: Database;
  /** `council`, `tasks`, `mail` … */
  name: string;
  /** Who writes, for the history. */
  actor: string;
  readFacts(text: string): Facts;
  /** Hears of every commit of this process, once it is acknowledged. */
  onCommit(key: string, revision: number): void;
}

/** A revision that is to be written: without a text it ends the document. */
export interface Revision {
  key: string;
  text: string | null;
  hash: string;
  /** Of the text, as UTF-8. */
  bytes: number;
  expected: number;
  /** A UUID of this attempt. Where the connection broke before the answer, a version with it shows that the commit was made. */
  commitId: string;
}

/** The statement that commits a revision: NULL where the head is another one. Sent twice, it still commits once. */
function commitStatement(
  { database, name, actor, readFacts }: Room,
  { key, text, hash, expected, commitId }: Revision,
): [sql: string, values: unknown[]] {
  const facts = text === null ? {} : readFacts(text);
  const { conversation = null, phase = null, dueAt, archive = null, waits = null } = facts;
  const due = dueAt === undefined ? null : new Date(dueAt);
  return [
    `SELECT ${database.name('commit_revision')}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS revision`,
    [name, key, expected, commitId, actor, text, hash, conversation, phase, due, archive, waits],
  ];
}
