// File driver: access tokens in the private folder of their owner, outside of the project.
import { join } from 'node:path';
import { isTokenId, byAge } from '../keys.ts';
import type { AccessToken, AccessTokens } from '../keys.ts';
import { readJsonDocument } from '../documents.ts';
import { listFolderNames } from '../local/disk.ts';
import { readBytes } from '../local/read.ts';
import { placeOnce } from '../local/temps.ts';
import type { OwnerPlace } from './owner-folder.ts';
import { ownerFolder } from './owner-folder.ts';

const LONGEST = 16 * 1024;

/**
 * Tokens in `$XDG_STATE_HOME/council/tokens/<project>/`: `<id>.json` for one that was made, beside it `<id>.revoked` with the
 * time. No file is ever changed, so that processes which write at the same time do not undo each other.
 */
export function accessTokenFiles(place: OwnerPlace): AccessTokens {
  const { dir: all, temps, project, makeFolder, isThere } = ownerFolder(place, 'tokens');
  const dir = join(all, project());
  const readRevocation = (id: string): string | null =>
    readBytes(join(dir, `${id}.revoked`), { limit: LONGEST, links: 'refuse' })?.toString('utf8') ?? null;

  return {
    async list() {
      // A folder that others can change says nothing about who may come in.
      if (!isThere(dir)) return [];
      return listFolderNames(dir)
        .flatMap((name) => {
          const id = name.endsWith('.json') ? name.slice(0, -'.json'.length) : '';
          if (!isTokenId(id)) return [];
          const bytes = readBytes(join(dir, name), { limit: LONGEST, links: 'refuse' });
          return bytes
            ? [{ ...parseAccessToken(id, bytes.toString('utf8')), revokedAt: readRevocation(id) }]
            : [];
        })
        .sort(byAge);
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
      // One that is revoked already keeps its time.
      placeOnce(temps, join(dir, `${id}.revoked`), Buffer.from(at));
      return true;
    },
  };
}

/** What cannot be read as it was written is still a token that was made, and opens nothing: no hash is empty. */
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
    // An end that cannot be read has come.
    expiresAt: read.expiresAt === null ? null : (readText('expiresAt') ?? new Date(0).toISOString()),
    revokedAt: null,
  };
}
