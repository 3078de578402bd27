// Bearer tokens: reading, comparing and making them.
import { crypto } from '../../core/base/ids.ts';

/** The token of an `Authorization: Bearer …` header. */
export const parseBearerToken = (header: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];

/** Compares in a time that does not depend on where two texts differ. */
export function isSame(given: string, wanted: string): boolean {
  const digest = (text: string) => crypto().createHash('sha256').update(text).digest();
  return crypto().timingSafeEqual(digest(given), digest(wanted));
}

/** A token for this run of the server: 32 random bytes. */
export const newServerToken = (): string => `council_mcp_${crypto().randomBytes(32).toString('base64url')}`;
