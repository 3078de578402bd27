// Finds where the words stand that challenges quote: they can be marked there.
import type { Stretch } from './text/stretch.ts';
import { unitsOf } from './text/units.ts';
import { quoteReader, saidBefore } from './quotable.ts';
import type { Said, SaidInput } from './quotable.ts';
import type { Challenge, Span } from '../state/state.ts';

/** Words of a contribution that a challenge quotes, in UTF-16 units of its text. */
export interface QuotedPlace extends Span {
  /** The challenge's id. */
  challenge: string;
}

/** Where the verified quotes of challenges stand in the texts of those whom they are put to. */
export function quotedPlaces(input: SaidInput & { challenges: readonly Challenge[] }): QuotedPlace[] {
  const { challenges, contributions } = input;
  const verified = challenges.filter(({ against, quote }) => against !== null && quote === 'verified');
  return [...Map.groupBy(verified, ({ tour }) => tour)].flatMap(([tour, raised]) => {
    const said = saidBefore(tour, input);
    return [...Map.groupBy(raised, ({ by }) => by)].flatMap(([by, own]) => {
      const text = contributions.find((c) => c.by === by && c.tour === tour)?.text;
      return text === undefined ? [] : placesOf(own, text, said);
    });
  });
}

/** Those of the challenges of one contribution. */
function placesOf(challenges: readonly Challenge[], text: string, said: readonly Said[]): QuotedPlace[] {
  const quoteAt = quoteReader(text);
  return challenges.flatMap(({ id, against, start, end }) => {
    const theirs = said.filter((one) => one.by === against);
    const find = (inside: Stretch): Omit<QuotedPlace, 'challenge'> | undefined => {
      const quote = quoteAt({ start: start + inside.start, end: start + inside.end });
      for (const { by, tour, find: findIn } of theirs) {
        const place = findIn(quote);
        if (place) return { by, tour, ...place };
      }
      return undefined;
    };
    const known = { isClaim: () => true, isSaid: (inside: Stretch) => find(inside) !== undefined };
    const quotes = unitsOf(text.slice(start, end), known).flatMap((unit) => unit.quotes);
    return quotes.flatMap((quote) => {
      const place = find(quote);
      return place ? [{ challenge: id, ...place }] : [];
    });
  });
}
