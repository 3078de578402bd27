// What two agents negotiate for lines: the version to use, and signatures.
import { getCrypto } from '../../../core/base/ids.ts';
import { createWireFailure } from './codec-types.ts';
import type { Failed } from './codec-types.ts';
import type { LineVersion } from './grammar.ts';

const PLACE = 8;
const SEGMENT = PLACE + 1;
/** V5's code for a message without valid proof of its sender. */
const UNPROVEN_CODE = 'E90';
const NONCE = /^[0-9a-f]{4}$/;

/** HMAC-SHA256 over the whole line with `SID:NONCE` in that segment; its first eight hex digits. */
const computeLineSignature = (line: string, key: string): string =>
  getCrypto().createHmac('sha256', key).update(line).digest('hex').slice(0, 8);

/**
 * Signs a line of V5, next to its session. `nonce` has four lower-case hex digits, and is used once per
 * session. Returns undefined for a line without a session.
 */
export function signLine(line: string, nonce: string, key: string): string | undefined {
  const segments = line.split('|');
  const [session = '-'] = segments[PLACE]?.split(':') ?? [];
  if (session === '-' || !NONCE.test(nonce)) return undefined;
  segments[PLACE] = `${session}:${nonce}`;
  segments[PLACE] += `:${computeLineSignature(segments.join('|'), key)}`;
  return segments.join('|');
}

/** Returns four hex digits not yet used in the line's session; `isUsed` also records the nonces it is given. */
export function createNonce(line: string, isUsed: (session: string, nonce: string) => boolean): string {
  const [session = '-'] = line.split('|')[PLACE]?.split(':') ?? [];
  const start = getCrypto().randomInt(NONCES);
  for (let step = 0; step < NONCES; step++) {
    const nonce = ((start + step) % NONCES).toString(16).padStart(4, '0');
    if (!isUsed(session, nonce)) return nonce;
  }
  // A session that has used all nonces gets no more signatures.
  return '';
}

const NONCES = 0x10000;

/**
 * Verifies the signature of a decoded line: returns the fault if it is missing, from another key, or replayed.
 * `isRepeated` also records the nonces it is given.
 */
export function checkLine(
  line: string,
  key: string,
  isRepeated: (session: string, nonce: string) => boolean,
): Failed | undefined {
  const segments = line.replace(/\r?\n$/, '').split('|');
  const [session = '', nonce, signature] = segments[PLACE]?.split(':') ?? [];
  const createFailure = (expected: string): Failed =>
    createWireFailure(UNPROVEN_CODE, SEGMENT, 'ctx', expected, segments[PLACE] ?? '');
  if (nonce === undefined || signature === undefined) return createFailure('SID:NONCE:SIG');
  segments[PLACE] = `${session}:${nonce}`;
  const [own, theirs] = [computeLineSignature(segments.join('|'), key), signature.toLowerCase()].map((hex) =>
    Buffer.from(hex),
  );
  if (own!.length !== theirs!.length || !getCrypto().timingSafeEqual(own!, theirs!))
    return createFailure('a signature of this line with the key that both have');
  return isRepeated(session, nonce.toLowerCase())
    ? createFailure('a nonce that this session has not had')
    : undefined;
}

export interface Agreement {
  version: LineVersion;
  answer: string;
}

const VERSION = /^V[2-5]$/;

/**
 * Answers an offer such as `version=V5;fallback=V4`, the DATA of a J; several fallbacks are separated by
 * commas, the best first. An offer without a version is V4's, which did not negotiate. Undefined without a
 * common version: the answer is E90, in V4 E12.
 */
export function negotiate(offer: string, supported: readonly LineVersion[]): Agreement | undefined {
  const pairs = new Map(offer.split(';').map((part) => splitPair(part)));
  const wanted = pairs.get('version') ?? 'V4';
  const wishes = [wanted, ...(pairs.get('fallback') ?? '').split(',')].map((wish) => wish.trim());
  for (const wish of wishes) {
    const version = VERSION.test(wish) ? supported.find((one) => one === wish.toLowerCase()) : undefined;
    if (version === undefined) continue;
    const mode = wish === wanted ? '' : ';mode=compat';
    return { version, answer: `version=${wish}${mode}` };
  }
  return undefined;
}

function splitPair(part: string): [string, string] {
  const at = part.indexOf('=');
  return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
}
