// Converts times in a text to local and relative ones, for a person at a terminal.
import { formatLocalTime, formatDueTime } from '../base/local-time.ts';
import type { Language } from '../base/words/words.ts';

/**
 * Replaces the given times (ISO 8601 UTC) in a text by local time: "Tue 24 Nov 2026, 14:05", in French "24
 * nov. 2026, 14:05". A time at the end of its line after a colon is also relative: "Deadline: in 42 min,
 * 14:05". Other times were written by people or agents, and stay as they are.
 */
export function withLocalTimes(text: string, times: readonly string[], lang: Language, now: number): string {
  const { local, distant } = lang === 'en' ? createEnglishForms(now) : createTimeForms(lang, now);
  const known = new Set(times);
  return text.replace(TIME, (all, colon: string | undefined, iso: string) => {
    if (!known.has(iso)) return all;
    return colon === undefined ? local(iso) : `${colon}${distant(iso)}`;
  });
}

/** A time, with the preceding colon if nothing follows it on the line. */
const TIME = /(: (?=\S+(?:\n|$)))?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/g;

interface TimeForms {
  local(iso: string): string;
  distant(iso: string): string;
}

const createEnglishForms = (now: number): TimeForms => ({
  local: (iso) => formatLocalTime(iso, now),
  distant: (iso) => formatDueTime(iso, now),
});

/** Upper limits of a distance in minutes, with the unit and its length in minutes. */
const UNITS: readonly [number, number, Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'minute'],
  [2880, 60, 'hour'],
  [Infinity, 1440, 'day'],
];

function createTimeForms(lang: Language, now: number): TimeForms {
  const relative = new Intl.RelativeTimeFormat(lang);
  const format = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'short' });
  const formatLocal = (iso: string): string => format.format(new Date(iso));
  const formatWithDistance = (iso: string): string => {
    const minutes = (Date.parse(iso) - now) / 60_000;
    const [, size, unit] = UNITS.find(([limit]) => Math.abs(minutes) < limit) ?? [0, 1440, 'day'];
    return `${relative.format(Math.trunc(minutes / size), unit)}, ${formatLocal(iso)}`;
  };
  return { local: formatLocal, distant: formatWithDistance };
}
