// Offline panel: the reviewer for numbers and dates that have to agree with each other.
import { columns } from './columns.ts';
import { contradictions } from './contradictions.ts';
import { dates } from './dates.ts';
import { deadlines } from './deadlines.ts';
import { order } from './order.ts';
import { byTheYear } from './by-the-year.ts';
import { periods } from './periods.ts';
import { totals } from './totals.ts';
import { products } from './products.ts';
import type { Reviewer } from './reviewer.ts';
import { shares } from './shares.ts';
import { sums } from './sums.ts';
import { units } from './units.ts';

const RULES = [
  ...[dates, order, deadlines, periods, sums, totals, shares, products, byTheYear],
  ...[columns, units, contradictions],
];

/** Wants what a document says in one place to fit what it says in another. */
export const consistency: Reviewer = {
  id: 'consistency',
  find: (document) => RULES.flatMap((rule) => rule(document)).sort((a, b) => a.start - b.start),
};
