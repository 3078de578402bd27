// PostgreSQL driver: late texts.
import { CouncilError } from '../../core/base/errors.ts';
import type { LateFiles } from '../../core/store/late-files.ts';
import { requireConversationId, requireFileName } from '../../core/store/names.ts';
import { DURABLY } from './database.ts';
import type { Database } from './database.ts';

/** Late texts of a project, as bytes. */
export function postgresLateFiles(database: Database, project: string): LateFiles {
  const table = database.name('late_texts');
  const pathOf = (conversation: string, name: string): string =>
    `${database.place.told}/late/${conversation}/${name}`;
  return {
    async keep(conversation, name, bytes) {
      const key = [project, requireConversationId(conversation), requireFileName(name)];
      const written = await database.write(
        `INSERT INTO ${table} (project, conversation, name, bytes) SELECT $1, $2, $3, $4::bytea FROM (SELECT ${DURABLY}) AS durably
ON CONFLICT DO NOTHING RETURNING name`,
        [...key, Buffer.from(bytes)],
      );
      if (written.length > 0) return pathOf(conversation, name);
      const [there] = await database.read<{ same: boolean }>(
        `SELECT bytes = $4 AS same FROM ${table} WHERE project = $1 AND conversation = $2 AND name = $3`,
        [...key, Buffer.from(bytes)],
      );
      if (there?.same) return pathOf(conversation, name);
      throw new CouncilError(
        'failed',
        `There is another late text ${name} already (${bytes.length} bytes were to be kept).`,
        {
          hint: 'Late texts are never overwritten.',
        },
      );
    },
    async list(conversation) {
      const rows = await database.read<{ name: string; bytes: Buffer }>(
        `SELECT name, bytes FROM ${table} WHERE project = $1 AND conversation = $2 ORDER BY name`,
        [project, requireConversationId(conversation)],
      );
      return rows.map((row) => ({ ...row, path: pathOf(conversation, row.name) }));
    },
    async sizes(conversation) {
      const rows = await database.read<{ name: string; bytes: number }>(
        `SELECT name, length(bytes) AS bytes FROM ${table} WHERE project = $1 AND conversation = $2 ORDER BY name`,
        [project, requireConversationId(conversation)],
      );
      return rows.map((row) => ({ ...row, path: pathOf(conversation, row.name) }));
    },
  };
}
