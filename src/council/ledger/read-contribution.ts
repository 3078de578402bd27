// Reads one contribution as the ledger will, were its phase closed now: what is told back to its author.
import { claimNames, resolverOf } from '../naming/labels.ts';
import { maskFor } from '../naming/mask.ts';
import type { ChallengeStatus, PhaseName, QuoteStatus } from '../state/choices.ts';
import type { Contribution, Council } from '../state/state.ts';
import { readAnswers } from './answers.ts';
import { passageReader } from './challenges.ts';
import type { Judged } from './judge.ts';

/** What the ledger reads in one contribution. Claims are called as views call them. */
export interface ContributionRead {
  /** In the order in which they stand; none in COLLECT. `claim` is "brief" for words of the brief. */
  quotes: (Pick<Judged, 'status' | 'claim' | 'instead'> & { text: string })[];
  /** What it challenges in CHALLENGE; the target is null where no claim can be told. */
  challenges: { target: string | null; quote: QuoteStatus }[];
  /** What it answers in RESOLVE, by the id of the challenge. */
  answers: Record<string, ChallengeStatus>;
  /** The challenges put to its author that neither this text nor an earlier one answers; in RESOLVE. */
  unanswered: string[];
}

/** Reads one text of `by` in one phase of a council, which need not hold it yet. */
export function readContribution(
  council: Pick<Council, 'state' | 'brief' | 'contributions'>,
  turn: { by: string; phase: PhaseName; tour: number },
  text: string,
): ContributionRead {
  const { phase } = turn;
  const passages = phase === 'CHALLENGE' || phase === 'RESOLVE' ? passagesIn(council, turn, text) : [];
  const names = claimNames(council.state);
  const called = (claim: string | null): string | null => claim && (names.get(claim) ?? claim);
  return {
    quotes: passages
      .flatMap(({ quotes }) => quotes)
      .map(({ start, end, status, claim, instead }) => ({
        text: text.slice(start, end),
        status,
        claim: called(claim),
        instead,
      })),
    challenges:
      phase === 'CHALLENGE'
        ? passages.flatMap(({ aim }) => (aim ? [{ target: called(aim.target), quote: aim.quote }] : []))
        : [],
    ...(phase === 'RESOLVE' ? answersIn(council, turn, text) : { answers: {}, unanswered: [] }),
  };
}

type Turn = Parameters<typeof readContribution>[1];

function passagesIn(
  { state, brief, contributions }: Parameters<typeof readContribution>[0],
  { by, tour }: Turn,
  text: string,
) {
  const mask = maskFor({ state, brief });
  const read = passageReader({
    tour,
    brief,
    contributions,
    claims: state.ledger.claims,
    order: state.order,
    resolve: resolverOf(state),
    shown: (words) => mask(words).text,
  });
  return read(by, text);
}

function answersIn(
  { state, contributions }: Pick<Council, 'state' | 'contributions'>,
  { by, phase, tour }: Turn,
  text: string,
): Pick<ContributionRead, 'answers' | 'unanswered'> {
  const others = contributions.filter((c) => !(c.by === by && c.tour === tour));
  const mine: Contribution = { by, phase, tour, at: '', bytes: 0, sha256: '', text };
  const theirs = state.ledger.challenges.filter(
    ({ against, tour: raised }) => against === by && raised < tour,
  );
  const read = readAnswers({ tour, contributions: [...others, mine] }, theirs);
  const answered = read.filter(({ answer }) => answer?.tour === tour);
  return {
    answers: Object.fromEntries(answered.map(({ id, status }) => [id, status])),
    unanswered: read.filter(({ answer }) => answer === null).map(({ id }) => id),
  };
}
