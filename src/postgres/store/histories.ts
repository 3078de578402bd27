// PostgreSQL driver: takes in the history of a document that comes from another store.
import { CouncilError } from '../../core/base/errors.ts';
import { requireId, sha256 } from '../../core/base/ids.ts';
import type { Arriving, Histories } from '../../core/store/documents.ts';
import type { Database } from './database.ts';

interface HistoryOptions {
  database: Database;
  /** The room of the documents. */
  name: string;
  /** Who brings them. */
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
