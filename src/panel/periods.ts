// Offline panel: "for 3 months, from 1 January to 1 May 2026": a length against its two dates.
import { findDates } from './dates.ts';
import type { Document } from './document.ts';
import { listPassages } from './passages.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { says } from './says.ts';
import { asWritten } from './shown.ts';

const DATE = String.raw`(\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th|er)?\s\p{L}{3,9}(?:\s\d{4})?|\p{Lu}\p{L}{2,8}\s\d{1,2}(?:,\s\d{4})?)`;
const RANGE = new RegExp(
  String.raw`(?:from|between|starting|du|de)\s(?:the\s|le\s)?${DATE},?\s(?:to|until|till|through|and|au|jusqu['’]au)\s(?:the\s|le\s)?${DATE}`,
  'giu',
);
const COUNT = String.raw`(\d{1,3}|two|three|four|five|six|deux|trois|quatre|cinq)[\s-](days?|weeks?|months?|years?|jours?|semaines?|mois|ans?)`;
const BEFORE = new RegExp(
  String.raw`(~|≈|\b(?:about|around|roughly|almost|nearly|over|environ|presque|près de|plus de|within|first|last)\s)?(?<![\p{L}\p{N}.,])${COUNT},?\s?\(?$`,
  'iu',
);
const AFTER = new RegExp(
  String.raw`^(?:\s\(|,?\s(?:for|i\.e\.|that is|so|soit|pendant|c'est-à-dire)\s)${COUNT}(?![\p{L}])`,
  'iu',
);
const WORDS: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6 },
  ...{ deux: 2, trois: 3, quatre: 4, cinq: 5 },
};

/** Lengths of time that are not what lies between the two dates beside them. */
export function periods(document: Document): Located[] {
  return listPassages(document).flatMap(({ text: raw, start }) => {
    const text = raw.replace(/\s/g, ' ');
    return [...text.matchAll(RANGE)].flatMap((match) => {
      const [whole, from = '', to = ''] = match;
      const end = match.index + whole.length;
      const before = BEFORE.exec(text.slice(Math.max(0, match.index - 40), match.index));
      const after = AFTER.exec(text.slice(end));
      const [count, unit] = before ? [before[2], before[3]] : [after?.[1], after?.[2]];
      const days = daysBetween(document, from, to);
      if (count === undefined || unit === undefined || before?.[1] || days === undefined) return [];
      const number = WORDS[count.toLowerCase()] ?? Number(count);
      if (fits(number, unit, days)) return [];
      const span = {
        start: start + match.index - (before?.[0].length ?? 0),
        end: start + end + (before ? 0 : (after?.[0].length ?? 0)),
      };
      const written = asWritten(text.slice(span.start - start, span.end - start), 70);
      const advice = says(document.language).wrongPeriod(written, days);
      return [locate(document, span, { severity: 'first', rule: 'period', advice })];
    });
  });
}

/** Days from the first to the last; the first takes its year from the last. Undefined where one of them is no date. */
function daysBetween({ language }: Document, from: string, to: string): number | undefined {
  const year = /\d{4}/.exec(to)?.[0];
  const [last] = findDates(to, language).days;
  if (!last || year === undefined) return undefined;
  const firsts = (
    /\d{4}/.test(from) ? [from] : [Number(year), Number(year) - 1].map((one) => withYear(from, one))
  )
    .flatMap((text) => findDates(text, language).days.slice(0, 1))
    .filter(({ day }) => day < last.day);
  return firsts[0] && last.day - firsts[0].day;
}

const withYear = (date: string, year: number): string => `${date}${/\d$/.test(date) ? ',' : ''} ${year}`;

/** Weeks and months may begin and end within one; days may be days of work. */
function fits(count: number, unit: string, days: number): boolean {
  const near = (length: number, spare: number): boolean => Math.abs(days - count * length) <= spare;
  if (/^(?:day|jour)/i.test(unit)) return near(1, 1) || Math.abs(count - (days * 5) / 7) <= 3;
  if (/^(?:week|semaine)/i.test(unit)) return near(7, 7);
  if (/^(?:month|mois)/i.test(unit)) return near(30.44, 17);
  return near(365.25, 62);
}
