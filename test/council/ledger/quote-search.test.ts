import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitClaims } from '../../../src/council/ledger/claims.ts';
import { findNear } from '../../../src/council/ledger/near.ts';
import { readQuote, readSource } from '../../../src/council/ledger/quotes.ts';
import { needle, occurrence } from '../../../src/council/ledger/text/occurrence.ts';
import { nearPlainly, occurrencePlainly } from '../../helpers/quote-search.ts';

/** Few different pieces, so that the beginning of a needle stands in many places. */
const hays = fc
  .array(fc.constantFrom('a', 'a'.repeat(40), 'ab'.repeat(30), 'b', ' '), { minLength: 1, maxLength: 12 })
  .map((pieces) => pieces.join(''));

it('finds the same places as the plainest search, at the same cost', () => {
  fc.assert(
    fc.property(
      hays,
      fc.tuple(fc.nat(), fc.nat(120), fc.constantFrom('', 'b')),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      fc.oneof(fc.constant(1e6), fc.nat(2000)),
      (hay, [at, length, end], accepts, left) => {
        const from = at % hay.length;
        const text = hay.slice(from, from + length) + end;
        const search = (find: (accept: (start: number) => boolean, effort: { left: number }) => number) => {
          const effort = { left };
          const asked: number[] = [];
          const found = find((start) => (asked.push(start), accepts[asked.length % accepts.length]!), effort);
          return { found, asked, effort };
        };
        expect(search((accept, effort) => occurrence(needle(text), hay, accept, effort))).toEqual(
          search((accept, effort) => occurrencePlainly(text, hay, accept, effort)),
        );
      },
    ),
    { numRuns: 500 },
  );
});

it('finds the same words near to a quote as a comparison of every claim, with any effort', () => {
  const words = fc.array(fc.constantFrom('one', 'Two', 'three', 'four', 'five', 'sixth', 'l’été'), {
    minLength: 5,
    maxLength: 14,
  });
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 8 }),
      words,
      fc.oneof(fc.constant(1e6), fc.nat(3000)),
      (claims, quoted, left) => {
        const text = claims.map((claim) => `${claim.join(' ')}.`).join('\n\n');
        const source = readSource(text, () => splitClaims(text));
        for (const quote of [quoted, [...claims[0]!.slice(1), 'else']].map((all) =>
          readQuote(all.join(' ')),
        )) {
          const [one, other] = [{ left }, { left }];
          expect(findNear(quote, source, one)).toEqual(nearPlainly(quote, source, other));
          if (other.left > 0) expect(one.left).toBe(other.left);
        }
      },
    ),
    { numRuns: 300 },
  );
});
