// PostgreSQL driver: lists the due councils, using the facts stored with their commits.
import { getCrypto } from '../../core/base/ids.ts';
import type { DueIndex, DueQuery, DuePass, WaitingCouncil } from '../../core/store/due-index.ts';
import type { Database } from './database.ts';

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
