// PostgreSQL driver: who is awake.
import { requireId } from '../../core/base/ids.ts';
import type { Presences } from '../../core/store/presences.ts';
import type { Database } from './database.ts';

/** Presences of a project, on whichever machine. */
export function postgresPresences(database: Database, project: string): Presences {
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
