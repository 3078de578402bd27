// Sign-in to the pages: codes short enough to type, and the proof between `council open` and a local server.
import type { Random } from '../../core/base/clock.ts';
import { getCrypto, sha256OfParts } from '../../core/base/ids.ts';
import type { AccessToken } from '../../core/store/access-tokens.ts';

/** Crockford's alphabet, without letters that are easily confused. */
const CODE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** Creates a code of 80 random bits, in groups of four. */
export function createSignInCode(random: Random): string {
  const bytes = Buffer.from(random.hex(LENGTH), 'hex');
  const signs = [...bytes].map((byte) => CODE_SIGNS[byte % CODE_SIGNS.length]).join('');
  return signs.replace(/(.{4})(?!$)/g, '$1-');
}

/** Normalizes a typed code; undefined if it cannot be a code. */
export function parseTypedCode(typed: string): string | undefined {
  const signs = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isOne = signs.length === LENGTH && [...signs].every((sign) => CODE_SIGNS.includes(sign));
  return isOne ? signs.replace(/(.{4})(?!$)/g, '$1-') : undefined;
}

/** What is stored of an invitation code: an id derived from it, and its hash. Both have their own hash prefixes. */
export function deriveInvitationRecord(code: string): Pick<AccessToken, 'id' | 'sha256'> {
  return {
    id: sha256OfParts(['council-invitation', code]).slice(0, 8),
    sha256: sha256OfParts(['council-invited', code]),
  };
}

/** Finds the invitation of a code, even if it is revoked or expired. */
export function findInvitation(tokens: readonly AccessToken[], code: string): AccessToken | undefined {
  const { id, sha256 } = deriveInvitationRecord(code);
  const one = tokens.find((token) => token.id === id);
  const [given, wanted] = [sha256, one?.sha256 ?? ''].map((hash) => Buffer.from(hash));
  return one && wanted!.length === given!.length && getCrypto().timingSafeEqual(given!, wanted!)
    ? one
    : undefined;
}

/** Returns the hash of a one-time sign-in code, which is all that the server sees of it. */
export const hashOfferedCode = (code: string): string => sha256OfParts(['council-offered', code]);

export const OFFER_PATH = '/join/offer';
/** Milliseconds for which an offered code is valid. */
export const OFFERED_MS = 60_000;

/** Announces a one-time sign-in code to a server. The code itself goes only to the browser. */
export interface CodeOffer {
  hash: string;
  /** Milliseconds since the epoch, so that a recorded offer cannot be replayed later. */
  at: number;
  proof: string;
}

/** Proves knowledge of the secret to the server at this address, and to no other. */
export const signOffer = (
  secret: string,
  part: 'offered' | 'taken',
  url: string,
  { hash, at }: Pick<CodeOffer, 'hash' | 'at'>,
): string =>
  getCrypto()
    .createHmac('sha256', secret)
    .update(JSON.stringify([part, url, hash, at]))
    .digest('hex');
