// Sign-in codes for the pages of a server: short enough to type, valid for one seat or one minute.
import type { Random } from '../../core/base/clock.ts';
import { crypto } from '../../core/base/crypto.ts';
import { sha256OfParts } from '../../core/base/ids.ts';
import type { AccessToken } from '../../core/store/access-tokens.ts';

/** Crockford's: no letter that is taken for another one. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** A code of 80 random bits, in groups of four. */
export function newCode(random: Random): string {
  const bytes = Buffer.from(random.hex(LENGTH), 'hex');
  const signs = [...bytes].map((byte) => SIGNS[byte % SIGNS.length]).join('');
  return signs.replace(/(.{4})(?!$)/g, '$1-');
}

/** Normalizes a typed code; undefined if it cannot be a code. */
export function parseTypedCode(typed: string): string | undefined {
  const signs = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isOne = signs.length === LENGTH && [...signs].every((sign) => SIGNS.includes(sign));
  return isOne ? signs.replace(/(.{4})(?!$)/g, '$1-') : undefined;
}

/** What is kept of an invitation's code: an id that follows from it, and its hash. Tokens have a name of their own in theirs. */
export function keptOfCode(code: string): Pick<AccessToken, 'id' | 'sha256'> {
  return {
    id: sha256OfParts(['council-invitation', code]).slice(0, 8),
    sha256: sha256OfParts(['council-invited', code]),
  };
}

/** Finds the invitation of a code, also if it is revoked or expired. */
export function invitation(tokens: readonly AccessToken[], code: string): AccessToken | undefined {
  const { id, sha256 } = keptOfCode(code);
  const one = tokens.find((token) => token.id === id);
  const [given, wanted] = [sha256, one?.sha256 ?? ''].map((hash) => Buffer.from(hash));
  return one && wanted!.length === given!.length && crypto().timingSafeEqual(given!, wanted!)
    ? one
    : undefined;
}

/** The hash of a one-time sign-in code, which is all that the server gets to see of it. */
export const hashOfOffered = (code: string): string => sha256OfParts(['council-offered', code]);
