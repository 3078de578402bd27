// Offline panel: lists of amounts, one a line, that end with their total.
import { agree, listNumberCustoms, FIGURE, readFigure, formatNumber } from './amounts.ts';
import type { Document } from './document.ts';
import { liesInside } from './place.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';

/** "- Servers: 200 €", also with bold words and without the mark of a list. */
const LINE = new RegExp(
  String.raw`^[\s>]{0,20}(?:[-*+•]\s+|\d{1,2}[.)]\s+)?([\p{L}][^:=\d]{0,60}?)\s*[:=]\s*([$€£]?)\s*(${FIGURE})[\s\u00A0\u2009\u202F]*([%€$£]|\p{L}{1,12}(?:[ /]\p{L}{1,8}){0,2})?[\s.;,]*$`,
  'u',
);
const TOTAL =
  /^(?:(?:the |grand |in )?total(?: (?:cost|price|sum))?|sum|somme|total général|en tout|coût total)$/i;
/** Lines that are part of another, or are taken away. */
const NOT_ADDED =
  /\b(?:sub-?total|total|sous-total|average|mean|moyenne|includ\p{L}*|thereof|of which|dont|incl|excl|minus|less|moins|discount|remise|rebate|already|saved|old|before|rate|taux|per|price|vat|tva)\b/iu;

interface Entry {
  label: string;
  figure: string;
  unit: string;
  start: number;
  end: number;
}

/** Totals of lists that are not what their lines make. */
export function totals(document: Document): Located[] {
  const found: Located[] = [];
  let parts: Entry[] = [];
  for (const [at, start] of document.starts.entries()) {
    const line = document.text.slice(start, document.starts[at + 1] ?? document.text.length);
    if (line.trim() === '') continue;
    const entry = parseTotalsEntry(line, start);
    if (!entry || liesInside({ start, end: start + line.trimEnd().length }, document.code)) {
      parts = [];
    } else if (TOTAL.test(entry.label)) {
      found.push(...wrongTotal(document, parts, entry));
      parts = [];
    } else parts.push(entry);
  }
  return found;
}

function parseTotalsEntry(line: string, start: number): Entry | undefined {
  if (line.length > 200 || line.includes('|')) return undefined;
  const match = LINE.exec(line.replace(/\*\*|__|[*_](?=\S)|(?<=\S)[*_]/g, ''));
  if (!match) return undefined;
  const [, label = '', before = '', figure = '', after = ''] = match;
  const unit = `${before}${after}`.trim().toLowerCase().replace(/s$/, '');
  return { label: label.trim(), figure, unit, start, end: start + line.trimEnd().length };
}

function wrongTotal(document: Document, parts: readonly Entry[], total: Entry): Located[] {
  if (parts.length < 2 || parts.length > 40) return [];
  if (parts.some(({ label, unit }) => NOT_ADDED.test(label) || unit !== total.unit)) return [];
  const made: { given: number; sum: number }[] = [];
  for (const custom of listNumberCustoms(document.language)) {
    const read = [...parts, total].flatMap(({ figure }) => readFigure(figure, custom) ?? []);
    const given = read.at(-1);
    if (!given || read.length !== parts.length + 1) continue;
    const values = read.slice(0, -1).map(({ value }) => value);
    const sum = values.reduce((so, value) => so + value, 0);
    const isShare = total.unit === '%' || read.some(({ decimals }) => decimals > 0);
    const slack = isShare ? (0.5 / 10 ** Math.max(...read.map(({ decimals }) => decimals))) * read.length : 0;
    // A line as large as the total holds the others, or the list is no sum.
    if (agree(given.value, sum, slack) || given.value <= Math.max(...values)) return [];
    made.push({ given: given.value, sum });
  }
  const [wrong] = made;
  if (!wrong) return [];
  const words = (value: number): string => formatNumber(value, document.language);
  const advice = says(document.language).wrongSum(words(wrong.given), words(wrong.sum));
  return [locate(document, total, { severity: 'first', rule: 'sum', advice })];
}
