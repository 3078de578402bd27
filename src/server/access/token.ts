// Use case `token`: creates, lists and revokes access tokens of a server, finds their owners, and opens their store.
import { CouncilError, createUsageError } from '../../core/base/errors.ts';
import { formatIso } from '../../core/base/clock.ts';
import type { Random } from '../../core/base/clock.ts';
import { readCouncil } from '../../core/council/use/council-access.ts';
import { getSeat } from '../../core/council/state/state.ts';
import { systemClock, systemRandom } from '../../core/store/local/system.ts';
import type { AccessToken, AccessTokens } from '../../core/store/access-tokens.ts';
import { isRemote, nameUserAndHost } from '../../core/app/app.ts';
import type { App, Result } from '../../core/app/app.ts';
import type { TokenInput } from '../input.ts';
import { resolveCouncilName } from '../../core/app/council-reference.ts';
import { loadAgents, openWorkspace } from '../../core/app/workspace.ts';
import type { Workspace } from '../../core/app/workspace.ts';
import { getCrypto, sha256OfParts } from '../../core/base/ids.ts';
import { join } from 'node:path';
import { isTokenId, compareByAge } from '../../core/store/access-tokens.ts';
import { readJsonDocument } from '../../core/store/documents.ts';
import { openOwnerFolder } from '../../core/store/file/owner-folder.ts';
import type { OwnerPlace } from '../../core/store/file/owner-folder.ts';
import { listFolderNames } from '../../core/store/local/disk.ts';
import { readBytes } from '../../core/store/local/read.ts';
import { placeOnce } from '../../core/store/local/temps.ts';

/** A token for display, without its hash. */
export type ShownToken = Omit<AccessToken, 'sha256' | 'conversationId'> & {
  state: 'valid' | 'expired' | 'revoked';
};

export type TokenResult =
  | ({ action: 'create' } & Result<{ id: string; token: string; role: string } & Record<string, unknown>>)
  | ({ action: 'list' } & Result<{ tokens: ShownToken[] }>)
  | ({ action: 'revoke' } & Result<{ id: string; revokedAt: string }>);

/** Creates a token (its secret is shown only now), lists all tokens, or revokes one. */
export async function manageTokens(app: App, input: TokenInput): Promise<TokenResult> {
  const workspace = openWorkspace(app);
  const tokens = openAccessTokens(app, workspace);
  if (input.action === 'list') {
    const now = systemClock.now();
    return {
      action: 'list',
      document: { tokens: (await tokens.list()).map((one) => toShownToken(one, now)) },
    };
  }
  if (isRemote(app))
    throw new CouncilError('forbidden', 'Tokens are made and revoked by a person, not by an agent.', {
      hint: 'On a terminal of their own: council token create --role ROLE',
    });
  return input.action === 'create' ? create(app, workspace, tokens, input) : revoke(tokens, input.id);
}

async function create(
  app: App,
  workspace: Workspace,
  tokens: AccessTokens,
  { role, name, as, expires }: TokenInput,
): Promise<TokenResult> {
  if (role === undefined)
    throw createUsageError(
      'A token needs a role.',
      'For example: council token create --role member --as ana',
    );
  const ofSeat = await resolveTokenSeat(workspace, { role, name, as });
  if (role === 'member' && as !== undefined && !(await loadAgents(app, workspace)).find(as))
    app.note(`Note: nobody is called ${as} here, so messages cannot reach them: council agents add ${as}`);
  const now = systemClock.now();
  const { id, token: secret, sha256 } = createAccessToken(systemRandom);
  const expiresAt = expires === undefined ? null : formatIso(now + expires);
  await tokens.add({
    id,
    role,
    sha256,
    ...ofSeat,
    as: as ?? null,
    createdAt: formatIso(now),
    createdBy: nameUserAndHost(),
    expiresAt,
    revokedAt: null,
  });
  const document = {
    id,
    token: secret,
    role,
    ...(ofSeat.council !== null && { name: ofSeat.council }),
    ...(as !== undefined && { as }),
    ...(expiresAt !== null && { expiresAt }),
  };
  return { action: 'create', document };
}

/** Returns the seat that a participant's token opens, which must exist. Other roles have none. */
async function resolveTokenSeat(
  workspace: Workspace,
  { role, name: given, as }: Pick<TokenInput, 'role' | 'name' | 'as'>,
): Promise<Pick<AccessToken, 'council' | 'conversationId'>> {
  if (role !== 'participant') {
    if (given === undefined) return { council: null, conversationId: null };
    throw createUsageError(`A ${role} belongs to no council.`, 'Leave out --name, or make it a participant.');
  }
  if (given === undefined || as === undefined)
    throw createUsageError(
      "A participant's token is that of one seat: it needs --name and --as.",
      'For example: council token create --role participant --name billing --as ana',
    );
  const name = await resolveCouncilName(workspace, given);
  const { state } = (await readCouncil(workspace.ports, name)).council;
  getSeat(state, as);
  return { council: name, conversationId: state.conversationId };
}

async function revoke(tokens: AccessTokens, id: string | undefined): Promise<TokenResult> {
  if (id === undefined) throw createUsageError('Which token?', 'Their ids: council token list');
  const at = formatIso(systemClock.now());
  if (!(await tokens.revoke(id, at)))
    throw createUsageError(
      `There is no token ${JSON.stringify(id.slice(0, 80))}.`,
      'Their ids: council token list',
    );
  const found = (await tokens.list()).find((one) => one.id === id);
  return { action: 'revoke', document: { id, revokedAt: found?.revokedAt ?? at } };
}

function toShownToken(
  { sha256: _hash, conversationId: _conversation, ...rest }: AccessToken,
  now: number,
): ShownToken {
  return { ...rest, state: findTokenEnd(rest, now) ?? 'valid' };
}

const FORM = /^council_at_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;

/** Returns the hash of a token, with a prefix for this use. */
const hashAccessToken = (id: string, token: string): string => sha256OfParts(['council-access', id, token]);

/** Creates a token from its lookup id and 32 random bytes. */
export function createAccessToken(random: Random): { id: string; token: string; sha256: string } {
  const id = random.hex(4);
  const token = `council_at_${id}_${Buffer.from(random.hex(32), 'hex').toString('base64url')}`;
  return { id, token, sha256: hashAccessToken(id, token) };
}

/** Returns whether a text has the form of an access token; a participant's council tokens have another. */
export const isAccessToken = (text: string): boolean => FORM.test(text);

/** Finds the stored token for a text, even if revoked or expired. Takes the same time for every text. */
export function findAccessToken(tokens: readonly AccessToken[], text: string): AccessToken | undefined {
  const id = FORM.exec(text)?.[1] ?? '';
  const one = tokens.find((token) => token.id === id);
  const given = Buffer.from(hashAccessToken(id, text), 'hex');
  const wanted = Buffer.from(one?.sha256 ?? '', 'hex');
  const isSame = getCrypto().timingSafeEqual(given, wanted.length === given.length ? wanted : given);
  return isSame && wanted.length === given.length ? one : undefined;
}

/** Why a token is no longer valid; undefined while it is. */
export function findTokenEnd(
  { revokedAt, expiresAt }: Pick<AccessToken, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'revoked' | 'expired' | undefined {
  if (revokedAt !== null) return 'revoked';
  // An invalid time counts as past.
  return expiresAt === null || now < Date.parse(expiresAt) ? undefined : 'expired';
}

/**
 * Access tokens are kept outside the project, so that reading or cloning it does not reveal them. A project in a
 * database keeps them there, so they are valid on every machine.
 */
export function openAccessTokens(
  { env }: Pick<App, 'env'>,
  { project, keeping }: Pick<Workspace, 'project' | 'keeping'>,
): AccessTokens {
  const local = openAccessTokenFiles({ env, projectRoot: project.root });
  return keeping.accessTokens?.(local) ?? local;
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
