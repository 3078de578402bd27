// PostgreSQL driver: archives, and texts that came too late.
import { CouncilError } from '../../core/base/errors.ts';
import { sha256 } from '../../core/base/ids.ts';
import type { ArchiveFile, Archives } from '../../core/store/archives.ts';
import type { LateFiles } from '../../core/store/small-files.ts';
import { requireArchivePath, requireConversationId, requireFileName } from '../../core/store/names.ts';
import { DURABLY } from './database.ts';
import type { Database } from './database.ts';

const DIR = 'conseils';
const UNIQUE = '23505';

interface ArchiveOptions {
  database: Database;
  project: string;
  /** Whose archive a text is; undefined where that cannot be read. */
  readConversation(text: string): string | undefined;
}

/** Archives of a project. One is made over nothing, or over the place that its own council has reserved. */
export function postgresArchives({ database, project, readConversation }: ArchiveOptions): Archives {
  const table = database.name('archives');
  return {
    dir: DIR,
    async create(path, text) {
      const values = [project, requireArchivePath(path), readConversation(text) ?? null, text, sha256(text)];
      const written = database.write(
        `INSERT INTO ${table} AS a (project, path, conversation, text, hash) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (project, path) DO UPDATE SET text = $4, hash = $5, at = now()
WHERE a.text IS NULL AND a.conversation = $3 RETURNING path`,
        values,
      );
      const rows = await written.catch((error: unknown) => {
        // Another path that differs in capitals only: some file systems would hold them for one.
        if (error instanceof CouncilError && error.details.sqlstate === UNIQUE) return [];
        throw error;
      });
      return rows.length > 0 ? 'created' : 'exists';
    },
    async read(path) {
      const [row] = await database.read<{ text: string; hash: string }>(
        `SELECT text, hash FROM ${table} WHERE project = $1 AND path = $2 AND text IS NOT NULL`,
        [project, requireArchivePath(path)],
      );
      if (!row) return undefined;
      if (sha256(row.text) === row.hash) return row.text;
      throw new CouncilError('corrupt', `The archive ${path} is damaged in the database.`, {
        hint: 'A checkout may hold it: look into conseils/ there, or into a backup.',
      });
    },
    async list() {
      const rows = await database.read<{ path: string; bytes: number; ms: number }>(
        `SELECT path, octet_length(text) AS bytes, (extract(epoch FROM at) * 1000)::float8 AS ms
FROM ${table} WHERE project = $1 AND text IS NOT NULL ORDER BY path`,
        [project],
      );
      return rows.map(({ path, bytes, ms }): ArchiveFile => ({
        path,
        bytes,
        mtimeMs: ms,
        changedMs: ms,
        inode: 0,
      }));
    },
    async paths() {
      const rows = await database.read<{ path: string }>(
        `SELECT path FROM ${table} WHERE project = $1 ORDER BY path`,
        [project],
      );
      return rows.map(({ path }) => path);
    },
    absolute: (path) => `${database.place.told}/${requireArchivePath(path)}`,
  };
}

export function postgresLateFiles(database: Database, project: string): LateFiles {
  const table = database.name('late_texts');
  const formatPath = (conversation: string, name: string): string =>
    `${database.place.told}/late/${conversation}/${name}`;
  return {
    async keep(conversation, name, bytes) {
      const key = [project, requireConversationId(conversation), requireFileName(name)];
      const written = await database.write(
        `INSERT INTO ${table} (project, conversation, name, bytes) SELECT $1, $2, $3, $4::bytea FROM (SELECT ${DURABLY}) AS durably
ON CONFLICT DO NOTHING RETURNING name`,
        [...key, Buffer.from(bytes)],
      );
      if (written.length > 0) return formatPath(conversation, name);
      const [there] = await database.read<{ same: boolean }>(
        `SELECT bytes = $4 AS same FROM ${table} WHERE project = $1 AND conversation = $2 AND name = $3`,
        [...key, Buffer.from(bytes)],
      );
      if (there?.same) return formatPath(conversation, name);
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
      return rows.map((row) => ({ ...row, path: formatPath(conversation, row.name) }));
    },
    async sizes(conversation) {
      const rows = await database.read<{ name: string; bytes: number }>(
        `SELECT name, length(bytes) AS bytes FROM ${table} WHERE project = $1 AND conversation = $2 ORDER BY name`,
        [project, requireConversationId(conversation)],
      );
      return rows.map((row) => ({ ...row, path: formatPath(conversation, row.name) }));
    },
  };
}
