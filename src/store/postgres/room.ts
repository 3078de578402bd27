// PostgreSQL driver: what the documents of one room are kept with, and the statements of its tables.
import { WRITING } from './database.ts';
import type { Database } from './database.ts';

/** What the driver writes beside a text, so that nobody has to read the text for it. */
export interface Facts {
  conversation?: string;
  phase?: string;
  /** Nothing happens to it before this time, in milliseconds since the epoch, unless somebody commits. */
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
  expected: number;
  /** Tells this attempt from every other, whatever becomes of the connection. */
  commitId: string;
}

/** The statement that commits a revision: no row where the head is another one. Sent twice, it still commits once. */
export function commitStatement(
  { database, name, actor, factsOf }: Room,
  { key, text, hash, expected, commitId }: Revision,
): [sql: string, values: unknown[]] {
  const {
    conversation = null,
    phase = null,
    dueAt,
    archive = null,
    waits = null,
  } = text === null ? {} : factsOf(text);
  const due = dueAt === undefined ? null : new Date(dueAt);
  const about = [conversation, phase, due, archive, waits];
  const values = [name, key, expected, commitId, actor, text, hash, ...about];
  const head = expected === 0 ? created(database) : moved(database, text === null);
  const reserved = archive === null ? '' : reservation(database);
  const versions = database.name('versions');
  return [
    `WITH head AS (${head})${reserved}
INSERT INTO ${versions} (project, key, revision, at, actor, commit_id, text, hash, waits)
SELECT $1, $2, head.revision, clock_timestamp(), $5, $4, $6, $7, $12 FROM head RETURNING revision`,
    values,
  ];
}

const created = (database: Database): string => `
INSERT INTO ${database.name('heads')} AS h (project, key, revision, live, conversation, phase, due_at, archive)
SELECT $1, $2, $3::integer + 1, true, $8, $9, $10, $11 FROM ${WRITING}
ON CONFLICT DO NOTHING RETURNING h.revision`;

const moved = (database: Database, ends: boolean): string => `
UPDATE ${database.name('heads')} AS h SET revision = h.revision + 1, live = ${!ends}, conversation = $8, phase = $9,
 due_at = $10, archive = $11, claim = NULL, claim_until = NULL
FROM ${WRITING} WHERE h.project = $1 AND h.key = $2 AND h.revision = $3${ends ? ' AND h.live' : ''}
RETURNING h.revision`;

/** Where another council has the path, its own is not reserved, and whoever makes the archive takes another one. */
const reservation = (database: Database): string => `, place AS (
INSERT INTO ${database.name('archives')} (project, path, conversation) SELECT $1, $11, $8 FROM head ON CONFLICT DO NOTHING)`;
