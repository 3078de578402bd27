// Finds changes of position in a tour and what explains them.
import { blocksOf, linesIn } from './text/blocks.ts';
import { formOf } from './text/form.ts';
import { asItems } from './text/form-values.ts';
import type { Resolve } from './challenges.ts';
import { headsAt } from './text/answer-heads.ts';
import { mentionsIn } from './text/mentions.ts';
import { readQuote } from './quotes.ts';
import type { Quote } from './quotes.ts';
import { quoteReader, saidBefore } from './quotable.ts';
import type { Said, SaidInput } from './quotable.ts';
import type { Contribution, Challenge, Claim, Move } from '../state/state.ts';
import { NOTHING_KNOWN, unitsOf } from './text/units.ts';
import { normalisePosition } from '../state/position.ts';

export interface MovesInput extends SaidInput {
  /** The tour that closes. */
  tour: number;
  /** All challenges; those of the closing tour could not be named in it. */
  challenges: readonly Challenge[];
  resolve: Resolve;
}

/** Claims and challenges by their ids. */
interface Named {
  claims: ReadonlyMap<string, Claim>;
  challenges: ReadonlyMap<string, Challenge>;
}

/**
 * Who changed position in a tour, in the order of the participants. A move is explained by the first claim or challenge
 * of somebody else that its contribution names (in the front matter's `because`, or in its own words), else by
 * a quote of somebody else's words. What it says on request as the advocate is no position of its own.
 */
export function readMoves(input: MovesInput): Move[] {
  const { tour, contributions, order } = input;
  const said = saidBefore(tour, input);
  const known = {
    claims: new Map(input.claims.map((claim) => [claim.id, claim])),
    challenges: new Map(input.challenges.map((challenge) => [challenge.id, challenge])),
  };
  return order.flatMap((by): Move[] => {
    const stated = contributions.filter(
      (c): c is Contribution & { position: string } =>
        c.by === by && c.tour <= tour && c.position !== undefined && c.advocate !== true,
    );
    const now = stated.find((c) => c.tour === tour);
    const before = stated.filter((c) => c.tour < tour).sort((a, b) => b.tour - a.tour)[0];
    if (!now || !before || normalisePosition(now.position) === normalisePosition(before.position)) return [];
    const because = reasonOf(
      now,
      said.filter((one) => one.by !== by),
      input,
      known,
    );
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

function reasonOf(
  { by, text }: Contribution,
  others: readonly Said[],
  input: MovesInput,
  known: Named,
): string | null {
  const because = formOf(text)?.fields.filter(({ name }) => name === 'because') ?? [];
  const given = because.flatMap(({ value }) => asItems(value));
  const quoteAt = quoteReader(text);
  const quotes = (): Quote[] => [
    ...given.map((value) => readQuote(value)),
    ...unitsOf(text, NOTHING_KNOWN).flatMap((unit) => unit.quotes.map(quoteAt)),
  ];
  for (const words of [...given, ...ownLines(text)]) {
    const named = reasonNamed(by, words, input, known);
    if (named !== undefined) return named;
  }
  return quotes().some((quote) => others.some((one) => one.find(quote))) ? 'quote' : null;
}

/** The lines of a contribution that are nobody else's words. A challenge that is only answered or rejected moved nobody. */
function ownLines(text: string): string[] {
  return blocksOf(text)
    .filter(({ kind }) => kind === 'prose' || kind === 'item')
    .flatMap((block) => linesIn(text, block))
    .map(({ start, end }) => text.slice(start, end))
    .filter((line) => !/^[ \t]*>/.test(line))
    .map((line) => {
      const [answer] = headsAt(line);
      const isMoving = answer?.status === 'conceded' || answer?.status === 'conceded_in_part';
      return answer && !isMoving ? line.slice(answer.length) : line;
    });
}

function reasonNamed(
  by: string,
  words: string,
  { tour, resolve }: MovesInput,
  { claims, challenges }: Named,
): string | undefined {
  for (const mention of mentionsIn(words)) {
    if ('challenge' in mention) {
      const challenge = challenges.get(mention.challenge);
      // One's own challenge moves nobody, but the answer to it may.
      const isReason =
        challenge &&
        challenge.tour < tour &&
        (challenge.by !== by || (challenge.answer?.tour ?? tour) < tour);
      if (isReason) return challenge.id;
    } else {
      const id = `${resolve(mention.name)}.${mention.number}`;
      const claim = claims.get(id);
      if (claim && claim.by !== by) return id;
    }
  }
  return undefined;
}
