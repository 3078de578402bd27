// Creates access tokens and looks up their owner.
import type { Random } from '../../core/base/clock.ts';
import { crypto, sha256OfParts } from '../../core/base/ids.ts';
import type { AccessToken } from '../../core/store/access-tokens.ts';

const FORM = /^council_at_([0-9a-f]{8})_[A-Za-z0-9_-]{43}$/;

/** The hash of a token that is kept, with a name for this use. */
const hashAccessToken = (id: string, token: string): string => sha256OfParts(['council-access', id, token]);

/** A token: its id, so that one is compared and not all of them, and 32 random bytes. */
export function newToken(random: Random): { id: string; token: string; sha256: string } {
  const id = random.hex(4);
  const token = `council_at_${id}_${Buffer.from(random.hex(32), 'hex').toString('base64url')}`;
  return { id, token, sha256: hashAccessToken(id, token) };
}

/** Whether a text has the form of an access token; participants' tokens of councils have another one. */
export const isAccessToken = (text: string): boolean => FORM.test(text);

/**
 * Finds the stored token for a text, also if it is revoked or expired. Takes the same time for
 * every text.
 */
export function findAccessToken(tokens: readonly AccessToken[], text: string): AccessToken | undefined {
  const id = FORM.exec(text)?.[1] ?? '';
  const one = tokens.find((token) => token.id === id);
  const given = Buffer.from(hashAccessToken(id, text), 'hex');
  const wanted = Buffer.from(one?.sha256 ?? '', 'hex');
  const isSame = crypto().timingSafeEqual(given, wanted.length === given.length ? wanted : given);
  return isSame && wanted.length === given.length ? one : undefined;
}

/** Why a token is no longer valid; undefined while it is. */
export function isOver(
  { revokedAt, expiresAt }: Pick<AccessToken, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'revoked' | 'expired' | undefined {
  if (revokedAt !== null) return 'revoked';
  // An end that is no time has come.
  return expiresAt === null || now < Date.parse(expiresAt) ? undefined : 'expired';
}
