// The claims and challenges that a reader may see, with their words.
import { cutFrontMatter } from '../../base/front-matter-block.ts';
import { oneLine } from '../../base/text.ts';
import type { Stretch } from '../ledger/text/text-range.ts';
import { claimNames, labelsOf } from '../naming/labels.ts';
import type { Seen } from './own-words.ts';
import type { Contribution, Council, Challenge, ContributionSpan } from '../state/state.ts';
import { formatTurnKey } from '../state/turn-key.ts';
import type { ChallengeStatus, QuoteStatus } from '../state/choices.ts';

/** A claim as views name it: "sage.1", or "b.1" in an anonymous council. */
export interface SeenClaim {
  id: string;
  text: string;
}

/** A challenge with the words of both sides. `by` and `against` are labels. */
export interface SeenChallenge {
  id: string;
  by: string;
  /** Null without an addressee. */
  against: string | null;
  /** The claim it is aimed at, word for word; null where none can be told. */
  claim: SeenClaim | null;
  text: string;
  quote: QuoteStatus;
  status: ChallengeStatus;
}

/** Longer beginnings of claims are cut; in characters. */
const FIRST_WORDS = 60;

/** Reads the ledger's stretches out of the contributions, as `reader` may see them: its own words stay as they are. */
export function createExcerptReader(
  { state, contributions }: Council,
  seenOf: (span: ContributionSpan) => Seen,
  reader: string,
) {
  const labels = labelsOf(state);
  const names = claimNames(state);
  const claims = new Map(state.ledger.claims.map((claim) => [claim.id, claim]));
  const byTurn = new Map(contributions.map((said) => [formatTurnKey(said), said.text]));
  const maskedCut = (span: ContributionSpan, short: (text: string) => string = (text) => text): string => {
    const text = byTurn.get(formatTurnKey(span)) ?? '';
    const stretch = trimSpan(text, span);
    return short(
      span.by === reader ? text.slice(stretch.start, stretch.end) : seenOf(span)(text, stretch).text,
    );
  };
  const labelOf = (id: string) => labels.get(id) ?? id;
  const claimOf = (id: string, short?: (text: string) => string): SeenClaim[] => {
    const claim = claims.get(id);
    const text = claim ? maskedCut(claim, short) : '';
    return text === '' ? [] : [{ id: names.get(id) ?? id, text }];
  };
  return {
    /** The claims of one contribution with their first words, in the order in which they stand. */
    claims: ({ by, tour }: Pick<Contribution, 'by' | 'tour'>): SeenClaim[] =>
      state.ledger.claims
        .filter((claim) => claim.by === by && claim.tour === tour)
        .flatMap(({ id }) => claimOf(id, firstWords)),
    challenge: (challenge: Challenge): SeenChallenge => ({
      id: challenge.id,
      by: labelOf(challenge.by),
      against: challenge.against === null ? null : labelOf(challenge.against),
      claim: challenge.target === null ? null : (claimOf(challenge.target)[0] ?? null),
      text: maskedCut(challenge),
      quote: challenge.quote,
      status: challenge.status,
    }),
  };
}

/** Trims a range to its words. Front matter, with its confidence, is no part of a claim. */
function trimSpan(text: string, { start, end }: ContributionSpan): Stretch {
  const block = cutFrontMatter(text);
  const from = Math.min(end, block ? Math.max(start, text.length - block.body.length) : start);
  const words = text.slice(from, end);
  return { start: from + words.length - words.trimStart().length, end: from + words.trimEnd().length };
}

/** The beginning of a text on one line. */
function firstWords(text: string): string {
  const line = oneLine(text.slice(0, 20 * FIRST_WORDS), 20 * FIRST_WORDS);
  const chars = [...line];
  if (chars.length <= FIRST_WORDS) return line;
  const beginning = chars.slice(0, FIRST_WORDS).join('');
  return `${beginning.slice(0, Math.max(beginning.lastIndexOf(' '), FIRST_WORDS / 2))}…`;
}
