// Offline panel: recomputes written calculations such as "200 € + 300 € = 500 €".
import { shiftSpan } from './place.ts';
import {
  isWithinSlack,
  findAmounts,
  convertToUnit,
  listNumberCustoms,
  FIGURE,
  readFigure,
  asWritten,
} from './amounts.ts';
import type { Document } from './document.ts';
import type { DecimalSign, NumberReading, Amount } from './amounts.ts';
import { listPassages } from './tables.ts';
import type { Block } from './prose.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';

const SPACE = String.raw`[\s\u00A0\u2009\u202F]`;
/** A currency or percent sign, or a word or two: "€", "servers", "€ a month". */
const NO_UNIT = String.raw`(?!(?:x|and|et|or|ou|but|mais|so|while)${SPACE})`;
const UNIT = String.raw`(?:${SPACE}{0,4}(?:[%€$£]|${NO_UNIT}\p{L}[\p{L}²³]{0,14}))?(?:${SPACE}${NO_UNIT}\p{L}+){0,2}`;
const TERM = String.raw`([-−]?[$€£]?)(${FIGURE})(?![\d_:]|[-/.,]\d)(${UNIT})`;
/** A dash is a minus only between spaces: "10-3" is a range. */
const SIGN = String.raw`(?:${SPACE}{0,6}([+×*·])${SPACE}{0,6}|${SPACE}{1,6}([-−–x])${SPACE}{1,6})`;
const EQUATION = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.,:/#§^-])${TERM}((?:${SIGN}${TERM}){1,11})${SPACE}{0,6}=${SPACE}{0,6}${TERM}`,
  'gu',
);
const STEP = new RegExp(`${SIGN}${TERM}`, 'gu');
/** Text before or after that makes it part of a longer calculation, or inexact. */
const OPEN_BEFORE =
  /[-+−–×x*·÷/^=<>~≈…(%]\s*$|\.\.\.\s*$|(?:about|around|roughly|approximately|nearly|almost|environ|presque|près de|not|≠|if)\s*$/iu;
const OPEN_AFTER =
  /^\s*(?:[+×*·÷/^=~≈…]|[-−–]\s*\d|x\s*\d|\d|\(\d)|^\s?\(?(?:mod(?!\p{L})|rounded|approx|or so|arrondi|environ|à peu près)/iu;
/** Quoted, or called wrong by the text itself. */
const QUOTED = /["“«„'‘]\s*$/u;
const SAID_WRONG =
  /^[\s"”»]*[,;:(–—]?\s*(?:which |that |this |it |ce qui |c['’])?(?:is |was |est |était )?(?:wrong|false|not |nonsense|faux|incorrect)/iu;
/** Units of a range, as in "9 - 5 = 8 hours" and "10 - 12 = 3 days": from … to, not minus. */
const SPANNED =
  /^(?:h|hr|hour|min|minute|day|night|week|month|year|page|heure|jour|nuit|semaine|moi|an|année)(?: |$)/u;
const ROUGH = /[~≈]|\b(?:about|around|roughly|approx|nearly|almost|environ|presque)/i;

const TIMES = /^[×x*·]/;
/** Allowed factors for a result in another unit: thousands, bytes, minutes, hours, percent, months. */
export const OTHER_UNITS = [1, 1000, 1024, 1e6, 1e9, 1024 ** 2, 60, 24, 3600, 100, 12] as const;

interface Term {
  sign: string;
  figure: string;
  unit: string;
}

const createTerm = (sign: string, before: string, figure: string, unit: string): Term => ({
  sign: `${sign}${/[-−]/.test(before) ? '−' : ''}`,
  figure,
  unit: normalizeUnitName(`${before.replace(/[-−]/, '')} ${unit}`),
});
/** Treats "servers" and "server" as the same. */
const normalizeUnitName = (text: string): string =>
  text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/s$/, '');

/** Finds sums, differences and mixed calculations with a wrong result. Pure products have a separate rule. */
export function checkEquations(document: Document): Located[] {
  return listPassages(document).flatMap((block) =>
    [...block.text.matchAll(EQUATION)].flatMap((match) => checkEquation(document, block, match)),
  );
}

function checkEquation(document: Document, block: Block, match: RegExpExecArray): Located[] {
  const [whole, before = '', figure = '', unit = '', steps = ''] = match;
  const terms = [
    createTerm('+', before, figure, unit),
    ...[...steps.matchAll(STEP)].map(([, a, b, money = '', digits = '', what = '']) =>
      createTerm(a ?? b ?? '', money, digits, what),
    ),
  ];
  const [money = '', digits = '', what = ''] = match.slice(-3);
  const result = createTerm('', money, digits, what);
  const after = block.text.slice(match.index + whole.length);
  if (OPEN_BEFORE.test(block.text.slice(0, match.index).slice(-20).replace(/\($/, ''))) return [];
  if (QUOTED.test(block.text.slice(0, match.index)) || SAID_WRONG.test(after) || isSpan(terms, result))
    return [];
  if (OPEN_AFTER.test(after) || ROUGH.test(whole) || !isAlike([...terms, result])) return [];
  const value = findWrongResult(terms, result, listNumberCustoms(document.language));
  if (value === undefined) return [];
  const span = shiftSpan(block, match.index, match.index + whole.length);
  const isSum = terms.slice(1).some(({ sign }) => /[-+−–]/.test(sign[0] ?? ''));
  const advice = document.say.wrongProduct(asWritten(whole), document.say.number(value));
  return [locate(document, span, isSum ? 'sum' : 'product', advice)];
}

const isSpan = (terms: readonly Term[], result: Term): boolean =>
  SPANNED.test(result.unit) && terms.slice(1).every(({ sign, unit }) => /^[-−–]/.test(sign) && unit === '');

/** Returns whether the terms can be added: all named units are equal, and shares are added only to shares. */
function isAlike(terms: readonly Term[]): boolean {
  const isProduct = terms.some(({ sign }) => TIMES.test(sign));
  const units = new Set(terms.map(({ unit }) => unit).filter((unit) => unit !== ''));
  if (isProduct) return !units.has('%') && units.size <= 1;
  // The sentence may continue after the result: "= 700 € a month".
  const [last] = terms.slice(-1);
  const firsts = new Set(terms.slice(0, -1).map(({ unit }) => unit));
  firsts.delete('');
  if (firsts.size > 1) return false;
  const [unit = ''] = firsts;
  const fits = unit === '' || last?.unit === '' || (last?.unit ?? '').split(' ')[0] === unit.split(' ')[0];
  return fits && (!units.has('%') || terms.every((term) => term.unit.startsWith('%')));
}

/** Returns the right result by the first separator that fits; undefined if the given one is right by any. */
function findWrongResult(
  terms: readonly Term[],
  result: Term,
  customs: readonly DecimalSign[],
): number | undefined {
  const made: number[] = [];
  for (const custom of customs) {
    const read = [...terms, result].map(({ figure }) => readFigure(figure, custom));
    if (read.some((one) => one === undefined)) continue;
    const readings = read.flatMap((one) => one ?? []);
    const given = readings.at(-1);
    if (!given) continue;
    const value = computeTerms(terms, readings);
    const target = result.sign.includes('−') ? -given.value : given.value;
    const factors = result.unit !== '' || terms.some(({ sign }) => TIMES.test(sign)) ? OTHER_UNITS : [1];
    const slack = estimateTermSlack(terms, readings, value);
    if (factors.some((factor) => isWithinSlack(target * factor, value, slack * factor))) return undefined;
    if (factors.some((factor) => isWithinSlack(target, value * factor, slack))) return undefined;
    made.push(value);
  }
  return made[0];
}

/** Multiplies before adding. */
function computeTerms(terms: readonly Term[], readings: readonly NumberReading[]): number {
  const parts: number[] = [];
  for (const [at, { sign }] of terms.entries()) {
    const own = (readings[at]?.value ?? 0) * (sign.slice(1) === '−' ? -1 : 1);
    if (TIMES.test(sign)) parts.push((parts.pop() ?? 1) * own);
    else parts.push(/^[-−–]/.test(sign) ? -own : own);
  }
  return parts.reduce((sum, part) => sum + part, 0);
}

/** Numbers with decimals and shares may have been rounded; whole numbers are exact counts. */
function estimateTermSlack(
  terms: readonly Term[],
  readings: readonly NumberReading[],
  value: number,
): number {
  const isShare = terms.some(({ unit }) => unit.startsWith('%'));
  const given = readings.at(-1);
  const hasDecimals = readings.slice(0, -1).some(({ decimals }) => decimals > 0);
  const halveLastDecimal = (one: NumberReading | undefined): number => 0.5 / 10 ** (one?.decimals ?? 0);
  if (isShare) return halveLastDecimal(given) * readings.length;
  if (!hasDecimals) return 0;
  const isProduct = terms.some(({ sign }) => TIMES.test(sign));
  return halveLastDecimal(given) + (isProduct ? Math.abs(value) * 0.02 : halveLastDecimal(given));
}

const OPENS = /^\s*\((?:=\s?|or |i\.e\. |soit )?$/;
const CLOSES = /^\s*\)/;

/** Text before "1 TB = 1000 GB" where it is not part of a longer calculation. */
const ALONE =
  /(?:^|[.;:,(|–—]|(?<![\p{L}\p{N}])(?!(?:times|x|per|each|every|by|an?|at|two|three|four|five|six|ten|fois|par|chaque|deux|trois|quatre)\s)\p{L}+)[\s"“«]*$/iu;
const GOES_ON = /^\s*(?:[+×x*·÷/^−-]\s*\d|\d)|^\s?(?:per|par|a|\/)\s?\p{L}/u;

/** Finds wrong conversions in brackets and with "=". */
export function checkConversions(document: Document): Located[] {
  return listPassages(document).flatMap(({ text, start }) => {
    const amounts = findAmounts(text, document.language);
    return amounts.flatMap((one, at) => {
      const other = amounts[at + 1];
      if (!other || one.rough || other.rough || one.unit === other.unit) return [];
      const [middle, after] = [text.slice(one.end, other.start), text.slice(other.end)];
      const isBracket = OPENS.test(middle) && CLOSES.test(after);
      const isEqual =
        /^\s*=\s*$/.test(middle) && ALONE.test(text.slice(0, one.start)) && !GOES_ON.test(after);
      if (!isBracket && !isEqual) return [];
      const wrong = convertAmount(one, other);
      if (wrong === undefined) return [];
      const words = (value: number, unit: string): string => `${document.say.number(value, 3)} ${unit}`;
      const advice = document.say.wrongUnit(text.slice(one.start, one.end), words(wrong, other.written));
      return [locate(document, shiftSpan({ start }, one.start, other.end), 'unit', advice)];
    });
  });
}

/** Returns the first amount in the other's unit if the other is wrong. */
function convertAmount(one: Amount, other: Amount): number | undefined {
  const exact = convertToUnit(one, other.unit);
  if (exact === undefined) return undefined;
  const slack =
    other.slack + (convertToUnit({ ...one, value: one.slack < 0.5 ? one.slack : 0 }, other.unit) ?? 0);
  // Bytes are counted in thousands or in 1,024s.
  const isBytes = /B$/.test(one.unit) && /B$/.test(other.unit);
  const ways = isBytes
    ? Array.from({ length: 2 * STEPS + 1 }, (_, step) => (1024 / 1000) ** (step - STEPS)).filter(
        (way) => Math.abs(Math.log(way) / Math.log(1.024)) <= countUnitSteps(exact / one.value) + 0.1,
      )
    : [1];
  return ways.some((way) => isWithinSlack(other.value, exact * way, slack)) ? undefined : exact;
}

/** From bytes to terabytes. */
const STEPS = 4;
/** Returns how many factors of a thousand lie between two units of bytes, at least one. */
const countUnitSteps = (ratio: number): number =>
  Math.max(1, Math.round(Math.abs(Math.log10(Math.abs(ratio))) / 3));
