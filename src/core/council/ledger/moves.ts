// Finds changes of position in a round, and what explains them.
import { cutBlocks, splitLines } from './text/blocks.ts';
import { readForm } from './text/form.ts';
import { asItems } from './text/form-value-words.ts';
import { findHeads } from './text/answer-heads.ts';
import { findMentions } from './text/mentions.ts';
import { blankRanges } from './text/reasoning.ts';
import { readQuote } from './quotes.ts';
import type { Quote } from './quotes.ts';
import { quoteReader, collectQuotable } from './quotable-texts.ts';
import type { Resolve, QuotableContribution, QuotableInput } from './quotable-texts.ts';
import type { Contribution, Challenge, Claim, Council, Move } from '../state/state.ts';
import { createNameResolver } from '../naming/labels.ts';
import { getMask } from '../naming/mask.ts';
import { findRepeated } from './text/spoken-words.ts';
import { NOTHING_KNOWN, cutUnits } from './text/units.ts';
import { normalisePosition } from '../state/ballot.ts';

export interface MovesInput extends QuotableInput {
  /** The round that closes. */
  tour: number;
  /** All challenges. Those of the closing round cannot be named in it. */
  challenges: readonly Challenge[];
  resolve: Resolve;
}

interface LedgerIndex {
  claims: ReadonlyMap<string, Claim>;
  challenges: ReadonlyMap<string, Challenge>;
}

/**
 * Returns the position changes of a round, in participant order. A move is explained by the first claim or
 * challenge of another participant that its text names (in the front matter's `because` or in its own words),
 * or else by a quote of another participant.
 * The reason has to support the new position, as its holders' claims do, or oppose the old one, as challenges
 * to its holders do. A position argued as the advocate is not the participant's own.
 */
export function readMoves(input: MovesInput): Move[] {
  const { tour, contributions, order } = input;
  const said = collectQuotable(tour, input);
  const known = {
    claims: new Map(input.claims.map((claim) => [claim.id, claim])),
    challenges: new Map(input.challenges.map((challenge) => [challenge.id, challenge])),
  };
  return order.flatMap((by): Move[] => {
    const [now, before] = findStated(contributions, by, tour);
    if (now?.tour !== tour || !before) return [];
    if (normalisePosition(now.position) === normalisePosition(before.position)) return [];
    const isRepeated = findRepeated(now, contributions) !== undefined;
    const words = isRepeated ? { ...now, text: readFormWords(now.text) } : now;
    const because = findReason(words, said, describeMove(input, now, before), known);
    return [
      {
        by,
        from: before.position,
        to: now.position,
        tour,
        phase: now.phase,
        because,
        explained: because !== null,
      },
    ];
  });
}

type StatedContribution = Contribution & { position: string };

/** Whether the author takes a position here that another participant already held. */
export function followsAnother(
  contributions: readonly Contribution[],
  { by, tour, position }: Pick<Contribution, 'by' | 'tour'> & { position?: string | null | undefined },
  id: string,
): boolean {
  const [before, theirs] = [by, id].map((one) => findStated(contributions, one, tour - 1)[0]);
  if (!position || !before || !theirs) return false;
  const wanted = normalisePosition(position);
  return normalisePosition(theirs.position) === wanted && normalisePosition(before.position) !== wanted;
}

/** Returns a participant's stated positions up to a round, newest first, without those stated as the advocate. */
const findStated = (
  contributions: readonly Contribution[],
  by: string,
  round: number,
): StatedContribution[] =>
  contributions
    .filter(
      (c): c is StatedContribution =>
        c.by === by && c.tour <= round && c.position !== undefined && c.advocate !== true,
    )
    .sort((a, b) => b.tour - a.tour);

/** A repeated text explains nothing, but its form fields may be new. */
const readFormWords = (text: string): string =>
  readForm(text)
    .places.map(({ start, end }) => text.slice(start, end))
    .join('\n');

/** A move and the tests for what may explain it. */
interface ExaminedMove {
  by: string;
  tour: number;
  resolve: Resolve;
  /** Whether another participant held the new (or old) position in that round. */
  holdsNew(id: string, round: number): boolean;
  holdsOld(id: string, round: number): boolean;
}

function describeMove(input: MovesInput, now: StatedContribution, before: StatedContribution): ExaminedMove {
  const holds = (wanted: string) => (id: string, round: number) => {
    const held = findStated(input.contributions, id, round)[0];
    return held !== undefined && normalisePosition(held.position) === normalisePosition(wanted);
  };
  const { tour, resolve } = input;
  return { by: now.by, tour, resolve, holdsNew: holds(now.position), holdsOld: holds(before.position) };
}

function findReason(
  now: Contribution,
  said: readonly QuotableContribution[],
  move: ExaminedMove,
  known: LedgerIndex,
): string | null {
  const { text } = now;
  const because = readForm(text).fields.filter(({ name }) => name === 'because');
  const given = because.flatMap(({ value }) => asItems(value));
  for (const words of [...given, ...cutOwnLines(text)]) {
    const named = findNamedReason(words, move, known);
    if (named !== undefined) return named;
  }
  // Quotes inside the author's own objections are no reason for a move.
  const isOwn = (one: Challenge) => one.by === now.by && one.tour === now.tour;
  const quoting = blankRanges(text, [...known.challenges.values()].filter(isOwn));
  const quoteAt = quoteReader(quoting);
  const isSaid = (quote: Quote) => said.some((one) => isReason(one, quote, move, known));
  const quotes = cutUnits(quoting, { ...NOTHING_KNOWN, isSaid: (stretch) => isSaid(quoteAt(stretch)) });
  const isQuoted =
    given.some((value) => isSaid(readQuote(value))) ||
    quotes.some((unit) => unit.quotes.some((stretch) => isSaid(quoteAt(stretch))));
  return isQuoted ? 'quote' : null;
}

/** Whether another participant's words support the new position or oppose the old one. */
function isReason(
  one: QuotableContribution,
  quote: Quote,
  move: ExaminedMove,
  { challenges }: LedgerIndex,
): boolean {
  if (one.by === move.by) return false;
  const place = one.find(quote);
  if (!place) return false;
  if (move.holdsNew(one.by, one.tour)) return !one.isOwnCase(place);
  if (one.isOwnCase(place)) return move.holdsOld(one.by, one.tour);
  return [...challenges.values()].some(
    ({ by, tour, start, end, against }) =>
      by === one.by &&
      tour === one.tour &&
      start <= place.start &&
      place.start < end &&
      isAgainstOld(against, tour, move),
  );
}

const isAgainstOld = (against: string | null, round: number, move: ExaminedMove): boolean =>
  against !== null && move.holdsOld(against, round);

/**
 * Returns a contribution's own lines, without quotes. For a challenge that is merely answered or rejected,
 * the mention is cut off: it is no reason for a move.
 */
function cutOwnLines(text: string): string[] {
  return cutBlocks(text)
    .filter(({ kind }) => kind === 'prose' || kind === 'item')
    .flatMap((block) => splitLines(text, block))
    .map(({ start, end }) => text.slice(start, end))
    .filter((line) => !/^[ \t]*>/.test(line))
    .map((line) => {
      const [answer] = findHeads(line);
      const isMoving = answer?.status === 'conceded' || answer?.status === 'conceded_in_part';
      return answer && !isMoving ? line.slice(answer.start + answer.length) : line;
    });
}

function findNamedReason(
  words: string,
  move: ExaminedMove,
  { claims, challenges }: LedgerIndex,
): string | undefined {
  for (const mention of findMentions(words)) {
    if ('challenge' in mention) {
      const challenge = challenges.get(mention.challenge);
      if (challenge && isReasonToMove(challenge, move)) return challenge.id;
    } else {
      const claim = claims.get(`${move.resolve(mention.name)}.${mention.number}`);
      if (claim && claim.by !== move.by && move.holdsNew(claim.by, claim.tour)) return claim.id;
    }
  }
  return undefined;
}

/** An author's own challenge is no reason to move, but an answer by a holder of the new position may be. */
function isReasonToMove({ by, against, tour, answer, status }: Challenge, move: ExaminedMove): boolean {
  if (tour >= move.tour || against === null) return false;
  if (by !== move.by) return isAgainstOld(against, tour, move);
  const isAnswered = answer !== null && answer.tour < move.tour && status !== 'conceded';
  return isAnswered && move.holdsNew(against, answer.tour);
}

/**
 * Whether a text moves its author away from their blind position without an explanation, under the
 * `blind-first` rule, as the ledger will read it when the round closes. Returning to the blind position is
 * not a move.
 */
export function isUnexplainedMove(
  { state, brief, contributions }: Council,
  said: Pick<StatedContribution, 'by' | 'phase' | 'tour' | 'text' | 'position'>,
): boolean {
  const first = contributions.find(({ by, tour }) => by === said.by && tour === 1)?.position;
  if (state.rules.rule !== 'blind-first' || !state.blind || first === undefined) return false;
  if (normalisePosition(first) === normalisePosition(said.position)) return false;
  const mine: Contribution = { ...said, at: '', bytes: 0, sha256: '' };
  const moves = readMoves({
    tour: said.tour,
    contributions: [...contributions.filter(({ tour }) => tour < said.tour), mine],
    claims: state.ledger.claims,
    challenges: state.ledger.challenges,
    order: state.order,
    resolve: createNameResolver(state),
    shown: getMask({ state, brief, contributions }),
  });
  return moves.some(({ explained }) => !explained);
}
