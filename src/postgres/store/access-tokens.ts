// PostgreSQL driver: access tokens, which open the project on every machine that serves it.
import { CouncilError } from '../../core/base/errors.ts';
import { byAge, isTokenId } from '../../core/store/keys.ts';
import type { AccessToken, AccessTokens } from '../../core/store/keys.ts';
import { DURABLY } from './database.ts';
import type { Database } from './database.ts';

/** As a row is read into a token. */
const COLUMNS =
  'id, role, sha256, council, conversation AS "conversationId", speaks_as AS "as", created_at AS "createdAt", created_by AS "createdBy", expires_at AS "expiresAt", revoked_at AS "revokedAt"';

/** Tokens of a project, beside those of this machine: what was made before the project lay in a database still counts here. */
export function postgresAccessTokens(database: Database, project: string, local: AccessTokens): AccessTokens {
  const table = database.name('access_tokens');
  return {
    async list() {
      const rows = await database.read<AccessToken>(`SELECT ${COLUMNS} FROM ${table} WHERE project = $1`, [
        project,
      ]);
      return [...rows, ...(await local.list())].sort(byAge);
    },
    async add({ id, role, sha256, council, conversationId, as, createdAt, createdBy, expiresAt }) {
      const values = [id, role, sha256, council, conversationId, as, createdAt, createdBy, expiresAt];
      // Sent twice it is still one; what was there of that id before is looked at as it was.
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
