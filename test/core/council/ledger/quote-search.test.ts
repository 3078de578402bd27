import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitClaims } from '../../../../src/core/council/ledger/claims.ts';
import { findNear } from '../../../../src/core/council/ledger/similar-words.ts';
import { readQuote, readSource } from '../../../../src/core/council/ledger/quotes.ts';
import { findOccurrence } from '../../../../src/core/council/ledger/text/bounded-search.ts';

/** Few different pieces, so that the beginning of a text stands in many places. */
const hays = fc
  .array(fc.constantFrom('a', 'a'.repeat(40), 'ab'.repeat(30), 'b', ' '), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''));

it('finds the first place that is taken, and with too little effort none or the same', () => {
  fc.assert(
    fc.property(
      hays,
      fc.tuple(fc.nat(), fc.nat(120), fc.constantFrom('', 'b')),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      fc.nat(2000),
      (hay, [at, length, end], accepts, left) => {
        const from = at % hay.length;
        const text = hay.slice(from, from + length) + end;
        const isTaken = (start: number) => accepts[start % accepts.length]!;
        const places = [...hay].map((_, start) => start).filter((start) => hay.startsWith(text, start));
        const wanted = text === '' ? -1 : (places.find(isTaken) ?? -1);
        expect(findOccurrence(text, hay, isTaken, { left: 1e6 })).toBe(wanted);
        expect([-1, wanted]).toContain(findOccurrence(text, hay, isTaken, { left }));
      },
    ),
    { numRuns: 500 },
  );
});

it('finds words near to a quote where a quarter of them are others, or in one place a half', () => {
  const words = fc.array(fc.constantFrom('one', 'Two', 'three', 'four', 'five', 'sixth', 'l’été'), {
    minLength: 6,
    maxLength: 14,
  });
  const near = (claim: readonly string[], quoted: readonly string[]) => {
    const text = `${claim.join(' ')}.`;
    const quote = readQuote(quoted.join(' '));
    return (
      findNear(
        quote,
        readSource(text, () => splitClaims(text)),
        { left: 1e6 },
      ) !== null
    );
  };
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (claim, a, b) => {
      const length = b % claim.length;
      const at = a % (claim.length - length + 1);
      const others = claim.map((word, n) => (n >= at && n < at + length ? `${word}x` : word));
      expect(near(claim, others)).toBe(2 * length <= claim.length);
      const apart = claim.map((word, n) => (n % 2 === 0 && n < 2 * length ? `${word}x` : word));
      const changed = apart.filter((word, n) => word !== claim[n]).length;
      if (changed > 1 && 4 * changed > claim.length && 2 * (2 * changed - 1) > claim.length)
        expect(near(claim, apart)).toBe(false);
    }),
    { numRuns: 200 },
  );
});
