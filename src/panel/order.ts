// Offline panel: finds dates in the wrong order, and durations that do not match their two dates.
import { shiftSpan } from './place.ts';
import { visit } from 'unist-util-visit';
import { findDates } from './dates.ts';
import type { Day } from './dates.ts';
import type { Document } from './document.ts';
import { listPassages, listTables } from './tables.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import { asWritten } from './amounts.ts';

/** Headings and columns whose dates should be in order. */
const TIMETABLE =
  /roll-?out|time ?table|time ?line|mile ?stone|schedule|road ?map|history|phases?\b|steps?\b|plan\b|calendrier|échéancier|jalons?|chronologie|étapes?|historique|déroul/i;
const START =
  /^(?:start|starts|start date|from|begin|begins|opened|created|proposed|début|debut|du|de|créé|ouvert)\b/i;
const END_WORD =
  /(?:^|\b)(?:end|ends|end date|end of|until|to|due|closes|expires|deadline|fin|jusqu|au|échéance|clôture)\b/i;

export function checkOrder(document: Document): Located[] {
  return [
    ...checkLists(document),
    ...checkTables(document),
    ...checkRanges(document),
    ...checkHeader(document),
  ];
}

const createOrderLocator =
  (sentence: 'backwards' | 'endsBeforeStart') =>
  (document: Document, at: Day, before: Day): Located =>
    locate(document, at, 'order', document.say[sentence](at.written, before.written), {
      also: [before],
    });
const backwards = createOrderLocator('backwards');
const tooEarly = createOrderLocator('endsBeforeStart');

/** Returns the only date that breaks an order set by the first two dates and followed by the others. */
function findOddDays(days: readonly Day[]): { at: Day; before: Day }[] {
  const steps = days.slice(1).flatMap((at, index) => {
    const before = days[index];
    return before && before.day !== at.day ? [{ at, before, up: at.day > before.day }] : [];
  });
  const down = steps.filter(({ up }) => !up);
  return steps.length >= 2 && steps[0]?.up && down.length === 1 ? down : [];
}

function checkLists(document: Document): Located[] {
  const found: Located[] = [];
  visit(document.tree, 'list', (node) => {
    const start = node.position?.start.offset ?? 0;
    const heading = document.headings.findLast((one) => one.start < start);
    if (!node.ordered && !TIMETABLE.test(heading?.text ?? '')) return;
    const days = node.children.flatMap((item) => {
      const from = item.position?.start.offset ?? 0;
      const line = document.text.slice(from, item.position?.end.offset).split('\n')[0] ?? '';
      const [first, ...others] = findDates(line, document.language, from).days;
      const lead = first ? line.slice(0, first.start - from) : '';
      return first &&
        others.length === 0 &&
        /^\W*(?:\d+[.)]\s*)?(?:\W|by|on|until|from|le|au|dès|v?[\d.]+|[\p{L}]+:){0,3}\W*$/iu.test(lead)
        ? [first]
        : [];
    });
    if (days.length * 3 >= node.children.length * 2)
      found.push(...findOddDays(days).map(({ at, before }) => backwards(document, at, before)));
  });
  return found;
}

function checkTables(document: Document): Located[] {
  return listTables(document).flatMap(({ header, rows }) => {
    const columns = header.map((_, column) =>
      rows.map((row) => {
        const cell = row[column];
        const days = cell
          ? findDates(document.text.slice(cell.start, cell.end), document.language, cell.start).days
          : [];
        return days.length === 1 ? days[0] : undefined;
      }),
    );
    const from = header.findIndex(({ text }) => START.test(text));
    const to = header.findIndex(({ text }, at) => at !== from && END_WORD.test(text));
    const pairs = rows.flatMap((_, row) => {
      const [start, end] = [columns[from]?.[row], columns[to]?.[row]];
      return start && end && end.day < start.day ? [tooEarly(document, end, start)] : [];
    });
    const heading = document.headings.findLast((one) => one.start < (header[0]?.start ?? 0));
    const isTimetable = TIMETABLE.test([heading?.text, ...header.map(({ text }) => text)].join(' '));
    const steps = isTimetable
      ? columns
          .filter((_, at) => at !== to)
          .flatMap((days) => findOddDays(days.filter((day) => day !== undefined)))
      : [];
    return [...pairs, ...steps.map(({ at, before }) => backwards(document, at, before))];
  });
}

const TO = /^\s?(?:and ends?(?: on)?|to|until|till|through|–|—|-|au|jusqu['’]au)\s?(?:\p{L}+,? )?$/iu;
const FROM = /(?:from|between|du|begins(?: on)?|starts(?: on)?)\s(?:\p{L}+,? )?$/iu;

/** Checks "from 1 March 2026 to 15 February 2026". */
function checkRanges(document: Document): Located[] {
  return document.blocks.flatMap(({ text, start }) => {
    const { days } = findDates(text, document.language, start);
    return days.flatMap((end, at) => {
      const first = days[at - 1];
      if (!first || end.day >= first.day || !TO.test(text.slice(first.end - start, end.start - start)))
        return [];
      const isDash = /[–—-]/.test(text.slice(first.end - start, end.start - start));
      return isDash || FROM.test(text.slice(0, first.start - start)) ? [tooEarly(document, end, first)] : [];
    });
  });
}

const LINE_KEY = /^[\s>*_-]*([\p{L}][\p{L} ]{1,30}?)[*_]*\s?:[*_]*\s/u;
const OPENS = /^(?:start(?: date| of .*)?|created|opened|proposed|date|début.*|créé.*|ouvert.*)$/i;
const CLOSES = /\b(?:end|ends|until|due|closes|expires|deadline|fin|jusqu\p{L}*|échéance|clôture)\b/iu;

/** Checks "Created: …" and "Review ends: …" in the lines before the first section. */
function checkHeader(document: Document): Located[] {
  const until = document.headings.find(({ depth, start }) => depth > 1 && start > 0)?.start ?? 2000;
  const named: { key: string; day: Day }[] = [];
  let at = 0;
  for (const line of document.text.slice(0, Math.min(until, 3000)).split('\n')) {
    const key = LINE_KEY.exec(line)?.[1];
    const { days } = findDates(line, document.language, at);
    if (key !== undefined && days.length === 1 && days[0]) named.push({ key, day: days[0] });
    at += line.length + 1;
  }
  const opened = named.find(({ key }) => OPENS.test(key));
  return named.flatMap(({ key, day }) =>
    opened && CLOSES.test(key) && day.day < opened.day.day ? [tooEarly(document, day, opened.day)] : [],
  );
}

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
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5, six: 6 },
  ...{ deux: 2, trois: 3, quatre: 4, cinq: 5 },
};

/** Finds durations that do not match the two dates next to them. */
export function checkPeriods(document: Document): Located[] {
  return listPassages(document).flatMap(({ text: raw, start }) => {
    const text = raw.replace(/\s/g, ' ');
    return [...text.matchAll(RANGE)].flatMap((match) => {
      const [whole, from = '', to = ''] = match;
      const end = match.index + whole.length;
      const before = BEFORE.exec(text.slice(Math.max(0, match.index - 40), match.index));
      const after = AFTER.exec(text.slice(end));
      const [count, unit] = before ? [before[2], before[3]] : [after?.[1], after?.[2]];
      const days = countDays(document, from, to);
      if (count === undefined || unit === undefined || before?.[1] || days === undefined) return [];
      const number = NUMBER_WORDS[count.toLowerCase()] ?? Number(count);
      if (isFittingLength(number, unit, days)) return [];
      const first = match.index - (before?.[0].length ?? 0);
      const last = end + (before ? 0 : (after?.[0].length ?? 0));
      const span = shiftSpan({ start }, first, last);
      const written = asWritten(text.slice(first, last), 70);
      const advice = document.say.wrongPeriod(written, days);
      return [locate(document, span, 'period', advice)];
    });
  });
}

/**
 * Counts the days between two dates; the first takes its year from the last. Undefined if either is not a date.
 */
function countDays({ language }: Document, from: string, to: string): number | undefined {
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

/** Weeks and months may be incomplete at both ends; days may be working days. */
function isFittingLength(count: number, unit: string, days: number): boolean {
  const isNear = (length: number, spare: number): boolean => Math.abs(days - count * length) <= spare;
  if (/^(?:day|jour)/i.test(unit)) return isNear(1, 1) || Math.abs(count - (days * 5) / 7) <= 3;
  if (/^(?:week|semaine)/i.test(unit)) return isNear(7, 7);
  if (/^(?:month|mois)/i.test(unit)) return isNear(30.44, 17);
  return isNear(365.25, 62);
}
