// File driver: agents' keys and access tokens in the owner's private folder, outside of the project.
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { getCrypto, requireId } from '../../base/ids.ts';
import { toUnknownRecord } from '../../base/text.ts';
import type { AgentKey, AgentKeys, AccessToken, AccessTokens } from '../credentials.ts';
import { formatFirstDay, isTokenId, compareByAge } from '../credentials.ts';
import { readJsonDocument } from '../documents.ts';
import { fsyncDir, isFolder, listFolderNames, unlinkIfThere } from '../local/disk.ts';
import { readBytes } from '../local/read.ts';
import { placeOnce, replaceFile } from '../local/temps.ts';
import { requireFileName } from '../names.ts';
import type { OwnerPlace } from './owner-folder.ts';
import { openOwnerFolder } from './owner-folder.ts';

const LONGEST = 64 * 1024;

/** Stores keys in `$XDG_STATE_HOME/council/keys/<project>/<agent>.json`, with used signatures by day. */
export function openAgentKeyFiles(at: OwnerPlace, clock: Clock): AgentKeys {
  const { dir: all, temps, project, makeFolder } = openOwnerFolder(at, 'keys');
  /** Folders of signatures that this process has created and swept. */
  const prepared = new Set<string>();
  const folder = (): string => join(all, project());
  const path = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.json`);
  const getSeenPath = (agent: string): string => join(folder(), `${requireId(agent, 'agent')}.seen`);

  return {
    path,
    random: (bytes) => getCrypto().randomBytes(bytes).toString('hex'),
    isUsed: () => isFolder(folder()),
    of(agent) {
      const bytes = readBytes(path(agent), { limit: LONGEST, links: 'refuse' });
      return bytes && parseAgentKeys(bytes.toString('utf8'));
    },
    agents: () =>
      listFolderNames(folder()).flatMap((name) =>
        name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : [],
      ),
    put(agent, keys) {
      makeFolder(folder());
      const text = `${JSON.stringify({ agent, keys }, null, 2)}\n`;
      if (keys.length > 0) replaceFile(temps, path(agent), Buffer.from(text));
      else unlinkIfThere(path(agent));
      fsyncDir(folder());
    },
    firstUse(agent, day, token, use) {
      const first = formatFirstDay(clock.now());
      if (day < first) return { use, isNew: false };
      const place = getSeenPath(agent);
      const file = join(place, requireFileName(`${day}-${token}`));
      const known = readBytes(file, { links: 'refuse' })?.toString('utf8');
      if (known !== undefined) return { use: known, isNew: false };
      if (!prepared.has(place)) {
        makeFolder(place);
        for (const name of listFolderNames(place)) if (name < first) unlinkIfThere(join(place, name));
        prepared.add(place);
      }
      if (placeOnce(temps, file, Buffer.from(use), false)) return { use, isNew: true };
      return { use: readBytes(file, { links: 'refuse' })?.toString('utf8') ?? '', isNew: false };
    },
  };
}

/** A damaged entry is no key, so that damaging a key cannot bypass it. */
function parseAgentKeys(text: string): AgentKey[] {
  const { keys } = readJsonDocument(text);
  return (Array.isArray(keys) ? keys : []).map(toUnknownRecord).flatMap(({ id, key, since, until }) => {
    if (typeof id !== 'string' || typeof key !== 'string' || typeof since !== 'string') return [];
    return [{ id, key, since, ...(typeof until === 'string' && { until }) }];
  });
}

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
