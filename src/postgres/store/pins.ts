// PostgreSQL driver: what councils were started with.
import { CouncilError } from '../../core/base/errors.ts';
import { sha256 } from '../../core/base/ids.ts';
import type { Pins } from '../../core/store/pins.ts';
import type { Database } from './database.ts';

/** Pinned texts of a project. */
export function postgresPins(database: Database, project: string): Pins {
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
