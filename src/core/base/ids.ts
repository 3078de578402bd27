// Ids, slugs and SHA-256 of texts; loads Node's crypto module on first use.
import type * as NodeCrypto from 'node:crypto';
import { CouncilError } from './errors.ts';

const ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** Device names reserved on Windows, built-in keys of JavaScript objects, and the word for the newest item. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9]|constructor|prototype|last)$/;

/** True for a valid agent id, council name, mode or channel: `^[a-z0-9][a-z0-9-]{0,63}$`. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value) && !RESERVED.test(value);
}

/** Returns `value` if it is an id; otherwise throws `invalid_id` naming `what` ("agent", "council name"). */
export function requireId(value: string, what: string): string {
  if (isId(value)) return value;
  throw new CouncilError(
    'invalid_id',
    `Not a valid ${what}: ${JSON.stringify(String(value).slice(0, 80))}.`,
    {
      hint: 'Use 1 to 64 lower-case letters, digits and hyphens, starting with a letter or digit (no reserved name such as "con" or "last").',
    },
  );
}

/** Describes valid labels of a heartbeat: the same as ids. */
export const LABEL_FORM = '1 to 64 lower-case letters, digits and hyphens each';

/** Converts text to a file-name slug: NFKD, ASCII, at most 60 characters, `fallback` if nothing is left. */
export function toSlug(text: string, fallback = 'council'): string {
  const ascii = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 60)
    .replace(/-+$/, '');
  return ascii === '' || RESERVED.test(ascii) ? fallback : ascii;
}

/** The same for files that people look for: keeps letters of other scripts. */
export function nameSlug(text: string): string {
  const name = text
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?:(?![a-z])\p{Script=Latin}|[^\p{L}\p{N}\p{M}])+/gu, '-')
    .replace(/^-+/, '');
  const short = [...name].slice(0, 60).join('').slice(0, 60).replace(/-+$/, '');
  return short.isWellFormed() && short !== '' && !RESERVED.test(short) ? short : 'council';
}

/**
 * SHA-256 over several texts, each preceded by its length in bytes (decimal, then a colon), so that different
 * lists never have the same input.
 */
export function sha256OfParts(parts: string[]): string {
  return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));
}

/** The same over bytes in several pieces. */
export function sha256OfPieces(pieces: readonly Uint8Array[]): string {
  const hash = getCrypto().createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** SHA-256 as 64 lower-case hexadecimal digits, over the UTF-8 bytes of a string or over raw bytes. */
export function sha256(data: string | Uint8Array): string {
  if (data === last.data) return last.hash;
  const hash = getCrypto().createHash('sha256').update(data).digest('hex');
  if (typeof data === 'string' && data.length > LONG) last = { data, hash };
  return hash;
}

/** A long text is hashed when written and again when the store checks it: 4 ms each time for 1 MB. */
const LONG = 64 * 1024;
let last = { data: '', hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' };

/** Node's crypto, loaded on first use: a command that hashes nothing starts three milliseconds earlier. */
export const getCrypto = (): typeof NodeCrypto => process.getBuiltinModule('node:crypto');

/** Creates a secret of 32 random bytes, safe for URLs. */
export const createSecret = (): string => getCrypto().randomBytes(32).toString('base64url');
