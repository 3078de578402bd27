// Judges the quotes of a contribution: finds their author, and checks them against the named claim or person.
import { memoizeByObject } from '../../base/memoize.ts';
import { cutText } from './ledger-document.ts';
import type { TextRange } from './text/limits.ts';
import { collectQuotable, createQuoteFinder, quoteReader } from './quotable-texts.ts';
import type { QuotableContribution, QuotableInput } from './quotable-texts.ts';
import type { Quote } from './quotes.ts';
import type { Claim, Challenge, ContributionSpan } from '../state/state.ts';
import { formatTurnKey } from '../state/state.ts';
import type { QuoteStatus } from '../state/allowed-values.ts';
import { cutUnits } from './text/units.ts';

/** The verdict on one quote. */
export interface QuoteVerdict {
  /** `own_case`: the author of these words argues against their own position here, so it is not a claim. */
  status: Exclude<QuoteStatus, 'none'> | 'own_case';
  /** The claim that contains the words, or "brief"; null if they are elsewhere or not found. */
  claim: string | null;
  /** Their author; null if unknown, and for the brief. */
  by: string | null;
  /** The actual words, if the quote is only a near match. */
  instead: string | null;
}

/** The addressee of a quote: a participant (null if unknown), and possibly one of their claims. */
export interface QuoteAddressee {
  person: string | null;
  claim?: Claim | undefined;
}

export interface JudgeInput extends QuotableInput {
  /** The round that closes; only earlier rounds can be quoted. */
  tour: number;
  brief: string;
}

export type Judge = (quote: Quote, named?: QuoteAddressee) => QuoteVerdict;

const QUOTE_NOT_FOUND: QuoteVerdict = { status: 'not_found', claim: null, by: null, instead: null };

/** Reads the quotable texts once, then makes a judge per contribution, because each has its own effort limit. */
export function makeJudges(input: JudgeInput): (by: string) => Judge {
  const said = collectQuotable(input.tour, input);
  const isInBrief = createQuoteFinder(input.brief);
  const claimAt = claimFinder(input.claims);
  const says = claimSayer(input);
  return (by) => {
    const others = said.filter((one) => one.by !== by);
    const own = said.filter((one) => one.by === by);
    return (quote, named) => {
      if (named?.claim && named.claim.by !== by && says(named.claim, quote))
        return { status: 'verified', claim: named.claim.id, by: named.claim.by, instead: null };
      const theirs = named?.person ? others.filter((one) => one.by === named.person) : others;
      const found = find(theirs, quote) ?? (theirs === others ? undefined : find(others, quote));
      if (found)
        return found.isOwnCase ? { ...found.judged, status: 'own_case' } : getQuoteStatus(found, named);
      const mine = find(own, quote);
      if (mine) return { ...mine.judged, status: 'elsewhere' };
      if (isInBrief(quote)) return { ...QUOTE_NOT_FOUND, status: 'elsewhere', claim: 'brief' };
      return near(theirs, quote) ?? near(others, quote) ?? QUOTE_NOT_FOUND;
    };
  };

  function find(among: readonly QuotableContribution[], quote: Quote): JudgedPlace | undefined {
    for (const one of among) {
      const place = one.find(quote);
      if (!place) continue;
      const claim = claimAt(one, place);
      const isClaimed = input.claims.some(({ by, tour }) => by === one.by && tour === one.tour);
      const judged: QuoteVerdict = { status: 'verified', claim, by: one.by, instead: null };
      return { judged, isClaimed, isOwnCase: one.isOwnCase(place) };
    }
    return undefined;
  }

  function near(among: readonly QuotableContribution[], quote: Quote): QuoteVerdict | undefined {
    for (const one of among) {
      const place = one.near(quote);
      if (place && !one.isOwnCase(place))
        return { status: 'near', claim: claimAt(one, place), by: one.by, instead: place.words };
    }
    return undefined;
  }
}

interface JudgedPlace {
  judged: QuoteVerdict;
  /** True if the text has numbered claims; otherwise an address can only name the person. */
  isClaimed: boolean;
  isOwnCase: boolean;
}

function getQuoteStatus({ judged, isClaimed }: JudgedPlace, named: QuoteAddressee | undefined): QuoteVerdict {
  const isTheirs = named === undefined || named.person === judged.by;
  const isThere = named?.claim === undefined || !isClaimed;
  return { ...judged, status: isTheirs && isThere ? 'verified' : 'elsewhere' };
}

/** Finds the first claim that overlaps a place; it may begin just before the claim, at a list item's number. */
function claimFinder(
  claims: readonly Claim[],
): (one: QuotableContribution, place: TextRange) => string | null {
  const claimsByTurn = Map.groupBy(claims, formatTurnKey);
  return ({ by, tour }, place) =>
    claimsByTurn
      .get(formatTurnKey({ by, tour }))
      ?.find(({ start, end }) => start < place.end && place.start < end)?.id ?? null;
}

/** Tests whether a claim contains a quote, as it was written or as its readers saw it. */
function claimSayer({ contributions, shown }: QuotableInput): (claim: Claim, quote: Quote) => boolean {
  const sayers = memoizeByObject((claim: Claim) => {
    const text = cutText(contributions, claim);
    return [...new Set([text, shown(text).text])].map(createQuoteFinder);
  });
  return (claim, quote) => sayers(claim).some((says) => says(quote));
}

/** Words of a contribution that a challenge quotes, in UTF-16 offsets of its text. */
export interface QuotedPlace extends ContributionSpan {
  challenge: string;
}

export interface QuotedInput extends QuotableInput {
  challenges: readonly Challenge[];
}

/** Accepts anything between quotation marks. */
const ALL = { isClaim: () => true, isSaid: () => true };

/**
 * Locates the verified quotes of challenges in the texts they quote.
 * Parsing a text takes a tenth of a second per megabyte, so each is parsed once, and the generator yields
 * after each search to let a server answer other calls.
 */
export function* locateVerifiedQuotes(input: QuotedInput): Generator<undefined, QuotedPlace[]> {
  const verified = input.challenges.filter(({ against, quote }) => against !== null && quote === 'verified');
  if (verified.length === 0) return [];
  const saidBy = Map.groupBy(collectQuotable(Infinity, input), ({ by }) => by);
  const texts = new Map(input.contributions.map((said) => [formatTurnKey(said), said.text]));
  const places: QuotedPlace[] = [];
  for (const [turn, own] of Map.groupBy(verified, formatTurnKey)) {
    const text = texts.get(turn) ?? '';
    const quotes = cutUnits(text, ALL).flatMap((unit) => unit.quotes);
    const quoteAt = quoteReader(text);
    // Challenges may share their quotes.
    const known = new Map<string, ContributionSpan | undefined>();
    yield;
    for (const { id, against, tour: before, start: from, end: to } of own)
      for (const quote of quotes) {
        const inside = { start: Math.max(quote.start, from), end: Math.min(quote.end, to) };
        if (inside.start >= inside.end) continue;
        const key = `${inside.start} ${inside.end} ${against}`;
        if (!known.has(key)) {
          const wanted = quoteAt(inside);
          const isSaid = ({ tour, find }: QuotableContribution) => tour < before && find(wanted) !== null;
          const said = saidBy.get(against ?? '')?.find(isSaid);
          known.set(key, said && { by: said.by, tour: said.tour, ...said.find(wanted)! });
          yield;
        }
        const place = known.get(key);
        if (place) places.push({ challenge: id, ...place });
      }
  }
  return places;
}
