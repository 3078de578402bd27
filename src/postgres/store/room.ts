// PostgreSQL driver: what the documents of one room are kept with, and the statements of its tables.
import type { Database } from './database.ts';

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
  factsOf(text: string): Facts;
  /** Hears of every commit of this process, once it is acknowledged. */
  committed(key: string, revision: number): void;
}

/** A revision that is to be written: without a text it ends the document. */
export interface Revision {
  key: string;
  text: string | null;
  hash: string;
  /** Of the text, as UTF-8. */
  bytes: number;
  expected: number;
  /** Tells this attempt from every other, whatever becomes of the connection. */
  commitId: string;
}

/** The statement that commits a revision: NULL where the head is another one. Sent twice, it still commits once. */
export function commitStatement(
  { database, name, actor, factsOf }: Room,
  { key, text, hash, expected, commitId }: Revision,
): [sql: string, values: unknown[]] {
  const facts = text === null ? {} : factsOf(text);
  const { conversation = null, phase = null, dueAt, archive = null, waits = null } = facts;
  const due = dueAt === undefined ? null : new Date(dueAt);
  return [
    `SELECT ${database.name('commit_revision')}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS revision`,
    [name, key, expected, commitId, actor, text, hash, conversation, phase, due, archive, waits],
  ];
}
