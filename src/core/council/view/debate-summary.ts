// Reads what a contribution to CHALLENGE or RESOLVE quotes, challenges and answers, even without a council.
import { readAnswers } from '../ledger/answers.ts';
import { readContribution } from '../ledger/read-contribution.ts';
import type { ContributionRead } from '../ledger/read-contribution.ts';
import { findMentions } from '../ledger/text/mentions.ts';
import type { PhaseName } from '../state/allowed-values.ts';
import type { Challenge, Contribution, Council, Verdict } from '../state/state.ts';

/** A text that is, or could be, a contribution to a phase of a council. */
export interface PhaseText {
  /** Null for no particular participant. */
  by: string | null;
  phase: PhaseName;
  tour: number;
  text: string;
  verdict: Verdict;
}

/** What was read in a text of a phase with quotes and answers. */
export type ReadDebated = ContributionRead;

/** The author, if none is named. */
const NOBODY = '';

/** Reads a text as the ledger will at the close; without a council, the answers to all named challenges. */
export function readDebated(
  council: Council | null,
  { by, phase, tour, text, verdict }: PhaseText,
): ReadDebated {
  const turn = { by: by ?? NOBODY, phase, tour };
  if (council) return readContribution(council, { ...turn, position: verdict.position }, text);
  const mine: Contribution = { ...turn, text, at: '', bytes: 0, sha256: '' };
  const read =
    phase === 'RESOLVE' ? readAnswers({ tour, contributions: [mine] }, listNamedChallenges(mine)) : [];
  const answered = read.filter(({ answer }) => answer !== null);
  return {
    quotes: [],
    challenges: [],
    answers: Object.fromEntries(answered.map(({ id, status }) => [id, status])),
    unanswered: [],
  };
}

function listNamedChallenges({ by, text, tour }: Contribution): Challenge[] {
  const ids = findMentions(text).flatMap((one) => ('challenge' in one ? one.challenge : []));
  return [...new Set(ids)].map((id) => ({
    id,
    by: NOBODY,
    tour: tour - 1,
    start: 0,
    end: 0,
    target: null,
    against: by,
    quote: 'none',
    status: 'open',
    answer: null,
  }));
}
