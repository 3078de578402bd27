// Which version of the line two agents speak: the newer one's offer against what the other can do.
import type { LineVersion } from './codecs/grammar.ts';

export interface Agreement {
  version: LineVersion;
  /** The DATA of the answer. */
  answer: string;
}

const VERSION = /^V[2-5]$/;

/**
 * Answers an offer such as `version=V5;fallback=V4`, the DATA of a J; several fallbacks by comma, the best first. An offer
 * without a version is V4's, which did not negotiate. Undefined where there is none in common: the answer is E90, in V4 E12.
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
