// Reads one contribution as the ledger would if its phase closed now, for feedback to its author.
import { toOneLine } from '../../base/text.ts';
import { mapClaimIds, createNameResolver } from '../naming/labels.ts';
import { getMask } from '../naming/mask.ts';
import type { ChallengeStatus, PhaseName, QuoteStatus } from '../state/allowed-values.ts';
import type { Contribution, Council } from '../state/state.ts';
import { readAnswers } from './answers.ts';
import { createPassageReader } from './challenges.ts';
import type { JudgedPassage } from './challenges.ts';
import type { QuoteVerdict } from './judge-quotes.ts';
import { findRepeated } from './text/spoken-words.ts';

/** A quote, as reported to its author. */
export interface QuoteRead {
  /** Its first line. */
  text: string;
  status: QuoteVerdict['status'];
  /** The claim that contains it, by its id in views, or "brief". */
  claim: string | null;
  /** The actual words, if the quote is only a near match. */
  instead?: string;
}

/** What the ledger reads in one contribution. Claims have their ids in views. */
export interface ContributionRead {
  /** In CHALLENGE, in text order. */
  quotes: QuoteRead[];
  /** In CHALLENGE; the target is null if no claim can be identified. */
  challenges: { target: string | null; quote: QuoteStatus }[];
  /** In RESOLVE, by challenge id. */
  answers: Record<string, ChallengeStatus>;
  /** In RESOLVE: challenges put to the author that neither this text nor an earlier one answers. */
  unanswered: string[];
  /** Set if the text repeats an earlier one by its author; then it answers and challenges nothing. */
  repeated?: true;
}

interface ContributionTurn {
  by: string;
  phase: PhaseName;
  tour: number;
  /** The position that the text declares. */
  position?: string | null;
}

/** Longer quotes are cut to this many characters: enough to recognize them. */
const SHOWN = 200;

/** Reads a text by `by` in one phase, whether the council contains it or not. Ignores others of its round. */
export function readContribution(council: Council, turn: ContributionTurn, text: string): ContributionRead {
  const isRepeated = findRepeated({ ...turn, text }, council.contributions) !== undefined;
  const passages = turn.phase === 'CHALLENGE' && !isRepeated ? readPassages(council, turn, text) : [];
  const names = mapClaimIds(council.state);
  const getClaimName = (claim: string | null): string | null => claim && (names.get(claim) ?? claim);
  return {
    quotes: passages
      .flatMap(({ quotes }) => quotes)
      .map(({ start, end, status, claim, instead }) => ({
        text: toOneLine(text.slice(start, end).replace(/^[ \t]*>[ \t]?/gm, ''), SHOWN),
        status,
        claim: getClaimName(claim),
        ...(instead !== null && { instead: toOneLine(instead, SHOWN) }),
      })),
    challenges: passages.flatMap(({ aim }) =>
      aim ? [{ target: getClaimName(aim.target), quote: aim.quote }] : [],
    ),
    ...(turn.phase === 'RESOLVE' ? readOwnAnswers(council, turn, text) : { answers: {}, unanswered: [] }),
    ...(isRepeated && { repeated: true as const }),
  };
}

function readPassages(
  council: Council,
  { tour, ...author }: ContributionTurn,
  text: string,
): JudgedPassage[] {
  const { state, brief, contributions } = council;
  const read = createPassageReader({
    tour,
    brief,
    contributions,
    claims: state.ledger.claims,
    order: state.order,
    resolve: createNameResolver(state),
    shown: getMask(council),
  });
  return read(author, text);
}

function readOwnAnswers(
  { state, contributions }: Council,
  { by, phase, tour }: ContributionTurn,
  text: string,
): Pick<ContributionRead, 'answers' | 'unanswered'> {
  const earlier = contributions.filter((c) => c.tour < tour);
  const mine: Contribution = { by, phase, tour, at: '', bytes: 0, sha256: '', text };
  const put = state.ledger.challenges.filter(({ against, tour: raised }) => against === by && raised < tour);
  const read = readAnswers({ tour, contributions: [...earlier, mine] }, put);
  const answered = read.filter(({ answer }) => answer?.tour === tour);
  return {
    answers: Object.fromEntries(answered.map(({ id, status }) => [id, status])),
    unanswered: read.filter(({ answer }) => answer === null).map(({ id }) => id),
  };
}
