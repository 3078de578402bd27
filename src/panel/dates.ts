// Offline panel: parses the dates of a document, and finds impossible ones.
import * as english from 'chrono-node/en';
import * as french from 'chrono-node/fr';
import type { Document, Span } from './document.ts';
import { locate } from './reviewer.ts';
import type { Located } from './reviewer.ts';
import type { Language } from './says.ts';
import { listTables } from './tables.ts';

export interface Day extends Span {
  written: string;
  /** Days since 1970-01-01. */
  day: number;
  /** The written weekday, 0 for Sunday; undefined if there is none. */
  weekday: number | undefined;
}

const CHRONO = { en: english.strict, fr: french.strict };
const DAY_MS = 86_400_000;
const toDayNumber = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / DAY_MS;

const ISO = /(?<![\p{L}\p{N}./_-])(\d{4})([-/])(\d{2})\2(\d{2})(?![\p{N}/_-]|[.]\d)/gu;
/** Day, month name, year. The library parses the month name, with another day. */
const DATE_IN_WORDS: Record<Language, RegExp> = {
  en: /(?<![\p{N}.-])(\d{1,2})(?:st|nd|rd|th)? (?:of )?(\p{Lu}\p{L}{2,8})\.?,? (\d{4})(?![\p{N}-])|(?<![\p{L}])(\p{Lu}\p{L}{2,8})\.? (\d{1,2})(?:st|nd|rd|th)?, (\d{4})(?![\p{N}-])/gu,
  fr: /(?<![\p{N}.-])(\d{1,2})(?:er)? (\p{L}{3,9})\.? (\d{4})(?![\p{N}-])/gu,
};
const WEEKDAYS: Record<Language, readonly string[]> = {
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  fr: ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
};

interface FoundDates {
  days: Day[];
  impossible: (Span & { written: string })[];
}

/** Finds complete dates, and invalid ones in the form of a date. Offsets count from `at`. */
export function findDates(text: string, language: Language, at = 0): FoundDates {
  const found: FoundDates = { days: [], impossible: [] };
  const put = (start: number, written: string, date: number | undefined): void => {
    const span = { start: at + start, end: at + start + written.length, written };
    if (date === undefined) found.impossible.push(span);
    else found.days.push({ ...span, day: date, weekday: readWeekday(text.slice(0, start), language) });
  };
  for (const match of text.matchAll(ISO)) put(match.index, match[0], toRealDay(match[1], match[3], match[4]));
  for (const match of text.matchAll(DATE_IN_WORDS[language])) {
    const [written, day = match[5], name = match[4], year = match[6]] = match;
    const month = parseMonthName(name ?? '', language);
    if (month !== undefined) put(match.index, written, toRealDay(year, String(month), day));
  }
  found.days.sort((a, b) => a.start - b.start);
  return found;
}

function toRealDay(year?: string, month?: string, day?: string): number | undefined {
  const value = toDayNumber(Number(year), Number(month), Number(day));
  const date = new Date(value * DAY_MS);
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day) ? value : undefined;
}

const months = new Map<string, number | undefined>();
function parseMonthName(name: string, language: Language): number | undefined {
  const key = `${language} ${name.toLowerCase()}`;
  if (!months.has(key)) {
    const [result] = CHRONO[language].parse(`1 ${name} 2024`);
    const known =
      result?.text === `1 ${name} 2024` && result.start.isCertain('month') && result.start.isCertain('year');
    months.set(key, known ? (result.start.get('month') ?? undefined) : undefined);
  }
  return months.get(key);
}

function readWeekday(text: string, language: Language): number | undefined {
  const word = /(\p{L}{4,10}),? (?:the |le )?$/u.exec(text.slice(-16))?.[1]?.toLowerCase();
  const at = WEEKDAYS[language].findIndex((name) => name.toLowerCase() === word);
  return at < 0 ? undefined : at;
}

/** Finds dates that do not exist, and weekdays that do not match their dates. */
export function checkDates(document: Document): Located[] {
  const { language, say } = document;
  const texts = [
    ...document.blocks.map(({ text, start }) => ({ text, start })),
    ...listTables(document).flatMap(({ header, rows }) =>
      [header, ...rows].flat().map(({ start, end }) => ({ text: document.text.slice(start, end), start })),
    ),
    ...findFrontMatter(document),
  ];
  return texts.flatMap(({ text, start }) => {
    const { days, impossible } = findDates(text, language, start);
    return [
      ...impossible.map((span) => locate(document, span, 'date', say.notInCalendar(span.written))),
      ...days.flatMap((one) => {
        const weekday = new Date(one.day * DAY_MS).getUTCDay();
        if (one.weekday === undefined || one.weekday === weekday) return [];
        const advice = say.wrongWeekday(one.written, WEEKDAYS[language][weekday] ?? '');
        return [locate(document, one, 'weekday', advice)];
      }),
    ];
  });
}

function findFrontMatter({ tree, text }: Document): { text: string; start: number }[] {
  const [first] = tree.children;
  if (first?.type !== 'yaml') return [];
  const start = first.position?.start.offset ?? 0;
  return [{ text: text.slice(start, first.position?.end.offset), start }];
}
