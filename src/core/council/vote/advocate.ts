// Detects suspicious agreement and draws a devil's advocate.
import { sha256 } from '../../base/ids.ts';
import { findSameOption, normalisePosition } from '../state/ballot.ts';
import type { Vote } from './votes.ts';

/** Among fewer participants, an advocate would be half of the council. */
const FEWEST = 3;

/**
 * Returns the position that was agreed on suspiciously fast in a blind phase: at least three participants spoke
 * in COLLECT, all stated the same position, and none of them blocks. Otherwise null.
 */
export function findSuspiciousAgreement(
  blind: readonly Vote[],
  options: readonly string[] | null,
): string | null {
  const heard = blind.filter(({ kind }) => kind === 'spoken');
  const first = heard[0]?.position ?? null;
  if (heard.length < FEWEST || first === null || normalisePosition(first) === '') return null;
  const holdsFirstPosition = (vote: Vote) =>
    vote.position !== null && normalisePosition(vote.position) === normalisePosition(first);
  return heard.every((vote) => holdsFirstPosition(vote) && !vote.blocking)
    ? (findSameOption(first, options ?? []) ?? first)
    : null;
}

/**
 * Draws the participant who is asked for the strongest opposing case. The draw is by hash: reproducible from
 * the recorded seed, unpredictable before. The order of `order` does not matter. Returns null if it is empty.
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
