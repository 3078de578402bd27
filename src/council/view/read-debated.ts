// What a contribution to CHALLENGE or RESOLVE quotes, challenges and answers.
import { oneLine } from '../../base/text.ts';
import { readAnswers } from '../ledger/answers.ts';
import { readChallenges } from '../ledger/challenges.ts';
import { quoteReader, saidBefore, sayer } from '../ledger/quotable.ts';
import { mentionsIn } from '../ledger/text/mentions.ts';
import { passagesOf } from '../ledger/text/passages.ts';
import { claimNames, resolverOf } from '../naming/labels.ts';
import { maskFor } from '../naming/mask.ts';
import type { ChallengeStatus, PhaseName, QuoteStatus } from '../state/choices.ts';
import type { Challenge, Contribution, Council, Verdict } from '../state/state.ts';

/** A text that somebody writes, or may write, in a phase of a council. */
export interface Written {
  /** Null where it is nobody's in particular. */
  by: string | null;
  phase: PhaseName;
  tour: number;
  text: string;
  verdict: Verdict;
}

/** What was read in a text of a phase in which others are quoted and answered. Claims are called as in views. */
export interface ReadDebated {
  /** What is quoted of the others, the first line of it. */
  quotes: { text: string; status: QuoteStatus; claim: string | null }[];
  challenges: { target: string | null; quote: QuoteStatus }[];
  /** By the id of the challenge. */
  answers: Record<string, ChallengeStatus>;
  /** The challenges to its author that it leaves without an answer. */
  unanswered: string[];
}

/** Who writes where nobody is named. */
const NOBODY = '';
/** Longer quotes are cut, in characters: they are told to recognise them. */
const SHOWN = 200;

/** Reads a text as the ledger will when its round closes. */
export function readDebated(council: Council | null, written: Written): ReadDebated {
  const mine = contributionOf(written);
  const quoting =
    council && written.phase === 'CHALLENGE' ? readQuoting(council, mine) : { quotes: [], challenges: [] };
  const answering =
    written.phase === 'RESOLVE' ? readAnswering(council, mine) : { answers: {}, unanswered: [] };
  return { ...quoting, ...answering };
}

const contributionOf = ({ by, phase, tour, text }: Written): Contribution => ({
  by: by ?? NOBODY,
  phase,
  tour,
  text,
  at: '',
  bytes: 0,
  sha256: '',
});

function readQuoting(council: Council, mine: Contribution): Pick<ReadDebated, 'quotes' | 'challenges'> {
  const { state, brief } = council;
  const { claims } = state.ledger;
  const mask = maskFor(council);
  const names = claimNames(state);
  const nameOf = (target: string | null) => (target === null ? null : (names.get(target) ?? target));
  const resolve = resolverOf(state);
  const facts = {
    tour: mine.tour,
    brief,
    claims,
    resolve,
    order: [...new Set([...state.order, mine.by])],
    contributions: [...council.contributions.filter(({ tour }) => tour < mine.tour), mine],
    shown: (text: string) => mask(text).text,
  };
  const said = saidBefore(mine.tour, facts);
  const others = said.filter(({ by }) => by !== mine.by);
  const isInBrief = sayer(brief);
  const quoteAt = quoteReader(mine.text);
  const find = (quote: ReturnType<typeof quoteAt>) => {
    const found = others.flatMap((one) => {
      const place = one.find(quote);
      return place ? [{ ...place, by: one.by, tour: one.tour }] : [];
    })[0];
    const claim = claims.find(
      ({ by, tour, start, end }) =>
        by === found?.by && tour === found.tour && start <= found.start && found.start < end,
    );
    return found && { claim: nameOf(claim?.id ?? null) };
  };
  const isClaim = ({ name, number }: { name: string; number: number }) =>
    claims.some(({ id }) => id === `${resolve(name)}.${number}`);
  const passages = passagesOf(mine.text, {
    isClaim,
    isSaid: (stretch) => find(quoteAt(stretch)) !== undefined,
  });
  return {
    quotes: passages
      .flatMap(({ quotes }) => quotes)
      .map((stretch) => {
        const quote = quoteAt(stretch);
        const found = find(quote);
        const isSaid = found !== undefined || isInBrief(quote) || said.some((one) => one.find(quote));
        const words = mine.text.slice(stretch.start, stretch.end).replace(/^[ \t]*>[ \t]?/gm, '');
        return {
          text: oneLine(words, SHOWN),
          status: isSaid ? 'verified' : 'not_found',
          claim: found?.claim ?? null,
        };
      }),
    challenges: readChallenges({ ...facts, firstNumber: 1 })
      .filter(({ by }) => by === mine.by)
      .map(({ target, quote }) => ({ target: nameOf(target), quote })),
  };
}

/** The answers in a text; without a council, to every challenge that it names. */
function readAnswering(
  council: Council | null,
  mine: Contribution,
): Pick<ReadDebated, 'answers' | 'unanswered'> {
  const earlier = council?.contributions.filter(({ tour }) => tour < mine.tour) ?? [];
  const put = (council ? council.state.ledger.challenges : challengesNamed(mine)).filter(
    ({ against, tour }) => against === mine.by && tour < mine.tour,
  );
  const read = readAnswers({ tour: mine.tour, contributions: [...earlier, mine] }, put);
  const answered = read.filter(({ answer }) => answer?.tour === mine.tour);
  const wasOpen = (id: string) =>
    put.some((one) => one.id === id && (one.status === 'open' || one.status === 'unanswered'));
  return {
    answers: Object.fromEntries(answered.map(({ id, status }) => [id, status])),
    unanswered: council
      ? read.filter((one) => !answered.includes(one) && wasOpen(one.id)).map(({ id }) => id)
      : [],
  };
}

function challengesNamed({ by, text, tour }: Contribution): Challenge[] {
  const ids = mentionsIn(text).flatMap((one) => ('challenge' in one ? one.challenge : []));
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
