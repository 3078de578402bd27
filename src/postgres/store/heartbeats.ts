// PostgreSQL driver: heartbeats, whose age the database's clock tells.
import { requireId } from '../../core/base/ids.ts';
import { parseJsonSafely } from '../../core/base/text.ts';
import { FORGOTTEN_MS, readHeartbeat } from '../../core/store/heartbeats.ts';
import type { Heartbeats } from '../../core/store/heartbeats.ts';
import type { Database } from './database.ts';

const MS = 'extract(epoch FROM clock_timestamp() - at) * 1000';

/** Heartbeats of a project, on whichever machine. Host, labels and version have columns for people who look. */
export function postgresHeartbeats(database: Database, project: string): Heartbeats {
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
