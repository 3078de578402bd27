// Reads challenges from contributions to CHALLENGE and checks their quotes.
import type { Stretch } from './text/stretch.ts';
import { isOwnCase } from './text/answer-words.ts';
import type { Mention } from './text/mentions.ts';
import { passagesOf } from './text/passages.ts';
import type { Passage } from './text/passages.ts';
import type { Quote } from './quotes.ts';
import { quoteReader, saidBefore, sayer } from './quotable.ts';
import type { Said, SaidInput } from './quotable.ts';
import type { Challenge, Claim } from '../state/state.ts';
import type { QuoteStatus } from '../state/choices.ts';

/** Who a name in a contribution means: a participant's id, or null. Anonymous councils know their labels as well. */
export type Resolve = (name: string) => string | null;

export interface ChallengesInput extends SaidInput {
  /** The tour of CHALLENGE that closes. */
  tour: number;
  brief: string;
  resolve: Resolve;
  /** The number of the first challenge of this tour. */
  firstNumber: number;
}

/** Who said what is quoted, and the id of their claim that it stands in. */
interface Found {
  by: string;
  target: string | null;
}

/** Whom a passage is put to, and what became of its quotes. */
type Aim = Pick<Challenge, 'target' | 'against' | 'quote'>;

/**
 * The challenges of a tour, numbered in the order of the participants, then of appearance. Quotes are checked against
 * what their author had written in earlier tours: with an `@claim` its author, else anybody else, and the first
 * who said it is meant. A quote that nobody wrote is kept, aimed at nobody unless it stands with an `@claim`.
 * Quoting or addressing oneself is no challenge, and neither is quoting the brief.
 */
export function readChallenges(input: ChallengesInput): Challenge[] {
  const { tour, contributions, claims, order, resolve, firstNumber } = input;
  const said = saidBefore(tour, input);
  const isInBrief = sayer(input.brief);
  const claimsById = new Map(claims.map((claim) => [claim.id, claim]));
  const find = finder(claims);
  const claimOf = ({ name, number }: Mention) => claimsById.get(`${resolve(name)}.${number}`);
  const isClaim = (mention: Mention) => claimOf(mention) !== undefined;
  return order
    .flatMap((id) => contributions.filter((c) => c.by === id && c.tour === tour))
    .flatMap(({ by, text }) => {
      const quoteAt = quoteReader(text);
      const others = said.filter((one) => one.by !== by);
      const isSaid = (quote: Stretch) => find(others, quoteAt(quote)) !== undefined;
      return passagesOf(text, { isClaim, isSaid }).flatMap((passage): Omit<Challenge, 'id'>[] => {
        const quotes = passage.quotes.map(quoteAt);
        const aim = passage.address ? aimByAddress(by, passage.address, quotes) : aimByQuote(by, quotes);
        return aim ? [{ by, tour, ...stretchOf(passage), ...aim, status: 'open', answer: null }] : [];
      });
    })
    .map((challenge, index) => ({ id: `c${firstNumber + index}`, ...challenge }));

  function aimByAddress(by: string, address: Mention, quotes: readonly Quote[]): Aim | null {
    const against = resolve(address.name);
    if (against === by) return null;
    const theirs = said.filter((one) => (against === null ? one.by !== by : one.by === against));
    // Beside the words of the other one, the brief's and one's own may stand: they are held against nobody.
    const left = quotes.filter((quote) => find(theirs, quote) || !isOwnOrBrief(by, quote));
    const isFound = left.every((quote) => find(theirs, quote));
    return {
      target: claimOf(address)?.id ?? null,
      against,
      quote: left.length === 0 ? 'none' : statusOf(isFound),
    };
  }

  function aimByQuote(by: string, quotes: readonly Quote[]): Aim | null {
    const others = said.filter((one) => one.by !== by);
    const found = quotes.map((quote) => find(others, quote));
    const first = found.find((one) => one !== undefined);
    if (first && isOwnCaseOf(first)) return null;
    if (first)
      return {
        target: first.target,
        against: first.by,
        quote: statusOf(found.every((one) => one !== undefined)),
      };
    return quotes.every((quote) => isOwnOrBrief(by, quote))
      ? null
      : { target: null, against: null, quote: 'not_found' };
  }

  /** True for a claim that its author has made against the own position: quoting it objects to nobody. */
  function isOwnCaseOf({ target }: { target: string | null }): boolean {
    const claim = target === null ? undefined : claimsById.get(target);
    const text = contributions.find((c) => c.by === claim?.by && c.tour === claim.tour)?.text ?? '';
    return claim !== undefined && isOwnCase(text.slice(claim.start, claim.end));
  }

  function isOwnOrBrief(by: string, quote: Quote): boolean {
    const own = said.filter((one) => one.by === by);
    return isInBrief(quote) || find(own, quote) !== undefined;
  }
}

/** Who of these said what is quoted, and in which of their claims. */
function finder(claims: readonly Claim[]): (among: readonly Said[], quote: Quote) => Found | undefined {
  const claimsOf = Map.groupBy(claims, (claim) => `${claim.by} ${claim.tour}`);
  return (among, quote) => {
    for (const one of among) {
      const place = one.find(quote);
      if (!place) continue;
      const isThere = (claim: Claim) => claim.start <= place.start && place.start < claim.end;
      const target = claimsOf.get(`${one.by} ${one.tour}`)?.find(isThere);
      return { by: one.by, target: target?.id ?? null };
    }
    return undefined;
  };
}

const statusOf = (isFound: boolean): QuoteStatus => (isFound ? 'verified' : 'not_found');
const stretchOf = ({ start, end }: Passage): Pick<Challenge, 'start' | 'end'> => ({ start, end });
