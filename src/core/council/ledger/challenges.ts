// Reads challenges from contributions to CHALLENGE and checks their quotes.
import type { TextRange } from './text/limits.ts';
import { countWords } from './text/answer-words.ts';
import { findAddress, findAttribution } from './text/mentions.ts';
import type { Mention } from './text/mentions.ts';
import { cutPassages } from './text/passages.ts';
import type { Passage } from './text/passages.ts';
import { makeJudges } from './judge-quotes.ts';
import type { QuoteVerdict, JudgeInput, QuoteAddressee } from './judge-quotes.ts';
import { followsAnother } from './moves.ts';
import { quoteReader } from './quotable-texts.ts';
import type { Resolve } from './quotable-texts.ts';
import { findRepeated } from './text/spoken-words.ts';
import type { Challenge, Claim } from '../state/state.ts';
import type { QuoteStatus } from '../state/allowed-values.ts';

export interface ChallengesInput extends JudgeInput {
  resolve: Resolve;
  /** The number given to the first challenge of this round. */
  firstNumber: number;
}

/** A shorter quote is a near match of too many texts. */
const FEWEST_WORDS = 5;

/** The target of a passage, and the status of its quotes. */
type ChallengeAim = Pick<Challenge, 'target' | 'against' | 'quote'>;

/** A quote in a contribution, with its verdict. */
export interface JudgedQuote extends TextRange, QuoteVerdict {}

/** An objection or statement of support with its quotes. `aim` is null if it challenges no participant. */
export interface JudgedPassage extends TextRange {
  quotes: JudgedQuote[];
  aim: ChallengeAim | null;
}

/**
 * Returns the challenges of a round, numbered by participant, then by position in the text.
 * Quotes are checked against earlier rounds: against the named claim or person if there is one, otherwise
 * against all others; words that several have used are credited to the first to use them. A quote that is not
 * found is kept, but without an addressee unless it comes with a claim id.
 * Not challenges: quoting or addressing oneself, or quoting the brief, a case that its author made against
 * themself, words in support of their author, or the participant whose position the author now takes.
 */
export function readChallenges(input: ChallengesInput): Challenge[] {
  const { tour, contributions, order, firstNumber } = input;
  const read = createPassageReader(input);
  return (
    order
      .flatMap((id) => contributions.filter((c) => c.by === id && c.tour === tour))
      // A repeated text cannot object to anything said since it was first written.
      .filter((c) => findRepeated(c, contributions) === undefined)
      .flatMap(({ by, text, position }) =>
        read({ by, position }, text).flatMap(({ aim, start, end }): Omit<Challenge, 'id'>[] =>
          aim ? [{ by, tour, start, end, ...aim, status: 'open', answer: null }] : [],
        ),
      )
      .map((challenge, index) => ({ id: `c${firstNumber + index}`, ...challenge }))
  );
}

/** Returns a reader for contributions to one round; earlier contributions are parsed only once. */
export function createPassageReader(
  input: Omit<ChallengesInput, 'firstNumber'>,
): (author: { by: string; position?: string | null | undefined }, text: string) => JudgedPassage[] {
  const { claims, resolve, contributions, tour } = input;
  const makeJudge = makeJudges(input);
  const claimsById = new Map(claims.map((claim) => [claim.id, claim]));
  const findClaim = ({ name, number }: Mention): Claim | undefined =>
    claimsById.get(`${resolve(name)}.${number}`);
  const isClaim = (mention: Mention) => findClaim(mention) !== undefined;

  return ({ by, position }, text) => {
    const judge = makeJudge(by);
    const quoteAt = quoteReader(text);
    // A few quoted words that resemble another participant's are just an expression, unless a name is given.
    const isSaid = (quote: TextRange) => {
      const judged = judge(quoteAt(quote));
      const isLong =
        judged.status !== 'near' || countWords(text.slice(quote.start, quote.end)) >= FEWEST_WORDS;
      return (
        isFromAnother(by, judged) && (isLong || resolveName(findAttribution(text, quote, 0)) !== undefined)
      );
    };
    return cutPassages(text, { isClaim, isSaid }).map((passage): JudgedPassage => {
      const { start, end, address, supports } = passage;
      const quotes = judgeQuotes(passage, text, (quote, named) => judge(quoteAt(quote), named));
      const aim = address ? findAimByAddress(by, address, quotes) : findAimByQuote(by, quotes);
      // A passage that names or quotes the participant whose position its author adopts is the reason for
      // that move, unless it addresses a claim by id.
      const isPut = address !== null && findAddress(text.slice(start, end)) !== undefined;
      const isReason = !isPut && followsAnother(contributions, { by, tour, position }, aim?.against ?? by);
      return { start, end, quotes, aim: supports || isReason ? null : aim };
    });
  };

  function judgeQuotes(
    { address, quotes }: Passage,
    text: string,
    judge: (quote: TextRange, named: QuoteAddressee | undefined) => QuoteVerdict,
  ): JudgedQuote[] {
    const addressed = address && { person: resolve(address.name), claim: findClaim(address) };
    return quotes.map((quote, index) => {
      const named = addressed ?? resolveName(findAttribution(text, quote, quotes[index - 1]?.end ?? 0));
      return { start: quote.start, end: quote.end, ...judge(quote, named) };
    });
  }

  /** Returns undefined if the name is not a participant's: then it is just a word. */
  function resolveName(found: ReturnType<typeof findAttribution>): QuoteAddressee | undefined {
    const person = found && resolve(found.name);
    if (!found || person === null || person === undefined) return undefined;
    return { person, claim: found.number === null ? undefined : claimsById.get(`${person}.${found.number}`) };
  }

  function findAimByAddress(
    by: string,
    address: Mention,
    quotes: readonly JudgedQuote[],
  ): ChallengeAim | null {
    const against = resolve(address.name);
    if (against === by) return null;
    const target = findClaim(address)?.id ?? null;
    const isOwnCase = quotes.length > 0 && quotes.every(({ status }) => status === 'own_case');
    if (target === null && isOwnCase) return null;
    // Quotes of the author's own words and of the brief do not count here: they challenge no one else.
    return { target, against, quote: findWorst(quotes.filter((quote) => !isOwnOrBrief(by, quote))) };
  }
}

function findAimByQuote(by: string, quotes: readonly JudgedQuote[]): ChallengeAim | null {
  const held = quotes.filter((quote) => !isOwnOrBrief(by, quote) && quote.status !== 'own_case');
  const first = held.find(({ status }) => status !== 'not_found');
  if (first) return { target: first.claim, against: first.by, quote: findWorst(held) };
  // Next to a quoted own case, a quote that was not found leaves nothing to object to.
  if (held.length === 0 || quotes.some(({ status }) => status === 'own_case')) return null;
  return { target: null, against: null, quote: 'not_found' };
}

/** True for words of the brief and of the quoting author. */
const isOwnOrBrief = (by: string, { claim, by: author }: QuoteVerdict): boolean =>
  claim === 'brief' || author === by;

/** True for the words, exact or near, of another participant. */
const isFromAnother = (by: string, { status, by: author }: QuoteVerdict): boolean =>
  status !== 'not_found' && author !== null && author !== by;

const WORST_FIRST = ['not_found', 'near', 'elsewhere', 'own_case', 'verified'] as const;

function findWorst(quotes: readonly QuoteVerdict[]): QuoteStatus {
  const worst = WORST_FIRST.find((status) => quotes.some((quote) => quote.status === status));
  return worst === 'own_case' ? 'elsewhere' : (worst ?? 'none');
}
