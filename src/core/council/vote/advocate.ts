// Detects suspicious agreement and draws a devil's advocate.
import { sha256 } from '../../base/ids.ts';
import type { Vote } from './votes.ts';
import { normalisePosition, sameOption } from '../state/ballot.ts';

/** With fewer participants an advocate would be half of the council. */
const FEWEST = 3;

/**
 * The position on which blind agreement came suspiciously fast: at least three participants spoke in COLLECT, all of
 * them stated one and the same position, and none of them blocks. Null otherwise.
 */
export function suspiciousAgreement(
  blind: readonly Vote[],
  options: readonly string[] | null,
): string | null {
  const heard = blind.filter(({ kind }) => kind === 'spoken');
  const first = heard[0]?.position ?? null;
  if (heard.length < FEWEST || first === null || normalisePosition(first) === '') return null;
  const same = (vote: Vote) =>
    vote.position !== null && normalisePosition(vote.position) === normalisePosition(first);
  return heard.every((vote) => same(vote) && !vote.blocking)
    ? (sameOption(first, options ?? []) ?? first)
    : null;
}

/**
 * The participant asked for the strongest case against: drawn by hash, so that the recorded seed
 * gives the same result and it cannot be predicted. The order of `order` does not matter; null when
 * it is empty.
 */
export function selectAdvocate(draw: {
  conversationId: string;
  order: readonly string[];
  seed: string;
}): string | null {
  const rank = (id: string) => sha256(JSON.stringify(['advocate', draw.conversationId, draw.seed, id]));
  const ranked = draw.order.map((id) => ({ id, rank: rank(id) }));
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1))[0]?.id ?? null;
}
