// Offline panel: "50 a month, 500 a year": one price by the month and by the year.
import { agree, amountsIn } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document } from './document.ts';
import { passagesOf } from './passages.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';
import { asWritten, shown } from './shown.ts';

const BY =
  /^(?:\s[\p{L}-]+){0,2}?\s?(?:(?:an?|per|par|\/|each|every|chaque)\s?(month|year|mois|an|année)|(monthly|yearly|annually))(?![\p{L}])/iu;
/** Said to be the same: certain. A comma alone may part two prices. */
const SAME =
  /^\s*(?:,\s|[–—]\s|\()?\s?(?:that is|that makes|which is|which makes|i\.e\.|soit|=|makes|ce qui fait)\s*$/iu;
const BESIDE = /^\s*(?:,\s?|\/\s?|;\s?|\(|and |et )$/iu;
/** A rebate, or another thing. */
const OTHER =
  /^\s?(?:if|when|for|with|on|paid|prepaid|in advance|instead|si|quand|pour|avec|payé)(?![\p{L}])/iu;

/** Prices by the month and by the year that are not twelve times each other. */
export function byTheYear(document: Document): Located[] {
  return passagesOf(document).flatMap((block) => {
    const { text } = block;
    const rates = amountsIn(text, document.language).flatMap((amount) => {
      const match = BY.exec(text.slice(amount.end));
      const word = match?.[1] ?? match?.[2] ?? '';
      return match ? [{ amount, end: amount.end + match[0].length, months: /^m/i.test(word) ? 1 : 12 }] : [];
    });
    return rates.flatMap((later, at) => {
      const before = rates[at - 1];
      if (!before || before.months === later.months || !isPair(before.amount, later.amount)) return [];
      const middle = text.slice(before.end, later.amount.start);
      const isSame = SAME.test(middle);
      if ((!isSame && !BESIDE.test(middle)) || OTHER.test(text.slice(later.end))) return [];
      const value = (before.amount.value / before.months) * later.months;
      const own = before.amount.slack < 0.5 ? before.amount.slack * 12 : 0;
      if (agree(later.amount.value, value, later.amount.slack + own + value * 0.005)) return [];
      const written = asWritten(text.slice(before.amount.start, later.end));
      return [
        locate(
          document,
          { start: block.start + before.amount.start, end: block.start + later.end },
          {
            severity: isSame ? 'first' : 'worth',
            rule: 'product',
            advice: says(document.language).wrongProduct(written, shown(value, document.language)),
          },
        ),
      ];
    });
  });
}

const isPair = (a: Amount, b: Amount): boolean => a.unit === b.unit && a.unit !== '%' && !a.rough && !b.rough;
