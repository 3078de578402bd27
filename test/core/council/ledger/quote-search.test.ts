import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitClaims } from '../../../../src/core/council/ledger/claims.ts';
import { findNear } from '../../../../src/core/council/ledger/quotable-texts.ts';
import { readQuote, readSource } from '../../../../src/core/council/ledger/quotes.ts';
import { countCases } from '../../../helpers/long.ts';

it('finds words near to a quote where a quarter of them are others, or in one place a half', () => {
  const words = fc.array(fc.constantFrom('one', 'Two', 'three', 'four', 'five', 'sixth', 'été'), {
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
    { numRuns: countCases(200) },
  );
});
