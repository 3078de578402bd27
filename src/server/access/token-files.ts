// Access tokens, as files in the owner's private folder, outside of the project.
import { join } from 'node:path';
import type { AccessToken, AccessTokens } from '../../core/store/access-tokens.ts';
import { isTokenId, compareByAge } from '../../core/store/access-tokens.ts';
import { readJsonDocument } from '../../core/store/documents.ts';
import { openOwnerFolder } from '../../core/store/file/owner-folder.ts';
import type { OwnerPlace } from '../../core/store/file/owner-folder.ts';
import { listFolderNames } from '../../core/store/local/disk.ts';
import { readBytes } from '../../core/store/local/read.ts';
import { placeOnce } from '../../core/store/local/temps.ts';

const LONGEST_TOKEN = 16 * 1024;

/**
 * Stores tokens in `$XDG_STATE_HOME/council/tokens/<project>/`: `<id>.json` for a token, and `<id>.revoked`
 * with the time of its revocation. Files are never changed, so that concurrent processes do not undo each
 * other's changes.
 */
export function openAccessTokenFiles(place: OwnerPlace): AccessTokens {
  const { dir: all, temps, project, makeFolder, isThere } = openOwnerFolder(place, 'tokens');
  const dir = join(all, project());
  const readRevocation = (id: string): string | null =>
    readBytes(join(dir, `${id}.revoked`), { limit: LONGEST_TOKEN, links: 'refuse' })?.toString('utf8') ??
    null;

  return {
    async list() {
      // A folder that others can change is not trusted for access control.
      if (!isThere(dir)) return [];
      return listFolderNames(dir)
        .flatMap((name) => {
          const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
          if (!isTokenId(id)) return [];
          const bytes = readBytes(join(dir, name), { limit: LONGEST_TOKEN, links: 'refuse' });
          return bytes
            ? [{ ...parseAccessToken(id, bytes.toString('utf8')), revokedAt: readRevocation(id) }]
            : [];
        })
        .sort(compareByAge);
    },
    async add({ revokedAt: _none, ...token }) {
      placeOnce(
        temps,
        join(makeFolder(dir), `${token.id}.json`),
        Buffer.from(`${JSON.stringify(token, null, 2)}\n`),
      );
    },
    async revoke(id, at) {
      if (!isTokenId(id) || !isThere(dir)) return false;
      if (!listFolderNames(dir).includes(`${id}.json`)) return false;
      // A token that is already revoked keeps its time.
      placeOnce(temps, join(dir, `${id}.revoked`), Buffer.from(at));
      return true;
    },
  };
}

/** A damaged token still exists, but grants nothing: no hash is empty. */
function parseAccessToken(id: string, text: string): AccessToken {
  const read = readJsonDocument(text);
  const readText = (key: string): string | null => (typeof read[key] === 'string' ? read[key] : null);
  return {
    id,
    role: readText('role') ?? '',
    sha256: readText('sha256') ?? '',
    council: readText('council'),
    conversationId: readText('conversationId'),
    as: readText('as'),
    createdAt: readText('createdAt') ?? '',
    createdBy: readText('createdBy') ?? '',
    // An unreadable expiry counts as expired.
    expiresAt: read.expiresAt === null ? null : (readText('expiresAt') ?? new Date(0).toISOString()),
    revokedAt: null,
  };
}
