// Offline panel: the reviewer for numbers and dates that must agree with each other.
import { shiftSpan } from './place.ts';
import { findContradictions } from './contradictions.ts';
import { checkDates, findDates } from './dates.ts';
import type { Day } from './dates.ts';
import { checkOrder, checkPeriods } from './order.ts';
import { checkListTotals, checkSums } from './sums.ts';
import { checkProducts } from './products.ts';
import { locate } from './reviewer.ts';
import type { Reviewer, Located } from './reviewer.ts';
import { checkShares } from './shares.ts';
import { checkConversions } from './equations.ts';
import type { Document } from './document.ts';
import { listSections } from './outline.ts';
import { listTables, listPassages } from './tables.ts';
import type { Cell, Table } from './tables.ts';
import { isWithinSlack, findAmounts, asWritten } from './amounts.ts';
import type { Amount } from './amounts.ts';

// Offline panel: a table row that breaks the calculation followed by all other rows.

/** How a column can be computed from two others, with the number of rows needed as evidence. */
const WAYS: readonly { rule: 'product' | 'share'; of(a: number, b: number): number; rows: number }[] = [
  { rule: 'product', of: (a, b) => a * b, rows: 2 },
  { rule: 'share', of: (a, b) => (a / b) * 100, rows: 3 },
  { rule: 'share', of: (a, b) => (b / a) * 100, rows: 3 },
];

/** Finds rows that break the calculation of all others in the table. */
function checkColumns(document: Document): Located[] {
  return listTables(document).flatMap((table) => checkTableColumns(document, table));
}

function checkTableColumns(document: Document, table: Table): Located[] {
  const width = table.header.length;
  for (let a = 0; a < width; a += 1) {
    for (let b = a + 1; b < width; b += 1) {
      for (let c = 0; c < width; c += 1) {
        if (c === a || c === b) continue;
        for (const way of WAYS) {
          const odd = findOddRow(table, [a, b, c], way);
          if (!odd) continue;
          const advice = document.say.wrongRow(odd.cell.text, document.say.number(odd.value));
          return [locate(document, odd.cell, way.rule, advice)];
        }
      }
    }
  }
  return [];
}

/** Returns the only row in which c does not follow from a and b, if enough others do. */
function findOddRow(
  { rows }: Table,
  [a, b, c]: readonly [number, number, number],
  way: (typeof WAYS)[number],
): { cell: Cell; value: number } | undefined {
  const odd: { cell: Cell; value: number }[] = [];
  let right = 0;
  for (const row of rows) {
    const cell = row[c];
    const [x, y, z] = [row[a]?.amount, row[b]?.amount, cell?.amount];
    if (!cell || !x || !y || !z || (way.rule === 'share') !== (z.unit === '%')) continue;
    if (x.unit === '%' || y.unit === '%' || y.value === 0 || x.value === 0) continue;
    const value = way.of(x.value, y.value);
    const isTrivial = [x.value, y.value].includes(1);
    if (!isWithinSlack(z.value, value, estimateRoundingSlack(z, x, y, value))) odd.push({ cell, value });
    else if (!isTrivial) right += 1;
  }
  return right >= way.rows && odd.length === 1 ? odd[0] : undefined;
}

const estimateRoundingSlack = (z: Amount, x: Amount, y: Amount, value: number): number =>
  z.slack + value * ((x.slack < 0.5 ? x.slack / x.value : 0) + (y.slack < 0.5 ? y.slack / y.value : 0));

// Offline panel: "50 a month, 500 a year": a monthly and a yearly price of the same thing.

const BY =
  /^(?:\s[\p{L}-]+){0,2}?\s?(?:(?:an?|per|par|\/|each|every|chaque)\s?(month|year|mois|an|année)|(monthly|yearly|annually))(?![\p{L}])/iu;
/** Explicitly stated as equal: certain. A comma may just separate two prices. */
const SAME =
  /^\s*(?:,\s|[–—]\s|\()?\s?(?:that is|that makes|which is|which makes|i\.e\.|soit|=|makes|ce qui fait)\s*$/iu;
const BESIDE = /^\s*(?:,\s?|\/\s?|;\s?|\(|and |et )$/iu;
/** A discount, or a different thing. */
const OTHER =
  /^\s?(?:if|when|for|with|on|paid|prepaid|in advance|instead|si|quand|pour|avec|payé)(?![\p{L}])/iu;

/** Finds yearly prices that are not twelve times the monthly price next to them. */
function checkYearlyPrices(document: Document): Located[] {
  return listPassages(document).flatMap((block) => {
    const { text } = block;
    const rates = findAmounts(text, document.language).flatMap((amount) => {
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
      if (isWithinSlack(later.amount.value, value, later.amount.slack + own + value * 0.005)) return [];
      const written = asWritten(text.slice(before.amount.start, later.end));
      const advice = document.say.wrongProduct(written, document.say.number(value));
      const span = shiftSpan(block, before.amount.start, later.end);
      return [locate(document, span, 'product', advice, { severity: isSame ? 'first' : 'worth' })];
    });
  });
}

const isPair = (a: Amount, b: Amount): boolean => a.unit === b.unit && a.unit !== '%' && !a.rough && !b.rough;

// Offline panel: "Deadline" and "Start" as headings or table rows, with dates in the wrong order.

const OPENS =
  /^(?:date|start(?: date)?|begin(?:s|ning)?|created|opened|début|date de début|ouverture|démarrage)$/i;
const CLOSES =
  /^(?:deadline|end(?: date)?|due(?: date)?|until|fin|date de fin|échéance|date limite|clôture)$/i;
const PLAIN = /^[\s*_]+|[\s*_:]+$/g;

interface NamedDay {
  key: string;
  day: Day;
}

/** Finds a deadline before the start. A reader must judge, since it may belong to something else. */
function checkDeadlines(document: Document): Located[] {
  return [
    listSectionDates(document),
    ...listTables(document).map((table) => listRowDates(document, table.rows)),
  ].flatMap((named) => {
    const [start, ...starts] = named.filter(({ key }) => OPENS.test(key));
    const [end, ...ends] = named.filter(({ key }) => CLOSES.test(key));
    if (!start || !end || starts.length + ends.length > 0 || end.day.day >= start.day.day) return [];
    const advice = document.say.endsBeforeStart(end.day.written, start.day.written);
    return [locate(document, end.day, 'order', advice, { severity: 'worth', also: [start.day] })];
  });
}

/** Finds headings followed by exactly one date. */
const listSectionDates = (document: Document): NamedDay[] =>
  listSections(document).flatMap(({ heading, text, start }) => {
    const { days } = findDates(text, document.language, start);
    return days.length === 1 && days[0] ? [{ key: heading.text.replace(PLAIN, ''), day: days[0] }] : [];
  });

type Rows = ReturnType<typeof listTables>[number]['rows'];

const listRowDates = (document: Document, rows: Rows): NamedDay[] =>
  rows.flatMap(([key, ...cells]) => {
    const days = cells.flatMap(
      ({ start, end }) => findDates(document.text.slice(start, end), document.language, start).days,
    );
    return key && days.length === 1 && days[0] ? [{ key: key.text.replace(PLAIN, ''), day: days[0] }] : [];
  });

const RULES = [
  ...[
    checkDates,
    checkOrder,
    checkDeadlines,
    checkPeriods,
    checkSums,
    checkListTotals,
    checkShares,
    checkProducts,
    checkYearlyPrices,
  ],
  ...[checkColumns, checkConversions, findContradictions],
];

/** Finds places in a document that disagree with each other. */
export const consistency: Reviewer = {
  id: 'consistency',
  find: (document) => RULES.flatMap((rule) => rule(document)).sort((a, b) => a.start - b.start),
};
