// Offline panel: recomputes sums in tables, lists and sentences.

import { isWithinSlack, findAmounts, listNumberCustoms, FIGURE, readFigure } from './amounts.ts';
import type { Amount } from './amounts.ts';
import type { Document, Span } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { listSentences, isWithinSpans, shiftSpan } from './place.ts';
import type { Sentence } from './place.ts';
import { listTables } from './tables.ts';
import type { Cell, Table } from './tables.ts';

const TOTAL = /^[\s*_]*(?:(?:grand |sub)?total|sum|somme|totaux|ensemble)(?![\p{L}])/iu;
/** Columns whose last row is not the sum of the others. */
const NOT_ADDED =
  /%|rate|share|average|avg|mean|median|each|price|unit|taux|part|moyen|prix|ratio|per |par |growth/i;

/** Finds totals that are not the sum of the numbers above them, or next to them in a sentence. */
export function checkSums(document: Document): Located[] {
  return [
    ...listTables(document).flatMap((table) => checkTableTotals(document, table)),
    ...listSentences(document).flatMap((sentence) => [
      ...checkPartsOfNumber(document, sentence),
      ...checkSpokenTotals(document, sentence),
    ]),
  ];
}

function checkTableTotals(document: Document, { header, rows }: Table): Located[] {
  const found: Located[] = [];
  let from = 0;
  for (const [at, row] of rows.entries()) {
    if (!row.some((cell) => TOTAL.test(cell.text))) continue;
    const above = rows.slice(from, at).filter((one) => !one.some((cell) => TOTAL.test(cell.text)));
    from = at + 1;
    if (above.length < 2) continue;
    for (const [column, { text }] of header.entries()) {
      const cell = row[column];
      if (NOT_ADDED.test(text) || !cell?.amount || cell.amount.unit === '%') continue;
      const wrong = findWrongTotal(
        cell,
        above.map((one) => one[column]),
      );
      if (wrong !== undefined) found.push(createSumFinding(document, cell, cell.amount, wrong));
    }
  }
  return found;
}

/** Returns the sum of the cells if the total is wrong; undefined if it is right or they cannot all be added. */
function findWrongTotal(total: Cell, cells: (Cell | undefined)[]): number | undefined {
  const parts = cells.filter((cell) => cell !== undefined && !/^[\s*_–—-]*$/.test(cell.text));
  const amounts = parts.map((cell) => cell?.amount);
  if (amounts.length < 2 || !total.amount || total.amount.rough) return undefined;
  let sum = 0;
  let slack = total.amount.slack;
  for (const amount of amounts) {
    if (!amount || amount.rough || amount.unit !== amounts[0]?.unit) return undefined;
    sum += amount.value;
    slack += amount.slack < 0.5 ? amount.slack : 0;
  }
  return isWithinSlack(total.amount.value, sum, slack) ? undefined : sum;
}

function createSumFinding(
  document: Document,
  span: Span,
  { value: given }: { value: number },
  sum: number,
): Located {
  const words = (value: number): string => document.say.number(value);
  return locate(document, span, 'sum', document.say.wrongSum(words(given), words(sum)));
}

/** Checks "48 people: 30 administrators, 12 members and 8 guests". */
function checkPartsOfNumber(document: Document, { text, start }: Sentence): Located[] {
  const colon = text.search(/\s?:\s/);
  if (colon < 0) return [];
  const before = findAmounts(text.slice(0, colon), document.language, start);
  const whole = before.at(-1);
  const parts = text
    .slice(colon + 1)
    .replace(/^\s*:/, '')
    .replace(/[.;]\s*$/, '')
    .split(/;|,(?!\d{3})|\s(?:and|et|plus)\s/u);
  if (
    !whole ||
    whole.rough ||
    parts.length < 2 ||
    document.text.slice(whole.end, start + colon).split(/\s+/).length > 5
  )
    return [];
  const amounts = parts.map((part) => findAmountAtStart(part, document));
  if (
    amounts.some(
      (amount) => !amount || amount.rough || amount.unit !== whole.unit || amount.value > whole.value,
    )
  )
    return [];
  const sum = amounts.reduce((total, amount) => total + (amount?.value ?? 0), 0);
  const slack = whole.slack < 0.5 ? whole.slack * (amounts.length + 1) : 0;
  return isWithinSlack(whole.value, sum, slack) ? [] : [createSumFinding(document, whole, whole, sum)];
}

function findAmountAtStart(part: string, document: Document): Amount | undefined {
  const [amount, ...others] = findAmounts(part, document.language);
  return amount && others.length === 0 && /^\s*$/.test(part.slice(0, amount.start)) ? amount : undefined;
}

const IN_ALL = /^\s?(?:in all|in total|altogether|all together|au total|en tout)(?![\p{L}])/u;

/** Checks "3 weeks, the apps are 5 weeks, tests are 2 weeks: 10 weeks in all". */
function checkSpokenTotals(document: Document, { text, start }: Sentence): Located[] {
  const amounts = findAmounts(text, document.language);
  return amounts.flatMap((total, at) => {
    const parts = amounts.slice(0, at);
    if (!IN_ALL.test(text.slice(total.end)) || total.unit === '' || total.rough || parts.length < 2)
      return [];
    if (parts.some(({ unit, rough }) => unit !== total.unit || rough)) return [];
    if (!/[:=]/.test(text.slice(parts.at(-1)?.end, total.start))) return [];
    const sum = parts.reduce((so, { value }) => so + value, 0);
    const span = shiftSpan({ start }, total.start, total.end);
    return isWithinSlack(total.value, sum, total.slack < 0.5 ? total.slack * amounts.length : 0)
      ? []
      : [createSumFinding(document, span, total, sum)];
  });
}

/** Matches "- Servers: 200 €", also with bold words and without a list marker. */
const LINE = new RegExp(
  String.raw`^[\s>]{0,20}(?:[-*+•]\s+|\d{1,2}[.)]\s+)?([\p{L}][^:=\d]{0,60}?)\s*[:=]\s*([$€£]?)\s*(${FIGURE})[\s\u00A0\u2009\u202F]*([%€$£]|\p{L}{1,12}(?:[ /]\p{L}{1,8}){0,2})?[\s.;,]*$`,
  'u',
);
const LIST_TOTAL =
  /^(?:(?:the |grand |in )?total(?: (?:cost|price|sum))?|sum|somme|total général|en tout|coût total)$/i;
/** Lines that are part of another, or are subtracted. */
const NOT_LISTED =
  /\b(?:sub-?total|total|sous-total|average|mean|moyenne|includ\p{L}*|thereof|of which|dont|incl|excl|minus|less|moins|discount|remise|rebate|already|saved|old|before|rate|taux|per|price|vat|tva)\b/iu;

interface ListEntry {
  label: string;
  figure: string;
  unit: string;
  start: number;
  end: number;
}

/** Finds totals of lists that are not the sum of their lines. */
export function checkListTotals(document: Document): Located[] {
  const found: Located[] = [];
  let parts: ListEntry[] = [];
  for (const [at, start] of document.starts.entries()) {
    const line = document.text.slice(start, document.starts[at + 1] ?? document.text.length);
    if (line.trim() === '') continue;
    const entry = parseTotalsEntry(line, start);
    if (!entry || isWithinSpans({ start, end: start + line.trimEnd().length }, document.code)) {
      parts = [];
    } else if (LIST_TOTAL.test(entry.label)) {
      found.push(...findWrongListTotal(document, parts, entry));
      parts = [];
    } else parts.push(entry);
  }
  return found;
}

function parseTotalsEntry(line: string, start: number): ListEntry | undefined {
  if (line.length > 200 || line.includes('|')) return undefined;
  const match = LINE.exec(line.replace(/\*\*|__|[*_](?=\S)|(?<=\S)[*_]/g, ''));
  if (!match) return undefined;
  const [, label = '', before = '', figure = '', after = ''] = match;
  const unit = `${before}${after}`.trim().toLowerCase().replace(/s$/, '');
  return { label: label.trim(), figure, unit, start, end: start + line.trimEnd().length };
}

function findWrongListTotal(document: Document, parts: readonly ListEntry[], total: ListEntry): Located[] {
  if (parts.length < 2 || parts.length > 40) return [];
  if (parts.some(({ label, unit }) => NOT_LISTED.test(label) || unit !== total.unit)) return [];
  const made: { given: number; sum: number }[] = [];
  for (const custom of listNumberCustoms(document.language)) {
    const read = [...parts, total].flatMap(({ figure }) => readFigure(figure, custom) ?? []);
    const given = read.at(-1);
    if (!given || read.length !== parts.length + 1) continue;
    const values = read.slice(0, -1).map(({ value }) => value);
    const sum = values.reduce((so, value) => so + value, 0);
    const isShare = total.unit === '%' || read.some(({ decimals }) => decimals > 0);
    const slack = isShare ? (0.5 / 10 ** Math.max(...read.map(({ decimals }) => decimals))) * read.length : 0;
    // A line as large as the total may include the others, or the list is not a sum.
    if (isWithinSlack(given.value, sum, slack) || given.value <= Math.max(...values)) return [];
    made.push({ given: given.value, sum });
  }
  const [wrong] = made;
  if (!wrong) return [];
  return [createSumFinding(document, total, { value: wrong.given }, wrong.sum)];
}
