// Finds where the words stand that challenges quote: they can be marked there.
import type { Stretch } from './text/stretch.ts';
import { cutUnits } from './text/units.ts';
import { quoteReader, saidBefore } from './quotable.ts';
import type { Said, SaidInput } from './quotable.ts';
import { turnOf } from '../state/turn.ts';
import type { Challenge, Span } from '../state/state.ts';

/** Words of a contribution that a challenge quotes, in UTF-16 units of its text. */
export interface QuotedPlace extends Span {
  /** The challenge's id. */
  challenge: string;
}

type Place = Omit<QuotedPlace, 'challenge'>;

/** What can be quoted, and the challenges that quote it. */
export interface QuotedInput extends SaidInput {
  challenges: readonly Challenge[];
}

/**
 * Where the verified quotes of challenges stand in the texts of those whom they are put to. Every text is read once: that takes a
 * tenth of a second for a megabyte, so it pauses between them for whoever has others to serve.
 */
export function* quotedPlaces(input: QuotedInput): Generator<undefined, QuotedPlace[]> {
  const { challenges, contributions } = input;
  const verified = challenges.filter(({ against, quote }) => against !== null && quote === 'verified');
  if (verified.length === 0) return [];
  const texts = new Map(contributions.map((said) => [turnOf(said), said.text]));
  const saidBy = Map.groupBy(saidBefore(Infinity, input), ({ by }) => by);
  const places: QuotedPlace[] = [];
  for (const [turn, own] of Map.groupBy(verified, turnOf)) {
    const text = texts.get(turn);
    if (text !== undefined) places.push(...(yield* placesOf(own, text, saidBy)));
  }
  return places;
}

/** Those of the challenges of one contribution. */
function* placesOf(
  challenges: readonly Challenge[],
  text: string,
  saidBy: ReadonlyMap<string, readonly Said[]>,
): Generator<undefined, QuotedPlace[]> {
  const quotes = cutUnits(text, ALL).flatMap((unit) => unit.quotes);
  const find = finderIn(text, saidBy);
  yield;
  const places: QuotedPlace[] = [];
  for (const challenge of challenges) {
    for (const { start, end } of quotes) {
      const inside = { start: Math.max(start, challenge.start), end: Math.min(end, challenge.end) };
      if (inside.start >= inside.end) continue;
      const place = yield* find(inside, challenge);
      if (place) places.push({ challenge: challenge.id, ...place });
    }
  }
  return places;
}

/** Whatever stands between quotation marks is looked for. */
const ALL = { isClaim: () => true, isSaid: () => true };

/** Looks for the quotes of one text, each once for everybody whom it is held against: challenges may share their quotes. */
function finderIn(text: string, saidBy: ReadonlyMap<string, readonly Said[]>) {
  const quoteAt = quoteReader(text);
  const known = new Map<string, Place | undefined>();
  const search = (inside: Stretch, { against, tour: before }: Challenge): Place | undefined => {
    const quote = quoteAt(inside);
    for (const { by, tour, find } of saidBy.get(against ?? '') ?? []) {
      const place = tour < before && find(quote);
      if (place) return { by, tour, ...place };
    }
    return undefined;
  };
  return function* (inside: Stretch, challenge: Challenge): Generator<undefined, Place | undefined> {
    const key = `${inside.start} ${inside.end} ${challenge.against}`;
    if (!known.has(key)) {
      known.set(key, search(inside, challenge));
      yield;
    }
    return known.get(key);
  };
}
