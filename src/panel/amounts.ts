// Offline panel: finds the amounts in a text, with unit and precision.
import { NumberParser } from '@internationalized/number';
import { convert, getMeasureKind } from 'convert';
import type { Unit } from 'convert';
import type { Span } from './document.ts';
import type { Language } from './says.ts';

/** A number in running text, with its unit if any. */
export interface Amount extends Span {
  value: number;
  /** Half a unit of the last given digit: the maximum rounding error. */
  slack: number;
  /** Named as in the library of units; `%`, a currency, or '' for a bare number. */
  unit: string;
  written: string;
  /** Marked as inexact by "about" or "~". */
  rough: boolean;
}

export const UNITS: Readonly<Record<string, string>> = {
  ...mapWordsToUnit('ms', 'ms milliseconds millisecond millisecondes milliseconde'),
  ...mapWordsToUnit('s', 's sec secs second seconds seconde secondes'),
  ...mapWordsToUnit('min', 'min mins minute minutes'),
  ...mapWordsToUnit('h', 'h hr hrs hour hours heure heures'),
  ...mapWordsToUnit('days', 'day days jour jours'),
  ...mapWordsToUnit('weeks', 'week weeks semaine semaines'),
  ...mapWordsToUnit('months', 'month months mois'),
  ...mapWordsToUnit('years', 'year years an ans année années'),
  ...mapWordsToUnit('KB', 'kB KB Ko ko'),
  ...mapWordsToUnit('MB', 'MB Mo'),
  ...mapWordsToUnit('GB', 'GB Go'),
  ...mapWordsToUnit('TB', 'TB To'),
  ...mapWordsToUnit('KiB', 'KiB Kio'),
  ...mapWordsToUnit('MiB', 'MiB Mio'),
  ...mapWordsToUnit('GiB', 'GiB Gio'),
  ...mapWordsToUnit('m', 'm metres meters mètres'),
  ...mapWordsToUnit('km', 'km kilometres kilometers kilomètres'),
  ...mapWordsToUnit('kg', 'kg'),
  ...mapWordsToUnit('g', 'g'),
  ...mapWordsToUnit('%', '% percent'),
  ...mapWordsToUnit('€', '€ EUR euros euro'),
  ...mapWordsToUnit('$', '$ US$ USD dollars'),
};
const TIMES: Readonly<Record<string, number>> = {
  thousand: 1e3,
  million: 1e6,
  millions: 1e6,
  billion: 1e9,
  billions: 1e9,
  milliard: 1e9,
  milliards: 1e9,
};
const AFTER = new RegExp(
  `^[ \\u00A0\\u202F]?(?:(${Object.keys(TIMES).join('|')})(?![\\p{L}]))?[ \\u00A0\\u202F]?(?:d['’]|de )?(${Object.keys(
    UNITS,
  )
    .sort((a, b) => b.length - a.length)
    .map((unit) => unit.replace('$', '\\$'))
    .join('|')})?(?![\\p{L}\\p{N}²³$€])`,
  'u',
);
const NUMBER: Record<Language, RegExp> = {
  en: /(?<![\p{L}\p{N}_.,:/#§-])([$€]|US\$)?[-−]?((?:\d{1,3}(?:[,\u00A0\u202F]\d{3})+|\d+)(?:\.\d+)?)(?![\d:/_]|[.,-]\d|-[\p{L}])/gu,
  fr: /(?<![\p{L}\p{N}_.,:/#§-])([$€]|US\$)?[-−]?((?:\d{1,3}(?:[ \u00A0\u202F]\d{3})+|\d+)(?:[,.]\d+)?)(?![\d:/_]|[.,-]\d|-[\p{L}])/gu,
};
const ROUGH =
  /(?:[~≈]|\b(?:about|around|roughly|approximately|nearly|almost|over|more than|less than|under|up to|environ|presque|près de|plus de|moins de)\s)\s?$/i;

const parsers = new Map<Language, NumberParser>();
function parse(text: string, language: Language): number {
  const parser = parsers.get(language) ?? new NumberParser(language);
  parsers.set(language, parser);
  const plain = text.replace(/[ \u00A0]/g, language === 'fr' ? '\u202F' : ',');
  // French technical texts use both decimal separators.
  return language === 'fr' && /^\d+\.\d+$/.test(plain) ? Number(plain) : parser.parse(plain);
}

/** Finds the amounts of a text, in order; offsets count from `at`. */
export function findAmounts(text: string, language: Language, at = 0): Amount[] {
  const found: Amount[] = [];
  for (const match of text.matchAll(NUMBER[language])) {
    const [whole, before, digits = ''] = match;
    const end = match.index + whole.length;
    const [after = '', times, unit] = AFTER.exec(text.slice(end, end + 40)) ?? [];
    const factor = times === undefined ? 1 : (TIMES[times] ?? 1);
    const decimals =
      /[.,](\d+)$/.exec(/^\d{1,3}([,]\d{3})+$/.test(digits) && language === 'en' ? '' : digits)?.[1]
        ?.length ?? 0;
    const value = parse(digits, language) * factor;
    // "1,559" in a French text is ambiguous: over a thousand, or one and a half.
    const isUnclear = language === 'fr' && /^[1-9]\d{0,2},\d{3}$/.test(digits);
    if (!Number.isFinite(value) || isUnclear) continue;
    const sign = /[-−]/.test(whole.slice(0, 4)) ? -1 : 1;
    const written = unit ?? before ?? '';
    const length = unit === undefined && times === undefined ? 0 : after.length;
    found.push({
      start: at + match.index,
      end: at + end + length,
      value: sign * value,
      slack: (0.5 / 10 ** decimals) * factor,
      unit: UNITS[written] ?? '',
      written,
      rough: ROUGH.test(text.slice(Math.max(0, match.index - 20), match.index)),
    });
  }
  return found;
}

/** Converts an amount to another unit; undefined if impossible or inexact (months). */
export function convertToUnit(amount: Amount, unit: string): number | undefined {
  if (!isMeasure(amount.unit) || !isMeasure(unit)) return undefined;
  if (getMeasureKind(amount.unit) !== getMeasureKind(unit)) return undefined;
  return convertUnits(amount.value, amount.unit, unit);
}

/** Returns the seconds in a unit of time, for rates; undefined for other units. */
export const findSecondsPerUnit = (unit: string): number | undefined =>
  unit === 'months' || unit === 'years' || !isMeasure(unit) || getMeasureKind(unit) !== getMeasureKind('s')
    ? undefined
    : convertUnits(1, unit, 's');

/** The library's types require two units of the same kind, which the callers check. */
const convertUnits = (value: number, from: Unit, to: Unit): number =>
  Number(convert(value, from).to(to as never));

/** Returns the kind of quantity that a unit measures, for comparisons: 'time', 'data', or the unit itself. */
export function classifyUnit(unit: string): string {
  if (unit === 'months' || unit === 'years') return 'time';
  if (!isMeasure(unit)) return unit;
  const kind = getMeasureKind(unit);
  return kind === getMeasureKind('s') ? 'time' : kind === getMeasureKind('B') ? 'data' : unit;
}

const UNEVEN = new Set(['%', '€', '$', '', 'months', 'years']);
const isMeasure = (unit: string): unit is Unit => !UNEVEN.has(unit);

/** Returns whether two numbers agree within their precision, plus a tolerance of one in a thousand. */
export const isWithinSlack = (a: number, b: number, slack: number): boolean =>
  Math.abs(a - b) <= slack * 1.01 + Math.abs(b) * 0.001;

function mapWordsToUnit(unit: string, words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => [word, unit]));
}

/** Pattern for a number with thousands separators (spaces, points, commas, apostrophes) and decimals. */
export const FIGURE = String.raw`(?:[1-9]\d{0,2}(?:[ \u00A0\u2009\u202F'’.,]\d{3})+(?![\d])|\d+)(?:[.,]\d+)?`;

/** The value of a number under one decimal separator. */
export interface NumberReading {
  value: number;
  decimals: number;
}

export type DecimalSign = '.' | ',';

/** Lists the decimal separators possible in a document, its language's own first. */
export const listNumberCustoms = (language: Language): readonly DecimalSign[] =>
  language === 'fr' ? [',', '.'] : ['.', ','];

/** Parses a number with a decimal separator; undefined if it is not a valid form. */
export function readFigure(text: string, custom: DecimalSign): NumberReading | undefined {
  const [point, comma] = custom === '.' ? ['\\.', ','] : [',', '\\.'];
  const form = new RegExp(
    `^(?:[1-9]\\d{0,2}(?:${comma}\\d{3})+|[1-9]\\d{0,2}(?:[ \\u00A0\\u2009\\u202F'’]\\d{3})+|\\d+)(?:${point}(\\d+))?$`,
    'u',
  );
  const match = form.exec(text);
  if (!match) return undefined;
  const decimals = match[1] ?? '';
  const whole = text.slice(0, text.length - (decimals === '' ? 0 : decimals.length + 1)).replace(/\D/g, '');
  return { value: Number(`${whole}.${decimals || 0}`), decimals: decimals.length };
}

/** Quotes words of the document on one line; keeps only the end if they are too long. */
export function asWritten(text: string, most = 56): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `…${line.slice(line.length - most + 1).trimStart()}`;
}
