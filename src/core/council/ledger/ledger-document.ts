// The published form of the ledger, with its texts, for JSON output and exports.
import type { Contribution, Ledger, ContributionSpan } from '../state/state.ts';
import { formatTurnKey } from '../state/state.ts';
import type { ChallengeStatus, QuoteStatus, PhaseName } from '../state/allowed-values.ts';

/** The ledger with its texts, as in `council ledger --json` and in exports. */
export interface LedgerDocument {
  claims: { id: string; by: string; phase: PhaseName; text: string }[];
  challenges: {
    id: string;
    by: string;
    target: string | null;
    quote: QuoteStatus;
    status: ChallengeStatus;
    text: string;
    /** The words of the answer; omitted if there is none. */
    answer?: string;
    /** Set if it was rejected without a reason. */
    unexplained?: true;
  }[];
  moves: {
    by: string;
    from: string | null;
    to: string | null;
    phase: PhaseName;
    because: string | null;
    explained: boolean;
  }[];
}

/** How a reader sees names: real ids, or labels while an anonymous council is running. */
export interface LedgerNames {
  participant(id: string): string;
  /** Maps a claim's real id to its id in views. */
  claim(id: string): string;
  /** Hides names in a person's text where required. */
  text(text: string): string;
}

const UNCHANGED_NAMES: LedgerNames = { participant: (id) => id, claim: (id) => id, text: (text) => text };

/** Returns the text of a claim, challenge or answer; empty if its contribution is missing. */
export function cutText(
  contributions: readonly Contribution[],
  { by, tour, start, end }: ContributionSpan,
): string {
  const said = contributions.find((c) => c.by === by && c.tour === tour);
  return said?.text.slice(start, end) ?? '';
}

/** Returns the published form of a council's or archive's ledger, with texts from the contributions. */
export function buildLedgerDocument(
  { ledger, contributions }: { ledger: Ledger; contributions: readonly Contribution[] },
  names: LedgerNames = UNCHANGED_NAMES,
): LedgerDocument {
  const claimIds = new Set(ledger.claims.map(({ id }) => id));
  const byTurn = Map.groupBy(contributions, formatTurnKey);
  const findSaid = (span: Pick<ContributionSpan, 'by' | 'tour'>): Contribution | undefined =>
    byTurn.get(formatTurnKey(span))?.[0];
  const readWords = (span: ContributionSpan) =>
    names.text(findSaid(span)?.text.slice(span.start, span.end) ?? '');
  const position = (text: string | null) => text && names.text(text);
  return {
    claims: ledger.claims.map((claim) => ({
      id: names.claim(claim.id),
      by: names.participant(claim.by),
      phase: findSaid(claim)?.phase ?? 'COLLECT',
      text: readWords(claim),
    })),
    challenges: ledger.challenges.map((challenge) => {
      const { id, by, target, against, quote, status, answer, unexplained } = challenge;
      return {
        id,
        by: names.participant(by),
        target: target && names.claim(target),
        quote,
        status,
        text: readWords(challenge),
        ...(answer && against !== null && { answer: readWords({ by: against, ...answer }) }),
        ...(unexplained && { unexplained }),
      };
    }),
    moves: ledger.moves.map(({ by, from, to, phase, because, explained }) => ({
      by: names.participant(by),
      from: position(from),
      to: position(to),
      phase,
      because: because !== null && claimIds.has(because) ? names.claim(because) : because,
      explained,
    })),
  };
}
