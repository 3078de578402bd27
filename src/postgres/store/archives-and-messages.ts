// PostgreSQL driver: everything that is not a document, such as archives, late texts, access tokens and messages.
import { CouncilError } from '../../core/base/errors.ts';
import { sha256, requireId } from '../../core/base/ids.ts';
import type { ArchiveFile, Archives } from '../../core/store/archives.ts';
import type { LateFiles } from '../../core/store/small-files.ts';
import {
  requireArchivePath,
  requireConversationId,
  requireFileName,
  requireMessage,
  requireMessageName,
} from '../../core/store/names.ts';
import { DURABLY } from './database.ts';
import type { Database } from './database.ts';
import type { MessageLog, Span } from '../../core/store/message-log.ts';
import { lookAgain } from './change-hints.ts';
import type { Listener } from './change-hints.ts';
import { compareByAge, isTokenId } from '../../core/store/access-tokens.ts';
import type { AccessToken, AccessTokens } from '../../core/store/access-tokens.ts';

const DIR = 'conseils';
const UNIQUE = '23505';

interface ArchiveOptions {
  database: Database;
  project: string;
  /** Returns an archive's conversationId, or undefined if it cannot be read. */
  readConversation(text: string): string | undefined;
}

/** Archives of a project. Each is created at a new path, or at the path that its council reserved. */
export function createPostgresArchives({ database, project, readConversation }: ArchiveOptions): Archives {
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
        // Another path differs only in case: some file systems would treat them as the same.
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
    absolute: (path) => `${database.place.displayName}/${requireArchivePath(path)}`,
  };
}

export function createPostgresLateFiles(database: Database, project: string): LateFiles {
  const table = database.name('late_texts');
  const formatPath = (conversation: string, name: string): string =>
    `${database.place.displayName}/late/${conversation}/${name}`;
  const readTexts = async <T>(bytes: string, conversation: string) => {
    const rows = await database.read<{ name: string; bytes: T }>(
      `SELECT name, ${bytes} AS bytes FROM ${table} WHERE project = $1 AND conversation = $2 ORDER BY name`,
      [project, requireConversationId(conversation)],
    );
    return rows.map((row) => ({ ...row, path: formatPath(conversation, row.name) }));
  };
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
    list: (conversation) => readTexts<Buffer>('bytes', conversation),
    sizes: (conversation) => readTexts<number>('length(bytes)', conversation),
  };
}

export function createPostgresMessageLog(
  database: Database,
  project: string,
  listener: Listener,
): MessageLog {
  const [channels, messages, ids] = [
    database.name('channels'),
    database.name('messages'),
    database.name('message_ids'),
  ];
  const requireChannel = (channel: string): string => requireId(channel, 'channel');
  return {
    async create(channel) {
      const rows = await database.write(
        `INSERT INTO ${channels} (project, channel) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING channel`,
        [project, requireChannel(channel)],
      );
      return rows.length > 0;
    },
    async channels() {
      const rows = await database.read<{ channel: string }>(
        `SELECT channel FROM ${channels} WHERE project = $1 ORDER BY channel`,
        [project],
      );
      return rows.map(({ channel }) => channel);
    },
    async append(channel, name, text, { isMoved = false } = {}) {
      requireMessageName(name);
      requireMessage(text);
      const rows = await database.write(
        `WITH made AS (INSERT INTO ${channels} (project, channel) VALUES ($1, $2) ON CONFLICT DO NOTHING),
own AS (INSERT INTO ${ids} (project, name) VALUES ($1, $3) ON CONFLICT DO NOTHING RETURNING name)
INSERT INTO ${messages} (project, channel, name, text) SELECT $1, $2, $3, $4${isMoved ? '' : ' FROM own'}
ON CONFLICT DO NOTHING RETURNING name`,
        [project, requireChannel(channel), name, text],
      );
      if (rows.length > 0) listener.hint(`${project}/messages/${channel}`);
      return rows.length > 0;
    },
    names: async (channel, span) => listStoredNames(database, [project, requireChannel(channel)], span),
    async read(channel, name) {
      const [row] = await database.read<{ text: string }>(
        `SELECT text FROM ${messages} WHERE project = $1 AND channel = $2 AND name = $3`,
        [project, requireChannel(channel), requireMessageName(name)],
      );
      return row?.text;
    },
    watch(channel, onChange) {
      const room = `${project}/messages/${requireChannel(channel)}`;
      let known: string | undefined;
      // The first look also reports: a message may have arrived meanwhile.
      const look = async (): Promise<string[]> => {
        const [row] = await database
          .read<{ last: string }>(
            `SELECT coalesce(max(seq), 0)::text AS last FROM ${messages} WHERE project = $1 AND channel = $2`,
            [project, channel],
          )
          .catch(() => []);
        if (row === undefined || row.last === known) return [];
        known = row.last;
        return [channel];
      };
      return lookAgain(listener, (hint) => hint === room, look, onChange);
    },
  };
}

async function listStoredNames(database: Database, of: [string, string], span: Span): Promise<string[]> {
  const { from = '', before, limit, newest = false } = span;
  const rows = await database.read<{ name: string }>(
    `SELECT name FROM ${database.name('messages')} WHERE project = $1 AND channel = $2 AND name >= $3
AND ($4::text IS NULL OR name < $4 COLLATE "C") ORDER BY name ${newest ? 'DESC' : ''} LIMIT $5`,
    [...of, from, before ?? null, Math.min(limit, 2 ** 31)],
  );
  const names = rows.map(({ name }) => name);
  return newest ? names.reverse() : names;
}

/** The columns of a token, named as its fields. */
const COLUMNS =
  'id, role, sha256, council, conversation AS "conversationId", speaks_as AS "as", created_at AS "createdAt", created_by AS "createdBy", expires_at AS "expiresAt", revoked_at AS "revokedAt"';

/** Tokens of a project, plus those on this machine, which stay valid after a move to a database. */
export function createPostgresAccessTokens(
  database: Database,
  project: string,
  local: AccessTokens,
): AccessTokens {
  const table = database.name('access_tokens');
  return {
    async list() {
      const rows = await database.read<AccessToken>(`SELECT ${COLUMNS} FROM ${table} WHERE project = $1`, [
        project,
      ]);
      return [...rows, ...(await local.list())].sort(compareByAge);
    },
    async add({ id, role, sha256, council, conversationId, as, createdAt, createdBy, expiresAt }) {
      const values = [id, role, sha256, council, conversationId, as, createdAt, createdBy, expiresAt];
      // May be sent twice: an existing token with the same id is visible in the snapshot from before the insert.
      const [row] = await database.write<{ sha256: string }>(
        `WITH made AS (
  INSERT INTO ${table} (project, id, role, sha256, council, conversation, speaks_as, created_at, created_by, expires_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM (SELECT ${DURABLY}) AS durably
  ON CONFLICT DO NOTHING RETURNING sha256
) SELECT sha256 FROM made UNION ALL SELECT sha256 FROM ${table} WHERE project = $1 AND id = $2`,
        [project, ...values],
      );
      if (row?.sha256 === sha256) return;
      throw new CouncilError('conflict', `There is another token ${id} already.`, {
        hint: 'Run the same command again: it makes one with another id.',
      });
    },
    async revoke(id, at) {
      if (!isTokenId(id)) return false;
      const rows = await database.write(
        `UPDATE ${table} SET revoked_at = coalesce(revoked_at, $3) FROM (SELECT ${DURABLY}) AS durably
WHERE project = $1 AND id = $2 RETURNING id`,
        [project, id, at],
      );
      const isHere = await local.revoke(id, at);
      return isHere || rows.length > 0;
    },
  };
}
